#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# roofline_test.sh - `uncore stat -M roofline`: operations by codes and factors, with perf_event_open(2)
# answered by fake_perf.c; bytes of simulated machines; the roof of a file of ceilings; the picture.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
tool=$BUILD/uncore
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
export LC_ALL=C
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	sed 's/^/  /' "$tmp/err" | head -n 20
	failures=$((failures + 1))
}

cc=$(sed -n 's/^CC *= *//p' "$BUILD/config.mk")
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: the sanitizer's library would have to be loaded before the interposer"
	exit 77
fi
$cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$tmp/perf.so" "$SRC/tests/tools/fake_perf.c" -ldl || exit 1
export XDG_CACHE_HOME="$tmp/cache" # no ceilings

# roofline MACHINE ARGUMENT...: with the counts of $counts; the result in $tmp/out and $tmp/err
roofline() {
	on=$1
	shift
	FAKE_PERF=$counts LD_PRELOAD=$tmp/perf.so "$tool" stat --machine "$on" "$@" >"$tmp/out" 2>"$tmp/err"
}

# number KEY: the first number of this key in the JSON object of $tmp/err
number() {
	grep -o "\"$1\":[-0-9.e+]*" "$tmp/err" | head -n 1 | cut -d : -f 2
}

# equal WHAT FOUND EXPECTED [TOLERANCE]
equal() {
	awk -v a="$2" -v b="$3" -v t="${4:-1e-9}" 'BEGIN { d = a - b; exit !(a != "" && d * d <= (t * b) ^ 2) }' ||
		fail "$1: $2 instead of $3"
}

# ---- codes and factors ----

# Codes of Intel's event lists, umask and event select; counts are primes, so that no sum is another's.
# The factors are those of LIKWID's MEM_DP and MEM_SP: of the elements of a vector.
executed_double='8010=1009 1 scalar
1010=2003 2 128 bits
211=4001 4 256 bits'
executed_single='2010=1013 1 scalar
4010=2011 4 128 bits
111=4003 8 256 bits'
retired_double='1c7=1019 1 scalar
4c7=2017 2 128 bits
10c7=4007 4 256 bits'
retired_single='2c7=1021 1 scalar
8c7=2027 4 128 bits
20c7=4013 8 256 bits'
wide_double="$retired_double
40c7=8009 8 512 bits"
wide_single="$retired_single
80c7=8011 16 512 bits"

