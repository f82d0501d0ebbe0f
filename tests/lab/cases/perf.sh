# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Alongside perf: a box that it uses is busy for us; what happens to both when one of us ignores
# the other; and that we detect it.  docs/permissions.md, "Running alongside perf", describes it.
# The counters are those of a simulated machine whose time only passes when it is
# advanced, so numbers are exact: a second is always the same count.
#
# platforms: snbep
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C,time=virtual 512
# programs: $B/uncore $B/uncored $B/lab/bin/crosscheck perf setpriv

second() {
	crosscheck advance 1000000000
}

# perf_start EVENT: perf counts it until perf_stop, which leaves what it said in /tmp/perf
perf_start() {
	rm -f /tmp/begun /tmp/end
	perf stat -x, -a -o /tmp/perf -e "$1" -- \
		sh -c 'touch /tmp/begun; while [ ! -e /tmp/end ]; do usleep 20000; done' &
	while [ ! -e /tmp/begun ]; do usleep 20000; done
}

perf_stop() {
	touch /tmp/end
	wait
	cat /tmp/perf
}

# perf's counts, one line for each event.
perf_counts() {
	sed -n 's/^\([0-9][0-9]*\),.*/\1/p' /tmp/perf
}

# ours EVENT COMMAND...: count; what the tool says is in /tmp/ours
ours() {
	event=$1
	shift
	uncore stat -e "$event" -- "$@" >/tmp/ours 2>&1
	result=$?
	cat /tmp/ours
	return $result
}

our_count() {
	sed -n 's/,//g; s/^ *\([0-9][0-9]*\)  [a-z].*/\1/p' /tmp/ours
}

# is NAME COUNT WANTED: but for the fractions of an event that two packages carry from
# one second to the next
is() {
	case "${2:-x}${3:-x}" in
	*[!0-9]*) not_ok "$1" "'${2:-}' instead of '${3:-}'" && return ;;
	esac
	if [ $(($2 - $3)) -le 4 ] && [ $(($3 - $2)) -le 4 ]; then
		ok "$1"
	else
		not_ok "$1" "$2 instead of $3"
	fi
}

clock=uncore_cbox_0/event=0/

# One after the other
perf_start $clock
second
perf_stop
one=$(perf_counts)
ours UNC_C_CLOCKTICKS:box=0 crosscheck advance 1000000000
is "alone both count the same" "$(our_count)" "$one"
# same NAME EVENT OURS: boxes in config space, too, with the kernel's names of the events
same() {
	perf stat -x, -a -o /tmp/perf -e "$2" -- crosscheck advance 1000000000
	ours "$3" crosscheck advance 1000000000
	is "$1" "$(our_count)" "$(perf_counts)"
}
same "memory reads" uncore_imc_2/event=4,umask=3/ UNC_M_CAS_COUNT:RD:box=2
same "QPI data" uncore_qpi_1/drs_data/ UNC_Q_TXL_FLITS_G1:DRS_DATA:box=1
filtered=UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3
same "what plan --perf gives perf" "$(uncore plan --perf $filtered)" $filtered
says "plan --perf: PMU, config words" '^uncore_cbox_3/config=0x135,config1=0xc1000000/$' \
	uncore plan --perf $filtered
same "memory clock" uncore_imc_0/clockticks/ UNC_M_CLOCKTICKS:box=0

# Through the kernel's driver, as who may use perf and no registers: the same counts.
as_user() {
	/usr/bin/setpriv --reuid nobody --regid nogroup --clear-groups --inh-caps +perfmon \
		--ambient-caps +perfmon "$@"
}
# theirs EVENT[,EVENT...]: as ours(), while the time of the machine does not pass
theirs() {
	rm -f /tmp/begun /tmp/end
	{
		$who uncore stat -e "$1" -- \
			sh -c ': >/tmp/begun; while [ ! -e /tmp/end ]; do usleep 20000; done' >/tmp/ours 2>&1
		: >/tmp/begun
	} &
	while [ ! -e /tmp/begun ]; do usleep 20000; done
	second
	: >/tmp/end
	wait $!
	cat /tmp/ours
}
# instead NAME EVENT: the sum over its boxes by registers, and through the kernel
instead() {
	ours "$2" crosscheck advance 1000000000
	registers=$(our_count)
	theirs "$2"
	is "$1" "$(our_count)" "$registers"
}
who=as_user
chmod 1777 /tmp
echo 2 >/proc/sys/kernel/perf_event_paranoid # Debian's 3 refuses CAP_PERFMON, too
instead "through the kernel: C-Boxes of all packages" UNC_C_CLOCKTICKS
instead "through the kernel: a filter" UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
instead "through the kernel: config space" UNC_M_CAS_COUNT:RD
instead "through the kernel: a fixed counter" UNC_M_CLOCKTICKS
instead "through the kernel: a metric" UNCORE_MEM_READ_BYTES
# three of four counters are in use by pinned events, like ours
rm -f /tmp/begun
perf stat -x, -a -o /dev/null -e "{uncore_pcu/event=0/,uncore_pcu/event=1/,uncore_pcu/event=2/}:D" -- \
	sh -c 'touch /tmp/begun; while [ ! -e /tmp/over ]; do usleep 20000; done' &
