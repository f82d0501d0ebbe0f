#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# top_test.sh - `uncore top` as text and on a terminal: what it shows, what it says of counters
# that others have, how it ends, and that registers and terminal are as they were before.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
# shellcheck source=tests/support/terminal.sh
. "$SRC/tests/support/terminal.sh"

: "${BUILD:?the build directory}"

unset UNCORE_MACHINE UNCORE_WRAP_POLLER UNCORE_FORCE UNCORE_JOURNAL UNCORE_SHARE COLUMNS LINES
tool=$BUILD/uncore
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# says FILE PATTERN: what folds is one line
says() {
	tr -s '\n ' '  ' <"$tmp/$1" | grep -Eq "$2" || {
		fail "$1 does not say: $2"
		sed 's/^/  /' "$tmp/$1"
	}
}

# wait_for COMMAND...: until it is true
wait_for() {
	soon "$@" >/dev/null 2>&1 || fail "never: $*"
}

# ---- text ----

"$tool" --machine sim:spr top --once -i 100 >"$tmp/once" 2>"$tmp/err" || fail "--once fails"
[ ! -s "$tmp/err" ] || fail "--once complains: $(cat "$tmp/err")"
says once '^SIMULATED Intel Xeon Scalable'
says once 'estimate'
says once 'Memory bandwidth read write total page hits socket 0( [0-9.]+ GB/s){3}'
says once 'channel 0 1 2 3 4 5 6 7 read, GB/s( [0-9.]+){8} write, GB/s'
says once 'lookups by cha'
says once 'Links between sockets.*PCIe.*Power'
reads='"event":"UNCORE_MEM_READ_BYTES","section":"Memory bandwidth","label":"read","units":"bytes","packages":.."package":0,"per_second":29[0-9]{9}'
for interval in 100 500 2s; do # a busy computer may disturb a short one
	"$tool" --machine sim:skx:packages=2 top --json -n 2 -i $interval >"$tmp/json" 2>"$tmp/err" || fail "--json fails"
	if grep -Eq "$reads" "$tmp/json"; then break; fi
