#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# memory_test.sh - no lack of memory crashes a program, also where libpfm4 or the C library asks for
# it, and errors are those of memory (life_without_memory.c).
#
# Expects SRC and BUILD, the source and build directories, in the environment. FAULTS=all: every
# allocation.

set -u

if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: the sanitizers replace malloc()"
	exit 77
fi
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS
failed=0
step=13
[ "${FAULTS:-}" != all ] || step=1

# CC may be several words.
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I"$SRC/src" "$SRC/tests/claim/life_without_memory.c" \
	-o "$tmp/life" -L"$BUILD" -Wl,-rpath,"$BUILD" -luncore || exit 1

# life MACHINE EVENT
life() {
	if ! "$tmp/life" "sim:$1:packages=1,cores=2" "$2" $step >"$tmp/out"; then
		echo "FAILED: the program ended with status $? on $1"
		failed=1
	fi
	if ! sed -n '$s/^children [1-9][0-9]* failed [1-9][0-9]*$/all/p' "$tmp/out" | grep -q . ||
		[ "$(wc -l <"$tmp/out")" -ne 1 ]; then
		echo "FAILED: $2 on $1 without memory:"
		sort "$tmp/out" | uniq -c | head -20
		failed=1
	fi
}

life snbep UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
life hswep UNC_C_LLC_LOOKUP
life nhmex UNC_C_LLC_MISSES
life skx UNCORE_MEM_READ_BYTES
exit $failed
