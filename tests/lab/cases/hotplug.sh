# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# A CPU goes offline while something counts through it: another one of its package
# serves. When a package has none left the counts end with a sentence. So it is through
# uncored, which counts again when a CPU comes back, and says which it does not have.
#
# platforms: snbep
# cpus: 2
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C 512
# programs: $B/uncore $B/uncored setpriv

cpus=/sys/devices/system/cpu
mount -t debugfs none /sys/kernel/debug

# cpus_of PACKAGE
cpus_of() {
	for cpu in "$cpus"/cpu[0-9]*; do
		if [ "$(cat "$cpu/topology/physical_package_id")" = "$1" ]; then
			echo "${cpu##*/cpu}"
		fi
	done
}

# online CPU...: without our kernel module's probes, because a CPU that comes up accesses
# MSRs before it can handle a probe
online() {
	echo 0 >/sys/kernel/debug/kprobes/enabled
	for cpu; do echo 1 >$cpus/cpu"$cpu"/online; done
	echo 1 >/sys/kernel/debug/kprobes/enabled
}

# counted PACKAGE COMMAND...: clock ticks of one box while the command runs
counted() {
	package=$1
	shift
	echo "+ $*" >&2
	uncore stat -e "UNC_C_CLOCKTICKS:box=0:pkg=$package" -- "$@" >/tmp/stat 2>&1
	status=$?
	cat /tmp/stat >&2
	sed -n 's/,//g; s/^ *\([0-9]*\)[[:space:]].*UNC_C_CLOCKTICKS.*/\1/p' /tmp/stat
	return $status
}

cat >/bin/offline <<-END
	#!/bin/sh
	for cpu; do echo 0 >$cpus/cpu\$cpu/online; done
	sleep 0.2
END
chmod 755 /bin/offline

# shellcheck disable=SC2046
set -- $(cpus_of 1)
check "two CPUs in the second package" test $# -eq 2

before=$(counted 1 sleep 0.2)
during=$(counted 1 offline "$1")
check "a CPU goes offline: the other one of its package continues to count" \
	test "${during:-0}" -gt "$((${before:-0} / 2))"
says "uncore show sees one CPU less" '3 (logical )?CPUs' uncore show
boxes=$(uncore show -v | grep -c '^  cbo[0-9]')
online "$1"
check "no box is lost with a CPU" test "$(uncore show -v | grep -c '^  cbo[0-9]')" = "$boxes"

# Through uncored, which serves as a user who may open no register file any more.
echo 'uncore:x:900:900::/:/bin/false' >>/etc/passwd
printf 'uncored:x:900:\nuncore:x:901:\n' >>/etc/group
mkdir -p /run/uncored
chmod 1777 /tmp

serve() {
	rm -f /tmp/uncored
	uncored --group uncore >/tmp/uncored 2>&1 &
	daemon=$!
	while ! grep -q 'uncored: ready' /tmp/uncored; do usleep 20000; done
}

# served COMMAND...: count as an unprivileged user while the command runs; its output is in /tmp/stat, and
# printed is the rate in 10 MHz
served() {
	rm -f /tmp/begun /tmp/end
	{
		UNCORE_ACCESS=daemon /usr/bin/setpriv --reuid nobody --regid nogroup --groups uncore \
			uncore stat -e "UNC_C_CLOCKTICKS:box=0:pkg=1" -- \
			sh -c ': >/tmp/begun; while [ ! -e /tmp/end ]; do usleep 20000; done' >/tmp/stat 2>&1
		: >/tmp/begun
	} &
	client=$!
	while [ ! -e /tmp/begun ]; do usleep 20000; done
	echo "+ served $*" >&2
	"$@"
	sleep 0.5
	: >/tmp/end
	wait "$client"
	cat /tmp/stat >&2
	sed -n 's/,//g; s/^ *[1-9][0-9]*  .* \([0-9]*\)\.\([0-9]*\) GHz  *UNC_C_CLOCKTICKS.*/\1\2/p' /tmp/stat
}

# right NAME RATE: within a tenth of the one before
right() {
	if [ "${2:-0}" -gt $((rate * 9 / 10)) ] && [ "${2:-0}" -lt $((rate * 11 / 10)) ]; then
		ok "$1"
	else
		not_ok "$1" "'${2:-}' instead of $rate times 10 MHz: $(cat /tmp/stat)"
	fi
}

serve
says "uncored has a filter of calls" 'user uncore, no capabilities, seccomp filter' cat /tmp/uncored
rate=$(served true)
check "it counts" test "${rate:-0}" -gt 0
right "through uncored: a CPU goes offline" "$(served offline "$1")"
right "a count that starts then" "$(served true)"
online "$1"
right "it is back, and the other one goes offline" "$(served offline "$2")"
online "$2"
served offline "$1" "$2" >/dev/null
says "all of them go offline: a sentence instead of counts" 'no CPU that reaches it is online' cat /tmp/stat
served true >/dev/null
says "and no start" 'no CPU that reaches it is online' cat /tmp/stat
online "$1" "$2"
right "back online it counts again, by the same uncored" "$(served true)"
kill "$daemon"
wait "$daemon"
check "its end leaves nothing behind" test "$(UNCORE_ACCESS=direct uncore restore | grep -c 'Nothing to restore')" = 1

# It has no access to a CPU that came online later.
offline "$1"
serve
right "one was offline when uncored started" "$(served true)"
online "$1"
right "it comes" "$(served true)"
says "and is named" 'CPU 2 came online after uncored started' env UNCORE_ACCESS=daemon uncore show
served offline "$2" >/dev/null
says "and the only one that uncored reaches goes" 'online' cat /tmp/stat
online "$2"
right "and comes" "$(served true)"
kill "$daemon"
wait "$daemon"
offline "$1" "$2"
serve
online "$1" "$2"
served true >/dev/null
says "a missing package is refused" 'this machine has packages 0 to 0' cat /tmp/stat
says "and a sum says what it lacks" 'CPUs 2-3 came online after .*: sums do not include their package' \
	env UNCORE_ACCESS=daemon uncore stat -d 0.1 -e UNC_C_CLOCKTICKS
kill "$daemon"
wait "$daemon"
serve
right "uncored started again: it counts" "$(served true)"
kill "$daemon"
wait "$daemon"

# Without uncored, and without journals.
export UNCORE_JOURNAL=none
says "all CPUs of a package go offline: a sentence instead of counts" \
	'cpu/2/msr.*no CPU that reaches it is online' uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- offline "$1" "$2"
check "its exit status says so, too" sh -c "! uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- true"
online "$1" "$2"
# The counter could not be disabled, so it counts as in use.
says "back online: the counter that was left behind is reported" 'cbo0 of package 1.*UNCORE_FORCE=1' \
	uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- true
export UNCORE_FORCE=1
after=$(counted 1 sleep 0.2)
unset UNCORE_FORCE
check "back online everything counts again" test "${after:-0}" -gt 0