while [ ! -e /tmp/begun ]; do usleep 20000; done
theirs UNC_P_CLOCKTICKS,UNC_P_FREQ_TRANS_CYCLES
says "a box without a free counter is named" 'pcu0 of package 0: the kernel.s driver has no free counter' \
	cat /tmp/ours
: >/tmp/over
wait

# perf first
perf_start $clock
second
says "a box that perf uses is busy, and is named" \
	'cbo0 of package 0: counter 0 is enabled by the kernel.s driver .perf..*UNCORE_FORCE=1' \
	uncore stat -e UNC_C_CLOCKTICKS -- true
check "others are not" uncore stat -e UNC_C_CLOCKTICKS:box=1,UNC_M_CAS_COUNT:RD -- crosscheck advance 1000000000
perf_stop
is "and perf's count is right" "$(perf_counts)" $((2 * one))

# perf first, and we take it over
perf_start $clock
second
UNCORE_FORCE=1 ours UNC_C_CLOCKTICKS:box=0 crosscheck advance 1000000000
second
perf_stop
is "UNCORE_FORCE=1 counts" "$(our_count)" "$one"
if [ "$(perf_counts)" -ne $((3 * one)) ]; then
	ok "and spoils perf's count, as documented"
else
	not_ok "and spoils perf's count, as documented" "it is right"
fi

# We first: perf takes the lowest counters, we the highest
ours UNC_C_CLOCKTICKS:box=0 sh -c "crosscheck advance 1000000000
	perf stat -x, -a -o /tmp/perf -e $clock -- crosscheck advance 1000000000
	crosscheck advance 1000000000"
is "perf at the same time leaves our count right" "$(our_count)" $((3 * one))
is "and has its own" "$(perf_counts)" "$one"

# perf needs the highest counters, too, and continues after we have ended
ring=uncore_cbox_0/event=0x1d,umask=0xf/
perf_start $ring
second
perf_stop
used=$(perf_counts)
cat >/tmp/begin <<END
	rm -f /tmp/begun /tmp/end
	perf stat -x, -a -o /tmp/perf -e {$ring,$ring} -- sh -c \
		'touch /tmp/begun; while [ ! -e /tmp/end ]; do usleep 20000; done' &
	while [ ! -e /tmp/begun ]; do usleep 20000; done
	crosscheck advance 1000000000
END
says "a counter that perf takes is noticed" \
	'package [01], register 0xd13 held .* another tool reprogrammed the counter, its counts are invalid' \
	uncore stat -e UNC_C_CLOCKTICKS:box=0 -- sh /tmp/begin
second
touch /tmp/end
while pidof perf >/dev/null; do usleep 20000; done
cat /tmp/perf
# shellcheck disable=SC2046
set -- $(perf_counts)
is "perf keeps what it took" "$2" $((2 * used))
is "and what we had not" "$1" $((2 * used))

# The filter is one for all counters of a box
perf_start uncore_cbox_0/event=0x35,umask=1,filter_opc=0x180/
second
perf_stop
rfo=$(perf_counts)
says "a filter that perf overwrites is noticed" \
	'package [01], register 0xd14 held 0xc0000000 instead of 0xc1000000' \
	uncore stat -e UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0 -- \
	perf stat -x, -a -o /tmp/perf -e uncore_cbox_0/event=0x35,umask=1,filter_opc=0x180/ -- \
	crosscheck advance 1000000000
is "and perf's count is right" "$(perf_counts)" "$rfo"
check "afterwards all is as before" \
	uncore stat -e UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=0 -- crosscheck advance 1000000000

# Through uncored, a user of its own without rights, under its filter of calls.
echo 'uncore:x:900:900::/:/bin/false' >>/etc/passwd
printf 'uncored:x:900:\nuncore:x:901:\n' >>/etc/group
mkdir -p /run/uncored
chmod 600 /dev/cpu/*/msr
uncored --group uncore >/tmp/uncored 2>&1 &
while ! grep -q uncored: /tmp/uncored; do usleep 20000; done
says "uncored is ready as a user without rights" \
	'^uncored: ready .user uncore, no capabilities, seccomp filter' cat /tmp/uncored
member() {
	UNCORE_ACCESS=daemon /usr/bin/setpriv --reuid nobody --regid nogroup --groups uncore "$@"
}
export UNCORE_ACCESS=direct
who=member
instead "through uncored: C-Boxes of all packages" UNC_C_CLOCKTICKS
instead "through uncored: a filter" UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
instead "through uncored: config space" UNC_M_CAS_COUNT:RD
says "who is not in its group is not let in" 'permission denied: join' \
	env UNCORE_ACCESS=daemon /usr/bin/setpriv --reuid nobody --regid nogroup --clear-groups uncore stat -d 0.1
