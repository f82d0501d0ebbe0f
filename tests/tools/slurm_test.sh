#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# slurm_test.sh - examples/slurm/prolog.sh and epilog.sh as a batch system runs them, with the
# variables that it sets, on simulated machines.  In Slurm itself: slurm_jobs_test.sh.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
failed=0

# Processes that still count when a test ends early.
# shellcheck disable=SC2317
finish() {
	for file in "$tmp"/jobs/*.pid; do
		[ ! -e "$file" ] || kill "$(cat "$file")" 2>/dev/null
	done
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "FAILED: $*"
	for file in "$tmp"/log "$tmp"/said "$tmp"/jobs/*; do
		[ ! -f "$file" ] || sed "s|^|    ${file##*/}: |" "$file"
	done
	failed=1
}

for program in setsid awk; do
	command -v "$program" >/dev/null || {
		echo "skipped: there is no $program"
		exit 77
	}
done

# The node's programs: uncore on a simulated machine, and a log.
mkdir "$tmp/bin"
cat >"$tmp/bin/uncore" <<END
#!/bin/sh
UNCORE_MACHINE=\$(cat "$tmp/machine") exec "$BUILD/uncore" "\$@"
END
cat >"$tmp/bin/logger" <<END
#!/bin/sh
echo "\$*" >>"$tmp/said"
END
cat >"$tmp/bin/curl" <<END
#!/bin/sh
[ ! -e "$tmp/metrics" ] || cat "$tmp/metrics"
END
chmod +x "$tmp/bin/uncore" "$tmp/bin/logger" "$tmp/bin/curl"
echo sim:snbep:packages=1,cores=2 >"$tmp/machine"

# As an administrator would set them up.
for script in prolog epilog; do
	sed -e "s|^PATH=[^ ]*|PATH=$tmp/bin:$PATH|" -e "s|^dir=[^ ]*|dir=$tmp/jobs|" \
		-e "s|^log=.*|log=$tmp/log|" "$SRC/examples/slurm/$script.sh" >"$tmp/$script.sh"
done

# prolog ID, epilog ID: as slurmd runs them; what the user has set must not matter
prolog() {
	env -i SLURM_JOB_ID="$1" SLURM_JOB_UID=1000 SLURM_JOB_CONSTRAINTS="${2:-}" \
		UNCORE_MACHINE=nonsense sh "$tmp/prolog.sh" || fail "the prolog fails"
}
epilog() {
	env -i SLURM_JOB_ID="$1" SLURM_JOB_UID=1000 SLURM_JOB_USER=anna SLURMD_NODENAME=node017 \
		UNCORE_MACHINE=nonsense sh "$tmp/epilog.sh" || fail "the epilog fails"
}

# counts ID: it has begun
# shellcheck disable=SC2317 # soon calls it
counts() {
	[ -s "$tmp/jobs/$1.pid" ] &&
		[ "$(cat "/proc/$(cat "$tmp/jobs/$1.pid")/comm" 2>/dev/null)" = uncore ]
}

# runs ID [SECONDS]: a job of that length
runs() {
	await counts "$1"
	sleep "${2:-0}"
}

# value ID NAME: of the job's line
value() {
	sed -n "s/^job=$1 .* $2=\([0-9.]*\).*/\1/p" "$tmp/log"
}

# ---- two jobs, one of which is over at once ----

prolog 1
prolog 20
runs 1
runs 20 2.3
epilog 1
epilog 20
grep -q '^job=1 user=anna node=node017 seconds=[1-9]' "$tmp/log" || fail "the line of job 1"
[ "$(grep -c . "$tmp/log")" -eq 2 ] || fail "not a line for each job"
[ -z "$(ls "$tmp/jobs")" ] || fail "files of jobs that are over"
# the simulated machine's traffic is steady: the mean is about the peak, which no second is below
for job in 1 20; do
	awk -v s="$(value $job seconds)" -v r="$(value $job read_bytes)" \
		-v w="$(value $job write_bytes)" -v p="$(value $job peak_bytes_per_second)" \
		-v e="$(value $job package_joule)" -v d="$(value $job dram_joule)" 'BEGIN {
			exit !(s > 1 && r > 0 && w > 0 && e > 0 && d > 0 &&
				p > (r + w) / s * 0.9 && p < (r + w) / s * 1.5)
		}' || fail "the numbers of job $job"
