#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# slices_hash_test.sh - `uncore slices` finds the shares of all processors whose hash was measured.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
failures=0

for machine in skx,14 skx,16 skx,18 skx,22 skx,24 skx,26 skx,28 icx,28 icx,40 spr,56 spr,60; do
	slices=${machine#*,}
	"$BUILD/uncore" slices --machine "sim:${machine%,*}:packages=1,cores=$slices,time=virtual" >"$out" 2>&1
	grep -q "^These are the shares expected for this processor with $slices slices\.$" "$out" || {
		echo "FAILED: $machine"
		cat "$out"
		failures=$((failures + 1))
	}
done
[ $failures -eq 0 ]
