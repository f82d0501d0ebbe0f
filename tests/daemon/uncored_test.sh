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
export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon UNCORE_JOURNAL="$tmp/journals"

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
grep -qE '^ *[1-9][0-9]* +lines +[0-9.]+ M/s +UNC_M_CAS_COUNT:RD' "$tmp/out" || fail "nobody counts nothing"
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
grep -q "another uncored is listening there" "$tmp/err" || fail "the second daemon does not say why"

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
chown daemon "$tmp" # so that it can remove its socket
start_daemon --group nogroup --user daemon
grep -q "user daemon, no capabilities" "$tmp/daemon.err" || fail "it is not told what it may do"
grep -qE "^Uid:([[:space:]]*$(id -u daemon)){4}$" "/proc/$daemon/status" || fail "it has another user"
for set in CapInh CapPrm CapEff CapBnd CapAmb; do
	grep -qE "^$set:[[:space:]]*0+$" "/proc/$daemon/status" || fail "it keeps capabilities: $set"
done
if ! grep -q "no seccomp filter" "$tmp/daemon.err"; then
	grep -qE '^Seccomp:[[:space:]]*2$' "/proc/$daemon/status" || fail "no call is refused to it"
fi
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "after a killed daemon nobody can count"
nobody nogroup "$tmp/bin/uncore" stat --multiplex -d 0.1 -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ
[ "$status" -eq 0 ] || fail "nobody cannot count in turns"
nobody nogroup "$tmp/bin/uncore" stat --until UNC_C_CLOCKTICKS:box=3:pkg=1=100000 -e UNC_C_TOR_INSERTS:MISS_ALL
[ "$status" -eq 0 ] || fail "nobody cannot count until an event has occurred so often"
kill "$client" 2>/dev/null
wait "$client"
"$BUILD/examples/simple" >"$tmp/out" 2>"$tmp/err" || fail "a PAPI program cannot count any more"
end_daemon -TERM
[ "$status" -eq 0 ] || fail "SIGTERM: status $status"
[ ! -e "$tmp/socket" ] || fail "the socket is still there"

# The policy: who may count, see and stop; and what is wrong with a file of it.
wrong_policy() {
	printf '%s\n' "$1" >"$tmp/policy"
	"$BUILD/uncored" --policy "$tmp/policy" --socket "$tmp/other" --sysroot "$dir" >"$tmp/out" 2>"$tmp/err" &&
		fail "a policy is taken that says: $1"
	grep -q "$2" "$tmp/err" || fail "it is not told what is wrong with: $1"
}

wrong_policy "allow anybody count" "line 1: .*user NAME.*anybody"
wrong_policy "allow user no-such-user count" "line 1: there is no such user: no-such-user"
wrong_policy "allow group nogroup" "line 1: allow what"
wrong_policy "# more
allow group nogroup count fly" "line 2: rights are .*fly"
wrong_policy "deny group nogroup" "line 1: .*deny"
echo "allow user daemon count" >"$tmp/policy"
chmod 666 "$tmp/policy"
"$BUILD/uncored" --policy "$tmp/policy" --socket "$tmp/other" --sysroot "$dir" 2>"$tmp/err" &&
	fail "everybody writes the policy"
grep -q "chmod 644" "$tmp/err" || fail "it is not told who may write the policy"
chmod 644 "$tmp/policy"
printf 'allow user nobody count\nallow group games see # and no more\n' >"$tmp/policy"
start_daemon --group nogroup --user daemon --policy "$tmp/policy"
setpriv --reuid nobody --regid nogroup --clear-groups "$tmp/bin/uncore" stat -d 20 \
	-e UNC_M_CAS_COUNT:RD >"$tmp/stat" 2>&1 &
client=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$BUILD/uncore" clients >"$tmp/clients" 2>&1
	grep -q "UNC_M_CAS_COUNT:RD" "$tmp/clients" && break
	sleep 0.1
done
tr -s '\n ' ' ' <"$tmp/clients" | grep -q "uncore (pid $client, user nobody).*UNC_M_CAS_COUNT:RD" ||
	fail "root does not see who counts: $(cat "$tmp/clients")"
