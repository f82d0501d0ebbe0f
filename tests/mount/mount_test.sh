#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mount_test.sh - `uncore sim mount` as it is used: the command, the stock PAPI tools and
# a PAPI program on the mounted machine, its trace, its end, its messages.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"

tool=$BUILD/uncore
machine=sim:snbep:packages=2,cores=8,time=virtual
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# refused PATTERN ARGUMENT...: nothing is mounted, and a sentence says why
refused() {
	pattern=$1
	shift
	"$tool" sim "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	case $status in
	2 | 3) ;;
	*) fail "uncore sim $*: exit status $status" ;;
	esac
	grep -qE -- "$pattern" "$tmp/err" || {
		fail "uncore sim $*: no message like: $pattern"
		cat "$tmp/err"
	}
}

mkdir "$tmp/full" "$tmp/full/file"

# ---- messages ----

refused 'directory .*/nowhere does not exist: create it' mount --machine sim:snbep "$tmp/nowhere"
refused 'full is not empty' mount --machine sim:snbep "$tmp/full"
refused 'uncore: Not a directory' mount --machine sim:snbep "$tool"
refused 'machine "native" is not simulated' mount --machine native "$dir"
refused 'nothing' mount --machine sim:nothing "$dir"
refused 'missing machine: use --machine' mount "$dir"
refused 'unknown action: use uncore sim mount'
refused 'unknown action: use uncore sim mount' unmount "$dir"
refused 'too many arguments' mount "$dir" "$dir"
refused 'name the directory' mount --machine sim:snbep
refused 'name a trace file' mount -b -t - --machine sim:snbep "$dir"
refused 'unknown action' unmount "$dir"
for number in '' x 1x 0x10 1.5 99999999999999999999 -9223372036854775808; do
	refused 'invalid --kill-at' mount --kill-at "$number" --machine sim:snbep "$dir"
done
for number in '' x 64M -1 99999999999999999999; do
	refused 'invalid --run-size' mount --run-size "$number" --machine sim:snbep "$dir"
done

# ---- mount ----

if ! has_mounts; then
	[ $failed -eq 0 ] || exit 1
	echo "skipped: $reason"
	exit 77
fi
refused 'trace .*/no/where: No such file' mount --machine "$machine" --trace "$tmp/no/where" "$dir"

# start: a new machine, with its time at 0
start() {
	"$tool" sim mount --background --machine "$machine" --trace "$tmp/trace" "$dir" \
		>"$tmp/out" 2>"$tmp/err" && return
	cat "$tmp/err"
	exit 1
}
start
grep -q "UNCORE_SYSROOT=$dir" "$tmp/out" || fail "the message does not explain how to use it"
refused 'is not empty' mount --machine "$machine" "$dir"

# ---- what counts on it ----

export UNCORE_SYSROOT="$dir"
event=UNC_M_CAS_COUNT:RD

# The output is marked as simulated, and equals that without files in between.
# Other processes can only count on what is mounted.
COLUMNS=10000 "$tool" show -v >"$tmp/shown"
grep -q '^other processes$' "$tmp/shown" || fail "uncore show tells nothing of other processes"
awk '/^other processes$/ { getline; getline; next } { print }' "$tmp/shown" >"$tmp/files"
COLUMNS=10000 "$tool" --machine "$machine" show -v >"$tmp/process"
cmp "$tmp/files" "$tmp/process" || fail "uncore show differs on files"

"$tool" stat --json -o "$tmp/stat" -e $event -- \
	sh -c 'echo 1000000000 >"$1"' sh "$dir/sim/advance" ||
	fail "uncore stat: exit status $?"
command=$(sed -n 's/.*"count": *\([0-9]*\).*/\1/p' "$tmp/stat" | head -n 1)
[ "${command:-0}" -gt 1000000 ] || fail "uncore stat counted ${command:-nothing}"
grep -q '"simulated": *true' "$tmp/stat" || fail "uncore stat does not say that it is simulated"
unmount || fail "it cannot be unmounted"

