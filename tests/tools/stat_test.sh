#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stat_test.sh - how `uncore stat` ends: by signals, by a reader that goes away, by output
# that cannot be written, by registers that cannot be read; what it counts without -e; and its
# runs, metrics, lines of boxes and formulas.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/awk.sh
. "$SRC/tests/support/awk.sh"
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
# shellcheck source=tests/support/machines.sh
. "$SRC/tests/support/machines.sh"

: "${BUILD:?the build directory}"

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_WRAP_POLLER UNCORE_FORCE
tool=$BUILD/uncore
event=UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
failures=0 skipped=

fail() {
	echo "FAILED: $*"
	[ ! -e "$tmp/err" ] || sed 's/^/  err: /' "$tmp/err"
	failures=$((failures + 1))
}

# number SIGNAL: what x86 has (dash's kill -l takes no names)
number() {
	case $1 in
	HUP) echo 1 ;;
	INT) echo 2 ;;
	QUIT) echo 3 ;;
	USR1) echo 10 ;;
	USR2) echo 12 ;;
	PIPE) echo 13 ;;
	ALRM) echo 14 ;;
	TERM) echo 15 ;;
	XCPU) echo 24 ;;
	esac
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# ended STATUS WHAT: the command in the background has, with that status
ended() {
	wait "$pid"
	status=$?
	[ $status -eq "$1" ] || fail "$2: exit status $status instead of $1"
}

# ---- lists of boxes: a comma in one is not the next event ----

"$tool" stat --machine sim:snbep -d 0.02 -e 'UNC_M_CAS_COUNT:RD:box=0-1,3,UNC_M_CAS_COUNT:RD:pkg=*' \
	>"$tmp/out" 2>"$tmp/err" || fail "stat of a list of boxes: exit status $?"
for part in "box=0 of 2 packages" "box=1 of 2 packages" "box=3 of 2 packages" pkg=0 pkg=1 "(system)"; do
	grep -q "  UNC_M_CAS_COUNT:RD[: ]$part\$" "$tmp/out" || fail "no line for $part"
done
[ "$(grep -c UNC_M_CAS_COUNT "$tmp/out")" -eq 6 ] || fail "more lines than boxes, packages and their sum"

# a list of all boxes has a total; of one package, or of a part of the packages, with their name
for part in "" :pkg=0 :pkg=0-1; do
	"$tool" stat --machine sim:skx:packages=3 -d 0.02 -e "UNC_M_CAS_COUNT:RD$part:box=*" >"$tmp/out" 2>"$tmp/err" ||
		fail "stat of all boxes$part: exit status $?"
	awk -v name="UNC_M_CAS_COUNT:RD$part" '{ gsub(",", "") } / (lines|requests) .*box=/ { sum += $1 }
		$5 == name && $6 == "(total)" { all = $1 } END { exit !all || all != sum }' "$tmp/out" ||
		fail "the total of all boxes$part: $(cat "$tmp/out")"
	grep -q " UNC_M_CAS_COUNT:RD$part (max)\$" "$tmp/out" || fail "the busiest box$part has another name"
done
"$tool" stat --machine sim:snbep -d 0.02 -e 'UNC_C_CLOCKTICKS:box=*' >"$tmp/out" 2>&1
if grep -q '(total)' "$tmp/out"; then fail "clocks are added up"; fi

# ---- what is counted without -e ----

mkdir "$tmp/tree"

# defaults EVENTS ARGUMENT...: these have a value, and nothing is multiplexed; metrics without UNCORE_
defaults() {
	wanted=$1
	shift
	"$tool" stat -d 0.02 "$@" >"$tmp/out" 2>"$tmp/err" || fail "stat $*: exit status $?"
	for metric in $wanted; do
		grep -q "^ *[1-9][0-9.,]*  .*  \(UNCORE_\)\?$metric\$" "$tmp/out" || fail "stat $* does not count $metric"
	done
	if grep -q '^ *count .*counted' "$tmp/out"; then
		fail "stat $* multiplexes"
	fi
}

for machine in $(machines); do
	memory="MEM_READ_BYTES MEM_WRITE_BYTES MEM_BYTES FREQUENCY"
	case $machine in
	dmr) metrics=POWER_PACKAGE_WATTS ;; # no events are published
	nhmex | wsmex) metrics="MEM_READ_BYTES_SPLIT MEM_WRITE_BYTES_SPLIT MEM_BYTES_SPLIT FREQUENCY" ;;
	knl) metrics="$memory POWER_PACKAGE_WATTS POWER_DRAM_WATTS" ;;
	snbep | ivbep | hswep | bdx) metrics="$memory PCIE_READ_BYTES_SPLIT PCIE_WRITE_BYTES_SPLIT POWER_PACKAGE_WATTS" ;;
	*) metrics="$memory PCIE_READ_BYTES PCIE_WRITE_BYTES POWER_PACKAGE_WATTS POWER_DRAM_WATTS" ;;
	esac
	defaults "$metrics" --machine "sim:$machine:packages=1"
done
defaults "MEM_BYTES:pkg=0 MEM_BYTES:pkg=1 SOCKET_OUT_BYTES:pkg=0 FREQUENCY:pkg=1" --machine sim:skx
grep -q '  UNCORE_MEM_BYTES (system)$' "$tmp/out" || fail "stat has no sum of the packages"
[ "$(grep -c '  GHz  ' "$tmp/out")" -eq 2 ] || fail "stat does not show frequencies in GHz"
# 16 bytes for each of 1.6 GHz and of 6 channels
[ "$(grep -cE '^memory of socket [01]: [0-9.]+ GB/s, [0-9]+ % of the theoretical peak 154 GB/s$' "$tmp/out")" -eq 2 ] ||
	fail "stat does not compare the memory traffic with the peak"

# ---- output that cannot be written ----

for arguments in list 'list --metrics' show 'show --json' 'show --core' 'plan UNC_M_CAS_COUNT' \
	'plan --json UNC_M_CAS_COUNT' allowlist 'stat -d 0.01' 'stat -i 5 -d 0.02 --json' help \
	'help stat' 'stat --help' --help --version; do
	# shellcheck disable=SC2086
	UNCORE_MACHINE=sim:snbep:packages=1 "$tool" $arguments >/dev/full 2>"$tmp/err"
	status=$?
	[ $status -eq 3 ] || fail "uncore $arguments >/dev/full: exit status $status"
	[ "$(grep -c '^uncore: standard output: ' "$tmp/err")" -eq 1 ] ||
		fail "uncore $arguments >/dev/full: no message, or more than one"
