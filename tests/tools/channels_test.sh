#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# channels_test.sh - `uncore memory` and `uncore stat --per-channel`: channels add up to their package,
# packages to the system, and the tables repeat.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
tool=$BUILD/uncore
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	sed 's/^/  /' "$tmp/out" "$tmp/err"
	failures=$((failures + 1))
}

# run ARGUMENT...: the command, whose output is $tmp/out
run() {
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err" || fail "uncore $*: exit status $?"
}

# ---- counts: the boxes of a package, exactly ----

# adds_up MACHINE EVENT CHANNELS PACKAGES
adds_up() {
	run stat --machine "$1" --per-channel -d 20ms --csv=long -e "$2"
	awk -F, -v channels="$3" -v packages="$4" 'NR > 1 {
			match($2, /pkg=[0-9]+/)
			package = substr($2, RSTART, RLENGTH)
			if ($2 ~ /box=/) { sum[package] += $3; n[package]++ } else whole[package] = $3
		}
		END {
			for (p in whole) {
				found++
				if (whole[p] <= 0 || sum[p] != whole[p] || n[p] != channels) exit 1
			}
			exit found != packages
		}' "$tmp/out" || fail "$1: channels of $2 do not add up to their package"
}
adds_up sim:snbep UNC_M_CAS_COUNT:RD 4 2
adds_up sim:skx UNC_M_CAS_COUNT:RD 6 2
adds_up sim:icx UNC_M_CAS_COUNT:RD 8 2
adds_up sim:knl UNC_M_CAS_COUNT:RD 6 1
adds_up sim:spr:hbm=yes UNC_MCHBM_CAS_COUNT:RD 32 2
adds_up sim:gnr UNC_M_CAS_COUNT_SCH0:RD 12 2
adds_up sim:nhmex UNCORE_MEM_READ_BYTES 2 2

# what has no channels has a line for each package
run stat --machine sim:skx --per-channel -d 20ms --csv=long -M links
grep -q 'UNCORE_SOCKET_OUT_BYTES:pkg=1,' "$tmp/out" || fail "no line of a package"
if grep -q 'box=' "$tmp/out"; then fail "links have channels"; fi

# ---- the table: GB/s of channels, packages and the system, again and again ----

run memory --machine sim:skx -i 100 -d 350ms
awk '
	function same(a, b) { return a > 0.98 * b && a < 1.02 * b }
	function end_table(   k) {
		for (k = 1; k <= 3; k++) {
			if (!same(channel[0, k], package[0, k]) || !same(channel[1, k], package[1, k])) bad = 1
			if (!same(package[0, k] + package[1, k], system_[k])) bad = 1
			channel[0, k] = channel[1, k] = 0
		}
		if (!same(system_[1] + system_[2], system_[3])) bad = 1
		tables++
	}
	{ first = /^system/ ? 2 : /channel/ ? 5 : 3 }
	/^socket/ || /^system/ {
		for (k = 1; k <= 3; k++) {
			value = $(first + 2 * k - 2) * ($(first + 2 * k - 1) == "MB/s" ? 0.001 : 1)
			if (/^system/) system_[k] = value
			else if (/channel/) channel[$2 + 0, k] += value
			else package[$2 + 0, k] = value
		}
	}
	/, channel/ { channels++ }
	/^system/ { end_table() }
	END { exit bad || tables < 4 || channels != 12 * tables }' "$tmp/out" ||
	fail "tables of uncore memory"
grep -q '^(simulated)  *read  *write  *total  *page hits$' "$tmp/out" || fail "no heading"

# 1 s is the default; a program, and options of stat, may follow
run memory --machine sim:skx -- true
[ "$(grep -c '^at ' "$tmp/err")" -eq 1 ] || fail "not one table for a program shorter than 1 s"
run memory --machine sim:snbep -d 50ms --csv=long -M power
grep -q ',UNCORE_MEM_READ_BYTES:box=3:pkg=1,' "$tmp/out" || fail "no channels in CSV"
grep -q ',UNCORE_POWER_PACKAGE_WATTS:pkg=1,' "$tmp/out" || fail "-M is ignored"

# all columns fit, in parts where they must
for columns in 40 60 80 132; do
	COLUMNS=$columns "$tool" memory --machine sim:spr:hbm=yes -d 50ms >"$tmp/out" 2>"$tmp/err" || fail "COLUMNS=$columns"
	[ "$(awk '{ if (length > most) most = length } END { print most }' "$tmp/out")" -le "$columns" ] ||
		fail "lines of more than $columns columns"
	for name in read write total 'HBM read' 'HBM write' 'page hits'; do
		grep -q " $name" "$tmp/out" || fail "no column $name in $columns columns"
	done
done

# a formula has no channels: the usual table
run stat --machine sim:skx --per-channel -d 20ms -e 'bw=64*UNC_M_CAS_COUNT.RD/seconds'
grep -q ' bw:pkg=1$' "$tmp/out" || fail "a formula per channel"

run memory --help
grep -q '^Usage: uncore memory ' "$tmp/out" || fail "help"

[ $failures -eq 0 ]
