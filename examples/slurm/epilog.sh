#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# epilog.sh - after a job, log the node's traffic counted by prolog.sh, and restore the registers
# of processes of the job that were killed while counting.  In slurm.conf, for root on each node,
# as an executable copy:
#
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# On nodes that jobs share, run `uncore exporter --by job` as root: then the line also has the bytes of
# memory that the job's own cores moved, own_local_bytes= and own_remote_bytes=, and own_core_joule= where
# the kernel has it.
#
# Running processes of other jobs are not disturbed.  Messages go to the system log.  A failing
# epilog drains the node, so this one always succeeds.  Other batch systems can run it in the same
# manner.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed
dir=/run/uncore-jobs              # as in prolog.sh
log=/var/log/uncore-jobs.log      # of jobs that prolog.sh does not count
exporter=http://127.0.0.1:19836/metrics
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

# The job's part of the node's traffic, if the exporter has it: " own_local_bytes=..."
own_share() {
	command -v curl >/dev/null || return 0
	curl -s --noproxy '*' --max-time 5 "$exporter" 2>/dev/null | awk -v job="{job=\"$SLURM_JOB_ID\"" '
		index($0, "uncore_owner_memory_bytes_total" job ",memory=\"local\"} ") == 1 {
			printf " own_local_bytes=%s", $NF }
		index($0, "uncore_owner_memory_bytes_total" job ",memory=\"remote\"} ") == 1 {
			printf " own_remote_bytes=%s", $NF }
		index($0, "uncore_owner_core_energy_joules_total" job "} ") == 1 {
			printf " own_core_joule=%s", $NF }'
}

# write_line FILE FIELDS: one line of the job
write_line() {
	echo "job=$SLURM_JOB_ID user=${SLURM_JOB_USER:-${SLURM_JOB_UID:-?}}" \
		"node=${SLURMD_NODENAME:-$(uname -n)}$2$(own_share)" >>"$1"
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
		write_line "$(cat "$job.log")" " $(cat "$job.sums")"
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
	elif [ -n "$(own_share)" ]; then
		write_line "$log" ""
	fi
	;;
esac

if command -v uncore >/dev/null; then
	said=$(uncore restore 2>&1) || :
	logger -t uncore -- "$said" || :
fi
exit 0