done
export UNCORE_MACHINE=sim:snbep:packages=1,cores=2
for arguments in '-d 0.01' '-i 5 -d 0.02' '-- true' '-i 5 -- sleep 0.02'; do
	# shellcheck disable=SC2086
	"$tool" stat -o /dev/full $arguments >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq 3 ] || fail "stat -o /dev/full $arguments: exit status $status"
	[ "$(grep -c '^uncore: /dev/full: No space left on device$' "$tmp/err")" -eq 1 ] ||
		fail "stat -o /dev/full $arguments: no message, or more than one"
done
"$tool" stat -- true 2>/dev/full
status=$?
[ $status -eq 3 ] || fail "stat -- true 2>/dev/full: exit status $status"
"$tool" stat -o /dev/full -- sh -c 'exit 7' 2>"$tmp/err"
status=$?
[ $status -eq 7 ] || fail "the status of a command whose counts are lost: $status"
# Without a reader, and with SIGPIPE ignored, it ends.
(
	trap '' PIPE
	"$tool" stat -i 5 -e $event 2>"$tmp/err"
	echo $? >"$tmp/status"
) | head -n 1 >"$tmp/out"
await test -s "$tmp/status"
grep -q '^3$' "$tmp/status" || fail "stat continued without a reader"
grep -q 'standard output: Broken pipe' "$tmp/err" || fail "no message about the reader"

# ---- signals, without a command: the counts, and an end by the signal ----

for signal in HUP INT QUIT USR1 PIPE ALRM TERM XCPU; do
	rm -f "$tmp/counts"
	"$tool" stat -e $event -i 20 -o "$tmp/counts" 2>"$tmp/err" &
	pid=$!
	await test -s "$tmp/counts"
	kill -s $signal $pid
	ended $((128 + $(number $signal))) "stat after SIG$signal"
	grep -q '  seconds$' "$tmp/counts" || fail "no counts after SIG$signal"
done
rm -f "$tmp/counts"
(
	trap '' HUP
	exec "$tool" stat -e $event -d 1 -i 20 -o "$tmp/counts" 2>"$tmp/err"
) &
pid=$!
await test -s "$tmp/counts"
kill -s HUP $pid
ended 0 "stat under nohup"
(
	trap '' CHLD
	exec timeout 10 "$tool" stat -e $event -- true 2>"$tmp/err"
) || fail "stat with SIGCHLD ignored: exit status $?"

# ---- commands that do not end at once ----

# A command that handles the signal itself: wait for it.
"$tool" stat -e $event -- sh -c 'trap "echo last words; exit 5" USR1; echo $$ >'"$tmp/ready"'
	while :; do sleep 0.05; done' >"$tmp/out" 2>"$tmp/err" &
pid=$!
await test -s "$tmp/ready"
kill -s USR1 $pid
ended $((128 + $(number USR1))) "stat of a command that handles the signal"
grep -q 'last words' "$tmp/out" || fail "the command was not waited for"
# A command that ignores the signal gets SIGTERM.
"$tool" stat -e $event -- sh -c 'trap "" INT; echo $$ >'"$tmp/child"'; while :; do sleep 0.05; done' \
	2>"$tmp/err" &
pid=$!
await test -s "$tmp/child"
kill -s INT $pid
ended $((128 + $(number INT))) "stat of a command that ignores the signal"
gone "$(cat "$tmp/child")" || fail "the command that ignores the signal is still running"
grep -q 'uncore: sh: Terminated' "$tmp/err" || fail "the exit of the command is not reported"

# ---- registers, on a machine made of files ----

mounted() {
	"$tool" sim mount --machine "$1" "$dir" >"$tmp/server" 2>"$tmp/err" &
	server=$!
	await test -e "$dir/sim/machine"
}

# registers: those of the event's C-Box and its filter, and box control
registers() {
	for address in 0xd04 0xd10 0xd11 0xd12 0xd13 0xd14; do
		dd if="$dir/dev/cpu/0/msr" bs=8 count=1 iflag=skip_bytes skip=$((address)) \
			2>/dev/null | od -An -tx8
	done
}

touched() {
	[ "$(registers)" != "$idle" ]
}

unset UNCORE_MACHINE
if ! has_mounts; then
	skipped=$reason
else
	mounted sim:snbep:packages=1,cores=2
	export UNCORE_SYSROOT="$dir"
	idle=$(registers)
	for signal in HUP INT QUIT TERM USR1 USR2 ALRM XCPU PIPE; do
		rm -f "$tmp/child"
		"$tool" stat -e $event -- sh -c "echo \$\$ >$tmp/child; exec sleep 60" \
			2>"$tmp/err" &
		pid=$!
		soon test -s "$tmp/child" || fail "SIG$signal: the command does not run"
		soon touched || fail "SIG$signal: nothing is counted"
		kill -s $signal $pid
		ended $((128 + $(number $signal))) "stat of a command after SIG$signal"
		if touched; then fail "SIG$signal leaves registers changed"; fi
		gone "$(cat "$tmp/child")" || fail "SIG$signal to stat leaves its command"
		"$tool" stat -e $event -d 0.01 >"$tmp/out" 2>"$tmp/err" ||
			fail "after SIG$signal the next run is refused"
	done
	"$tool" stat -i 20 -e $event 2>"$tmp/err" | head -n 3 >"$tmp/out"
	soon "$tool" stat -e $event -d 0.01 >"$tmp/out" 2>"$tmp/err" ||
		fail "after 'stat -i 20 | head' the next run is refused"
	if touched; then fail "'stat -i 20 | head' leaves registers changed"; fi

	# The machine goes away while it is counted: each read tells, and so does the stop.
	rm -f "$tmp/counts"
	# shellcheck disable=SC2016
	"$tool" stat -i 50 -e $event -o "$tmp/counts" -- \
		sh -c 'for _ in $(seq 1200); do [ ! -e "$1" ] || exit 0; sleep 0.05; done' sh "$tmp/told" 2>"$tmp/err" &
	pid=$!
	await test -s "$tmp/counts"
	kill -KILL "$server"
	soon grep -q 'no counts at ' "$tmp/err"
	touch "$tmp/told"
	ended 3 "stat of a machine that has gone"
	grep -q 'no counts at ' "$tmp/err" || fail "a failed read has no message"
	unset UNCORE_SYSROOT
	umount -l "$dir" 2>/dev/null || fusermount3 -uz "$dir"
