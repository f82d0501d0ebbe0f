#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# restore_test.sh - registers that a killed process left programmed: `uncore restore` and the
# next `uncore stat` restore and report them, `uncore show` names the counting process.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

: "${BUILD:?the build directory}"

unset UNCORE_MACHINE UNCORE_WRAP_POLLER UNCORE_FORCE UNCORE_JOURNAL UNCORE_SHARE
tool=$BUILD/uncore
event=UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# says FILE PATTERN
says() {
	grep -Eq "$2" "$tmp/$1" || {
		fail "$1 does not say: $2"
		sed 's/^/  /' "$tmp/$1"
	}
}

# shellcheck disable=SC2317 # soon calls it
is_shown() {
	"$tool" show >"$tmp/show"
	grep -q "(pid $victim," "$tmp/show"
}

# killed: one that counts, and is killed then; its process is $victim
killed() {
	"$tool" stat -e "$event" -d 60 >/dev/null 2>&1 &
	victim=$!
	await is_shown
	says show "uncore \(pid $victim, user [^)]*\), since .* [0-9]+ registers"
	says show "$event"
	kill -KILL "$victim"
	wait "$victim" 2>/dev/null
}

if ! has_mounts; then
	echo "skipped: $reason"
	exit 77
fi
"$tool" sim mount --background --machine sim:snbep:packages=1,cores=2 "$dir" >"$tmp/mount" || exit 1
export UNCORE_SYSROOT="$dir"

"$tool" restore >"$tmp/nothing" || fail "restore fails where there is nothing to do"
says nothing 'Nothing to restore'

killed
"$tool" restore >"$tmp/restored" 2>&1 || fail "restore fails"
says restored "package 0, MSR 0xd04: 0x[0-9a-f]+ of uncore \(pid $victim, user [^)]*\)"
says restored '^restored 6 registers, left 0'
"$tool" restore >"$tmp/again" 2>&1
says again 'Nothing to restore'

killed
"$tool" restore --json >"$tmp/json" 2>/dev/null || fail "restore --json fails"
says json "^\{ *\"owner\": *\"uncore \(pid $victim,"
[ "$(wc -l <"$tmp/json")" -eq 6 ] || fail "restore --json has not a line for each register"

killed
"$tool" stat -e "$event" -d 0.05 >"$tmp/counts" 2>"$tmp/told" || fail "the next count is refused"
tr '\n' ' ' <"$tmp/told" >"$tmp/line"
says line "uncore \(pid $victim, user [^)]*\), which counted since .*: .*restored 6 registers"
says counts "[1-9][0-9]* +events +[0-9.]+ [kM]/s +$event"
"$tool" stat -e "$event" -d 0.05 >/dev/null 2>"$tmp/quiet"
[ ! -s "$tmp/quiet" ] || fail "restored registers are reported twice: $(cat "$tmp/quiet")"

"$tool" restore everything >"$tmp/wrong" 2>&1
[ $? -eq 2 ] || fail "restore takes an argument"

exit $((failures > 0))
