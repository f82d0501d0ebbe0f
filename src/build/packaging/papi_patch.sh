#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# papi_patch.sh COMPONENT DIR - patches in DIR that put the component into PAPI's source tree as
# PAPI's own components are: `git am DIR/*.patch`, or `patch -p1` of each.
#
# COMPONENT is the directory that `make papi-component THIN=yes` writes: it opens libuncore at run
# time.  If PAPI_TREE names a git clone of PAPI, further patches correct its CI scripts, and errors in
# its presets that a component with presets shows.
#
# Expects SRC in the environment.  The author is git's, if it knows one.

set -eu

component=$1 dir=$2
templates=$SRC/src/build/packaging/papi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "make papi-patch: $*" >&2
	exit 1
}

command -v git >/dev/null || fail "there is no git, which writes the patches"
name=$(git config user.name || :) mail=$(git config user.email || :)
GIT_AUTHOR_NAME=${name:-uncore developers} GIT_AUTHOR_EMAIL=${mail:-uncore@example.org}
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
date=$(git -C "$SRC" log -1 --format=%ct 2>/dev/null || stat -c %Y "$SRC/CHANGELOG.md")
GIT_AUTHOR_DATE="@$date +0000" GIT_COMMITTER_DATE="@$date +0000"
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE \
	GIT_COMMITTER_DATE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# ---- the files, as they are to be in PAPI's tree ----

new=$work/new
home=$new/src/components/uncore
mkdir -p "$home" "$new/.github/workflows"
cp -R "$component/." "$home"
rm -f "$home/.complete"
cp "$SRC/LICENSE" "$home/LICENSE"
cp "$templates/uncore_component_workflow.yml" "$new/.github/workflows/"
sed -i '/^<!-- outside PAPI -->$/,/^<!-- \/outside PAPI -->$/d' "$home/README.md"

# ---- the commits ----

git init -q "$work/tree"
cd "$work/tree"
git config core.autocrlf false
git config commit.gpgsign false
git commit -q --allow-empty -m "PAPI"

# step SUBJECT BODY FILE...: FILEs of the new tree as one commit
step() {
	subject=$1 body=$2
	shift 2
	for file; do
		mkdir -p "$(dirname "$file")"
		cp -R "$new/$file" "$(dirname "$file")/"
	done
	git add -A -f
	git commit -q -m "uncore: $subject" -m "$body"
}

uncore=src/components/uncore
# shellcheck disable=SC2046
set -- $(cd "$new" && find $uncore -maxdepth 1 -type f | LC_ALL=C sort)
step "Add a component for Intel Xeon uncore counters" \
	"Counts memory controllers, last-level cache, links, power control and PCIe
through the native registers, so without the kernel's uncore driver.  It
opens libuncore.so.0 at run time and needs its headers to be compiled.
PAPI_UNCORE_ROOT=DIR ./configure --with-components=uncore" "$@"
step "Add component tests" \
	"They skip where the component is disabled; UNCORE_MACHINE=sim:snbep lets them
run on a simulated machine." $uncore/tests
step "Add the component's workflow" \
	"The tests run on a simulated machine, so that any runner will do." .github
rm -rf "$dir"
mkdir -p "$dir"
git format-patch -q --no-signature -o "$dir" --root HEAD~3..HEAD

# "uncore" is also found in "perf_event_uncore".
if [ -n "${PAPI_TREE:-}" ]; then
	git clone -q --shared "$PAPI_TREE" "$work/papi" || fail "$PAPI_TREE is no git clone of PAPI"
	cd "$work/papi"
	# shellcheck disable=SC2016
	sed -i 's/grep -q \$cmp/grep -qw "$cmp"/' .github/workflows_scripts/*.sh
	git commit -q -a -m "CI: compare names of components as words" \
		-m "A component whose name is a part of another one's counts as active otherwise." ||
		fail "the CI scripts of $PAPI_TREE compare names already as words"

	before=$(git rev-parse HEAD~1)
	cat >"$work/commit" <<'END'
git commit -q -a -m "framework: $1" -m "$2"
END
	(cd src && sh "$SRC/src/build/papi_corrections.sh" sh "$work/commit")
	if ! grep -q _papi_hwi_has_doubles src/papi_internal.h; then
		sed -i "$(cat "$templates/doubles.sed")" \
			src/papi_internal.c src/papi_internal.h src/papi.c src/high-level/papi_hl.c
		sh "$work/commit" "Refuse doubles in PAPI_accum() and the high-level API" \
			"Both used the bits of a value of type PAPI_DATATYPE_FP64 as an integer: the
high-level API wrote \"33207662387622\" for the difference of two means."
	fi
	git format-patch -q --no-signature --start-number 4 -o "$dir" "$before"
fi
for patch in "$dir"/*.patch; do
	printf '%s\n' "$patch"
done