fi

# A platform that no simulated machine has: another one's files, with its own model.
as_model() {
	mounted "$1" || fail "$1 cannot be mounted"
	rm -rf "$tmp/tree"
	mkdir "$tmp/tree"
	cp -rs "$dir/." "$tmp/tree/" 2>/dev/null
	rm "$tmp/tree/proc/cpuinfo"
	sed "s/^model\t*: .*/model\t\t: $2/" "$dir/proc/cpuinfo" >"$tmp/tree/proc/cpuinfo"
	UNCORE_SYSROOT=$tmp/tree defaults "$3"
	unmount
}
if [ -z "$skipped" ]; then
	as_model sim:gnr:packages=1 221 MEM_READ_BYTES # Clearwater Forest
	as_model sim:spr:packages=1 254 ix86arch::INSTRUCTION_RETIRED
	grep -q 'no events for memory reads and writes' "$tmp/err" ||
		fail "on an unknown CPU it is not reported that other events are counted"
fi

# ---- as perf stat has it ----

# perf_like PATTERN LINES[-] ARGUMENT...: that number of lines [or more] on standard output, each of which
# matches
perf_like() {
	pattern=$1 lines=$2
	shift 2
	UNCORE_MACHINE=sim:snbep "$tool" stat "$@" >"$tmp/out" 2>"$tmp/err" || fail "stat $*: status $?"
	has_lines "$pattern" "$lines" "stat $*"
}

# has_lines PATTERN LINES[-] WHAT: standard output of WHAT has that number of lines, each of which matches
has_lines() {
	all=$(wc -l <"$tmp/out")
	if [ "$(grep -cE "$1" "$tmp/out")" -ne "$all" ] || [ "$all" -lt "${2%-}" ] ||
		{ [ "$all" -ne "${2%-}" ] && [ "$2" = "${2%-}" ]; }; then
		fail "$3: $(cat "$tmp/out")"
	fi
}

# refused WORDS ARGUMENT...: wrong usage, with these words
refused() {
	words=$1
	shift
	UNCORE_MACHINE=sim:snbep "$tool" stat "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 2 ] || fail "stat $*: not refused as wrong usage"
	grep -qe "$words" "$tmp/err" || fail "stat $*: no '$words'"
}
refused 'choose a package with pkg=N' -C 0
refused 'choose a die with die=N' --per-die
refused 'choose metrics with -M' --metric-only
refused "LIKWID's groups MEM, MEM_DP, MEM_SP, L3" -g FLOPS_DP
refused 'missing "}" in -e' -e '{UNC_M_CAS_COUNT:RD'
refused 'missing event' -e '{}'

# the time counted in ns and in percent, and the rate
counted='[1-9][0-9]*,100\.00,[0-9.]*,([a-z]*/s)?$'
perf_like '^ |^$|^SIMULATED|^machine$' 5- --per-socket -d 10ms -e UNC_M_CAS_COUNT:RD
grep -q ' UNC_M_CAS_COUNT:RD (system)$' "$tmp/out" || fail "--per-socket prints no packages"
for option in -A --no-aggr; do
	perf_like '^ |^$|^SIMULATED|^machine$' 5- $option -v -d 10ms -e UNC_M_CAS_COUNT:RD
	grep -q ' UNC_M_CAS_COUNT:RD:box=3:pkg=1$' "$tmp/out" || fail "$option prints no boxes"
done
perf_like '^ |^$|^SIMULATED|^machine$' 5- -g mem -d 10ms
grep -q ' UNCORE_MEM_BYTES$' "$tmp/out" || fail "-g MEM does not count memory"
"$tool" stat -g L3 -d 10ms >"$tmp/out" 2>"$tmp/err"
grep -q "^uncore: -g L3: .* data reads that miss, .*; LIKWID's L3 counts" "$tmp/err" || fail "-g L3 does not say what it is not"
# Both events need counter 0 of the C-Boxes; each pair shares its windows.
perf_like '^ |^$|^SIMULATED|^machine$' 5- --multiplex=2 -d 0.2 \
	-e '{UNC_C_RXR_OCCUPANCY:IRQ,UNC_C_CLOCKTICKS},{UNC_C_TOR_OCCUPANCY:ALL,UNC_C_COUNTER0_OCCUPANCY}'
[ "$(awk '/ UNC_C_RXR/ { a = $(NF - 2) } / UNC_C_CLOCK/ { b = $(NF - 2) } END { print a == b }' "$tmp/out")" = 1 ] ||
	fail "events in braces are counted in different windows: $(cat "$tmp/out")"
perf_like "^[1-9][0-9]*,lines,UNC_M_CAS_COUNT:RD,$counted" 1 -a -d 10ms -x, -e UNC_M_CAS_COUNT:RD
perf_like "^[1-9][0-9]*;lines;UNC_M_CAS_COUNT:(RD|WR);[1-9][0-9]*;100\.00;[1-9][0-9.]*;lines/s\$" 2 -d 0.01s -x ';' \
	-e UNC_M_CAS_COUNT:RD,UNC_M_CAS_COUNT:WR
# the separator is in the name: it is quoted
perf_like "^[1-9][0-9]*:lines:\"UNC_M_CAS_COUNT:RD\":[1-9]" 1 --timeout 10 -x: -e UNC_M_CAS_COUNT:RD
# of a process that ends once stat waits for that
mkfifo "$tmp/end"
cat "$tmp/end" >/dev/null &
watched=$!
exec 3>"$tmp/end"
UNCORE_MACHINE=sim:snbep "$tool" stat -p $watched -x, -e UNC_M_CAS_COUNT:RD >"$tmp/out" 2>"$tmp/err" 3>&- &
waiting=$!
watches() {
	[ -n "$(find /proc/$waiting/fd -lname '*pidfd*' 2>/dev/null)" ] || ! kill -0 $waiting 2>/dev/null
}
await watches
exec 3>&-
wait $waiting || fail "stat -p: status $?: $(cat "$tmp/err")"
has_lines "^[1-9][0-9]*,lines,UNC_M_CAS_COUNT:RD,$counted" 1 "stat -p"
for _ in 1 2; do
	UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms -x, -e UNC_M_CAS_COUNT:RD -o "$tmp/appended" --append ||
		fail "--append: status $?"
