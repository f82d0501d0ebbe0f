#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# uncored_test.sh - uncored on a mounted machine, by its files: an unprivileged user and a PAPI program
# can count if they are in the group, and a killed daemon leaves nothing behind.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

failed=0
client= # counts in the background

# shellcheck disable=SC2317
end_client() {
	[ -z "$client" ] || kill "$client" 2>/dev/null
	finish
}
trap end_client EXIT

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err" "$tmp/daemon.err" 2>/dev/null
	failed=1
}

skip() {
	echo "skipped: $*"
	exit 77
}

needs_mounts
"$BUILD/uncore" sim mount -b --machine sim:snbep "$dir" >"$tmp/out" 2>&1 || {
	fail "cannot mount a machine"
	exit 1
}

# A directory that no other user can read.
chmod 711 "$tmp"
copy_for_others "$tmp/bin" uncore || exit 1
libraries=$tmp/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon UNCORE_JOURNAL="$tmp/journals"

# as_user GROUP COMMAND...: run the command as an unprivileged user, in that group only
as_user() {
	group=$1
	shift
	LD_LIBRARY_PATH=$libraries setpriv --reuid nobody --regid "$group" --clear-groups "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# begin_client: a user counts in the background, until it is ended, with output in $tmp/stat
begin_client() {
	LD_LIBRARY_PATH=$libraries setpriv --reuid nobody --regid nogroup --clear-groups "$tmp/bin/uncore" stat -d 600 \
		-e UNC_M_CAS_COUNT:RD >"$tmp/stat" 2>&1 &
	client=$!
}

as_user nogroup "$tmp/bin/uncore" --version
[ "$status" -eq 0 ] || skip "an unprivileged user cannot start the command: $(cat "$tmp/err")"

start_daemon --group nogroup
# It keeps only the capabilities SYS_RAWIO (17), SYS_ADMIN (21), DAC_OVERRIDE (1), CHOWN (0) and
# FOWNER (3).
caps=$(sed -n 's/^CapPrm:[[:space:]]*//p' "/proc/$daemon/status")
[ $((0x$caps & ~0x22000b)) -eq 0 ] || fail "uncored has capabilities that it does not need: $caps"
grep -q '^NoNewPrivs:[[:space:]]*1' "/proc/$daemon/status" || fail "uncored can gain privileges"
as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD,UNCORE_MEM_READ_BYTES
[ "$status" -eq 0 ] || fail "an unprivileged user cannot count"
grep -qE '^ *[1-9][0-9,]* +lines +[0-9.]+ M/s +UNC_M_CAS_COUNT:RD' "$tmp/out" || fail "the counts of an unprivileged user are 0"
# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
if papi_part "a PAPI program"; then
	"$BUILD/examples/simple" >"$tmp/out" 2>"$tmp/err" || fail "the PAPI program cannot count"
	grep -qE '^[1-9][0-9]* bytes were read' "$tmp/out" || fail "the counts of the PAPI program are 0"
fi
as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNCORE_ENERGY_PACKAGE_UJ
[ "$status" -ne 0 ] || fail "an unprivileged user can count energy"
grep -q "energy for root only" "$tmp/err" || fail "the error does not say who may count energy"
as_user games "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -ne 0 ] || fail "a user outside the group can connect"
grep -q "permission denied: join" "$tmp/err" || fail "a user outside the group gets no reason"
"$BUILD/uncored" --socket "$tmp/socket" --sysroot "$dir" >"$tmp/out" 2>"$tmp/err" &&
	fail "two daemons listen on one socket"
grep -q "another uncored is listening on this socket" "$tmp/err" || fail "the second daemon gives no reason"

# Killed while counting: the next daemon restores the registers and counts.
begin_client
# shellcheck disable=SC2317 # soon calls it
shows_uncored() {
	UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" show >"$tmp/show" 2>&1
	grep -q 'uncored (pid' "$tmp/show"
}
soon shows_uncored || fail "the conflict does not name uncored"
end_daemon -KILL
chown daemon "$tmp" # so that it can remove its socket
echo inherited >"$tmp/inherited"
exec 8<"$tmp/inherited" 9<"$tmp/inherited"
start_daemon --group nogroup --user daemon
exec 8<&- 9<&-
readlink "/proc/$daemon"/fd/* | grep -qxF "$tmp/inherited" && fail "uncored keeps the descriptors of its caller"
grep -q "user daemon, no capabilities" "$tmp/daemon.err" || fail "uncored does not report its rights"
grep -qE "^Uid:([[:space:]]*$(id -u daemon)){4}$" "/proc/$daemon/status" || fail "uncored does not run as user daemon"
for set in CapInh CapPrm CapEff CapBnd CapAmb; do
	grep -qE "^$set:[[:space:]]*0+$" "/proc/$daemon/status" || fail "uncored keeps capabilities: $set"
done
if ! grep -q "no seccomp filter" "$tmp/daemon.err"; then
	grep -qE '^Seccomp:[[:space:]]*2$' "/proc/$daemon/status" || fail "uncored has no system call filter"
fi
as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "an unprivileged user cannot count after a daemon was killed"
as_user nogroup "$tmp/bin/uncore" stat --multiplex -d 0.1 -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ
[ "$status" -eq 0 ] || fail "an unprivileged user cannot count multiplexed events"
as_user nogroup "$tmp/bin/uncore" stat --until UNC_C_CLOCKTICKS:box=3:pkg=1=100000 -e UNC_C_TOR_INSERTS:MISS_ALL
[ "$status" -eq 0 ] || fail "an unprivileged user cannot use a set that stops automatically"
kill "$client" 2>/dev/null
wait "$client"
client=
if has_papi; then
	"$BUILD/examples/simple" >"$tmp/out" 2>"$tmp/err" || fail "the PAPI program can no longer count"
fi
end_daemon -TERM
[ "$status" -eq 0 ] || fail "SIGTERM: exit status $status"
[ ! -e "$tmp/socket" ] || fail "the socket was not removed"

# The policy: users who may count, see and stop sets; and errors in the file.
wrong_policy() {
	printf '%s\n' "$1" >"$tmp/policy"
	"$BUILD/uncored" --policy "$tmp/policy" --socket "$tmp/other" --sysroot "$dir" >"$tmp/out" 2>"$tmp/err" &&
		fail "an invalid policy is accepted: $1"
	grep -q "$2" "$tmp/err" || fail "the error is not reported: $1"
}

wrong_policy "allow stranger count" "line 1: .*user NAME.*stranger"
wrong_policy "allow user no-such-user count" "line 1: unknown user: no-such-user"
wrong_policy "allow group nogroup" "line 1: missing right"
wrong_policy "# more
allow group nogroup count fly" "line 2: expected the right .*fly"
wrong_policy "deny group nogroup" "line 1: .*deny"
wrong_policy "allow user $(head -c 100000 /dev/zero | tr '\0' n) count" "line 1: too long: the maximum is 1023 characters"
echo "allow user daemon count" >"$tmp/policy"
chmod 666 "$tmp/policy"
"$BUILD/uncored" --policy "$tmp/policy" --socket "$tmp/other" --sysroot "$dir" 2>"$tmp/err" &&
	fail "a policy that is writable by all users is accepted"
grep -q "chmod 644" "$tmp/err" || fail "the error does not say who may write the policy"
chmod 644 "$tmp/policy"
printf 'allow user nobody count\nallow group games see # and no more\n' >"$tmp/policy"
start_daemon --group nogroup --user daemon --policy "$tmp/policy"
begin_client
# shellcheck disable=SC2317 # soon calls it
shows_client() {
	"$BUILD/uncore" clients >"$tmp/clients" 2>&1
	grep -q "UNC_M_CAS_COUNT:RD" "$tmp/clients"
}
await shows_client
tr -s '\n ' ' ' <"$tmp/clients" | grep -q "uncore (pid $client, user nobody).*UNC_M_CAS_COUNT:RD" ||
	fail "root cannot see the clients: $(cat "$tmp/clients")"
"$BUILD/uncore" clients --json >"$tmp/clients" 2>&1
grep -q "^{\"program\":\"uncore\",\"pid\":$client,\"user\":\"[a-z]*\",\"uid\":[0-9]*,\"since\":1[0-9]*,\"events\":1,\"sets\":1,\"names\":\"UNC_M_CAS_COUNT:RD[^\"]*\"}\$" "$tmp/clients" ||
	fail "the clients as JSON: $(cat "$tmp/clients")"
other() {
	LD_LIBRARY_PATH=$libraries setpriv --reuid games --regid nogroup "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}
other --clear-groups "$tmp/bin/uncore" clients
grep -q "pid $client" "$tmp/out" && fail "a user outside the policy can see other clients"
grep -q "of other users are not shown" "$tmp/out" || fail "the output does not say that other clients are hidden"
other --groups "$(id -g games)" "$tmp/bin/uncore" clients
grep -q "pid $client" "$tmp/out" || fail "a supplementary group cannot see clients"
other --groups "$(id -g games)" "$tmp/bin/uncore" clients --stop "$client"
[ "$status" -ne 0 ] || fail "a user who may only see clients can stop them"
grep -q "cannot stop event sets of other users" "$tmp/err" || fail "the error does not say who may stop clients"
other --clear-groups "$tmp/bin/uncore" stat -d 0.1 -e UNC_C_CLOCKTICKS
[ "$status" -ne 0 ] || fail "a user outside the policy can count"
grep -q "this user may not count" "$tmp/err" || fail "the error does not say who may count"
as_user nogroup "$tmp/bin/uncore" doctor
[ "$status" -eq 0 ] || fail "the doctor reports a problem to a client of uncored"
grep -qE "^problem|^note +(msr|pci|capabilities|journals|others)" "$tmp/out" && fail "the doctor reports missing rights to a client of uncored"
grep -q "uncored is running on a simulated machine" "$tmp/out" || fail "the doctor does not report uncored's machine"
UNCORE_DAEMON=$tmp/nowhere as_user nogroup "$tmp/bin/uncore" doctor
grep -qE "^(problem|note) +uncored +no uncored is listening" "$tmp/out" || fail "the doctor does not report that uncored is missing"
grep -qE "^problem +(msr|pci|capabilities)" "$tmp/out" && fail "the doctor reports register files to a client of uncored"
as_user nogroup "$tmp/bin/uncore" show
grep -q "pid $client, user nobody" "$tmp/out" || fail "show does not list uncored's client"
UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" show >"$tmp/out" 2>"$tmp/err"
tr -s '\n ' ' ' <"$tmp/out" | grep -q "uncored (pid $daemon, user daemon).* (pid $client, user nobody)" ||
	fail "show does not list uncored and its client"
other --clear-groups "$tmp/bin/uncore" doctor
grep -q "policy does not allow this user to count" "$tmp/out" || fail "the doctor does not report the policy"
"$BUILD/uncore" doctor >"$tmp/out" 2>"$tmp/err"
grep -qE "^ *fine +uncored " "$tmp/out" || fail "the doctor does not report uncored"
"$BUILD/uncore" clients --stop 1 >"$tmp/out" 2>"$tmp/err" && fail "stopping process 1 must fail"
grep -q "process 1 does not count through uncored" "$tmp/err" || fail "the error does not say that process 1 is not a client"
"$BUILD/uncore" clients --stop "$client" >"$tmp/out" 2>"$tmp/err" || fail "root cannot stop other users' clients"
kill -TERM "$client"
wait "$client"
client=
grep -q "this event set was stopped by user 0" "$tmp/stat" ||
	fail "a stopped client gets no message: $(cat "$tmp/stat")"

# is_reloaded: the policy was reloaded; the messages since then are in $tmp/said
# shellcheck disable=SC2317 # soon calls it
is_reloaded() {
	tail -n "+$((before + 1))" "$tmp/daemon.err" >"$tmp/said"
	grep -qE "loaded policy|no policy|keeping the previous" "$tmp/said"
}

# reload PATTERN: sends SIGHUP, after which a line must match
reload() {
	before=$(wc -l <"$tmp/daemon.err")
	kill -HUP "$daemon"
	await is_reloaded
	grep -qE "$1" "$tmp/said" || fail "SIGHUP: no line like $1: $(cat "$tmp/said")"
}

# replace TEXT MODE: replaces the policy by another file
replace() {
	printf '%b' "$1" >"$tmp/policy.new"
	chmod "$2" "$tmp/policy.new"
	mv "$tmp/policy.new" "$tmp/policy"
}

# Reloads the policy while a client is counting. By then uncored is unprivileged and has its
# system call filter.
begin_client
soon shows_client || fail "root cannot see the client before the policy changes"
replace 'allow user games count\nallow group nogroup fly\n' 644
reload "policy, line 2: expected the right .*fly"
reload "keeping the previous policy"
replace 'allow user games count\n' 600
reload "policy: Permission denied.*chmod 644"
replace 'allow user no-such-user count\n' 644
reload "line 1: unknown user in the files"
{
	printf 'allow user '
	head -c 10000000 /dev/zero | tr '\0' n
	printf ' count\n'
} >"$tmp/policy"
reload "line 1: too long: the maximum is 1023 characters"
as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "an invalid policy is in force"
kill -0 "$client" || fail "an invalid policy stops a client"
replace 'allow user games count\n' 644
reload "loaded policy .*policy: 1 line; stopped 1 event set"
kill -TERM "$client"
wait "$client"
client=
grep -q "policy of uncored no longer allows this user to count" "$tmp/stat" ||
	fail "a client that lost its rights gets no message: $(cat "$tmp/stat")"
as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -ne 0 ] || fail "a user who lost the right can still count"
other --clear-groups "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD
[ "$status" -eq 0 ] || fail "a user of the new policy cannot count"
rm "$tmp/policy"
reload "policy: No such file"
end_daemon -TERM
[ "$status" -eq 0 ] || fail "SIGTERM after SIGHUP: exit status $status"

# It raises its priority if it can and none was chosen, and measures one user's requests.
as_user nogroup id -u
id=$(cat "$tmp/out")
start_daemon --group nogroup --latency "$id"
case $(nice)/$(nice -n -1 nice 2>"$tmp/out") in
0/-1) expected=-10 ;;
*) expected=$(nice) ;;
esac
is=$(sed 's/.*) //' "/proc/$daemon/stat" | cut -d' ' -f17)
[ "$is" -eq "$expected" ] || fail "uncored runs at nice $is instead of $expected"
as_user nogroup "$tmp/bin/uncore" stat -i 50 -d 0.2 -e UNC_M_CAS_COUNT:RD
end_daemon -TERM
times='mean [0-9.]* ms, longest [0-9.]* ms'
grep -qE "latency of user $id: [1-9][0-9]* reads, $times; [1-9][0-9]* starts and stops, $times" "$tmp/daemon.err" ||
	fail "uncored --latency reports no times"

# Other types of registers, without privileges: memory-mapped ones, and those listed in
# discovery tables.
for machine in sim:icx sim:spr; do
	unmount
	"$BUILD/uncore" sim mount -b --machine "$machine:packages=1,cores=4" "$dir" >"$tmp/out" 2>&1 || fail "cannot mount $machine"
	start_daemon --group nogroup --user daemon
	as_user nogroup "$tmp/bin/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD,UNC_CHA_CLOCKTICKS
	[ "$status" -eq 0 ] || fail "an unprivileged user cannot count on $machine"
	end_daemon -TERM
	[ "$status" -eq 0 ] || fail "$machine, SIGTERM: exit status $status"
done
UNCORE_ACCESS=direct UNCORE_SYSROOT=$dir "$BUILD/uncore" restore >"$tmp/out" 2>&1
grep -q 'Nothing to restore' "$tmp/out" || fail "registers were not restored"

exit "$failed"
