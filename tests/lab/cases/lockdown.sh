# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2086
# Secure Boot: Debian's own modules alone, because ours is not signed.
#
# platforms: snbep
# modules: msr intel-uncore
# append: lockdown=integrity
# programs: $B/uncore

mount -t securityfs none /sys/kernel/security
says "the kernel is locked down" '\[integrity\]' cat /sys/kernel/security/lockdown
direct="env UNCORE_ACCESS=direct"
says "uncore show says so" 'locked down.*disable Secure Boot or lockdown' $direct uncore show
says "uncore stat says so" 'locked down.*disable Secure Boot or lockdown' \
	$direct uncore stat -e UNC_C_CLOCKTICKS:box=0 -- true
check "and they fail" sh -c '! UNCORE_ACCESS=direct uncore stat -e UNC_C_CLOCKTICKS:box=0 -- true'
# its registers hold nothing here, so that is all that can be seen
check "the kernel's driver still counts" uncore stat -e UNC_C_CLOCKTICKS:box=0 -- true
says "and uncore show says so" "the kernel driver .perf. counts" uncore show