done
[ ! -s "$tmp/err" ] || fail "--json complains: $(cat "$tmp/err")"
[ "$(grep -c '^{"machine":"Intel Xeon.*,"simulated":true,"time":"[0-9:]*","seconds":[0-9.]*,"metrics":\[{.*\],"notes":\[\]}$' "$tmp/json")" -eq 2 ] ||
	fail "no object for each of two screens: $(head -c 300 "$tmp/json")"
# the traffic of the simulated machine: 29.5 GB/s of reads in package 0, six channels
says json "$reads"
says json '"estimate":(true|false)(,"error":[0-9.e-]+)?,"box":"imc5"'
"$tool" --machine sim:skx top --json -i 100 2>"$tmp/err" | wc -l | grep -q '^ *1$' || fail "--json alone is not one object"
# Both packages; memory clock and traffic of the simulated machine: 16.5 and 15.9 of 154 GB/s
used='memory bandwidth in use, of the theoretical peak: socket 0 1[01] % socket 1 1[01] %'
for interval in 500ms 1s 2s 4s; do # a busy computer may disturb a short one
	HOME=$tmp "$tool" --machine sim:skx:packages=2,cores=8 top --once -i $interval >"$tmp/used" || fail "--once on skx fails"
	tr -s '\n ' '  ' <"$tmp/used" | grep -Eq "$used" && break
done
says used "$used"
[ "$(grep -c '^SIMULATED' "$tmp/once")" -eq 1 ] || fail "--once is not one screen"
"$tool" --machine sim:snbep top -n 3 -i 50ms >"$tmp/three" || fail "-n fails"
[ "$(grep -c '^SIMULATED' "$tmp/three")" -eq 3 ] || fail "-n 3 is not three screens"
for wrong in '-n 0' '-n x' '-i 3' '-i x' 'x' '--bad'; do
	# shellcheck disable=SC2086
	"$tool" --machine sim:snbep top $wrong >"$tmp/out" 2>&1 </dev/null
	[ $? -eq 2 ] || fail "top $wrong: no wrong usage"
done
"$tool" --machine sim:snbep top >"$tmp/out" 2>&1 </dev/null
[ $? -eq 2 ] || fail "top without a terminal does not say so"
says out '(must be a terminal|without ncurses).*--once'
"$tool" --machine sim:snbep top --once -i 50 >/dev/full 2>"$tmp/full"
[ $? -eq 3 ] || fail "a full disk does not change the exit status"
says full 'standard output: No space left'

# ---- others, and uncored ----

if ! has_mounts; then
	echo "skipped: $reason"
	[ $failures -eq 0 ] && exit 77
	exit 1
fi
"$tool" sim mount --background --machine sim:snbep:packages=2,cores=4 "$dir" >"$tmp/mount" || exit 1
export UNCORE_SYSROOT="$dir"

# registers: controls and filters of all boxes.  Counters keep what they have counted, and those of
# energy are always counting.
registers() {
	"$tool" record --registers |
		grep -vE '"address":"0x(61[19]|a0|a8|b0|b8|d0|c09|c[13][6-9]|d[13579bdf][6-9])"'
}

# is_idle: all registers of the machine have their initial values
is_idle() {
	registers >"$tmp/now"
	! "$tool" show | grep -q ', since' && cmp -s "$tmp/idle" "$tmp/now"
}

registers >"$tmp/idle"
[ "$(grep -c '"register"' "$tmp/idle")" -gt 100 ] || fail "there are no registers to compare"
"$tool" stat -e UNC_M_CAS_COUNT:RD:box=0:pkg=1 -d 60 >/dev/null 2>&1 &
victim=$!
counts() {
	"$tool" show | grep -q "pid $victim,"
}
wait_for counts
is_idle && fail "a machine with a running counter passes for an idle one"
"$tool" top --once -i 100 >"$tmp/shared" 2>&1 || fail "top fails while another process counts"
says shared "Memory bandwidth: package 1 is not shown: .*pid $victim"
says shared 'Memory bandwidth read write total page hits socket 0 ~?[0-9.]+ .B/s .* socket 1 - - - - system - - - Latency'
says shared 'link 0 1 out, '
kill -INT "$victim"
wait "$victim" 2>/dev/null

"$tool" top -n 1000 -i 50 >"$tmp/ended" 2>&1 &
victim=$!
wait_for counts
kill -TERM "$victim"
wait "$victim" 2>/dev/null
[ $? -eq 143 ] || fail "SIGTERM does not end it as a signal does"
is_idle || fail "registers are not as they were after SIGTERM"

start_daemon
UNCORE_ACCESS=daemon UNCORE_DAEMON=$tmp/socket "$tool" top --once -i 200 >"$tmp/daemon" 2>&1 ||
	fail "top fails through uncored"
says daemon 'Memory bandwidth read write total page hits socket 0 ~?[0-9.]+ .B/s'
says daemon 'channel 0 1 2 3 read'
says daemon 'system ~?[0-9.]+ .B/s'
end_daemon -TERM

# ---- a terminal ----

if reason=$(why_no_terminal); then
	echo "skipped: $reason"
	[ $failures -eq 0 ] && exit 77
	exit 1
fi
if "$tool" --machine sim:snbep top </dev/null 2>&1 | tr -s '\n ' '  ' | grep -q 'without ncurses'; then
	echo "skipped: built without ncurses"
	[ $failures -eq 0 ] && exit 77
	exit 1
fi

cat >"$tmp/session" <<END
stty rows 24 cols 80
tty >'$tmp/tty'
stty -g >'$tmp/before'
'$tool' top -i 100 2>'$tmp/top.err'
echo \$? >'$tmp/status'
stty -g >'$tmp/after'
END

term=xterm

# begin_session: top on a terminal of its own, whose keys are descriptor 3
begin_session() {
	rm -f "$tmp/keys" "$tmp/typescript" "$tmp/status"
	mkfifo "$tmp/keys"
	TERM=$term SHELL=/bin/sh script -qfc "sh '$tmp/session'" "$tmp/typescript" <"$tmp/keys" >/dev/null 2>&1 &
	session=$!
	exec 3>"$tmp/keys"
	wait_for grep -q 'Memory bandwidth' "$tmp/typescript"
}

# end_session STATUS: what it has ended with
end_session() {
	wait_for test -s "$tmp/after" -a -s "$tmp/status"
	exec 3>&-
	wait "$session"
	[ "$(cat "$tmp/status")" -eq "$1" ] || fail "it ended with $(cat "$tmp/status"), not $1"
	[ "$(cat "$tmp/before")" = "$(cat "$tmp/after")" ] || fail "the terminal is not as it was"
	grep -v '^Hangup$' "$tmp/top.err" >"$tmp/complaint" && fail "it complains: $(cat "$tmp/complaint")"
	# xterm's other screen is left, and the cursor is there again
	tail -c 200 "$tmp/typescript" | grep -q '\[?1049l' || fail "the other screen is not left"
	is_idle || fail "registers are not as they were"
	rm -f "$tmp/after"
}

begin_session
# the last line of a screen may come after its first
wait_for grep -qE 'rows 1 to [0-9]+ of' "$tmp/typescript"
stty rows 60 cols 132 <"$(cat "$tmp/tty")"
# the last section has room now
wait_for grep -q 'Power and frequency' "$tmp/typescript"
printf '?' >&3
wait_for grep -q 'Keys of uncore top' "$tmp/typescript"
printf 'x' >&3
printf 's' >&3
wait_for grep -q 'by value' "$tmp/typescript"
printf 'p' >&3
wait_for grep -q 'PAUSED' "$tmp/typescript"
printf q >&3
end_session 0

begin_session
printf '\003' >&3 # what Ctrl-C types
end_session 130

begin_session
victim=$("$tool" show | sed -n 's/.*uncore (pid \([0-9]*\),.*/\1/p' | head -n 1)
kill -HUP "${victim:-0}"
end_session 129

# colours and inverted headings of a terminal that has them, and none with NO_COLOR
is_coloured() {
	grep -aqE "$(printf '\033')\[([0-9;]*;)?(7|3[0-7]|4[0-7]|[34]8;5;[0-9]+)m" "$tmp/typescript"
}

term=xterm-256color
for wish in '' 1; do
	export NO_COLOR=$wish
	begin_session
	wait_for grep -q 'lookups by' "$tmp/typescript"
	printf q >&3
	end_session 0
	if is_coloured; then
		[ -z "$wish" ] || fail "NO_COLOR=$wish: there are colours or inverted lines"
	else
		[ -n "$wish" ] || fail "there are no colours on $term"
	fi
done
unset NO_COLOR

[ $failures -eq 0 ]
