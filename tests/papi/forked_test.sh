#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# forked_test.sh - a forked child cannot read its parent's event sets, and stops them the second
# time, also in a C program, which has not loaded the library that reads the call stack; and what
# happens without that library.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: the drop-in is built with a sanitizer, which must be loaded first"
	exit 77
fi
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
unset UNCORE_SYSROOT UNCORE_ACCESS UNCORE_STRICT UNCORE_VERBOSE NO_STACK
export UNCORE_MACHINE=sim:snbep:packages=1,cores=2
failed=0

# CC may be several words.
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I"$BUILD/papi/include" "$SRC/tests/papi/forked.c" \
	-o "$tmp/forked" -L"$BUILD/papi" -Wl,-rpath,"$BUILD/papi" -lpapi || exit 1
if ldd "$tmp/forked" | grep -q libgcc_s; then
	echo "FAILED: the program needs libgcc_s itself"
	exit 1
fi

# forked EXPECTED WHAT
forked() {
	"$tmp/forked" >"$tmp/out" 2>"$tmp/err" || { echo "FAILED: status $? $2"; failed=1; }
	if [ "$(cat "$tmp/out")" != "$1" ] ||
		[ "$(grep -c '^uncore: cannot read an event set of the parent process ' "$tmp/err")" -ne 1 ] ||
		[ "$(wc -l <"$tmp/err")" -ne 1 ] || [ "$(tail -c 1 "$tmp/err" | od -An -tx1)" != " 0a" ]; then
		echo "FAILED: expected $1 and one line of standard error $2:"
		sed 's/^/    /' "$tmp/out" "$tmp/err"
		failed=1
	fi
}

# PAPI_ENOINIT is -16, PAPI_ENOTRUN -9, PAPI_EISRUN -10.
forked "reads -16 -16 stops -16 0 -9 cleanup 0" "in a C program"
export UNCORE_STRICT=1
forked "reads -16 -16 stops -16 0 -9 cleanup 0" "with UNCORE_STRICT"
unset UNCORE_STRICT
export NO_STACK=1
forked "reads -16 -16 stops -16 -16 -16 cleanup -10" "without a call stack"
exit $failed
