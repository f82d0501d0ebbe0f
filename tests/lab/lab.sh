# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# lab.sh - functions for cases in the guest.
#
# A result is a line in /out/results:  ok NAME | not ok NAME: WHY | skip NAME: WHY

ok() {
	echo "ok $1" >>/out/results
}

not_ok() {
	echo "not ok $1: $2" >>/out/results
}

skip() {
	echo "skip $1: $2" >>/out/results
}

# check NAME COMMAND...: it succeeds
check() {
	lab_name=$1
	shift
	echo "+ $*"
	if "$@" >/tmp/check 2>&1; then
		ok "$lab_name"
	else
		not_ok "$lab_name" "exit status $?: $(tail -n 1 /tmp/check)"
	fi
	cat /tmp/check
}

# says NAME PATTERN COMMAND...: its output has a line that matches, whether it succeeds or not
says() {
	lab_name=$1
	lab_pattern=$2
	shift 2
	echo "+ $*"
	"$@" >/tmp/check 2>&1
	if grep -qE -- "$lab_pattern" /tmp/check; then
		ok "$lab_name"
	else
		not_ok "$lab_name" "no '$lab_pattern' in: $(tail -n 3 /tmp/check | tr '\n' ' ')"
	fi
	cat /tmp/check
}

# load_modules MODULE[:PARAMETER=VALUE]...
load_modules() {
	for lab_module; do
		lab_parameters=
		case $lab_module in
		*:*) lab_parameters=$(echo "${lab_module#*:}" | tr : ' ') ;;
		esac
		# shellcheck disable=SC2086
		insmod "/modules/${lab_module%%:*}.ko" $lab_parameters ||
			not_ok "module ${lab_module%%:*}" "insmod failed: $(dmesg | tail -n 1)"
	done
}

tracing=/sys/kernel/tracing

# trace_start: the accesses to MSRs from now on, in order over all CPUs; mark TEXT: a mark
# among them; trace_stop FILE
trace_start() {
	echo 0 >$tracing/tracing_on
	echo counter >$tracing/trace_clock
	echo 16384 >$tracing/buffer_size_kb
	echo 1 >$tracing/events/msr/read_msr/enable
	echo 1 >$tracing/events/msr/write_msr/enable
	echo >$tracing/trace
	echo 1 >$tracing/tracing_on
}

mark() {
	echo "$*" >$tracing/trace_marker
}

trace_stop() {
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >"$1"
}
