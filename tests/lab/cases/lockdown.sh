# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Secure Boot: Debian's own modules alone, because ours is not signed.
#
# platforms: snbep
# modules: msr intel-uncore
# append: lockdown=integrity
# programs: $B/uncore

mount -t securityfs none /sys/kernel/security
says "the kernel is locked down" '\[integrity\]' cat /sys/kernel/security/lockdown
says "uncore show says so" 'locked down.*switch Secure Boot or lockdown off' uncore show
says "uncore stat says so" 'locked down.*switch Secure Boot or lockdown off' \
	uncore stat -e UNC_C_CLOCKTICKS:box=0 -- true
check "and they fail" sh -c '! uncore stat -e UNC_C_CLOCKTICKS:box=0 -- true'
