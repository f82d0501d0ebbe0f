#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# who_test.sh - `uncore who` on mounted machines with processes: what it prints, and how it ends.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
needs_mounts
tool=$BUILD/uncore
groups=$dir/sys/fs/resctrl/mon_groups
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"

# Other users' processes would be reported together, unless root reads them.
cat >"$tmp/processes" <<END
background 0.02
process 101 name=solver uid=$(id -u) cgroup=/slurm/uid_1/job_7 cpu=0 threads=2 read=2G write=1G llc=4M
process 201 name=fft uid=$(id -u) cgroup=/slurm/uid_2/job_8 cpu=8 threads=2 read=1G remote=0.3
END

# mounted MACHINE
mounted() {
	"$tool" sim mount --background --machine "$1" --processes "$tmp/processes" "$dir" >"$tmp/mount" ||
		fail "cannot mount $1"
}

# who STATUS WORD...
who() {
	status=$1
	shift
	UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" who "$@" >"$tmp/out" 2>&1
	code=$?
	[ $code -eq "$status" ] || fail "who $*: status $code: $(cat "$tmp/out")"
}

number_of_groups() {
	find "$groups" -mindepth 1 -maxdepth 1 | wc -l
}

# ---- tables and JSON ----

mounted sim:skx:packages=2,cores=8
# 3 GB/s, and 300 MB/s of remote memory; a busy computer reads the groups late, which matters less in a
# longer interval
is_exact() {
	grep -qE '^7  *(2\.9|3\.0)[0-9] GB/s .* 4\.0 MB \+-' "$tmp/out" &&
		grep -qE '^8 .* (2[89]|30|31)[0-9] MB/s  *0\.0 MB' "$tmp/out"
}
for interval in 300ms 3 12; do
	who 0 --by job -I $interval -n 2
	is_exact && break
done
is_exact || fail "other rates than those of the jobs: $(cat "$tmp/out")"
says '^SIMULATED '
says '^Traffic of the cores by the kernel.s monitoring groups'
says '^job  *memory  *share  *local  *remote  *cache  *error$'
says '^I/O and devices '
says '^unexplained '
says '^memory controllers .* 100\.0 %  *\+- *[0-9]'
[ "$(grep -c '^job ' "$tmp/out")" -eq 2 ] || fail "not two tables"
[ "$(ls "$groups")" = "" ] || fail "groups are left: $(ls "$groups")"

who 0 --json -n 1
python3 - "$tmp/out" <<'END' || fail "JSON: $(cat "$tmp/out")"
import json, sys
r = json.load(open(sys.argv[1]))
rows = {o["name"]: o for o in r["owners"]}
total = r["memory_read_bytes"] + r["memory_write_bytes"]
parts = sum(o["bytes"] for o in r["owners"]) + r["device_bytes"] + r["unexplained_bytes"]
assert abs(total - parts) < 1, (total, parts)
assert r["source"] == "resctrl" and r["by"] == "process", r
assert rows["solver (101)"]["error"] > 0.02 and "joules" not in rows["solver (101)"], rows
END

# ---- the share of a command ----
# The command itself is no simulated process, but the shell whose place the tool takes is.