done
[ "$(wc -l <"$tmp/appended")" -eq 2 ] || fail "--append: $(cat "$tmp/appended")"
rm "$tmp/appended"
for _ in 1 2; do
	UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms --csv -e UNC_M_CAS_COUNT:RD -o "$tmp/appended" --append 2>"$tmp/err" ||
		fail "--append of --csv: status $?"
done
[ "$(grep -c seconds "$tmp/appended")/$(wc -l <"$tmp/appended")" = 1/3 ] ||
	fail "--append of --csv repeats or lacks the heading: $(cat "$tmp/appended")"
# intervals only, as perf has them: a total among them would be taken for one
UNCORE_MACHINE=sim:snbep "$tool" stat -I 20 -d 70ms -x, -e UNC_M_CLOCKTICKS:box=0:pkg=0 >"$tmp/out" ||
	fail "-I: status $?"
if grep -qvE '^[0-9]+\.[0-9]{9},' "$tmp/out"; then fail "-I -x: not the time first: $(cat "$tmp/out")"; fi
UNCORE_MACHINE=sim:snbep "$tool" stat -d 70ms -x, -e UNC_M_CLOCKTICKS:box=0:pkg=0 | sed 's/^/total,/' >>"$tmp/out"
# The same clock in all, in times that add up to that of the last interval; a busy computer joins intervals.
awk -F , '$1 != "total" { count += $2; ns += $5; seconds = $1 } { total = $2 / $5 }
	END { exit NR < 2 || ns < 7e7 || ns > 1.01e9 * seconds || count / ns < 0.99 * total || count / ns > 1.01 * total }' "$tmp/out" ||
	fail "-I: $(cat "$tmp/out")"
# how long multiplexed events were counted in the interval; on a busy computer a window may be of no use
perf_like '^[0-9.]+,([0-9]+|<not counted>),[a-z*]+,UNC_C_[A-Z_:]*,[0-9]+,[0-9]{1,2}\.[0-9]{2},' 2- \
	--multiplex -I 500 -d 750ms -x, -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ
grep -q SIMULATED "$tmp/err" || fail "fields are not marked as simulated"
refused 'invalid field separator' -d 1 -x.
# the last interval ends at the end of the time, with a line in every format; on a busy computer there
# are fewer of them
# intervals FORMAT DURATION MOST
intervals() {
	# shellcheck disable=SC2086
	"$tool" stat --machine sim:snbep $1 -i 20 -d "$2ms" -e UNC_M_CAS_COUNT:RD >"$tmp/out" 2>&1 ||
		fail "-i 20 -d $2ms $1: status $?"
	sed -n 's/^ *\([0-9]*\.[0-9]\{3\}\)  .*/\1/p; s/^\([0-9]*\.[0-9]*\),.*/\1/p
		s/.*"kind":"interval".*"seconds":\([0-9.]*\),.*/\1/p' "$tmp/out" |
		awk -v end="$2" -v most="$3" '{ last = $1 } END { exit NR == 0 || NR > most || last < end / 1000 }' ||
		fail "-i 20 -d $2ms $1: not $3 lines until the end: $(cat "$tmp/out")"
}
for format in '' '-x,' --csv --json; do
	intervals "$format" 60 3
	intervals "$format" 70 4
done
# a number of counters is whole, and only of counts that are added up unchanged
"$tool" stat --machine sim:spr --json -d 20ms -M memory,energy_package_uj -e UNC_M_CLOCKTICKS >"$tmp/out" 2>"$tmp/err" ||
	fail "--json of metrics: status $?"
[ "$(grep -o '"counters":[0-9.]*' "$tmp/out")" = '"counters":16' ] ||
	fail "--json: not the 16 channels of two packages alone: $(cat "$tmp/out")"
# whole numbers that a fraction of a second cannot have exactly
for ms in 9 13 36; do
	UNCORE_MACHINE=sim:snbep "$tool" stat -i $ms -d 10ms >"$tmp/out" 2>"$tmp/err" || fail "-i $ms: status $?"
done
refused 'invalid interval' -i 1.5 -d 10ms
refused 'invalid -d "2x"' -d 2x
refused 'invalid --timeout "never"' --timeout never
refused '--append requires -o' -d 1 --append
refused '--json cannot be combined' -d 1 --json --csv
refused '-p and a command cannot be combined' -p 1 true
refused 'expected a process ID' -p me
UNCORE_MACHINE=sim:snbep "$tool" stat -p 4194303 >"$tmp/out" 2>"$tmp/err" && fail "stat waits for a missing process"
grep -q 'process 4194303' "$tmp/err" || fail "-p: the missing process is not named"

# ---- a busy computer: windows of 10 ms have no known length ----

busy=
for _ in $(seq $((2 * $(nproc) + 2))); do
	sh -c 'while :; do :; done' &
	busy="$busy $!"
done
for attempt in 1 2 3; do
	"$tool" stat --machine sim:spr -M cache -d 2 >"$tmp/out" 2>"$tmp/err" || fail "stat on a busy computer: status $?"
	grep -q '^ *<not counted> ' "$tmp/out" || break
done
# shellcheck disable=SC2086
kill $busy
# shellcheck disable=SC2086
wait $busy 2>/dev/null
if grep '^ *<not counted> ' "$tmp/out"; then fail "metrics of a busy computer are not counted, $attempt times"; fi
grep -q 'windows of [1-9][0-9][0-9] ms instead of 10 ms because no processor is idle' "$tmp/err" ||
	fail "no reason for long windows"

# ---- tables and lines of numbers ----

export UNCORE_MACHINE=sim:snbep
"$tool" stat -d 20ms -e UNC_M_CAS_COUNT:RD,UNC_M_CLOCKTICKS >"$tmp/out" 2>"$tmp/err"
[ "$(grep -cE '^ +[1-9][0-9]{0,2}(,[0-9]{3})+  (lines|cycles) ' "$tmp/out")" -eq 2 ] ||
	fail "thousands are not separated: $(cat "$tmp/out")"
"$tool" stat -I 20 -d 900ms -M mem_read_bytes -e UNCORE_FREQUENCY,UNC_M_CAS_COUNT:RD >"$tmp/out" 2>"$tmp/err"
[ "$(grep -cE '^    0\.[0-9]{3} +[0-9.]+ GB/s +2\.[0-9]{3} GHz +[0-9.]+ M/s$' "$tmp/out")" -ge 2 ] ||
	fail "-I: not a line for each interval: $(cat "$tmp/out")"
