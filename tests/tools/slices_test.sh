#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# slices_test.sh - `uncore slices` finds the slices of simulated machines, whose hashes were measured on
# real processors or come from a file.  tests/slow/slices_hash_test.sh has the other processors.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
tool=$BUILD/uncore
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"

# ---- a measured hash ----

"$tool" slices --machine sim:skx:packages=1,cores=20 >"$tmp/out" 2>&1 || fail "sim:skx: status $?"
says '^cha0  *832 '
says '^cha19  *768 .* 0\.938$'
says '^All lines are binary permutations of the first 256\.$'
says '^These are the shares expected for this processor with 20 slices\.$'

# ---- a hash from a file ----

echo '0 1 2 3 3 3 0 1' >"$tmp/hash"
machine=sim:snbep:packages=2,cores=4,hash=$tmp/hash
"$tool" slices --machine "$machine" --package 1 --sequence "$tmp/sequence" --report "$tmp/report.json" >"$tmp/out" 2>&1 ||
	fail "a hash from a file: status $?"
says '^cbo2  *2048  *12\.500 %  *0\.500$'
says '^cbo3  *6144 '
[ "$(tr '\n' ' ' <"$tmp/sequence")" = '0 1 2 3 3 3 0 1 ' ] || fail "another sequence: $(cat "$tmp/sequence")"
"$tool" show --machine "file:$tmp/report.json" >"$tmp/out" 2>&1 || fail "the report is no recording"
says '^RECORDED'
tr -d ' \n' <"$tmp/report.json" >"$tmp/out"
says '"slices":\{"package":1,"event":"UNCORE_LLC_LOOKUPS","lines":16384,"unknown":0,"period":8,"slices":\[\{"box":"cbo0","lines":4096,'

# ---- what is refused ----

# refused STATUS PATTERN WORD...
refused() {
	status=$1
	pattern=$2
	shift 2
	"$tool" slices "$@" >"$tmp/out" 2>&1
	code=$?
	[ $code -eq "$status" ] || fail "slices $*: status $code"
	says "$pattern"
}
refused 2 'invalid package 2: this machine has packages 0 to 1' --machine sim:snbep --package 2
refused 2 'invalid package "x"' --machine sim:snbep --package x
refused 2 'unexpected argument' --machine sim:snbep cbo
refused 3 'a recorded machine' --machine "file:$tmp/report.json"
refused 3 'cannot read the hash /nonexistent: No such file' --machine sim:snbep:hash=/nonexistent
refused 3 'none/report: No such file' --machine sim:snbep --report "$tmp/none/report"
refused 3 '/dev/full: No space left' --machine sim:snbep:packages=1,cores=1 --sequence /dev/full

[ $failures -eq 0 ]