# share COMMAND WORD...
share() {
	unmount
	sh -c 'echo "process $$ uid=$(id -u) read=1G cpu=0" >"$1/shell"; dir=$2 tool=$3; shift 3
		"$tool" sim mount --background --machine sim:skx:packages=2,cores=8 --processes "$0/shell" "$dir" >"$0/mount"
		UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$0 exec "$tool" "$@"' \
		"$tmp" "$tmp" "$dir" "$tool" "$@" >"$tmp/out" 2>&1
}
share stat --share -M memory -- sleep 0.2 || fail "stat --share: status $?: $(cat "$tmp/out")"
says '^The command moved [0-9.]+ [MG]B \(\+-'
says 'UNCORE_MEM_READ_BYTES'
share stat --share --json -e UNCORE_MEM_READ_BYTES -- sleep 0.2 || fail "stat --share --json: status $?"
says '"share":\{"bytes":[0-9]+\.[0-9]+,"local_bytes":.*"memory_bytes":'
# where the events leave no counter for the writes, any of them may be in question
unknown=UNC_M_CAS_COUNT:RD,UNC_M_ACT_COUNT,UNC_M_PRE_COUNT,UNC_M_RPQ_INSERTS
share stat --share -e $unknown -- sleep 0.2 || fail "stat --share without the writes: status $?: $(cat "$tmp/out")"
says '^The command moved [0-9.]+ [MG]B \(error unknown\), '
share stat --share --json -e $unknown -- sleep 0.2 || fail "stat --share --json without the writes: status $?"
says '"share":\{"bytes":[0-9.e+]+,"local_bytes":[0-9.e+]+\}'
share stat --share -e UNC_M_CAS_COUNT:RD -- sh -c "rmdir $groups/*" && fail "stat --share of a group that was removed"
says "^uncore: cannot count the command's share: mon_groups/.*: removed by another program\$"
# With the operations of a roofline both are the program's; perf's system call is imitated.
cc=$(sed -n 's/^CC *= *//p' "$BUILD/config.mk")
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "not tried: a roofline with --share: the sanitizer's library would have to be loaded first"
elif $cc -std=c11 -shared -fPIC -o "$tmp/perf.so" "$SRC/tests/tools/fake_perf.c" -ldl; then
	FAKE_PERF=1c7=123000 LD_PRELOAD=$tmp/perf.so share stat --share --json -M roofline -- sleep 0.2 ||
		fail "stat --share -M roofline: status $?: $(cat "$tmp/out")"
	says '"bytes_of":"program"'
	moved=$(grep -o '"share":{"bytes":[0-9.e+]*' "$tmp/out" | cut -d : -f 3)
	awk -v out="$(cat "$tmp/out")" -v moved="$moved" 'BEGIN {
		match(out, /"operations":123000.0,"bytes":[0-9.e+]*/)
		bytes = substr(out, RSTART, RLENGTH)
		sub(/.*:/, "", bytes)
		exit moved == "" || bytes == "" || bytes + 0 != moved + 0
	}' || fail "bytes of the program: $moved, $(cat "$tmp/out")"
	FAKE_PERF=1c7=123000 LD_PRELOAD=$tmp/perf.so share stat --share -M roofline -- sleep 0.2
	says "^Bytes and operations are the program's\.$"
else
	fail "fake_perf.c is not compiled"
fi
# Most of the traffic is that of the shell, which is not in the group.
COLUMNS=500
export COLUMNS
share explain -- sleep 0.5 || fail "explain: status $?: $(cat "$tmp/out")"
says " \+- .* (is this program's, by the kernel's monitoring groups|of the program's monitoring group)"
share explain --json -- sleep 0.5 || fail "explain --json: status $?"
says '"own":[0-9.e+]*,"own_error":[0-9.e+]*,'
unset COLUMNS
[ "$(ls "$groups")" = "" ] || fail "groups are left: $(ls "$groups")"
# Without groups, by the CPUs of the processes that it started: 2 of 5 GB/s are read by one, and 0.6 are written.
unmount
reads_of_cpus_are_right() { # 0: right, 1: wrong, 2: unknown, or known too badly
	python3 - "$tmp/out" <<'END'
import json, sys
p = json.load(open(sys.argv[1]))["packages"][0]
if p.get("own_error", 2.6e9) >= 2.6e9:
    sys.exit(2)
sys.exit(p["own_source"] != "cores" or abs(p["own"] - 2.6e9) > p["own_error"])
END
}
for seconds in 0.5 1 2 4 8 16; do # a busy computer may withhold the reads of a short run, or know little of them
	sh -c 'printf "%s\n" "background 0" "resctrl unavailable=yes" "process 500 parent=$$ cpu=1 read=2G write=0.6G" \
		"process 900 cpu=0 read=3G" >"$1/started"; dir=$2 tool=$3; shift 3
		"$tool" sim mount --background --machine sim:ivbep:packages=1,cores=2 --processes "$0/started" "$dir" >"$0/mount"
		UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$0 exec "$tool" "$@"' \
		"$tmp" "$tmp" "$dir" "$tool" explain --json -- sleep $seconds >"$tmp/out" 2>&1 || fail "explain by cores: status $?"
	unmount
	reads_of_cpus_are_right
	right=$?
	[ $right -eq 2 ] || break
