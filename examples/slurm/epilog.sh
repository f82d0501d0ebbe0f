#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# epilog.sh - after a job, write what the node has done in its time, if prolog.sh counts that, and
# restore the registers of counters that the job's killed processes have left.  In slurm.conf,
# for root on each node, as a copy that is executable:
#
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# Processes of other jobs that still count are not disturbed.  What was done goes to the system's
# log.  An epilog that fails drains the node, so this one always succeeds.  Other batch systems
# can run it likewise.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed
dir=/run/uncore-jobs              # as in prolog.sh
export PATH # Slurm sets none

# The settings of a job are not those of the node.
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_LOCK_TIMEOUT UNCORE_SHARE UNCORE_FORCE \
	UNCORE_EVENT_FILES UNCORE_ACCESS UNCORE_DAEMON

# wait_for CONDITION...: ten seconds at most
wait_for() {
	tries=100
	until "$@" || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.1
	done
}

# What was counted, in one line of the log.
end_counting() {
	job=$1
	pid=$(cat "$job.pid" 2>/dev/null)
	# a number may be another process's by now
	if [ "$(cat "/proc/${pid:-0}/comm" 2>/dev/null)" = uncore ]; then
		kill -TERM "$pid"
	fi
	wait_for [ -e "$job.sums" ]
	if [ -s "$job.sums" ]; then
		echo "job=$SLURM_JOB_ID user=${SLURM_JOB_USER:-${SLURM_JOB_UID:-?}}" \
			"node=${SLURMD_NODENAME:-$(uname -n)} $(cat "$job.sums")" >>"$(cat "$job.log")"
	else
		logger -t uncore -- "job $SLURM_JOB_ID was not counted: $(cat "$job.err")" || :
	fi
	rm -f "$job".*
}

case ${SLURM_JOB_ID:-} in
"" | *[!0-9]*) ;;
*)
	if [ -O "$dir" ] && [ -e "$dir/$SLURM_JOB_ID.log" ]; then
		end_counting "$dir/$SLURM_JOB_ID"
	fi
	;;
esac

if command -v uncore >/dev/null; then
	said=$(uncore restore 2>&1) || :
	logger -t uncore -- "$said" || :
fi
exit 0