# A PAPI program: a second passes when the last box has been started.
start
if papi_part "a PAPI program"; then
	"$BUILD/examples/simple" >"$tmp/simple" 2>&1 &
	await grep -Eqs -e 'write pci 0000:ff:10.5 0xf4 32 0x10000$' "$tmp/trace"
	echo 1000000000 >"$dir/sim/advance"
	wait $! || fail "examples/simple: exit status $?"
	component=$(sed -n 's/^\([0-9]*\) bytes were read .*/\1/p' "$tmp/simple")
	grep -q SIMULATED "$tmp/simple" || fail "the component does not say that it is simulated"
	if [ "$component" != $((64 * command)) ]; then
		fail "PAPI counted ${component:-no} bytes, the command $command lines of 64"
		cat "$tmp/simple"
	fi
fi

# ---- what is being counted, as a recording ----

"$tool" stat -e UNCORE_MEM_READ_BYTES,UNCORE_FREQUENCY -- sleep 60 >"$tmp/counted" 2>&1 &
counting=$!
# shellcheck disable=SC2317 # soon calls it
counts() {
	"$tool" record -I 10 -n 2 2>/dev/null | grep -q '"control":"0x[1-9]'
}
soon counts || fail "what another process counts is not sampled"
while sleep 0.02; do echo 20000000 >"$dir/sim/advance"; done 2>/dev/null &
clock=$!
# The clock may not advance between the two looks of decode.
# shellcheck disable=SC2317 # soon calls them
decodes() {
	COLUMNS=10000 "$tool" decode >"$tmp/decoded" 2>&1 || fail "decode: exit status $?"
	grep -q '^UNC_M_CAS_COUNT:RD  .*imc0-[0-9]* of package.*, enabled, [1-9][0-9.]* [MG]*/s' "$tmp/decoded"
}
# shellcheck disable=SC2317
decodes_json() {
	"$tool" decode --json | grep -q '"event":"UNC_M_CAS_COUNT:RD","enabled":true,"per_second":[1-9]'
}
soon decodes ||
	fail "decode does not name the counters of the first process: $(cat "$tmp/decoded")"
grep -q "uncore (pid $counting" "$tmp/decoded" || fail "decode does not name the process: $(cat "$tmp/decoded")"
soon decodes_json || fail "decode --json"
# The time of the machine does not stop while a sample is taken, which takes long on a busy computer.
# replays: the mounted machine's recording counts its traffic and its clock
replays() {
	(
		unset UNCORE_SYSROOT
		"$tool" stat --machine "file:$tmp/run.json:speed=1000" -d 10ms -x, \
			-e UNCORE_MEM_READ_BYTES,UNCORE_FREQUENCY 2>"$tmp/replayed.err"
	) >"$tmp/replayed" || fail "stat of a recording: $(cat "$tmp/replayed.err")"
	awk -F , '/UNCORE_MEM_READ_BYTES/ { read = $1 / $4 } /UNCORE_FREQUENCY/ { clock = $1 }
		END { exit !(read > 0.1 && read < 1000 && clock > 2e9 && clock < 3e9) }' "$tmp/replayed"
}
for ms in 100 400 1600 6400; do
	"$tool" record -I $ms -n 4 -o "$tmp/run.json" || fail "record -I: exit status $?"
	if replays; then break; fi
done
kill $clock $counting
wait $clock $counting
replays || fail "a recording counts something else: $(cat "$tmp/replayed")"

# ---- death ----

echo 5 >"$dir/sim/kill_at"
"$tool" stat -e $event -- true >"$tmp/killed" 2>&1 &
wait $! 2>/dev/null
status=$?
[ $status -eq 137 ] || fail "the command outlived its fifth write: exit status $status"
[ "$(cat "$dir/sim/kill_at")" = 0 ] || fail "sim/kill_at is still armed"

# ---- files ----

if (echo nonsense >"$dir/sim/advance") 2>/dev/null; then
	fail "sim/advance takes nonsense"
fi
if (: >"$dir/dev/new") 2>/dev/null || mkdir "$dir/new" 2>/dev/null || rm -f "$dir/proc/cpuinfo" 2>/dev/null; then
	fail "the tree can be changed"
fi
if dd if="$dir/dev/cpu/0/msr" bs=4 count=1 of=/dev/null 2>/dev/null; then
	fail "half an MSR can be read"
fi

# ---- its end ----

exec 3<"$dir/dev/cpu/0/msr"
if fusermount3 -u "$dir" 2>/dev/null; then
	fail "it was unmounted although a file was open"
fi
exec 3<&-
unmount || fail "it cannot be unmounted after the last file was closed"
[ -z "$(ls -A "$dir")" ] || fail "something is left in the directory"

exit $failed