[ "$(grep -c '^  seconds .* BYTES .* COUNT:RD$' "$tmp/out")" -eq 1 ] || fail "-I: no heading, or several: $(cat "$tmp/out")"
COLUMNS=40 "$tool" stat -I 20 -d 50ms --per-box -e UNC_M_CAS_COUNT:RD >"$tmp/out" 2>"$tmp/err"
grep -q '^at 0\.0.* s (simulated)$' "$tmp/out" || fail "-I: a line of 9 columns in 40: $(cat "$tmp/out")"
"$tool" stat --csv -I 20 -d 900ms -e UNCORE_FREQUENCY,UNC_M_CAS_COUNT:RD >"$tmp/out" 2>"$tmp/err"
has_lines '^seconds,UNCORE_FREQUENCY,UNC_M_CAS_COUNT:RD$|^[0-9]+\.[0-9]{6},2[0-9]{9}\.[0-9],[1-9][0-9]*$' 3- "--csv -I"
"$tool" stat --csv=long -r 2 -d 20ms -e UNCORE_FREQUENCY,UNC_M_CAS_COUNT:RD >"$tmp/out" 2>"$tmp/err"
has_lines '^seconds,event,count,unit,counted,deviation$|^[0-9]+\.[0-9]{6},UNC[A-Z_:]*,[1-9][0-9.]*,(Hz|lines),100\.0,[0-9]+\.[0-9]{2}$' 3 "--csv=long"
# both need counter 0, and no window ends in a millisecond: an empty field, not a zero
"$tool" stat --csv --multiplex=1000 -d 1ms -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ >"$tmp/out" 2>"$tmp/err"
has_lines '^seconds,|^[0-9]+\.[0-9]{6},[0-9]*,$' 2 "--csv of an event that was not counted"
"$tool" stat --influx -d 50ms -e 'UNCORE_MEM_READ_BYTES:pkg=*,UNC_M_CAS_COUNT:RD:box=1:pkg=1,UNCORE_FREQUENCY' \
	>"$tmp/out" 2>"$tmp/err"
socket='^UNCORE_MEM_READ_BYTES,hostname=[^,]*,type=socket,type-id=[01],unit=bytes,simulated=true value=[1-9][0-9]*i,rate=[1-9]'
box='^UNC_M_CAS_COUNT:RD,hostname=[^,]*,type=socket,type-id=1,box=1,unit=lines,simulated=true value=[1-9][0-9]*i,rate=[1-9]'
mean='^UNCORE_FREQUENCY,hostname=[^,]*,type=node,unit=Hz,simulated=true value=2'
has_lines "($socket|$box|$mean)[0-9.e+]* [0-9]{19}$" 4 "--influx"
refused '--json cannot be combined with' --influx --json -d 1
refused 'invalid --csv=wide: use --csv' --csv=wide -d 1
export UNCORE_MACHINE=sim:snbep:packages=1,cores=2

# ---- several runs ----

reads=UNC_M_CAS_COUNT:RD
clock=UNC_M_CLOCKTICKS:box=0:pkg=0
: >"$tmp/runs"
# shellcheck disable=SC2016
UNCORE_MACHINE=sim:snbep "$tool" stat -r 4 -x, -o "$tmp/out" -e $reads -- \
	sh -c 'echo >>'"$tmp/runs"'; exit $(($(wc -l <'"$tmp/runs"') / 2 * 5))' 2>"$tmp/err"
status=$?
[ $status -eq 5 ] || fail "-r: not the exit status of the first run that failed, but $status"
[ "$(wc -l <"$tmp/runs")" -eq 4 ] || fail "-r 4 ran $(wc -l <"$tmp/runs") times"
grep -qE "^[1-9][0-9]*,lines,$reads,[0-9]+\.[0-9]{2}%,$counted" "$tmp/out" || fail "-r -x: $(cat "$tmp/out")"
UNCORE_MACHINE=sim:snbep "$tool" stat -r 3 -d 10ms --json -e $clock >"$tmp/out" || fail "-r --json: status $?"
sed 's/.*"kind":"\([a-z]*\)".*"count":\([0-9]*\).*deviation_percent":\([0-9.]*\).*/\1 \2 \3/
	s/.*"kind":"\([a-z]*\)".*"count":\([0-9]*\).*/\1 \2/' "$tmp/out" | awk '
	$1 == "run" { sum += $2; n[++runs] = $2 }
	$1 == "mean" { mean = $2; deviation = $3 }
	END {
		for (i = 1; i <= runs; i++)
			squares += (n[i] - sum / runs) ^ 2
		right = 100 * sqrt(squares / (runs - 1) / runs) / (sum / runs)
		exit runs != 3 || (mean - sum / runs) ^ 2 > 1 || (deviation - right) ^ 2 > 1e-6
	}' || fail "-r --json: $(cat "$tmp/out")"
grep -q '"kind":"mean","runs":3,' "$tmp/out" || fail "-r --json does not report the number of runs"
UNCORE_MACHINE=sim:snbep "$tool" stat -r 2 -d 10ms -e $reads >"$tmp/out" || fail "-r: status $?"
grep -q "  +- [0-9.]* %  $reads\$" "$tmp/out" || fail "-r: no deviation"
grep -q '  seconds  +- [0-9.]* %, the mean of 2 runs$' "$tmp/out" || fail "-r: no mean time"
# A signal shows what was measured so far.
rm -f "$tmp/counts"
UNCORE_MACHINE=sim:snbep "$tool" stat -r 1000000 -d 20ms --json -e $reads -o "$tmp/counts" 2>"$tmp/err" &
pid=$!
await test -s "$tmp/counts"
kill -s INT $pid
ended 130 "stat -r after SIGINT"
tail -n 1 "$tmp/counts" | grep -q '^{"kind":"mean",' || fail "-r shows no means after SIGINT"
grep -q 'measured .* of 1000000 runs' "$tmp/err" || fail "-r does not report that it was interrupted"
rm -f "$tmp/ready"
UNCORE_MACHINE=sim:snbep "$tool" stat -r 2 -e $reads -- sh -c 'echo >'"$tmp/ready"'; exec sleep 60' 2>"$tmp/err" &
pid=$!
await test -e "$tmp/ready"
kill -s TERM $pid
ended 143 "stat -r after SIGTERM in the first run"
grep -q "  $reads\$" "$tmp/err" || fail "-r shows nothing of the run that was interrupted"
UNCORE_MACHINE=sim:snbep "$tool" stat -r 3 -e $reads -- "$tmp/nothing" 2>"$tmp/err"
[ $? -eq 127 ] || fail "-r of a missing command"
[ "$(grep -c nothing "$tmp/err")" -eq 1 ] || fail "-r tries a missing command again"
refused '-r and -i cannot be combined' -r 2 -i 10 -d 1
refused '-r and --until cannot be combined' -r 2 -d 1 --until $clock=1000
refused 'requires a command or -d' -r 2
refused 'expected the number of runs' -r 0 -d 1