done
prolog 2
runs 2
epilog 2
[ -n "$(value 2 peak_bytes_per_second)" ] || grep -q "job 2 was not counted" "$tmp/said" ||
	fail "a job that is over at once is in no log"

# ---- a process that is killed: what it has counted so far ----

for seconds in 2.5 5 10; do # on a busy computer an interval may end late
	prolog 3
	runs 3 $seconds
	kill -KILL "$(cat "$tmp/jobs/3.pid")"
	epilog 3
	[ -z "$(value 3 read_bytes)" ] || break
done
[ "$(value 3 read_bytes)" -gt 0 ] || fail "what was counted before it was killed"

# ---- what cannot be counted, and what is asked for wrongly ----

echo sim:nhmex:packages=1,cores=2 >"$tmp/machine" # has no energy
for seconds in 1.2 5 10; do
	prolog 4
	runs 4 $seconds
	epilog 4
	[ -z "$(value 4 read_bytes)" ] || break
done
[ "$(value 4 read_bytes)" -gt 0 ] || fail "a processor without energy"
grep '^job=4' "$tmp/log" | grep -q joule && fail "energy on a machine without energy counters"
echo nonsense >"$tmp/machine"
prolog 5
epilog 5
grep -q "job 5: nothing can be counted: .*nonsense" "$tmp/said" || fail "why a job is not counted"
for id in "" "../x" "1;2"; do
	prolog "$id"
	epilog "$id"
done
[ -z "$(ls "$tmp/jobs")" ] || fail "files of jobs without a number"
echo 1 >"$tmp/jobs/6.pid" # now the pid of another process
echo "$tmp/log" >"$tmp/jobs/6.log"
echo "seconds=1.0" >"$tmp/jobs/6.sums"
epilog 6
grep -q "^job=6 .* seconds=1.0" "$tmp/log" || fail "a process number that is another's"

# ---- the job's part, from the exporter; with and without a prolog ----

cat >"$tmp/metrics" <<'END'
# TYPE uncore_owner_memory_bytes_total counter
uncore_owner_memory_bytes_total{job="20",memory="local"} 7000
uncore_owner_memory_bytes_total{job="9",memory="local"} 1000
uncore_owner_memory_bytes_total{job="9",memory="remote"} 200
uncore_owner_core_energy_joules_total{job="9"} 3.500
END
echo sim:snbep:packages=1,cores=2 >"$tmp/machine"
prolog 9
runs 9 1.2
epilog 9
grep -q '^job=9 .* read_bytes=[1-9].* own_local_bytes=1000 own_remote_bytes=200 own_core_joule=3.500$' "$tmp/log" ||
	fail "the part of job 9"
rm "$tmp/log"
epilog 9
epilog 10
[ "$(cat "$tmp/log")" = "job=9 user=anna node=node017 own_local_bytes=1000 own_remote_bytes=200 own_core_joule=3.500" ] ||
	fail "the part of a job without a prolog: $(cat "$tmp/log")"

# ---- only jobs that ask for it ----

echo sim:snbep:packages=1,cores=2 >"$tmp/machine"
sed -i 's/^only=.*/only=bandwidth/' "$tmp/prolog.sh"
prolog 7 "bandwidth2&gpu"
[ ! -e "$tmp/jobs/7.log" ] || fail "a job that did not ask is counted"
prolog 8 "gpu&bandwidth*2"
runs 8
[ -e "$tmp/jobs/8.log" ] || fail "a job that asks is not counted"
epilog 8
exit "$failed"
