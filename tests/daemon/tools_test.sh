#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tools_test.sh - calls PAPI in the manner of TAU, Score-P, Caliper, HPCToolkit and Extrae, as
# an unprivileged user through uncored: runs their tests from tests/papi on the same simulated machine.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

: "${BUILD:?the build directory}"
# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
daemon=
finish() {
	[ -z "$daemon" ] || kill "$daemon"
	rm -rf "$tmp"
}
trap finish EXIT

fail() {
	echo "FAILED: $1"
	tail -n 60 "$tmp/out"
	exit 1
}

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi

# A directory that no other user can read.
chmod 711 "$tmp"
mkdir -m 1777 "$tmp/theirs"
copy_for_others "$tmp/bin" tests/papi_calls || exit 1

# Except the tests of reads without a system call and of the wrap poller: through uncored a read is
# a message, and uncored polls.
suites='Tau.*:ScoreP.*:Caliper.*:HpcToolkit.*:Extrae.*:HighLevelApi.*:Requirements.R1_*:Requirements.R3_*:Requirements.R4_*:Requirements.R5_*-*NothingFromTheSystem:*StartsNoThreadThatItSees'
call() {
	UNCORE_ACCESS=daemon UNCORE_DAEMON="$tmp/socket" LD_LIBRARY_PATH="$tmp/bin" TMPDIR="$tmp/theirs" \
		setpriv --reuid nobody --regid nogroup --clear-groups \
		"$tmp/bin/papi_calls" --gtest_filter="$1" >"$tmp/out" 2>&1
}

call 'Tau.*' && fail "counting works without uncored"
UNCORE_MACHINE=sim:snbep:packages=2,cores=8 "$BUILD/uncored" --socket "$tmp/socket" \
	--group nogroup >"$tmp/uncored" 2>&1 &
daemon=$!
soon grep -q 'uncored: ready' "$tmp/uncored" || fail "uncored did not start: $(cat "$tmp/uncored")"
call "$suites" || fail "tests that pass without uncored fail with it"
[ "$(grep -c '^\[       OK \] .* ms)$' "$tmp/out")" -ge 15 ] || fail "some tests did not run"
