#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# slurm_jobs_test.sh - examples/slurm/prolog.sh and epilog.sh in Slurm itself: one node, started for
# this test in a directory of its own, on a simulated machine.  Jobs by srun and sbatch, one that is
# over at once, one that is cancelled: a line for each, and the node takes more jobs.  Tasks that count.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

services=$BUILD/services/usr # configure unpacks Slurm there where it is not installed
PATH=$PATH:/usr/sbin:$services/bin:$services/sbin
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
me=$(id -un)
node=$(uname -n)
node=${node%%.*}
failed=0

fail() {
	echo "FAILED: $*"
	for file in log said slurmctld.log slurmd.log out; do
		[ ! -f "$tmp/$file" ] || tail -n 20 "$tmp/$file" | sed "s|^|    $file: |"
	done
	failed=1
}

skip() {
	echo "skipped: $*"
	exit 77
}

# shellcheck disable=SC2317
finish() {
	end_daemons
	for file in "$tmp"/jobs/*.pid; do
		[ ! -e "$file" ] || kill "$(cat "$file")" 2>/dev/null
	done
	rm -rf "$tmp"
}

control_pid=
daemon_pid=
end_daemons() {
	for pid in $daemon_pid $control_pid; do
		kill "$pid" 2>/dev/null
		wait "$pid"
	done
	control_pid=
	daemon_pid=
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# program NAME: Debian adds "-wlm" to some
program() {
	command -v "$1" || command -v "$1-wlm"
}

for name in slurmctld slurmd slurmstepd srun; do
	program "$name" >/dev/null || skip "there is no Slurm ($name; slurmctld, slurmd, slurm-client); ./configure --install-deps=all unpacks it"
done
plugins=
for dir in "$services"/lib/*/slurm-wlm; do
	[ ! -d "$dir" ] || plugins=$dir
done
[ -z "$plugins" ] || export LD_LIBRARY_PATH="$plugins${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
"$(program slurmd)" -V >"$tmp/out" 2>&1 || skip "slurmd does not run here: $(head -n 1 "$tmp/out")"

# ---- a node ----

mkdir "$tmp/bin" "$tmp/state" "$tmp/spool"
cat >"$tmp/bin/uncore" <<END
#!/bin/sh
UNCORE_MACHINE=sim:snbep:packages=1,cores=2 exec "$BUILD/uncore" "\$@"
END
cat >"$tmp/bin/logger" <<END
#!/bin/sh
echo "\$*" >>"$tmp/said"
END
for script in prolog epilog; do
	sed -e "s|^PATH=[^ ]*|PATH=$tmp/bin:/usr/bin:/bin|" -e "s|^dir=[^ ]*|dir=$tmp/jobs|" \
		-e "s|^log=.*|log=$tmp/log|" "$SRC/examples/slurm/$script.sh" >"$tmp/$script.sh"
done
chmod +x "$tmp"/bin/* "$tmp"/*.sh

# configure PORT
configure() {
	cat >"$tmp/slurm.conf" <<-END
		ClusterName=test
		SlurmctldHost=$node(127.0.0.1)
		SlurmctldPort=$1
		SlurmdPort=$(($1 + 1))
		AuthType=auth/none
		CredType=cred/none
		SlurmUser=$me
		SlurmdUser=$me
		StateSaveLocation=$tmp/state
		SlurmdSpoolDir=$tmp/spool
		SlurmctldPidFile=$tmp/slurmctld.pid
		SlurmdPidFile=$tmp/slurmd.pid
		SlurmctldLogFile=$tmp/slurmctld.log
		SlurmdLogFile=$tmp/slurmd.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/linear
		SchedulerType=sched/builtin
		PrologFlags=Alloc
		Prolog=$tmp/prolog.sh
		Epilog=$tmp/epilog.sh
		NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
		PartitionName=all Nodes=ALL Default=YES State=UP
	END
	[ -z "$plugins" ] || echo "PluginDir=$plugins" >>"$tmp/slurm.conf"
}

# shellcheck disable=SC2317
idle() {
	[ "$(sinfo -h -o %T 2>/dev/null)" = idle ]
}

# Another program may have the ports.
export SLURM_CONF="$tmp/slurm.conf"
for try in 1 2 3; do
	configure $((20000 + ($$ + try * 4099) % 12000))
	"$(program slurmctld)" -D >"$tmp/daemons" 2>&1 &
	control_pid=$!
	"$(program slurmd)" -D -d "$(program slurmstepd)" >>"$tmp/daemons" 2>&1 &
	daemon_pid=$!
	soon idle && break
	end_daemons
done
[ -n "$daemon_pid" ] || {
	fail "the node does not come up"
	exit 1
}

# ---- jobs ----

# line JOB: in the log
# shellcheck disable=SC2317
line() {
	grep -s "^job=$1 user=$me node=$node seconds=" "$tmp/log"
}

# counted JOB WHAT: there is a line with the steady rate of the machine
counted() {
	soon line "$1" >"$tmp/line" || fail "$2: there is no line of job $1"
	awk '{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			value[pair[1]] = pair[2]
		}
		all = value["read_bytes"] + value["write_bytes"]
		peak = value["peak_bytes_per_second"]
		exit !(all > 0 && peak > 0 && value["package_joule"] > 0 && value["seconds"] > 0)
	}' "$tmp/line" || fail "$2: $(cat "$tmp/line")"
}

# shellcheck disable=SC2016
srun -n 2 sh -c 'echo "task $SLURM_PROCID"; sleep 1.5' >"$tmp/out" 2>&1 || fail "srun fails"
[ "$(sort "$tmp/out" | tr '\n' ' ')" = "task 0 task 1 " ] || fail "srun: $(cat "$tmp/out")"
counted 1 "two tasks"

sbatch -o /dev/null --wrap 'sleep 0.5' >"$tmp/out" 2>&1 || fail "sbatch fails"
counted 2 "a batch job"

srun true >"$tmp/out" 2>&1 || fail "srun true fails"
counted 3 "a job that is over at once"

# shellcheck disable=SC2317
running() {
	[ -s "$tmp/jobs/4.pid" ] && [ "$(squeue -h -j 4 -o %T)" = RUNNING ]
}
sbatch -o /dev/null --wrap 'sleep 1000' >"$tmp/out" 2>&1
soon running || fail "a job that waits is not counted"
sleep 0.5
scancel 4
counted 4 "a job that is cancelled"

# ---- ranks ----

# Of the tasks of srun one counts and the others read 0; a serial program of a batch script counts, whatever
# the batch script was submitted for, and says nothing.
cat >"$tmp/count" <<END
#!/bin/sh
exec "$tmp/bin/uncore" stat -x ' ' -d 0.5 -e UNC_M_CAS_COUNT:RD >"$tmp/\$1.\$SLURM_PROCID" 2>&1
END
chmod +x "$tmp/count"
# lines NAME PATTERN: how many lines of the tasks' output match
lines() {
	cat "$tmp/$1".[01] 2>/dev/null | grep -c -e "$2"
}
srun -n 2 "$tmp/count" tasks >"$tmp/out" 2>&1 || fail "srun uncore stat fails"
[ "$(lines tasks '^[1-9][0-9]* lines UNC_M_CAS_COUNT:RD')" -eq 1 ] || fail "not one of two tasks counts"
[ "$(lines tasks '^0 lines UNC_M_CAS_COUNT:RD')" -eq 1 ] || fail "not one of two tasks reads 0"
[ "$(lines tasks '^uncore: rank [01] of the 2 on this node counts UNC_M_CAS_COUNT:RD for all')" -eq 1 ] ||
	fail "not one of two tasks reports that it counts for all"
counted 5 "two tasks that count"
sbatch -n 2 -o /dev/null --wrap "$tmp/count script" >"$tmp/out" 2>&1 || fail "sbatch fails"
counted 6 "a batch script that counts"
[ "$(lines script '^[1-9][0-9]* lines UNC_M_CAS_COUNT:RD')" -eq 1 ] || fail "a program in a batch script does not count"
[ "$(lines script 'for all')" -eq 0 ] || fail "a program in a batch script is a rank"

soon idle || fail "the node takes no more jobs: $(sinfo -h -o '%T %E')"
[ "$(wc -l <"$tmp/log")" -eq 6 ] || fail "not six lines"
[ -z "$(ls "$tmp/jobs")" ] || fail "files of jobs are left: $(ls "$tmp/jobs")"

exit "$failed"
