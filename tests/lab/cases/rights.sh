# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086
# Users without rights: each gets the counts, or the sentence that says what is missing.
#
# platforms: snbep
# modules: uncore_lab:backend=portal intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C 512
# programs: $B/uncore papi_component_avail setpriv
# files: $B/papi:/papi

tick="uncore stat -e UNC_C_CLOCKTICKS:box=0 -- sleep 0.1"
cas="uncore stat -e UNC_M_CAS_COUNT:RD -- sleep 0.1"

# as RIGHTS COMMAND...: as an unprivileged user, with these capabilities ("" for none)
as() {
	capabilities=$1
	shift
	if [ -n "$capabilities" ]; then
		set -- --inh-caps "$capabilities" --ambient-caps "$capabilities" "$@"
	fi
	/usr/bin/setpriv --reuid nobody --regid nogroup --clear-groups "$@"
}

says "no msr module: names it" 'dev/cpu/0/msr.*No such file.*modprobe msr' as "" $tick
says "PAPI gives the same reason" 'modprobe msr' \
	env LD_LIBRARY_PATH=/papi /usr/bin/setpriv --reuid nobody --regid nogroup --clear-groups \
	papi_component_avail
load_modules msr

says "root counts" '[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' $tick
says "a user: the mode forbids it" 'Permission denied.*group' as "" $tick
chown root:nogroup /dev/cpu/*/msr
chmod 660 /dev/cpu/*/msr
says "a user with a device that its group may open: the capability is missing" \
	'Operation not permitted.*CAP_SYS_RAWIO' as "" $tick
says "a user with CAP_SYS_RAWIO counts" '[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' as +sys_rawio $tick
says "but not in PCI boxes" 'no imc.*mode forbids it: run as root' as +sys_rawio $cas

chown :nogroup /sys/bus/pci/devices/*/config
chmod 664 /sys/bus/pci/devices/*/config
says "config files that the group may write: the kernel shows them in part" \
	'no imc.*CAP_SYS_ADMIN is required' as +sys_rawio $cas
says "with CAP_SYS_ADMIN they count" '[1-9][0-9]+[[:space:]].*UNC_M_CAS_COUNT' \
	as +sys_rawio,+sys_admin $cas
says "uncore show reports why boxes cannot be accessed" 'channels 0-3.* not reached: .*CAP_SYS_ADMIN is required' \
	as +sys_rawio env COLUMNS=1000 uncore show

# The kernel's driver, which takes no rights to registers.
chmod 600 /dev/cpu/*/msr
chmod 600 /sys/bus/pci/devices/*/config
echo 2 >/proc/sys/kernel/perf_event_paranoid
says "a user without rights, nor through the kernel's driver" "msr.*Permission denied.*nor by the kernel's driver:.*perf_event_paranoid is 2" \
	as "" $tick
says "a user with CAP_PERFMON counts through the kernel's driver" \
	'[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' as +perfmon $tick
echo 0 >/proc/sys/kernel/perf_event_paranoid
says "a user where all may use perf, in config space, too" '[1-9][0-9]+[[:space:]].*UNC_M_CAS_COUNT' \
	as "" $cas
says "uncore show names the access method" "the kernel driver .perf. counts" as "" uncore show
says "UNCORE_ACCESS=direct does not" 'Permission denied' as "" env UNCORE_ACCESS=direct $tick
chmod 660 /dev/cpu/*/msr

echo off >/sys/module/msr/parameters/allow_writes
says "root with msr.allow_writes=off" 'msr.allow_writes' $tick
echo on >/sys/module/msr/parameters/allow_writes
says "and on again" '[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' $tick

# The same as the boot parameter lockdown=integrity, which our module would not survive.
mount -t securityfs none /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown
says "locked down" 'locked down' env UNCORE_ACCESS=direct $tick
says "PAPI's tools say it" 'locked down' env UNCORE_ACCESS=direct LD_LIBRARY_PATH=/papi papi_component_avail
says "a user counts through the kernel's driver" '[1-9][0-9]+[[:space:]].*UNC_M_CAS_COUNT' as "" $cas
