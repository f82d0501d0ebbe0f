#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# prolog.sh - count what the node does while a job runs: bytes read from and written to memory, the
# largest bandwidth of a second, energy.  epilog.sh ends it.  In slurm.conf, for root on each
# node, as copies that are executable:
#
#	PrologFlags=Alloc
#	Prolog=/etc/slurm/prolog.d/uncore.sh
#	Epilog=/etc/slurm/epilog.d/uncore.sh
#
# A line for each job is added to `log` below:
#
#	job=4711 user=anna node=node017 seconds=3600.2 read_bytes=... write_bytes=...
#	    peak_bytes_per_second=... package_joule=... dram_joule=...
#
# The counters are the node's: this is for jobs that have whole nodes.  A job that counts the same
# events itself needs uncored, which counts for both (docs/daemon.md); else it is refused.  Give
# `only` below a word, and jobs are counted that ask for it (sbatch --constraint=WORD).
#
# A prolog that fails drains the node, so this one always succeeds; why a job is not counted is in
# the system's log.

set -u
PATH=/usr/local/bin:/usr/bin:/bin # where uncore is installed
dir=/run/uncore-jobs              # what is known of jobs that run
export PATH # Slurm sets none
log=/var/log/uncore-jobs.log
only=

# The settings of a job are not those of the node.
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_JOURNAL UNCORE_LOCK_TIMEOUT UNCORE_SHARE UNCORE_FORCE \
	UNCORE_EVENT_FILES UNCORE_ACCESS UNCORE_DAEMON

tell() {
	logger -t uncore -- "job ${SLURM_JOB_ID:-?}: $*" || :
	exit 0
}

case ${SLURM_JOB_ID:-} in
"" | *[!0-9]*) tell "the prolog was given no number of a job" ;;
esac
if [ -n "$only" ]; then
	echo "${SLURM_JOB_CONSTRAINTS:-}" | tr -c 'A-Za-z0-9_.-' '\n' | grep -qFx -e "$only" || exit 0
fi
command -v uncore >/dev/null || tell "there is no uncore in $PATH"

# Not all processors count energy; where two of the others do not fit, they take turns.
events=
for event in UNCORE_MEM_READ_BYTES UNCORE_MEM_WRITE_BYTES UNCORE_ENERGY_PACKAGE_UJ \
	UNCORE_ENERGY_DRAM_UJ; do
	if why=$(uncore plan "$event" 2>&1); then
		events=$events${events:+,}$event
	fi
done
[ -n "$events" ] || tell "nothing can be counted: $why"

umask 077
if ! mkdir -p "$dir" || [ ! -O "$dir" ] || [ -L "$dir" ]; then
	tell "$dir cannot be used"
fi
job=$dir/$SLURM_JOB_ID

# Adds up as it comes, so that it takes no room however long the job is.
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
		if (peak == 0 && before > 0) # it was over before the first second
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

# In a session of its own: the batch system ends what is left of the prolog's, so this does not end
# before that one has begun.  The process that counts is the one whose number is written down.
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
