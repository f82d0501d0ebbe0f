#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# release.sh VERSION DIR - check that the tree can be published as VERSION, and make what is published, in DIR:
# the sources, the component, Debian and RPM packages, recipes, patches for PAPI, checksums.
#
# It commits, tags and uploads nothing.  RELEASE_TESTS are the goals of make that must succeed (check-all
# check-packages); empty: none, and the result is not called ready.
#
# Expects SRC and BUILD in the environment.

set -u

version=$1 dir=$2
packaging=$SRC/src/build/packaging
tests=${RELEASE_TESTS-check-all check-packages}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=src/build/packaging/fields.sh
. "$packaging/fields.sh"
# shellcheck source=src/build/packaging/release_checks.sh
. "$packaging/release_checks.sh"

stop() {
	echo "make release: $*" >&2
	exit 1
}

# part NAME COMMAND...: its output only if it fails
part() {
	name=$1
	shift
	printf '  %-28s' "$name"
	if "$@" >"$work/out" 2>&1 </dev/null; then
		echo "ok"
	else
		echo "failed"
		tail -n 20 "$work/out" | sed 's/^/    /'
		return 1
	fi
}

# ---- checks ----

# The quick ones first, of which all are listed.
check_all() {
	wrong=0
	for check in $release_checks; do
		problem=$("check_$check") || problem="${problem:-it failed}"
		[ -z "$problem" ] || wrong=$((wrong + 1))
		printf '  %-28s%s\n' "$check" "${problem:-ok}"
	done
	[ $wrong -eq 0 ] || stop "$wrong checks failed: nothing was made"
	# The examples are run by readme_test.sh.
	# shellcheck disable=SC2086
	part "make" make -C "$make_dir" $built || stop "make failed: nothing was made"
	for test in docs readme pages messages english structure interface; do
		part "$test" sh "$SRC/tests/house/${test}_test.sh" || wrong=$((wrong + 1))
	done
	[ $wrong -eq 0 ] || stop "$wrong checks failed: nothing was made"
	for goal in $tests; do
		part "make $goal" make -C "$make_dir" "$goal" || stop "make $goal failed: nothing was made"
	done
}

# ---- what is published ----

make_sources() {
	sh "$packaging/dist.sh" "$version" "$dir/uncore-$version.tar.xz"
}

make_component() {
	make -C "$make_dir" dist-component && cp "$BUILD/dist/uncore-component-$version.tar.xz" "$dir"
}

make_deb() {
	sh "$packaging/deb.sh" "$version" "$dir/uncore-$version.tar.xz" "$work/deb" &&
		cp "$work"/deb/*.deb "$work"/deb/*.dsc "$work"/deb/*.debian.tar.* "$work"/deb/*.orig.tar.* "$dir"
}

make_rpm() {
	sh "$packaging/rpm.sh" "$version" "$dir/uncore-$version.tar.xz" "$work/rpm" "$papi" &&
		cp "$work"/rpm/*.rpm "$work/rpm/SPECS/uncore.spec" "$dir"
}

make_checksums() {
	cd "$dir" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >"$work/sums" &&
		cp "$work/sums" SHA256SUMS
}

# optional NAME PROGRAM COMMAND...: not made without the program
optional() {
	name=$1 program=$2
	shift 2
	if command -v "$program" >/dev/null; then
		part "$name" "$@" || stop "cannot make $name"
	else
		printf '  %-28s%s\n' "$name" "not made: there is no $program"
		left="$left, $name"
	fi
}

make_all() {
	rm -rf "$dir"
	mkdir -p "$dir" || stop "cannot create $dir"
	part "sources" make_sources || stop "cannot make the sources"
	part "component" make_component || stop "cannot make the component"
	optional "Debian packages" dpkg-buildpackage make_deb
	optional "RPM packages" rpmbuild make_rpm
	if [ -n "$unpublished" ]; then
		printf '  %-28s%s\n' "recipes, patches for PAPI" \
			"not made: fill in$unpublished in src/build/packaging/project"
		left="$left, recipes, patches for PAPI"
	else
		part "recipes" make_recipes || stop "cannot make the recipes"
		part "patches for PAPI" make_patches || stop "cannot make the patches for PAPI"
	fi
	part "checksums" make_checksums || stop "cannot write the checksums"
}

make_recipes() {
	sh "$packaging/recipes.sh" "$version" "$dir/uncore-$version.tar.xz" "$dir/uncore-component-$version.tar.xz" \
		"$dir/recipes"
}

make_patches() {
	make -C "$make_dir" papi-patch && cp -R "$BUILD/papi-patch" "$dir/papi-patch"
}

# ---- what remains to be done ----

report() {
	echo
	echo "Files to publish, in $dir:"
	(cd "$dir" && find . -type f | sed 's|^\./|  |' | LC_ALL=C sort)
	echo
	echo "Next:"
	echo "  git tag -s v$version $commit && git push origin v$version"
	echo "  upload the files${releases:+ to $releases}, and sign SHA256SUMS"
	[ -z "$left" ] || echo "  not made here: ${left#, }"
	[ -n "$tests" ] || echo "  not ready: the tests were not run (RELEASE_TESTS is empty)"
}

papi=$(sed -n 's/^PAPI_SRC *= *//p' "$BUILD/config.mk")
built="all${papi:+ examples}"
make_dir=$BUILD
[ -f "$make_dir/Makefile" ] || make_dir=$SRC
commit=$(git -C "$SRC" rev-parse HEAD 2>/dev/null) || commit=
left=
unpublished=
for field in homepage releases author; do
	eval "[ -n \"\$$field\" ]" || unpublished="$unpublished $field"
done
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
echo "checks of version $version:"
check_all
echo "files of version $version:"
make_all
report