# operations MACHINE GROUP PRECISION ROWS
operations() {
	counts=$(echo "$4" | cut -d ' ' -f 1 | paste -sd ,)
	roofline "$1" -g "$2" --json -- true || fail "$1 $2: exit status $?"
	sum=0
	while read -r code factor width; do
		equal "$1 $2 $width" "$(number "$width")" $((${code#*=} * factor))
		sum=$((sum + ${code#*=} * factor))
	done <<-END
		$4
	END
	equal "$1 $2 all" "$(grep -o '"run":.*' "$tmp/err" | sed 's/.*"operations":\([0-9.]*\),"bytes.*/\1/')" $sum
	grep -q "\"$3\":{\"operations\"" "$tmp/err" || fail "$1 $2: not $3 precision"
}

for machine in snbep ivbep; do
	operations sim:$machine MEM_DP double "$executed_double"
	operations sim:$machine MEM_SP single "$executed_single"
	grep -q '"known_error":"the events of this processor count executed' "$tmp/err" || fail "$machine overcounts"
done
operations sim:bdx MEM_DP double "$retired_double"
operations sim:bdx MEM_SP single "$retired_single"
for machine in skx icx spr emr gnr; do
	operations sim:$machine MEM_DP double "$wide_double"
	operations sim:$machine MEM_SP single "$wide_single"
done
if grep -q executed "$tmp/err"; then fail "gnr overcounts"; fi
grep -q '"known_error":"operations of AMX and in half precision are not counted"' "$tmp/err" || fail "AMX"

# the bytes of nodes that divide a package are all bytes
counts=1c7=1000
roofline sim:spr:packages=1,clusters=2 -M roofline --per-node --json -- sleep 0.1 || fail "--per-node: exit status $?"
equal "bytes of nodes" "$(grep -o '"run":{.*' "$tmp/err" | sed 's/.*"operations":[0-9.]*,"bytes":\([0-9.]*\),.*/\1/')" \
	"$(tr '{' '\n' <"$tmp/err" | sed -n 's/.*_BYTES:box=.*"count":\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { printf "%.0f", n }')"
# a run in which the writes have no window: the bytes are unknown, not fewer
roofline sim:skx --multiplex=1000 -e UNC_M_CAS_COUNT:RD,UNC_M_ACT_COUNT,UNC_M_PRE_COUNT,UNC_M_RPQ_INSERTS -M roofline -- true
grep -q ' GFLOP/s, not all bytes were counted$' "$tmp/err" || fail "bytes without a window are 0"

# refused MACHINE REASON
refused() {
	counts=1c7=1
	roofline "$1" -M roofline -- touch "$tmp/ran" && fail "$1 is not refused"
	tr -s '\n ' '  ' <"$tmp/err" | grep -q "$2" || fail "$1: not the reason: $2"
	[ ! -e "$tmp/ran" ] || fail "$1: the program ran"
	rm -f "$tmp/ran"
}
refused sim:hswep 'cores of Haswell have no events of floating-point'
refused sim:knl 'neither by precision nor the masks'
refused sim:srf 'E-cores have no events'
refused sim:cwf 'E-cores have no events'
refused sim:nhmex 'do not tell precision and width apart'
refused sim:wsmex 'do not tell precision and width apart'

# ---- bytes, and what is computed ----

counts=1c7=1000,4c7=20000000,10c7=30000000,40c7=4000000
FAKE_PERF_LOG=$tmp/log roofline sim:skx -M roofline --json -- sleep 0.3 || fail "exit status $?"
bytes=$(grep -o '"event":"UNCORE_MEM_[A-Z]*_BYTES:pkg=[0-9]","units":"bytes","count":[0-9]*' "$tmp/err" |
	cut -d : -f 5 | awk '{ sum += $1 } END { printf "%.0f", sum }')
[ "$(grep -o '"event":"UNCORE_MEM_' "$tmp/err" | wc -l)" -eq 4 ] || fail "not the bytes of each package"
run=$(grep -o '"run":{[^}]*}' "$tmp/err")
echo "$run" >"$tmp/run"
of_run() {
	grep -o "\"$1\":[-0-9.e+]*" "$tmp/run" | cut -d : -f 2
}
ops=192001000 # 1000 + 2 * 20e6 + 4 * 30e6 + 8 * 4e6
equal operations "$(of_run operations)" $ops
equal bytes "$(of_run bytes)" "$bytes"
equal "operations per byte" "$(of_run operations_per_byte)" "$(awk "BEGIN { printf \"%.12g\", $ops / $bytes }")"
equal "operations per second" "$(of_run operations_per_second)" \
	"$(awk "BEGIN { printf \"%.12g\", $ops / $(of_run seconds) }")"
grep -q '"bytes_of":"machine"' "$tmp/err" || fail "whose bytes"
# only user code of the program, its children, from exec on
[ "$(grep -c '^type 4 config [0-9a-f]*c7 inherit 1 on_exec 1 kernel 0$' "$tmp/log")" -eq 4 ] ||
	fail "events of the program: $(cat "$tmp/log")"
grep -q '^type 4 config [0-9a-f]*c7 inherit [01] on_exec [01] kernel 1$' "$tmp/log" && fail "the kernel's operations"

# the text says the same
roofline sim:skx -M roofline -- sleep 0.2
for line in '^ *40000000  128 bits$' '^ *192001000  all$' \
	'^run: 0\.0[0-9]* operations per byte, 0\.[0-9]* GFLOP/s, [0-9]* % of the roof of memory of' \
	'^roof of memory: 307 GB/s, the theoretical peak of its channels$' '^Bytes are the machine.s, operations the program'; do
	grep -q "$line" "$tmp/err" || fail "no line like $line"
done
tr -s '\n ' '  ' <"$tmp/err" | grep -q 'double precision: unknown, since no register tells the number of units' ||
	fail "the roof of operations"

# both precisions
counts=1c7=100,2c7=200
roofline sim:skx -g MEM_DP -g MEM_SP --json -- true || fail "both precisions: $?"
grep -q '"double":{.*"scalar":100\.0.*"single":{.*"scalar":200\.0' "$tmp/err" || fail "both precisions"

# ---- more events than counters: two runs, nothing scaled ----

counts=1c7=1000,4c7=20000000,10c7=30000000,40c7=4000000
FAKE_PERF_FREE=2 roofline sim:skx -M roofline --json -- sh -c "echo x >>$tmp/times; sleep 0.1" || fail "two runs: $?"
[ "$(wc -l <"$tmp/times")" -eq 2 ] || fail "$(wc -l <"$tmp/times") runs"
grep -q 'the program runs twice' "$tmp/err" || fail "two runs are not reported"
grep -o '"run":{[^}]*}' "$tmp/err" >"$tmp/run"
equal "operations of two runs" "$(of_run operations)" $ops
FAKE_PERF_FREE=2 roofline sim:skx -M roofline -- sleep 0.1
grep -q 'of two runs$' "$tmp/err" || fail "two runs in the text"
FAKE_PERF_FREE=1 roofline sim:skx -M roofline -- touch "$tmp/ran" && fail "one counter is enough"
grep -q 'NMI watchdog' "$tmp/err" || fail "no counters: no reason"
[ ! -e "$tmp/ran" ] || fail "no counters: the program ran"
FAKE_PERF_STOLEN=1 roofline sim:skx -M roofline -- true
[ $? -eq 4 ] || fail "counters that were taken: exit status"
grep -q 'estimates are not used' "$tmp/err" || fail "counters that were taken: no reason"
if grep -q ' all$' "$tmp/err"; then fail "counters that were taken: operations are shown"; fi
grep -q 'UNCORE_MEM_READ_BYTES:pkg=1' "$tmp/err" || fail "counters that were taken: no bytes"

# ---- errors of the kernel ----

FAKE_PERF_ERRNO=13 roofline sim:skx -M roofline -- true && fail "EACCES"
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	grep -q 'kernel.perf_event_paranoid is [3-9]: set it to 2' "$tmp/err" || fail "EACCES: no remedy"
else
	grep -q 'the kernel does not permit it' "$tmp/err" || fail "EACCES: no remedy"
fi
FAKE_PERF_ERRNO=2 roofline sim:skx -M roofline -- true && fail "ENOENT"
grep -q 'requires a virtual PMU' "$tmp/err" || fail "ENOENT: no reason"
for wrong in '-M roofline' '-M roofline -d 1' '-M roofline -r 2 true' '-g MEM_DP --csv true' '-M roofline --influx true'; do
	# shellcheck disable=SC2086
	roofline sim:skx $wrong
	[ $? -eq 2 ] || fail "stat $wrong is not refused"
	grep -q 'a roofline requires a command' "$tmp/err" || fail "stat $wrong: no reason"
done

# ---- phases and regions ----

# operations in the first half only
# they_add_up: the phases of a half with all operations and of another
they_add_up() {
	[ "$(wc -l <"$tmp/phases")" -ge 2 ] && awk -v all=$ops '{ sum += $1 }
		END { exit !(sum > 0.98 * all && sum < 1.02 * all && $1 < 0.05 * all) }' "$tmp/phases"
}
for until in '0.4 0.8' '1.6 3.2' '6.4 12.8'; do # a busy computer may disturb a short one
	FAKE_PERF_UNTIL=${until% *} roofline sim:skx -M roofline --json -- sleep "${until#* }" || fail "phases: $?"
	grep -o '"phases":\[[^]]*\]' "$tmp/err" | grep -o '"operations":[0-9.e+]*' | cut -d : -f 2 >"$tmp/phases"
	if they_add_up; then break; fi
done
they_add_up ||
	fail "phases: $(cat "$tmp/phases")"

# a region for the second half of the run, in which the operations are done
cat >"$tmp/marked.c" <<'END'
#include <unistd.h>
#include "uncore_marker.h"
int main(void)
{
	LIKWID_MARKER_INIT;
	LIKWID_MARKER_REGISTER("solve");
	usleep(300000);
	LIKWID_MARKER_START("solve");
	usleep(300000);
	LIKWID_MARKER_STOP("solve");
	LIKWID_MARKER_CLOSE;
	return 0;
}
END
if $cc -DLIKWID_PERFMON -I"$SRC/src" "$tmp/marked.c" -L"$BUILD" -Wl,-rpath,"$BUILD" -luncore -o "$tmp/marked" 2>"$tmp/err"; then
	UNCORE_MACHINE=sim:skx roofline sim:skx -M roofline --json -- "$tmp/marked" || fail "regions: $?"
	grep -o '"regions":\[[^]]*\]' "$tmp/err" >"$tmp/run"
	grep -q '"region":"solve"' "$tmp/run" || fail "no region"
	awk -v s="$(of_run seconds)" 'BEGIN { exit !(s > 0.2 && s < 0.6) }' || fail "seconds of the region: $(of_run seconds)"
else
	fail "the program with a region is not compiled"
fi

# ---- the roof of ceilings, and the picture ----

cpus=$("$tool" show --machine sim:skx --json | grep -o '"cpus":[0-9]*' | head -n 1 | cut -d : -f 2)
mkdir -p "$tmp/cache/uncore"
cat >"$tmp/cache/uncore/ceilings.json" <<END
{"machine":"Intel Xeon Scalable (Skylake-X, Cascade Lake-X), 2 packages, $cpus CPUs, simulated", "measured":"now",
 "packages":[
 {"read":100e9,"double_scalar":10e9,"double_128":20e9,"double_256":40e9,"double_512":50e9},
 {"read":100e9,"double_scalar":10e9,"double_128":20e9,"double_256":40e9,"double_512":50e9}]}
END
roofline sim:skx -M roofline --json --svg "$tmp/x.svg" -- sleep 0.3 || fail "with ceilings: $?"
grep -o '"run":{[^}]*}' "$tmp/err" >"$tmp/run"
equal "the roof of memory" "$(number memory_roof)" 200e9
grep -q '"roof":{"scalar":20000000000.0,"128 bits":40000000000.0,"256 bits":80000000000.0,"512 bits":100000000000.0}' \
	"$tmp/err" || fail "the roof of operations"
equal "share of the roof" "$(of_run share_of_roof)" \
	"$(awk "BEGIN { i = $(of_run operations_per_byte) * 200e9; r = i < 100e9 ? i : 100e9
		printf \"%.12g\", $(of_run operations_per_second) / r }")"
# The run is a square of 12 px, whose centre is at the logarithms of its numbers: of two ticks of each
# axis, by their labels, follows the scale.
awk -v intensity="$(of_run operations_per_byte)" -v rate="$(of_run operations_per_second)" '
	function attribute(name) {
		match($0, " " name "=\"[-0-9.]+\"")
		return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0
	}
	/text-anchor="middle">1</ { x1 = attribute("x") }
	/text-anchor="middle">4</ { x4 = attribute("x") }
	/text-anchor="end">1</ { y1 = attribute("y") - 4 }
	/text-anchor="end">100</ { y100 = attribute("y") - 4 }
	/<rect .*width="12.0" height="12.0"/ && !found++ { x = attribute("x") + 6; y = attribute("y") + 6 }
	END {
		want_x = x1 + (x4 - x1) * log(intensity) / log(4)
		want_y = y1 + (y100 - y1) * log(rate / 1e9) / log(100)
		exit !(found && x4 > x1 && y1 > y100 && (x - want_x) ^ 2 < 0.3 && (y - want_y) ^ 2 < 0.3)
	}' "$tmp/x.svg" || fail "the point of the run in the picture"
for text in 'memory, 200 GB/s (measured)' 'double precision, 512 bits, 100 GFLOP/s' 'run: ' SIMULATED; do
	grep -q "$text" "$tmp/x.svg" || fail "the picture does not have $text"
done

[ $failures -eq 0 ]
