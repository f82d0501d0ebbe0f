#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pages_test.sh - the manual pages: mandoc and man find no fault, libuncore(3) has each function
# and its program counts, uncore(1) each command and option, uncored(8) each option.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u
export LC_ALL=C # the order of names

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
	echo "FAILED: $1"
	[ ! -s "$tmp/out" ] || head -n 20 "$tmp/out" | sed 's/^/  /'
	failures=$((failures + 1))
}

for page in "$SRC"/docs/*.[1-8]; do
	if command -v mandoc >/dev/null; then
		# They have no date, as the version has none yet.
		mandoc -Tlint -W warning "$page" | grep -v 'missing date' >"$tmp/out" &&
			fail "mandoc warns of ${page##*/}"
	fi
	if command -v man >/dev/null; then
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings=w -l "$page" 2>"$tmp/out" >"$tmp/page"
		[ ! -s "$tmp/out" ] || fail "man warns of ${page##*/}"
	fi
done
: >"$tmp/out"
for program in mandoc man; do
	command -v $program >/dev/null || echo "not tried: there is no $program"
done

# names PAGE NAME...: those that the page does not have
names() {
	page=$SRC/docs/$1
	shift
	for name; do
		# A hyphen of an option is written \-.
		pattern=$(printf '%s' "$name" | sed 's/-/\\\\-/g')
		grep -q -e "$pattern\\([^a-z_]\\|\$\\)" "$page" || fail "${page##*/} does not have $name"
	done
}

# shellcheck disable=SC2046
names libuncore.3 $(sed -n 's/^[[:space:]]*\(uncore_[a-z_]*\);$/\1/p' "$SRC/src/libuncore.map") \
	$(grep -Eo 'UNCORE_E[A-Z]+ = ' "$SRC/src/uncore.h" | cut -d ' ' -f 1)
# shellcheck disable=SC2046
names uncore.1 $(COLUMNS=200 "$BUILD/uncore" help -a | awk '/^  uncore [a-z]/ { print $2 }')
# shellcheck disable=SC2046
names uncore.1 $(for command in $(COLUMNS=200 "$BUILD/uncore" help -a | awk '/^  uncore [a-z]/ { print $2 }'); do
	COLUMNS=200 "$BUILD/uncore" help "$command" | grep -Eo -e '--[a-z][a-z-]*'
done | sort -u)
# the synopsis is made of the tables of options
sed -n '/^\.SH SYNOPSIS/,/^\.B help/p' "$SRC/docs/uncore.1" | sed '1d;$d' | sed '$d' >"$tmp/page"
"$BUILD/uncore" help --synopsis | diff "$tmp/page" - >"$tmp/out" ||
	fail "the synopsis of uncore.1 (<) is not that of uncore help --synopsis (>)"
: >"$tmp/out"
# shellcheck disable=SC2046
names uncored.8 $("$BUILD/uncored" --help | grep -Eo -e '--[a-z][a-z-]*' | sort -u)

sed -n '/^#include <inttypes/,/^\.fi/p' "$SRC/docs/libuncore.3" | sed '/^\.fi/d; s/\\e/\\/g' >"$tmp/x.c"
cc=$(sed -n 's/^CC *= *//p' "$BUILD/config.mk")
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "not tried: the program of libuncore(3), which would need the sanitizer"
elif ! $cc -Wall -Werror -I"$SRC/src" "$tmp/x.c" -L"$BUILD" -Wl,-rpath,"$BUILD" -luncore \
	-o "$tmp/x" >"$tmp/out" 2>&1; then
	fail "the program of libuncore(3) is not compiled"
else
	UNCORE_MACHINE=sim:snbep "$tmp/x" >"$tmp/out" 2>&1
	grep -q '^[1-9][0-9]* lines were read$' "$tmp/out" || fail "the program of libuncore(3) counts nothing"
fi

[ $failures -eq 0 ]
