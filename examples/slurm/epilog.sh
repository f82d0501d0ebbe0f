#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# epilog.sh - after a job, log the node's traffic counted by prolog.sh, and restore the registers
# of processes of the job that were killed while counting.  In slurm.conf, for root on each node,
# as an executable copy:
#
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# Running processes of other jobs are not disturbed.  Messages go to the system log.  A failing
# epilog drains the node, so this one always succeeds.  Other batch systems can run it in the same
# manner.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed
dir=/run/uncore-jobs              # as in prolog.sh
export PATH # Slurm does not set PATH

# The environment of the job must not affect the node's settings.
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_LOCK_TIMEOUT UNCORE_SHARE UNCORE_FORCE \
	UNCORE_EVENT_FILES UNCORE_ACCESS UNCORE_DAEMON

# wait_for CONDITION...: wait up to ten seconds
wait_for() {
	tries=100
	until "$@" || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.1
	done
}

# Stop counting and write one line to the log.
end_counting() {
	job=$1
	pid=$(cat "$job.pid" 2>/dev/null)
	# the process id may have been reused
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