# what a run did not count is unknown, not 0: a mean is of the other runs, or of none; the first run is the shortest
cat >"$tmp/longer" <<-END
	#!/bin/sh
	[ -e "$tmp/longer.ran" ] && exec sleep 0.7
	: >"$tmp/longer.ran"
END
UNCORE_MACHINE=sim:snbep "$tool" stat -r 2 --json --multiplex=50 -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ -- \
	sh "$tmp/longer" >"$tmp/out" 2>"$tmp/err" || fail "-r of windows: status $?"
tr '{}' '\n' <"$tmp/err" | awk '
	function count(line) { sub(/.*"count":/, "", line); sub(/,.*/, "", line); return line }
	/"kind":/ { kind = $0 }
	function rate(line) { sub(/.*"per_second":/, "", line); sub(/,.*/, "", line); return line }
	!/"event":.*IRQ/ { next }
	kind ~ /"run"/ && count($0) != "null" { sum += count($0); n++; each = rate($0) }
	kind ~ /"mean"/ { mean = count($0); all = rate($0) }
	END { exit n ? (mean - sum / n) ^ 2 > 1 || (n == 1 && (all / each - 1) ^ 2 > 1e-9) : mean != "null" }' || fail "a run that did not count is 0 in the mean: $(cat "$tmp/err")"
if [ "$(grep -c '"kind":"run".*null.*' "$tmp/err")" -eq 1 ]; then
	grep -q '^uncore: UNC_C_.* was not counted in 1 of 2 runs' "$tmp/err" || fail "a run that did not count is not mentioned"
fi

# ---- metrics and groups ----

perf_like "^[0-9.]+,[a-z]+,UNCORE_(MEM_((READ|WRITE)_)?BYTES|DRAM_PAGE_HIT_RATIO):pkg=1,$counted" 4 \
	-M MEMORY:pkg=1,Mem_Read_Bytes:pkg=1 -d 10ms -x,
if grep -q 'multiplexing' "$tmp/err"; then fail "a group that fits is multiplexed"; fi
UNCORE_MACHINE=sim:snbep "$tool" stat -M latency -d 1 -x, >"$tmp/out" 2>"$tmp/err" || fail "-M latency: status $?"
grep -q 'not enough counters for all metrics' "$tmp/err" || fail "-M: multiplexing is not reported"
# what fits at once is counted in the same windows, which begin a little later in some boxes
grep -E 'UNCORE_(TOR_DRD_(LATENCY_NS|OCCUPANCY_AVG)|FREQUENCY),' "$tmp/out" | cut -d , -f 5 |
	awk 'NR == 1 || $1 < min { min = $1 } $1 > max { max = $1 } END { exit !(NR == 3 && max - min < 1) }' ||
	fail "-M latency: $(cat "$tmp/out")"
refused 'metric groups are memory, latency' -M memories -d 1
refused 'missing metric' -M , -d 1

# ---- a line for each package or box ----

perf_like "^[1-9][0-9]*,lines,$reads:box=[0-3]:pkg=[01],$counted" 8 --per-box -d 10ms -x, -e $reads
[ "$(cut -d , -f 3 "$tmp/out" | sort -u | wc -l)" -eq 8 ] || fail "--per-box: $(cat "$tmp/out")"
perf_like "^[1-9][0-9]*,lines,$reads:box=[0-3]:pkg=1,$counted" 4 --per-box -d 10ms -x, -e $reads:pkg=1
perf_like "^[1-9][0-9]*,[a-z]+,(UNCORE_MEM_READ_BYTES|$reads):pkg=[01],$counted" 4 --per-package -d 10ms -x, \
	-M mem_read_bytes -e uncore_imc/cas_count_read/
perf_like "^[1-9][0-9]*,bytes,UNCORE_MEM_READ_BYTES:box=[0-3]:pkg=[01],$counted" 8 --per-box -d 10ms -x, -M mem_read_bytes
perf_like "^[0-9.]*,ns,UNCORE_TOR_DRD_LATENCY_NS:pkg=[01],$counted" 2 --per-box -d 10ms -x, -M tor_drd_latency_ns

# A box of each package is not one box, and no clock has the sum of their frequencies: 2.29 GHz.
sum=UNC_C_CLOCKTICKS
"$tool" stat --machine sim:snbep -d 0.1 -e "$sum:box=0,$sum:box=1:pkg=0,$sum" >"$tmp/out" 2>"$tmp/err"
grep -q "  cycles  *2\.[0-9]* GHz  $sum:box=0 of 2 packages\$" "$tmp/out" ||
	fail "a box of two packages looks like one box"
grep -q "  cycles  *2\.[0-9]* GHz  $sum:box=1:pkg=0\$" "$tmp/out" || fail "one box has another name"
grep -q "  cycles  *2\.[0-9]* GHz  $sum\$" "$tmp/out" || fail "the frequency of a sum"
"$tool" stat --machine sim:snbep --json -d 0.1 -e "$sum:box=0" >"$tmp/out" 2>"$tmp/err"
grep -q "\"event\":\"$sum:box=0\",.*\"per_second\":2[0-9]\{9\}[.,].*\"counters\":2[,}]" "$tmp/out" ||
	fail "the frequency of a sum in JSON"

# a table adds the packages up; lines for programs, means and clocks are not added
system_of() {
	UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms "$@" >"$tmp/out" 2>"$tmp/err" || fail "stat $*: status $?"
	grep -c '(system)$' "$tmp/out"
}
[ "$(system_of --per-package -M mem_bytes,frequency,clockticks)" -eq 1 ] || fail "system row: $(cat "$tmp/out")"
awk '{ gsub(",", "") } /UNCORE_MEM_BYTES:pkg=/ { sum += $1 } /UNCORE_MEM_BYTES \(system\)/ { all = $1 } END { exit !all || all != sum }' \
	"$tmp/out" || fail "the system row is not the sum: $(cat "$tmp/out")"