other() {
	setpriv --reuid games --regid nogroup "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
other --clear-groups "$tmp/bin/uncore" clients
grep -q "pid $client" "$tmp/out" && fail "whom the policy does not name sees others"
grep -q "of other users are not shown" "$tmp/out" || fail "it is not told that others are hidden"
other --groups "$(id -g games)" "$tmp/bin/uncore" clients
grep -q "pid $client" "$tmp/out" || fail "a supplementary group may not see"
other --groups "$(id -g games)" "$tmp/bin/uncore" clients --stop "$client"
[ "$status" -ne 0 ] || fail "who may see may stop"
grep -q "stop nobody else's sets" "$tmp/err" || fail "it is not told who may stop"
other --clear-groups "$tmp/bin/uncore" stat -d 0.1 -e UNC_C_CLOCKTICKS
[ "$status" -ne 0 ] || fail "whom the policy does not name counts"
grep -q "lets this user count nothing" "$tmp/err" || fail "it is not told who may count"
nobody nogroup "$tmp/bin/uncore" doctor
[ "$status" -eq 0 ] || fail "whom uncored counts for lacks something"
grep -qE "^problem|^note +(msr|pci|capabilities|journals|others)" "$tmp/out" && fail "whom uncored counts for needs rights"
grep -q "uncored has a simulated machine" "$tmp/out" || fail "the doctor does not know uncored's machine"
UNCORE_DAEMON=$tmp/nowhere nobody nogroup "$tmp/bin/uncore" doctor
grep -qE "^problem +uncored +no uncored listens" "$tmp/out" || fail "the doctor does not miss uncored"
grep -qE "^problem +(msr|pci|capabilities)" "$tmp/out" && fail "who counts through uncored is told of register files"
nobody nogroup "$tmp/bin/uncore" show
grep -q "pid $client, user nobody" "$tmp/out" || fail "show does not tell for whom uncored counts"
UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" show >"$tmp/out" 2>"$tmp/err"
tr -s '\n ' ' ' <"$tmp/out" | grep -q "uncored (pid $daemon, user daemon).* (pid $client, user nobody)" ||
	fail "show does not tell who uncored is, and for whom it counts"
other --clear-groups "$tmp/bin/uncore" doctor
grep -q "policy lets this user count" "$tmp/out" || fail "the doctor does not know of the policy"
"$BUILD/uncore" doctor >"$tmp/out" 2>"$tmp/err"
grep -qE "^ *fine +uncored " "$tmp/out" || fail "the doctor does not find uncored"
"$BUILD/uncore" clients --stop 1 >"$tmp/out" 2>"$tmp/err" && fail "process 1 counts"
grep -q "no process 1 counts" "$tmp/err" || fail "it is not told that process 1 does not count"
"$BUILD/uncore" clients --stop "$client" >"$tmp/out" 2>"$tmp/err" || fail "root cannot stop others"
kill -INT "$client"
wait "$client"
grep -q "user 0 has had uncored stop this event set" "$tmp/stat" ||
	fail "who was stopped is not told: $(cat "$tmp/stat")"

# reload PATTERN: SIGHUP, and what is said then
reload() {
	before=$(wc -l <"$tmp/daemon.err")
	kill -HUP "$daemon"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		tail -n "+$((before + 1))" "$tmp/daemon.err" >"$tmp/said"
		grep -qE "in force|as it was before" "$tmp/said" && break
		sleep 0.1
	done
	grep -qE "$1" "$tmp/said" || fail "SIGHUP: no line like $1: $(cat "$tmp/said")"
}

# replace TEXT MODE: another file by its name
replace() {
	printf '%b' "$1" >"$tmp/policy.new"
	chmod "$2" "$tmp/policy.new"
	mv "$tmp/policy.new" "$tmp/policy"
}

# The policy again while somebody counts; by then uncored is a user without rights, under its filter.
setpriv --reuid nobody --regid nogroup --clear-groups "$tmp/bin/uncore" stat -d 20 \
	-e UNC_M_CAS_COUNT:RD >"$tmp/stat" 2>&1 &
client=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$BUILD/uncore" clients 2>&1 | grep -q "UNC_M_CAS_COUNT:RD" && break
	sleep 0.1
done
replace 'allow user games count\nallow group nogroup fly\n' 644
reload "policy, line 2: rights are .*fly"
reload "as it was before"
replace 'allow user games count\n' 600
reload "policy: Permission denied.*chmod 644"
replace 'allow user no-such-user count\n' 644
reload "line 1: there is no such user in the files"
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "a wrong policy is in force"
kill -0 "$client" || fail "a wrong policy ends who counts"
replace 'allow user games count\n' 644
reload "the policy of .*policy is in force: 1 line; 1 event set has been stopped"
kill -INT "$client"
wait "$client"
grep -q "policy was changed and does not let this user count" "$tmp/stat" ||
	fail "who lost the right to count is not told: $(cat "$tmp/stat")"
nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -ne 0 ] || fail "who lost the right to count counts"
other --clear-groups "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "whom the new policy names cannot count"
rm "$tmp/policy"
reload "policy: No such file"
end_daemon -TERM
[ "$status" -eq 0 ] || fail "SIGTERM after SIGHUP: status $status"

# Other kinds of registers, without rights: memory, and those that discovery tables name.
for machine in sim:icx sim:spr; do
	unmount
	"$BUILD/uncore" sim mount -b --machine "$machine:packages=1,cores=4" "$dir" >"$tmp/out" 2>&1 || fail "no $machine"
	start_daemon --group nogroup --user daemon
	nobody nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD,UNC_CHA_CLOCKTICKS
	[ "$status" -eq 0 ] || fail "nobody cannot count on $machine"
	end_daemon -TERM
	[ "$status" -eq 0 ] || fail "$machine, SIGTERM: status $status"
done
UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" restore >"$tmp/out" 2>&1
grep -q 'Nothing to restore' "$tmp/out" || fail "registers were left behind"

exit "$failed"
