#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tools_test.sh - TAU's, Score-P's, Caliper's, HPCToolkit's and Extrae's ways of calling PAPI, as user
# nobody through uncored: the tests of tests/papi that have them, on the same simulated machine.
#
# Expects BUILD, the build directory, in the environment.

: "${BUILD:?the build directory}"

tmp=$(mktemp -d) || exit 1
daemon=
finish() {
	[ -z "$daemon" ] || kill "$daemon"
	rm -rf "$tmp"
}
trap finish EXIT

skip() {
	echo "$1"
	exit 77
}

fail() {
	echo "FAILED: $1"
	tail -n 60 "$tmp/out"
	exit 1
}

[ "$(id -u)" -eq 0 ] || skip "it takes root to start programs as user nobody"
command -v setpriv >/dev/null || skip "there is no setpriv (util-linux)"
[ -x "$BUILD/tests/papi_calls" ] || skip "there is no PAPI to call (configure --without-papi)"

# Where nobody can get at it.
chmod 711 "$tmp"
mkdir "$tmp/bin" "$tmp/theirs"
chmod 1777 "$tmp/theirs"
cp "$BUILD/tests/papi_calls" "$tmp/bin/" && cp -d "$BUILD"/papi/libpapi.so* "$tmp/bin/" || exit 1

# But that a read needs nothing from the system: through uncored it is a message.
suites='Tau.*:ScoreP.*:Caliper.*:HpcToolkit.*:Extrae.*:HighLevelApi.*:Requirements.R1_*:Requirements.R3_*:Requirements.R4_*:Requirements.R5_*-*NothingFromTheSystem'
call() {
	UNCORE_ACCESS=daemon UNCORE_DAEMON="$tmp/socket" LD_LIBRARY_PATH="$tmp/bin" TMPDIR="$tmp/theirs" \
		setpriv --reuid nobody --regid nogroup --clear-groups \
		"$tmp/bin/papi_calls" --gtest_filter="$1" >"$tmp/out" 2>&1
}

call 'Tau.*' && fail "they count without uncored"
UNCORE_MACHINE=sim:snbep:packages=2,cores=8 "$BUILD/uncored" --socket "$tmp/socket" \
	--group nogroup >"$tmp/uncored" 2>&1 &
daemon=$!
i=0
while ! grep -q 'uncored: ready' "$tmp/uncored"; do
	i=$((i + 1))
	[ $i -lt 500 ] || fail "uncored did not start: $(cat "$tmp/uncored")"
	sleep 0.02
done
call "$suites" || fail "what works without uncored does not with it"
[ "$(grep -c '^\[       OK \] .* ms)$' "$tmp/out")" -ge 15 ] || fail "some tests did not run"
