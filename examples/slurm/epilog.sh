#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# epilog.sh - after a job, restore the registers of counters that its killed processes have
# left.  In slurm.conf, for root on each node, as a copy that is executable:
#
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# Processes of other jobs that still count are not disturbed.  What was done goes to the system's
# log.  An epilog that fails drains the node, so this one always succeeds.  Other batch systems
# can run it likewise.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed

# The settings of a job are not those of the node.
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_LOCK_TIMEOUT UNCORE_SHARE UNCORE_FORCE \
	UNCORE_EVENT_FILES

if command -v uncore >/dev/null; then
	said=$(uncore restore 2>&1) || :
	logger -t uncore -- "$said" || :
fi
exit 0