awk '/UNCORE_MEM_BYTES:pkg=/ { sum += $3 } /UNCORE_MEM_BYTES \(system\)/ { all = $3 }
	END { exit !(all > 0.98 * sum && all < 1.02 * sum) }' "$tmp/out" ||
	fail "the rate of the system row is not that of its sum: $(cat "$tmp/out")"
[ "$(system_of --per-box -e $reads)" -eq 1 ] || fail "system row of boxes: $(cat "$tmp/out")"
awk '{ gsub(",", "") } /:box=[0-3]:pkg=/ { sum += $1 } /UNC_M_CAS_COUNT:RD \(system\)/ { all = $1 }
	END { exit !all || all != sum }' "$tmp/out" || fail "the system row is not the sum of boxes: $(cat "$tmp/out")"
awk '{ gsub(",", "") } /:box=[0-3]:pkg=/ { sum += $1; n++; if (!least || $1 < least) least = $1; if ($1 > most) most = $1 }
	/\(min\)/ { min = $1 } /\(mean\)/ { mean = $1 } /\(max\)/ { max = $1 }
	END { exit min != least || max != most || n != 8 || (mean - sum / n) ^ 2 > 1 }' "$tmp/out" ||
	fail "min, mean and max of boxes: $(cat "$tmp/out")"
# the errors of the parts of a sum add up, or it has none because a part has none or was not counted
UNCORE_MACHINE=sim:snbep:period=37 COLUMNS=200 "$tool" stat -d 300ms --multiplex=5 --per-box \
	-e $reads,UNC_M_ACT_COUNT,UNC_M_PRE_COUNT:PAGE_MISS,UNC_M_RPQ_INSERTS,UNC_M_CAS_COUNT:WR >"$tmp/out" 2>"$tmp/err"
awk '!/UNC_M_RPQ_INSERTS/ { next }
	{ gsub(",", ""); error = /\+- [0-9]/ ? $(NF - 1) / 100 * $1 : 0 }
	/:box=/ { sum += error; n += error > 0 }
	/\(system\)/ { all = error }
	END { exit n == 8 && (all / sum - 1) ^ 2 > 0.01 }' "$tmp/out" || fail "the error of a sum: $(cat "$tmp/out")"
[ "$(system_of --per-box -e UNC_M_CLOCKTICKS)" -eq 0 ] || fail "clocks of boxes are added: $(cat "$tmp/out")"
grep -q ' UNC_M_CLOCKTICKS (mean)$' "$tmp/out" || fail "clocks of boxes have no mean: $(cat "$tmp/out")"
[ "$(system_of --per-package -e "$reads")" -eq 1 ] || fail "system row of packages: $(cat "$tmp/out")"
if grep -q '(min)' "$tmp/out"; then fail "packages have a min"; fi
[ "$(system_of -e "$reads:box=0,1:pkg=*")" -eq 0 ] || fail "system row of some boxes: $(cat "$tmp/out")"
[ "$(system_of -e "$reads:pkg=0")" -eq 0 ] || fail "system row of one package: $(cat "$tmp/out")"

# ---- formulas ----

perf_like "^[1-9][0-9.]*,(lines)?,(bw|twice|$reads),$counted" 3 -d 50ms -x, \
	-e "bw = 64*UNC_M_CAS_COUNT.RD/seconds,$reads,twice=($reads+UNC_M_CAS_COUNT:RD)"
awk -F , '{ seconds = $4 / 1e9; n[$3] = $1 }
	END {
		bw = 64 * n["UNC_M_CAS_COUNT:RD"] / seconds
		exit n["twice"] != 2 * n["UNC_M_CAS_COUNT:RD"] || (n["bw"] / bw - 1) ^ 2 > 1e-8
	}' "$tmp/out" || fail "formulas: $(cat "$tmp/out")"
perf_like "^[1-9][0-9.]*,(lines)?,(twice|$reads):pkg=[01],$counted" 4 -d 20ms -x, --per-package \
	-e "twice=$reads+$reads,$reads"
awk -F , '{ n[$3] = $1 } END { exit n["twice:pkg=1"] != 2 * n["UNC_M_CAS_COUNT:RD:pkg=1"] }' "$tmp/out" ||
	fail "formulas of packages: $(cat "$tmp/out")"
# a rate is that of the time in which the set counted, which multiplexed events report
UNCORE_MACHINE=sim:snbep "$tool" stat --multiplex -d 100ms --json -e UNC_C_RXR_OCCUPANCY:IRQ,UNC_C_TOR_OCCUPANCY:ALL \
	>"$tmp/out" || fail "rates of multiplexed events: status $?"
tr ',{}' '\n' <"$tmp/out" | sed 's/"//g' | awk -F : '
	$1 == "seconds" { seconds = $2 }
	$1 == "count" { n++; count[n] = $2 }
	$1 == "per_second" { rate[n] = $2 }
	$1 == "enabled_ns" { enabled[n] = $2 }
	END {
		for (i = 1; i <= n; i++) {
			bad = bad || (enabled[i] / 1e9 - seconds) ^ 2 > 1e-12
			bad = bad || (count[i] - rate[i] * enabled[i] / 1e9) ^ 2 > 1e-16 * count[i] ^ 2
		}
		exit bad || n != 2
	}' || fail "rates of multiplexed events: $(cat "$tmp/out")"
# the first window of a mean represents the time before it, too: the interval in which it ends has none (2.3 GHz)
"$tool" stat --machine sim:skx -d 1 -i 50 -M latency,cache --json >"$tmp/out" 2>"$tmp/err" || fail "-i of means: status $?"
tr '{}' '\n' <"$tmp/out" | sed -n 's/.*"event":"UNCORE_FREQUENCY".*"count":\([0-9.null]*\),.*/\1/p' >"$tmp/means"
awk '$1 + 0 > 4e9 { bad = 1 } END { exit bad || !NR }' "$tmp/means" || fail "-i: a mean of other time than the interval's: $(cat "$tmp/means")"
# by the seconds of each interval; a mean in a formula is that of the interval, too
perf_like "^[0-9.]+,2[0-9]{9}\.[0-9],,hz,$counted" 2- -I 20 -d 1 -x, -e 'hz=(UNCORE_FREQUENCY*seconds)/seconds'
UNCORE_MACHINE=sim:snbep "$tool" stat -r 2 -d 10ms --json -e "x=1/(0*$reads)" -e "y=2*3" -e $reads >"$tmp/out" || fail "y=2*3: status $?"
tail -n 1 "$tmp/out" | grep -q '"event":"x","formula":"1/(0\*'$reads')","units":"","count":null,.*"event":"y","formula":"2\*3","units":"","count":6,' ||
	fail "formulas as JSON: $(cat "$tmp/out")"
