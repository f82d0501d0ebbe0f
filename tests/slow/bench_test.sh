#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench_test.sh - each program of `make bench` runs to its end, shortened, and the start and the stop of
# one counter make no more calls than their bounds.  The figures they print here are not measurements.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

failures=0 skipped=
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
	echo "FAILED: $*"
	sed 's/^/  /' "$out/stdout" "$out/stderr"
	failures=$((failures + 1))
}

if ! grep -q '^PAPI_SRC *= */' "$BUILD/config.mk"; then
	echo "skipped: benchmarks need PAPI's source (configured --without-papi)"
	exit 77
fi

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_ACCESS UNCORE_DAEMON UNCORE_WRAP_POLLER
BENCH_SHORT=1
export BENCH_SHORT
for source in "$SRC"/tests/bench/*_bench.c; do
	name=$(basename "$source" .c)
	timeout 300 "$BUILD/bench/$name" >"$out/stdout" 2>"$out/stderr" || fail "$name: exit status $?"
	[ "$(wc -l <"$out/stdout")" -ge 1 ] || fail "$name: no figures"
	reason=$(sed -n 's/.*: skipped, //p' "$out/stdout")
	[ -z "$reason" ] || skipped="$skipped $name ($reason)"
	echo "$name: $(wc -l <"$out/stdout") lines"
done

sh "$SRC/tests/bench/start_calls.sh" >"$out/stdout" 2>"$out/stderr" || fail "start_calls.sh: exit status $?"
cat "$out/stdout"
bounds=4
reason=$(sed -n 's/^not tried: //p' "$out/stdout")
[ -z "$reason" ] || bounds=2 skipped="$skipped start_calls.sh ($reason)"
[ "$(grep -c ' (bounds: ' "$out/stdout")" -eq $bounds ] || fail "start_calls.sh: not $bounds bounds"

[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || echo "not tried:$skipped"
