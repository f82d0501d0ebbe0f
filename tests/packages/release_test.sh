#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The faults of a tree that `make release` reports: a copy has a version, dates and a changelog as required, and one
# thing at a time is changed.  Nothing is made of a tree with a fault.
#
# Expects SRC and BUILD in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
command -v git >/dev/null || skip "there is no git"
failures=0
tree=$work/tree
packaging=$SRC/src/build/packaging
today=$(date -u +%F)

fail() {
	echo "FAILED: $*"
	cat "$work/out"
	failures=$((failures + 1))
}

tracked() {
	(cd "$SRC" && git ls-files configure CHANGELOG.md SECURITY.md docs/installing.md 'docs/*.[1-8]' src/libuncore.map \
		src/build/packaging)
}

# A repository of its own, as version 9.1.
mkdir "$tree"
(cd "$SRC" && tracked | tar -cf - -T -) | tar -C "$tree" -xf -
cd "$tree"
git init -q .
git config user.name x
git config user.email x@example.org
sed -i 's/^VERSION=.*/VERSION=9.1/' configure
sed -i "0,/^## /s/^## .*/## 9.1 ($today)/" CHANGELOG.md
sed -i "s/^\(\.TH .*\)\"20[0-9-]*\"/\1\"$today\"/" docs/*.[1-8]
sed -i 's/find_package(uncore [0-9.]* /find_package(uncore 9.1 /' docs/installing.md
sed -i '0,/^| [0-9]/s/^| [0-9].*/| 9.1 | yes |/' SECURITY.md
mkdir -p "$work/build/src"
touch "$work/build/config.mk"
echo '#define UNCORE_VERSION "9.1"' >"$work/build/src/config.h"
git add -A
git commit -q -m x

# problems VERSION: what the checks print
problems() {
	(
		SRC=$tree BUILD=$work/build version=$1
		# shellcheck source=src/build/packaging/release_checks.sh
		. "$packaging/release_checks.sh"
		for check in $release_checks; do
			"check_$check"
		done
	) >"$work/out" 2>&1
}

# finds TEXT [COMMAND...]: a problem of the tree that COMMAND changed, and no other
finds() {
	text=$1
	shift
	[ $# -eq 0 ] || "$@"
	git add -A
	git commit -q -m y --allow-empty
	problems 9.1
	grep -q -e "$text" "$work/out" || fail "not found: $text"
	[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than $text"
	git reset -q --hard HEAD~1
}

problems 9.1
[ ! -s "$work/out" ] || fail "a tree without a fault has faults"
problems 9.2
grep -q 'configure has VERSION=9.1' "$work/out" || fail "another version is not found"
problems word
grep -q '"word" is not a version' "$work/out" || fail "a word is a version"

finds 'the first section of CHANGELOG.md is "Unreleased"' sed -i "0,/^## /s/^## /## Unreleased\n\n- x\n\n## /" CHANGELOG.md
finds 'the first section of CHANGELOG.md is "9.1"' sed -i "s/^## 9.1 .*/## 9.1/" CHANGELOG.md
finds 'CHANGELOG.md:.*not released yet): not released' sh -c 'echo "## 0.0 (not released yet)" >>CHANGELOG.md'
finds 'CHANGELOG.md has no entries' sed -i "s/^## 9.1.*/&\n\n## 9.0/" CHANGELOG.md
finds 'docs/uncore.1 has the date 2020-01-01, but was changed on' sed -i '/^\.TH/s/"20[0-9-]*"/"2020-01-01"/' docs/uncore.1
finds 'docs/uncored.8 has the date 2999-01-01, which is after' sed -i '/^\.TH/s/"20[0-9-]*"/"2999-01-01"/' docs/uncored.8
finds 'asks for another version' sed -i 's/find_package(uncore 9.1 /find_package(uncore 9.0 /' docs/installing.md
finds 'SECURITY.md does not list version 9.1' sed -i '/^| 9.1/d' SECURITY.md
finds 'lacks UNCORE_9.0' sed -i '1,/^UNCORE/s/^UNCORE.*/UNCORE_9.0 {\n};\n&/' src/libuncore.map
git tag v9.1
finds 'the tag v9.1 exists already'
git tag -d v9.1 >/dev/null
echo x >left
problems 9.1
grep -q '^1 files differ from the commit' "$work/out" || fail "a file that is not committed is not found"
rm left
later='UNCORE_9.2 { global: x; };'
echo "$later" >>src/libuncore.map
problems 9.1
grep -q 'libuncore.map has functions of version 9.2' "$work/out" || fail "a later function is not found"
git reset -q --hard

# ---- nothing is made of such a tree ----

if SRC=$tree BUILD=$work/build sh "$packaging/release.sh" 9.2 "$work/made" >"$work/out" 2>&1; then
	fail "a release of another version"
fi
grep -q '^make release: [0-9]* checks failed: nothing was made' "$work/out" || fail "it does not say that nothing was made"
[ ! -e "$work/made" ] || fail "something was made"
[ $failures -eq 0 ]