refused 'invalid formula "bw=64\*\*A", character 7: expected a number, an event or (' -d 1 -e 'bw=64**A'
refused 'invalid formula "x=A:box=0,3/2", character 10: expected an operator' -d 1 -e 'x=A:box=0,3/2'
refused 'invalid formula "bw=64\*UNC_M_CAS_CONT/seconds", character 7: no event UNC_M_CAS_CONT .*did you mean' -d 1 \
	-e 'bw=64*UNC_M_CAS_CONT/seconds'

# ---- known errors of events: once, and not of the default answer ----

UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms -e UNC_H_DIRECTORY_UPDATE:SET,UNC_H_DIRECTORY_UPDATE:CLEAR,UNC_M_CAS_COUNT:RD \
	>"$tmp/out" 2>"$tmp/err" || fail "stat of events with errata: status $?"
[ "$(grep -c '^uncore: UNC_H_DIRECTORY_UPDATE:SET: wrong: pmu-tools marks it .* (pmu-tools ' "$tmp/err")" -eq 1 ] ||
	fail "stat does not print an erratum"
[ "$(wc -l <"$tmp/err")" -eq 1 ] || fail "stat prints an erratum twice"
UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms >"$tmp/out" 2>"$tmp/err" || fail "the default answer: status $?"
[ ! -s "$tmp/err" ] || fail "the default answer comes with notes about errata"
UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms --json -e UNC_H_DIRECTORY_UPDATE:SET 2>"$tmp/err" |
	grep -q '"erratum":{"verdict":"wrong","text":"wrong: .*","source":"pmu-tools ' || fail "stat --json has no erratum"
"$tool" list --errata --machine sim:emr >"$tmp/out" 2>"$tmp/err" || fail "list --errata: status $?"
grep -qx UNC_M2P_CLOCKTICKS "$tmp/out" || fail "list --errata lacks one: $(cat "$tmp/out")"
"$tool" list --errata --machine sim:knl >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] || fail "list --errata of a machine without any does not say so"
"$tool" list -v --machine sim:emr UNC_M2P_CLOCKTICKS | grep -q ' undercounts: counts almost nothing' || fail "list -v has no erratum"

# ---- events of controls ----

# decoded NAMES WORD...: the lines of uncore decode
decoded() {
	wanted=$1
	shift
	[ "$("$tool" decode "$@" 2>"$tmp/err")" = "$wanted" ] || fail "decode $*: $("$tool" decode "$@" 2>&1)"
}
decoded UNC_C_XSNP_RESP:EVICT_RSP_HITFSE --machine sim:skx cha 0x408132
decoded UNC_M_CAS_COUNT:RD:t=3 --machine sim:snbep IMC 0x03400304
decoded UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_RFO --machine sim:snbep cbo 0x400335 0xc0000000
"$tool" decode --machine sim:skx imc 0x4000fe >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] || fail "decode of an unknown control: status"
grep -q 'no event of imc has the control 0x4000fe' "$tmp/err" || fail "decode of an unknown control: no message"
for words in 'imc 0x304 0' 'cha 0x35 99999999999999999999' 'imc' 'imc x' 'imc 0x304 y' 'nothing 0x304' 'imc -1'; do
	# shellcheck disable=SC2086
	"$tool" decode --machine sim:skx $words >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 2 ] || fail "decode $words is not wrong usage"
done

# ---- what was found while opening ----

cat >"$tmp/list.json" <<'END'
[{"Unit":"iMC","EventCode":"0x04","UMask":"0x03","EventName":"UNC_M_NEW","Counter":"0,1,2,3"},
{"Unit":"iMC","EventCode":"0x05","UMask":"0x03","EventName":"UNC_M-BAD","Counter":"0,1,2,3"}]
END
UNCORE_EVENT_FILES=$tmp/list.json UNCORE_MACHINE=sim:snbep "$tool" stat -d 10ms -e UNC_M_NEW >/dev/null 2>"$tmp/err" ||
	fail "a list with a damaged event: status $?"
[ "$(grep -c 'list.json:2: invalid EventName UNC_M-BAD: only' "$tmp/err")" -eq 1 ] ||
	fail "a warning of opening is not printed once: $(cat "$tmp/err")"

# ---- what ends it ----

# As timeout(1): 124, whatever the command makes of SIGTERM.
UNCORE_MACHINE=sim:snbep "$tool" stat --timeout 50 -e $reads -- sleep 60 2>"$tmp/err"
[ $? -eq 124 ] || fail "the status of a command that was stopped by --timeout"
grep -q "  $reads\$" "$tmp/err" || fail "--timeout of a command: no counts"
if grep -q Terminated "$tmp/err"; then fail "a command that was to end is said to have failed"; fi
UNCORE_MACHINE=sim:snbep "$tool" stat --timeout 200ms -e $reads -- sh -c 'trap "exit 5" TERM; while :; do sleep 0.02; done' 2>"$tmp/err"
[ $? -eq 124 ] || fail "the status of a command that ends by itself after SIGTERM"
UNCORE_MACHINE=sim:snbep "$tool" stat --timeout 60s -e $reads -- sh -c 'exit 5' 2>"$tmp/err"
[ $? -eq 5 ] || fail "the status of a command that ends before --timeout"
UNCORE_MACHINE=sim:snbep "$tool" stat --timeout 50 -r 2 -e $reads -- sleep 60 2>"$tmp/err"
[ $? -eq 124 ] || fail "the status of runs that were stopped by --timeout"
grep -q "  $reads" "$tmp/err" || fail "--timeout of two runs: no counts"
sleep 60 &
sleeper=$!
perf_like "^[1-9][0-9]*,lines,$reads,$counted" 1 -p $sleeper -d 20ms -x, -e $reads
kill $sleeper

[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || {
	echo "skipped: $skipped"
	exit 77
}
