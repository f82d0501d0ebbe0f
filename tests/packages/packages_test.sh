#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# packages_test.sh (make check-packages) - `make dist` packs what git tracks, the same each time; `make deb` builds
# Debian's packages from that file alone, without a network and without PAPI; they collide with no
# file of Debian's PAPI, lintian finds no fault, and what is unpacked from them counts.  So does `make rpm`,
# with rpmlint.  Recipes are Python, have the checksums of the archives, and name options that configure has.
#
# Without optimisation and debugging symbols, which takes half of the time.  Expects SRC and BUILD in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
failures=0
version=$(setting VERSION)

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# ---- the sources as one file ----

export SRC
for n in 1 2; do
	step "dist.sh" sh "$SRC/src/build/packaging/dist.sh" "$version" "$work/$n/uncore-$version.tar.xz"
done
cmp "$work"/[12]/*.tar.xz || fail "two files of the same sources differ"
tar -tf "$work/1/uncore-$version.tar.xz" | sed "s|^uncore-$version/||" | sort >"$work/packed"
if git -C "$SRC" rev-parse 2>/dev/null && [ -e "$SRC/.git" ]; then
	(cd "$SRC" && git ls-files | while read -r file; do [ ! -e "$file" ] || echo "$file"; done) |
		sort | cmp - "$work/packed" || fail "what is packed is not what git tracks"
fi
# From what was unpacked, without git, it is the same again.
tar -C "$work" -xf "$work/1/uncore-$version.tar.xz"
step "dist.sh without git" env SRC="$work/uncore-$version" sh "$SRC/src/build/packaging/dist.sh" \
	"$version" "$work/3/again.tar.xz"
tar -tf "$work/3/again.tar.xz" | sed "s|^uncore-$version/||" | sort | cmp - "$work/packed" ||
	fail "what is packed without git is something else"

# ---- recipes ----

cat >"$work/project" <<'END'
homepage=https://uncore.example.org
releases=https://uncore.example.org/v@version@
author='A Name <name@example.org>'
END
tar -C "$work" -cJf "$work/component.tar.xz" 1
if PROJECT=/dev/null sh "$SRC/src/build/packaging/recipes.sh" "$version" "$work/1/uncore-$version.tar.xz" \
	"$work/component.tar.xz" "$work/recipes" >"$work/log" 2>&1; then
	fail "recipes without a homepage"
fi
grep -q 'has no homepage: fill it in' "$work/log" || fail "it does not say that the homepage is missing: $(cat "$work/log")"
step "recipes.sh" env PROJECT="$work/project" sh "$SRC/src/build/packaging/recipes.sh" "$version" \
	"$work/1/uncore-$version.tar.xz" "$work/component.tar.xz" "$work/recipes"
cd "$work/recipes"
! grep -rn '@[a-z_0-9]*@' . || fail "a field of a recipe is not filled"
sources_sum=$(sha256sum "$work/1/uncore-$version.tar.xz" | cut -d ' ' -f 1)
component_sum=$(sha256sum "$work/component.tar.xz" | cut -d ' ' -f 1)
for file in spack/packages/uncore/package.py easybuild/uncore-"$version"-*.eb conda/meta.yaml; do
	{ grep -q "$sources_sum" "$file" && grep -q 'https://uncore.example.org' "$file"; } || fail "$file lacks the archive"
done
for file in spack/packages/papi/package.py easybuild/PAPI-*-uncore.eb; do
	{ grep -q "$component_sum" "$file" && grep -q "https://uncore.example.org/v$version/" "$file"; } ||
		fail "$file lacks the component"
done
if command -v python3 >/dev/null; then
	for file in spack/packages/*/package.py easybuild/*.eb; do
		step "python3 parses $file" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$file"
	done
else
	echo "not tried: the syntax of recipes: there is no python3"
fi
# configure ignores what it does not know.
"$SRC/configure" --help >"$work/help"
for file in spack/packages/uncore/package.py easybuild/uncore-*.eb conda/build.sh; do
	options=$(grep -Eo -e '--with(out)?-[a-z0-9-]+' "$file" | sort -u)
	[ "$(echo "$options" | wc -l)" -ge 3 ] || fail "$file has no options of configure"
	for option in $options; do
		case $option in
		--without-[fmns]*) option=--without-NAME ;;
		esac
		grep -q -e "$option" "$work/help" || fail "$file has $option, configure has not"
	done
done

# ---- Debian's packages ----

debian() {
	for program in dpkg-buildpackage dh; do
		command -v $program >/dev/null || { echo "not tried: make deb: there is no $program"; return; }
	done
	# Nothing can be fetched: in a network namespace of its own, if that is allowed.
	alone=
	if unshare -r -n true 2>/dev/null; then
		alone="unshare -r -n"
	else
		echo "not tried: make deb without a network: unshare is not allowed"
	fi
	DEB_BUILD_OPTIONS="noopt noautodbgsym" DEB_CFLAGS_STRIP=-g
	export DEB_BUILD_OPTIONS DEB_CFLAGS_STRIP
	# shellcheck disable=SC2086
	step "deb.sh" $alone sh "$SRC/src/build/packaging/deb.sh" "$version" \
		"$work/1/uncore-$version.tar.xz" "$work/deb"
	for package in libuncore0 libuncore-dev uncore-tools papi-uncore-source; do
		set -- "$work/deb/${package}_$version"-*.deb
		[ -e "$1" ] || { fail "there is no package $package"; continue; }
		step "dpkg-deb -x" dpkg-deb -x "$1" "$work/root"
	done
	if command -v lintian >/dev/null; then
		lintian --allow-root --fail-on error,warning "$work"/deb/*.changes >"$work/log" 2>&1 ||
			{ fail "lintian:"; grep '^[EW]' "$work/log" || cat "$work/log"; }
	else
		echo "not tried: lintian is not here"
	fi
	unpacked
}

# The unpacked files are used as if they were installed.
unpacked() {
	root=$work/root
	lib=$(dirname "$(find "$root" -name 'libuncore.so.0')")
	# /lib on Debian 12, /usr/lib later.
	units=$(pkg-config --variable=systemdsystemunitdir systemd)
	for file in usr/bin/uncore usr/sbin/uncored usr/include/uncore.h usr/share/man/man1/uncore.1.gz \
		usr/share/man/man3/uncore_open.3.gz usr/share/man/man7/uncore-events.7.gz \
		usr/share/man/man8/uncored.8.gz "${units#/}/uncored.service" \
		"${units#/}/uncored.socket" usr/lib/tmpfiles.d/uncored.conf \
		usr/lib/sysusers.d/uncored.conf usr/share/bash-completion/completions/uncore \
		usr/src/papi-uncore/uncore/Rules.uncore usr/src/papi-uncore/uncore/src/uncore.h; do
		[ -f "$root/$file" ] || fail "no package has $file"
	done
	if find "$root" -name 'libpapi*' | grep .; then
		fail "a libpapi is in the packages"
	fi
	(cd "$root" && find . ! -type d | sed 's/^\.//' | sort) >"$work/ours"
	if command -v dpkg >/dev/null; then
		for package in $(dpkg-query -W -f '${binary:Package}\n' '*papi*' 2>/dev/null || :); do
			case $package in *uncore*) continue ;; esac
			dpkg -L "$package" 2>/dev/null || :
		done | sort -u | while read -r file; do [ -d "$file" ] || echo "$file"; done |
			comm -12 - "$work/ours" >"$work/both"
		[ ! -s "$work/both" ] || fail "PAPI's packages have these, too: $(cat "$work/both")"
	fi
	LD_LIBRARY_PATH=$lib UNCORE_MACHINE=sim:snbep "$root/usr/bin/uncore" stat -d 1 -e UNC_M_CAS_COUNT:RD >"$work/log" 2>&1 ||
		{ fail "uncore stat:"; cat "$work/log"; }
	grep -q "^ExecStart=/usr/sbin/uncored " "$root$units/uncored.service" ||
		fail "the unit does not start /usr/sbin/uncored"
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$lib/pkgconfig
	export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
	# shellcheck disable=SC2046
	step "a program" $(setting CC) "$SRC/examples/library/count.c" \
		$(pkg-config --cflags --libs uncore) -o "$work/count"
	LD_LIBRARY_PATH=$lib UNCORE_MACHINE=sim:snbep step "the program" "$work/count"
	grep -q '^UNC_M_CAS_COUNT:RD *[1-9]' "$work/log" || fail "the program counts nothing"
}

# ---- RPM packages ----

# expected_papi "MACRO VALUE" VERSION: of the private libpapi on this distribution
expected_papi() {
	rpmspec -P --define "$1" "$work/rpm/SPECS/uncore.spec" >"$work/log" 2>&1 || { fail "spec for $1:"; cat "$work/log"; }
	grep -q "^Source1:.* papi-$2.tar.gz" "$work/log" || fail "$1 has not PAPI $2: $(grep '^Source1' "$work/log")"
}

# Without PAPI, whose source takes longer to build than all the rest.
rpm_packages() {
	command -v rpmbuild >/dev/null || { echo "not tried: make rpm: there is no rpmbuild"; return; }
	# Of the unpacked Debian packages.
	unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
	CFLAGS=-O0 step "rpm.sh" sh "$SRC/src/build/packaging/rpm.sh" "$version" "$work/1/uncore-$version.tar.xz" "$work/rpm" ""
	for package in uncore-libs uncore-devel uncore-tools papi-uncore-source; do
		[ -n "$(find "$work/rpm" -name "$package-$version-1*.rpm")" ] || fail "there is no RPM package $package"
	done
	rpm -qp --provides "$work"/rpm/*.rpm >"$work/provided"
	expected_papi "rhel 8" 7.1.0
	expected_papi "rhel 9" 6.0.0
	expected_papi "rhel 10" 7.1.0
	expected_papi "fedora 43" 7.2.0
	expected_papi "sle_version 150100" 7.1.0
	expected_papi "sle_version 150200" 5.7.0
	expected_papi "sle_version 150600" 6.0.0.1
	! grep libpapi "$work/provided" || fail "an RPM package provides libpapi"
	grep -q '^libuncore.so.0(UNCORE_0.2)' "$work/provided" || fail "no RPM package provides libuncore.so.0"
	if command -v rpmlint >/dev/null; then
		rpmlint -r "$SRC/src/build/packaging/rpm/uncore.rpmlintrc" "$work"/rpm/*.rpm "$work/rpm/SPECS/uncore.spec" \
			>"$work/log" 2>&1 || :
		grep -q 'specfiles checked' "$work/log" || { fail "rpmlint:"; cat "$work/log"; }
		# There is no private libpapi here, and no debugging information.
		if grep -E ': [EW]: ' "$work/log" | grep -v 'unused-rpmlintrc-filter\|static-library-without-debuginfo'; then
			fail "rpmlint finds these"
		fi
	else
		echo "not tried: rpmlint is not here"
	fi
}

cd "$work"
debian
rpm_packages
[ $failures -eq 0 ]
