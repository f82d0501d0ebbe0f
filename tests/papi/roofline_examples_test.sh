#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# roofline_examples_test.sh - examples/roofline.c and roofline.f90: a set of perf_event, answered by
# fake_perf.c, and one of uncore around the same loop.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: the sanitizer's library would have to be loaded before the interposer"
	exit 77
fi
command -v pkg-config >/dev/null || { echo "skipped: there is no pkg-config" && exit 77; }
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C PKG_CONFIG_PATH="$BUILD"
unset UNCORE_SYSROOT
failures=0

fail() {
	echo "FAILED: $*"
	sed 's/^/  /' "$tmp/out" | head -n 20
	failures=$((failures + 1))
}

cc=$(sed -n 's/^CC *= *//p' "$BUILD/config.mk")
$cc -std=c11 -shared -fPIC -o "$tmp/perf.so" "$SRC/tests/tools/fake_perf.c" -ldl || exit 1

# build COMPILER FILE: $tmp/roofline
build() {
	# shellcheck disable=SC2046
	$1 -O2 "$SRC/examples/$2" $(pkg-config --cflags --libs papi-uncore) -o "$tmp/roofline" >"$tmp/out" 2>&1 ||
		fail "$2 is not compiled"
}

# Two operations for each of 4 * 8 Mi elements, as a core would count them.
counts() {
	FAKE_PERF=1c7=67108864 LD_PRELOAD=$tmp/perf.so UNCORE_MACHINE=sim:skx \
		"$tmp/roofline" perf_raw::r1c7 >"$tmp/out" 2>&1 || fail "$1: exit status $?"
	awk '/ operations \(perf_raw::r1c7\) of this thread, [1-9][0-9]* bytes of the machine$/ { ops = $1; bytes = $7 }
		/ operations per byte, / { intensity = $1; rate = $5 }
		END {
			error = intensity * bytes / 67108864 - 1
			exit ops != 67108864 || error ^ 2 > 1e-6 || rate <= 0
		}' "$tmp/out" || fail "$1"
	UNCORE_MACHINE=sim:skx "$tmp/roofline" no_such_event >"$tmp/out" 2>&1 && fail "$1: an unknown event"
	grep -q '^no_such_event: ' "$tmp/out" || fail "$1: no reason"
}

# PAPI has no events of perf, raw ones included, on cores that libpfm4 does not know.
cat >"$tmp/perf.c" <<'END'
#include <papi.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
	const PAPI_component_info_t *info;
	int code;

	PAPI_library_init(PAPI_VER_CURRENT);
	PAPI_event_name_to_code("perf::PERF_COUNT_HW_INSTRUCTIONS", &code);
	info = PAPI_get_component_info(PAPI_get_component_index("perf_event"));
	if (info && info->disabled)
		puts(info->disabled_reason);
	return 0;
}
END
# shellcheck disable=SC2046
$cc "$tmp/perf.c" $(pkg-config --cflags --libs papi-uncore) -o "$tmp/perf" || exit 1
disabled=$(FAKE_PERF=c0=1 LD_PRELOAD=$tmp/perf.so "$tmp/perf")
case $disabled in
*"no default PMU found"* | *"no PMUs found"*)
	echo "skipped: libpfm4 does not know the cores of this computer ($disabled)"
	exit 77
	;;
esac

build "$cc" roofline.c
counts roofline.c
if command -v gfortran >/dev/null; then
	build gfortran roofline.f90
	counts roofline.f90
else
	echo "not tried: roofline.f90: there is no gfortran"
fi

[ $failures -eq 0 ]
