#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# papi_patch.sh VERSION COMPONENT DIR - patches in DIR that put the component into PAPI's source
# tree as PAPI's own components are: `git am DIR/*.patch`, or `patch -p1` of each.
#
# COMPONENT is the directory that `make papi-component LISTS=no` writes: without the reader
# of Intel's event lists PAPI needs no further library to be built.  Its Rules file is another
# one, with each source by name, because these are in PAPI's tree now.
#
# Expects SRC in the environment.  The author is git's, if it knows one.

set -eu

version=$1 component=$2 dir=$3
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
find "$home" \( -name '*.o' -o -name '*.d' -o -name '.complete' \) -exec rm -f {} +
# Without the simulated machine, which the tests need, it would take that one's place.
rm -f "$home/src/lib/hw/without_sim.c"
cp "$SRC/LICENSE" "$home/LICENSE"
cp "$templates/uncore_component_workflow.yml" "$new/.github/workflows/"
sed -i '/^<!-- outside PAPI -->$/,/^<!-- \/outside PAPI -->$/d' "$home/README.md"

# objects DIR-PATTERN: in lines of the Rules file
objects() {
	(cd "$new/src" && find components/uncore "$@" -name '*.c' | LC_ALL=C sort) |
		sed 's/\.c$/.o/' | awk '{ printf " \\\\\\n\t%s", $0 }'
}

adapter=$(objects -maxdepth 1)
library=$(objects -mindepth 2 ! -path '*/tests/*')
awk -v adapter="$adapter" -v library="$library" '
	sub(/@adapter@/, "") { printf "%s", $0; print substr(adapter, 2); next }
	sub(/@library@/, "") { printf "%s", $0; print substr(library, 2); next }
	{ print }' "$templates/Rules.uncore.in" >"$home/Rules.uncore"

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
step "Add the library that programs uncore counters" \
	"The library (version $version) knows which boxes the uncore of a Xeon has, which
events they count, and how their registers are programmed through MSRs, PCI
configuration space and memory.  It needs libpfm4 only.  Nothing is compiled
from it yet." $uncore/src $uncore/events $uncore/LICENSE
step "Add a component for Intel Xeon uncore counters" \
	"Counts memory controllers, last-level cache, links, power control and PCIe
through the native registers, so without the kernel's uncore driver.
./configure --with-components=uncore" "$@"
step "Add component tests" \
	"They skip where the component is disabled; UNCORE_MACHINE=sim:snbep lets them
run on a simulated machine." $uncore/tests
step "Add the component's workflow" \
	"The tests run on a simulated machine, so that any runner will do." .github
rm -rf "$dir"
mkdir -p "$dir"
git format-patch -q --no-signature -o "$dir" --root HEAD~4..HEAD
for patch in "$dir"/*.patch; do
	printf '%s\n' "$patch"
done
