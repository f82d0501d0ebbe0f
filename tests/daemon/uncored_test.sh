#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# uncored_test.sh - uncored on a mounted machine, by its files: user nobody counts if the group lets
# it, and so does a PAPI program; a daemon that was killed leaves nothing behind.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

failed=0

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err" "$tmp/daemon.err" 2>/dev/null
	failed=1
}

skip() {
	echo "skipped: $*"
	exit 77
}

[ "$(id -u)" -eq 0 ] || skip "it takes root to start programs as user nobody"
command -v setpriv >/dev/null || skip "there is no setpriv (util-linux)"
"$BUILD/uncore" sim mount -b --machine sim:snbep "$dir" >"$tmp/out" 2>&1 ||
	skip "nothing can be mounted: $(cat "$tmp/out")"

# Where nobody can get at it.
chmod 711 "$tmp"
mkdir "$tmp/bin"
cp "$BUILD/uncore" "$tmp/bin/" || exit 1
export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon

# nobody GROUP COMMAND...: as that user, in that group only
nobody() {
	group=$1
	shift
	setpriv --reuid nobody --regid "$group" --clear-groups "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

nobody nogroup "$tmp/bin/uncore" --version
[ "$status" -eq 0 ] || skip "nobody cannot start the command: $(cat "$tmp/err")"

start_daemon --group nogroup
# Of its capabilities SYS_RAWIO (17), SYS_ADMIN (21), DAC_OVERRIDE (1), CHOWN (0) and FOWNER (3) stay.
caps=$(sed -n 's/^CapPrm:[[:space:]]*//p' "/proc/$daemon/status")
[ $((0x$caps & ~0x22000b)) -eq 0 ] || fail "uncored has capabilities that it does not need: $caps"
grep -q '^NoNewPrivs:[[:space:]]*1' "/proc/$daemon/status" || fail "it may gain rights"
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD,UNCORE_MEM_READ_BYTES
[ "$status" -eq 0 ] || fail "nobody cannot count"
grep -qE '^ *[1-9][0-9]* +lines +UNC_M_CAS_COUNT:RD' "$tmp/out" || fail "nobody counts nothing"
"$BUILD/examples/simple" >"$tmp/out" 2>"$tmp/err" || fail "a PAPI program cannot count"
grep -qE '^[1-9][0-9]* bytes were read' "$tmp/out" || fail "a PAPI program counts nothing"
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNCORE_ENERGY_PACKAGE_UJ
[ "$status" -ne 0 ] || fail "nobody counts energy"
grep -q "energy for root only" "$tmp/err" || fail "nobody is not told who may count energy"
nobody games "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -ne 0 ] || fail "who is not in the group is let in"
grep -q "may not be used with these rights" "$tmp/err" || fail "who is not in the group is not told"
"$BUILD/uncored" --socket "$tmp/socket" --sysroot "$dir" >"$tmp/out" 2>"$tmp/err" &&
	fail "two daemons listen at one place"
grep -q "another uncored listens there" "$tmp/err" || fail "the second daemon does not say why"

# Killed while it counts: the next one restores what was left, and counts.
nobody nogroup "$tmp/bin/uncore" stat -d 20 -e UNC_M_CAS_COUNT:RD &
client=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	UNCORE_ACCESS=direct "$BUILD/uncore" show >"$tmp/show" 2>&1
	UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" show >"$tmp/show" 2>&1
	grep -q 'uncored (pid' "$tmp/show" && break
	sleep 0.1
done
grep -q 'uncored (pid' "$tmp/show" || fail "nobody learns that uncored counts"
end_daemon -KILL
start_daemon --group nogroup
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "after a killed daemon nobody can count"
kill "$client" 2>/dev/null
wait "$client"
end_daemon -TERM
[ "$status" -eq 0 ] || fail "SIGTERM: status $status"
[ ! -e "$tmp/socket" ] || fail "the socket is still there"
UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" restore >"$tmp/out" 2>&1
grep -q 'Nothing to restore' "$tmp/out" || fail "registers were left behind"

exit "$failed"
