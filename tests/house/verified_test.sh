#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# verified_test.sh - docs/verified/add.sh adds reports of real machines only, and the tables are what
# it writes.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${SRC:?the source directory}"
: "${BUILD:?the build directory}"

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

mkdir "$tmp/docs"
cp -R "$SRC/docs/verified" "$tmp/docs/"
cp "$SRC/README.md" "$tmp/"
add=$tmp/docs/verified/add.sh

"$add" || fail "add.sh without a report fails"
cmp -s "$SRC/README.md" "$tmp/README.md" || fail "README.md: the column is not that of docs/verified/add.sh"
cmp -s "$SRC/docs/verified/README.md" "$tmp/docs/verified/README.md" ||
	fail "docs/verified/README.md: the table is not that of docs/verified/add.sh"

rows=$(sed -n "s/^rows='\(.*\)'$/ \1 /p" "$add" | tr , ' ')
sed -n 's/^PLATFORM(\([a-z]*\),.*/\1/p' "$SRC/events/platforms.def" >"$tmp/platforms"
[ -s "$tmp/platforms" ] || fail "no platforms in events/platforms.def"
while read -r platform; do
	case $rows in
	*" $platform "*) ;;
	*) fail "docs/verified/add.sh does not know the row of $platform" ;;
	esac
done <"$tmp/platforms"

# ---- reports ----

"$BUILD/uncore" --machine sim:snbep:packages=1 selftest --report "$tmp/simulated.json" ubo pcu >"$tmp/out" 2>&1
[ -s "$tmp/simulated.json" ] || fail "no report: $(cat "$tmp/out")"
"$add" "$tmp/simulated.json" 2>"$tmp/err" && fail "a simulated machine is verified"
grep -q 'from a simulated machine' "$tmp/err" || fail "it is not said why: $(cat "$tmp/err")"
"$BUILD/uncore" --machine sim:snbep record -o "$tmp/machine.json" 2>/dev/null
"$add" "$tmp/machine.json" 2>/dev/null && fail "a recording without a self-test is verified"

# As if it were real, once as it is and once with a failure.
real() {
	sed 's/"simulated":true/"simulated":false/' "$tmp/simulated.json"
}
rm -f "$tmp"/docs/verified/*.json
real >"$tmp/good.json"
real | sed '0,/"state":"PASS"/s//"state":"FAIL"/' >"$tmp/bad.json"
"$add" "$tmp/good.json" >/dev/null || fail "a report is refused"
grep -q '^| Xeon E5-2600 .* | \[1 report\](docs/verified/README.md) |$' "$tmp/README.md" ||
	fail "the column lacks the report: $(grep 'E5-2600 (' "$tmp/README.md")"
[ "$(grep -c '| not yet |$' "$tmp/README.md")" -eq 10 ] || fail "another processor is verified, too"
grep -q '^| \[snbep-1.json\](snbep-1.json) | 6, 45, 7 | [0-9.]* | [1-9]' "$tmp/docs/verified/README.md" ||
	fail "the table lacks the report: $(cat "$tmp/docs/verified/README.md")"
"$add" "$tmp/good.json" 2>/dev/null && fail "the same report is added twice"
"$add" "$tmp/bad.json" >/dev/null || fail "a report with a failure is refused"
grep -q '\[2 with 1 failed\]' "$tmp/README.md" || fail "the failure is not in the column"

[ $failures -eq 0 ]
