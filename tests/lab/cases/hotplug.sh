# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# A CPU goes offline while something counts through it: another one of its package
# serves. When a package has none left the counts end with a sentence.
#
# platforms: snbep
# cpus: 2
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C 512
# programs: $B/uncore

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
	sed -n 's/^ *\([0-9]*\)[[:space:]].*UNC_C_CLOCKTICKS.*/\1/p' /tmp/stat
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
check "a CPU goes offline: the other one of its package goes on counting" \
	test "${during:-0}" -gt "$((${before:-0} / 2))"
says "uncore show sees one CPU less" '3 (logical )?CPUs' uncore show
boxes=$(uncore show -v | grep -c '^  cbo[0-9]')
online "$1"
check "no box is lost with a CPU" test "$(uncore show -v | grep -c '^  cbo[0-9]')" = "$boxes"

says "all CPUs of a package go offline: a sentence instead of counts" \
	'cpu/2/msr.*no CPU that reaches it is online' uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- offline "$1" "$2"
check "its exit status says so, too" sh -c "! uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- true"
online "$1" "$2"
# Nobody could switch the counter off, so it is somebody's.
says "back online: the counter that was left behind is reported" 'cbo0 of package 1.*UNCORE_FORCE=1' \
	uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- true
export UNCORE_FORCE=1
after=$(counted 1 sleep 0.2)
unset UNCORE_FORCE
check "back online everything counts again" test "${after:-0}" -gt 0
