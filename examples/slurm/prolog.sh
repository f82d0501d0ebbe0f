#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# prolog.sh - count the traffic of the node while a job runs: bytes read from and written to memory,
# the peak bandwidth over one second, and energy.  epilog.sh ends it.  In slurm.conf, for root on
# each node, as executable copies:
#
#	PrologFlags=Alloc
#	Prolog=/etc/slurm/prolog.d/uncore.sh
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# One line per job is appended to the file `log` below:
#
#	job=4711 user=anna node=node017 seconds=3600.2 read_bytes=... write_bytes=...
#	    peak_bytes_per_second=... package_joule=... dram_joule=...
#
# The counters belong to the node, so this is useful for jobs with exclusive nodes.  A job that counts
# the same events itself requires uncored, which counts for both (docs/daemon.md); otherwise its
# counters are in use.  Set `only` below to a word to count only jobs submitted with
# sbatch --constraint=WORD.
#
# A failing prolog drains the node, so this one always succeeds; if a job is not counted, the reason is
# in the system log.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed
dir=/run/uncore-jobs              # state of running jobs
export PATH # Slurm does not set PATH
log=/var/log/uncore-jobs.log
only=

# The environment of the job must not affect the node's settings.
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_LOCK_TIMEOUT UNCORE_SHARE UNCORE_FORCE \
	UNCORE_EVENT_FILES UNCORE_ACCESS UNCORE_DAEMON

log_and_exit() {
	logger -t uncore -- "job ${SLURM_JOB_ID:-?}: $*" || :
	exit 0
}

case ${SLURM_JOB_ID:-} in
"" | *[!0-9]*) log_and_exit "SLURM_JOB_ID is missing or invalid" ;;
esac
if [ -n "$only" ]; then
	echo "${SLURM_JOB_CONSTRAINTS:-}" | tr -c 'A-Za-z0-9_.-' '\n' | grep -qFx -e "$only" || exit 0
fi
command -v uncore >/dev/null || log_and_exit "uncore was not found in $PATH"

# Not all processors can count energy.  If the other two events do not fit, they are multiplexed.
events=
for event in UNCORE_MEM_READ_BYTES UNCORE_MEM_WRITE_BYTES UNCORE_ENERGY_PACKAGE_UJ \
	UNCORE_ENERGY_DRAM_UJ; do
	if why=$(uncore plan "$event" 2>&1); then
		events=$events${events:+,}$event
	fi
done
[ -n "$events" ] || log_and_exit "nothing can be counted: $why"

umask 077
if ! mkdir -p "$dir" || [ ! -O "$dir" ] || [ -L "$dir" ]; then
	log_and_exit "$dir cannot be created or does not belong to root"
fi
job=$dir/$SLURM_JOB_ID

# Sum up each line as it arrives, so that the size does not depend on the job's duration.
# shellcheck disable=SC2016
sums='
	function count(event,    at) {
		at = index($0, "\"event\":\"" event "\"")
		if (!at)
			return 0
		at = substr($0, at)
		at = substr(at, index(at, "\"count\":") + 8)
		return at + 0
	}
	function seconds() {
		return substr($0, index($0, "\"seconds\":") + 10) + 0
	}
	{ read = count("UNCORE_MEM_READ_BYTES"); written = count("UNCORE_MEM_WRITE_BYTES")
	  package = count("UNCORE_ENERGY_PACKAGE_UJ"); dram = count("UNCORE_ENERGY_DRAM_UJ") }
	/"kind":"interval"/ {
		rate = seconds() > before ? (read + written) / (seconds() - before) : 0
		before = seconds()
		if (rate > peak)
			peak = rate
		all_read += read; all_written += written; all_package += package; all_dram += dram
	}
	/"kind":"total"/ {
		before = seconds()
		all_read = read; all_written = written; all_package = package; all_dram = dram
		if (peak == 0 && before > 0) # the job ended within the first second
			peak = (read + written) / before
	}
	END {
		if (NR == 0)
			exit 1
		printf "seconds=%.1f read_bytes=%.0f write_bytes=%.0f peak_bytes_per_second=%.0f", \
			before, all_read, all_written, peak
		if (events ~ /ENERGY_PACKAGE/)
			printf " package_joule=%.1f", all_package / 1e6
		if (events ~ /ENERGY_DRAM/)
			printf " dram_joule=%.1f", all_dram / 1e6
		print ""
	}'

# Use a separate session, because the batch system kills the remaining processes of the prolog; wait
# until it has begun.  The file .pid has the id of the process that counts.
rm -f "$job".*
echo "$log" >"$job.log"
# shellcheck disable=SC2016
setsid sh -c '
	sh -c "echo \$\$ >\"\$1.pid\"; exec uncore stat --json --multiplex -i 1000 -e \"\$2\"" sh "$1" "$2" \
		2>"$1.err" </dev/null | awk -v events="$2" "$3" >"$1.new"
	mv "$1.new" "$1.sums"' sh "$job" "$events" "$sums" </dev/null >/dev/null 2>&1 &
tries=100
until [ -s "$job.pid" ] || [ $((tries -= 1)) -eq 0 ]; do
	sleep 0.05
done
exit 0