done
[ $right -eq 0 ] || fail "the program's share by cores: $(cat "$tmp/out")"
mounted sim:skx:packages=2,cores=8
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" stat --share -- true >"$tmp/out" 2>&1 && fail "a process of this computer"
says "cannot count the command's share: .* lists no group of this process"
UNCORE_SYSROOT=$dir "$tool" stat --share -d 1 >"$tmp/out" 2>&1
says '^uncore: --share requires a command'
unmount
mounted sim:skx:packages=2,cores=8

# ---- how it ends ----

: >"$tmp/out" # not in the background only
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" who -I 100ms >"$tmp/out" 2>&1 &
pid=$!
await grep -q '^unexplained' "$tmp/out"
[ "$(number_of_groups)" -eq 2 ] || fail "not a group for each process: $(ls "$groups")"
who 3 -n 1 # two at once
says 'is in use by uncore \(pid'
[ "$(number_of_groups)" -eq 2 ] || fail "groups after the second: $(ls "$groups")"
kill -INT $pid
wait $pid
[ "$(ls "$groups")" = "" ] || fail "groups are left after SIGINT: $(ls "$groups")"

: >"$tmp/out" # not in the background only
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" who -I 100ms >"$tmp/out" 2>&1 &
pid=$!
await grep -q '^unexplained' "$tmp/out"
kill -KILL $pid
wait $pid 2>/dev/null
[ "$(number_of_groups)" -eq 2 ] || fail "no groups of the killed process"
mkdir "$groups/of_others"
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" restore >"$tmp/out" 2>&1 || fail "restore: $(cat "$tmp/out")"
says '^removed 2 monitoring groups of ended processes$'
[ "$(ls "$groups")" = of_others ] || fail "groups after restore: $(ls "$groups")"
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp "$tool" who -n 1 >/dev/full 2>"$tmp/out" && fail "a full disk"
says 'standard output: incomplete write'
[ "$(ls "$groups")" = of_others ] || fail "groups are left after a full disk"
unmount

# ---- without resctrl, and what doctor says of it ----

# doctor_says PATTERN
doctor_says() {
	UNCORE_SYSROOT=$dir COLUMNS=500 "$tool" doctor >"$tmp/out" 2>&1
	says "^fine  *shares  *$1"
}

mounted sim:ivbep:packages=2,cores=8
who 0 --by user
says '^Reads of the cores by the filters of the C-Boxes$'
says '^user  *reads  *share  *error$'
says '^writes, not divided '
doctor_says '.uncore who.: reads only, by the filters of the C-Boxes'
who 3 --source resctrl
says 'this kernel and processor have no resctrl'
unmount
echo 'resctrl unavailable=yes' >>"$tmp/processes"
mounted sim:spr:packages=1,cores=4
who 3
says 'cannot divide the traffic of this machine: this kernel and processor have no resctrl; the cache slices'
unmount

# ---- what is refused ----

# refused STATUS PATTERN WORD...
refused() {
	pattern=$2
	status=$1
	shift 2
	"$tool" who "$@" >"$tmp/out" 2>&1
	code=$?
	[ $code -eq "$status" ] || fail "who $*: status $code"
	says "$pattern"
}
refused 2 'invalid owner "jobs": use process, job' --by jobs
refused 2 'invalid source "mbm"' --source mbm
refused 2 'invalid interval "0"' -I 0
refused 2 'invalid count "-1"' -n -1
refused 2 'unexpected argument' job
refused 3 'a simulated machine has no processes' --machine sim:skx

[ $failures -eq 0 ]
