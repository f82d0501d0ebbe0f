#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# explain_test.sh - `uncore explain` and `uncore ceilings`: text, JSON and the page, which Chromium shows
# without messages if it is installed; exit statuses, signals, and what is refused.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS COLUMNS XDG_CACHE_HOME
tool=$BUILD/uncore
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
HOME=$tmp/home
export HOME
mkdir "$HOME"
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"
machine=sim:skx:packages=2,cores=8

# explain STATUS WORD...
explain() {
	wanted=$1
	shift
	began=$(date +%s.%N)
	"$tool" explain --machine "$machine" "$@" >"$tmp/out" 2>&1
	status=$?
	ended=$(date +%s.%N)
	[ $status -eq "$wanted" ] || fail "explain $*: status $status: $(cat "$tmp/out")"
}

# answered STATUS WORD...: explain, again while the computer is too busy to answer all questions
answered() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		explain "$@"
		grep -q -e 'questions unanswered' -e '"unanswered":\["' "$tmp/out" || return 0
	done
	fail "explain $*: the computer was too busy twenty times: $(cat "$tmp/out")"
}

# lasted SECONDS [SPEED]: the seconds that it shows are not fewer, and not more than it ran
lasted() {
	says '^ *[0-9.]* seconds$'
	sed -n 's/^ *\([0-9.]*\) seconds$/\1/p' "$tmp/out" |
		awk -v at_least="$1" -v at_most="$(echo "$began $ended ${2:-1}" | awk '{ print ($2 - $1) * $3 }')" \
			'$1 < at_least || $1 > at_most { exit 1 }' || fail "other seconds than $1 to $began - $ended: $(cat "$tmp/out")"
}

# ---- text ----

answered 0 -d 0.5
says '^SIMULATED'
says '^socket 0  .* GB/s .* GB/s, [0-9]* % \(theoretical\)$'
says '^bound by the latency of memory: .*'
says '^    evidence: UNCORE_TOR_DRD_MISS_OCCUPANCY / UNCORE_CLOCKTICKS '
says '^    try: '
lasted 0.5
grep -q '^Phases' "$tmp/out" && fail "a steady run has phases"

machine=sim:skx:packages=1,cores=8,period=1600
answered 0 -d 3.2
says '^Phases$'
says '^ *0\.00 s to [01]\.[0-9]* s: .*B/s of memory traffic$'
says '^ *[0-9.]* s to [0-9.]* s: .*B/s of memory traffic, as from 0\.[0-9]* s$'
sed -n '/^Phases/,$p' "$tmp/out" | grep '^        [a-z]' | sed 's/[0-9.]\{1,\}//g' | sort | uniq -d >"$tmp/twice"
[ -s "$tmp/twice" ] && fail "phases repeat sentences: $(cat "$tmp/out")"
sed -n '/^Phases/,$p' "$tmp/out" | grep -q '^        bound by the latency' &&
	fail "a phase repeats a sentence of the run: $(cat "$tmp/out")"
machine=sim:skx:packages=2,cores=8

# ---- short runs: what stat counts is within the error, and what is unknown is not shown ----

machine=sim:skx
# The medians of five runs: a busy computer may disturb one.
for _ in 1 2 3 4 5; do
	"$tool" stat --machine "$machine" -d 0.5 --json -e UNCORE_MEM_READ_BYTES:pkg=0 -e UNCORE_MEM_READ_BYTES:pkg=1 \
		-e UNCORE_DRAM_ACCESSES:pkg=0 -e UNCORE_DRAM_ACCESSES:pkg=1 2>"$tmp/out" || fail "stat: $(cat "$tmp/out")"
done >"$tmp/stat.json"
: >"$tmp/runs.json"
for _ in 1 2 3 4 5 6 7 8; do
	explain 0 --json -- true
	cat "$tmp/out" >>"$tmp/runs.json"
done
answered 0 --json -d 1
cat "$tmp/out" >>"$tmp/runs.json"
python3 - "$tmp/stat.json" "$tmp/runs.json" >"$tmp/out" <<'END' || fail "short runs: $(cat "$tmp/out")"
import json, statistics, sys
rates = {}
for line in open(sys.argv[1]):
    for e in json.loads(line)["counts"]:
        rates.setdefault(e["event"], []).append(e["per_second"])
stat = {event: statistics.median(of_runs) for event, of_runs in rates.items()}
runs = [json.loads(line) for line in open(sys.argv[2])]
failures = outside = compared = 0
limits = [set(), set()]
for run in runs:
    if len(run["packages"]) != 2:
        print("a package is missing")
        failures += 1
    for p in run["packages"]:
        limits[p["package"]].add(p["memory_limit"])
        if p["rates"].keys() != p["errors"].keys():
            print("rates without errors:", p["rates"].keys() ^ p["errors"].keys())
            failures += 1
        for event in ("UNCORE_MEM_READ_BYTES", "UNCORE_DRAM_ACCESSES"):
            true = stat["%s:pkg=%d" % (event, p["package"])]
            rate, error = p["rates"][event], p["errors"][event]
            compared += 1
            outside += abs(rate - true) > error + 1e-4 * true
            if abs(rate - true) > 3 * error + 1e-4 * true:
                print(event, "is", rate, "+-", error, "instead of", true)
                failures += 1
print(outside, "of", compared, "are outside of their errors")
for limit in limits:
    if max(limit) > 1.001 * min(limit):
        print("the peak differs from run to run:", limit)
        failures += 1
sys.exit(failures > 0 or outside > 0.1 * compared)
END
for _ in 1 2 3 4 5 6 7 8; do
	explain 0 -- true
	says '^socket 0  .* GB/s .* GB/s, [0-9]* % \(theoretical\)$'
	awk '/^socket 0 / { part = $(NF - 2) }
		/^  \+- / { error = $(NF - 1); exit }
		END { exit !(part - 27 <= 1 + 0.27 * error && 27 - part <= 1 + 0.27 * error) }' "$tmp/out" ||
		fail "another part of the peak than 27 %: $(cat "$tmp/out")"
	says '^  \+- .* % .* % .* %$'
	grep -q '^the run was too short' "$tmp/out" && break
done
if grep -q '^ *0\.0[0-4][0-9]* seconds' "$tmp/out" || grep -q '^the run was too short' "$tmp/out"; then
	says '^the run was too short: [1-9][0-9]* of 24 questions unanswered; they need 0\.[1-9] s$'
else
	echo "not tried: a run that is too short: true takes too long on this busy computer"
fi
machine=sim:skx:packages=2,cores=8

# ---- a recording of a real machine under STREAM ----

gzip -dc "$SRC/tests/machines/skx-8160-stream.json.gz" >"$tmp/stream.json"
machine=file:$tmp/stream.json:from=20:until=50:speed=20
explain 0 -d 1.4
says '^socket 0  *5[78]\.[0-9] GB/s  *38\.[0-9] GB/s  *9[56]\.[0-9] GB/s  128 GB/s, 75 % \(theoretical\)$'
says '^bound by the memory bandwidth of package 0: 75 % of it is in use'
lasted 28 20 # of the recording: 1.4 s of this computer
[ "$(grep -c confidence "$tmp/out")" -eq 1 ] || fail "more than one cause: $(cat "$tmp/out")"
machine=sim:skx:packages=2,cores=8

# ---- commands, and other programs before them ----

# The machine is busy before and during it, and the program does nothing.
answered 0 -- sleep 1
says "^nothing here is this program's: the machine did the same before it began$"
grep -m 1 -E 'nothing here|confidence' "$tmp/out" | grep -q 'nothing here' || fail "another sentence is first: $(cat "$tmp/out")"
says '^the machine: bound by the latency of memory: '
grep -q '^    try: ' "$tmp/out" && fail "advice on a program that does nothing: $(cat "$tmp/out")"
grep -q '^other programs' "$tmp/out" && fail "the same in two sentences: $(cat "$tmp/out")"
answered 0 --json -- sleep 1
says '"multiplexed":\[("UNCORE_[A-Z_]*",?){5,}\],"unanswered":\[\],"needs":0\.[0-9]*\}$'
says '"findings":\[\{"id":"background",'
says '"before":[0-9.e+]*,"before_error":[0-9.e+]*,'
grep -q '"try"' "$tmp/out" && fail "advice in JSON on a program that does nothing: $(cat "$tmp/out")"
explain 0 --after --json -- sleep 0.5
says '"evidence":"UNCORE_MEM_READ_BYTES \+ UNCORE_MEM_WRITE_BYTES [^"]* before and after, '
explain 2 --after -d 1
says '--after requires a command'
explain 7 -- sh -c 'sleep 0.3; exit 7'
says '^socket 0 '
explain 0 -r 3 -- sh -c "echo run >>'$tmp/runs'; sleep 0.2"
[ "$(wc -l <"$tmp/runs")" -eq 3 ] || fail "-r 3 did not run the command three times"
says '^socket 0 '
explain 2 -r 0 -- true
says 'invalid number of runs "0"'
explain 2 -r 2 -d 1
says '-r requires a command'
explain 127 -- "$tmp/nothing"
says 'nothing: No such file or directory'
[ "$(wc -l <"$tmp/out")" -eq 1 ] || fail "more than one line about a missing program: $(cat "$tmp/out")"
: >"$tmp/no_program"
explain 126 -- "$tmp/no_program"
says 'no_program: Permission denied'
[ "$(wc -l <"$tmp/out")" -eq 1 ] || fail "more than one line about a file that is no program: $(cat "$tmp/out")"

# shellcheck disable=SC2016
"$tool" explain --machine "$machine" -- sh -c 'echo >"$0" && exec sleep 60' "$tmp/started" >"$tmp/out" 2>&1 &
pid=$!
await test -e "$tmp/started"
sleep 0.2
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "SIGINT does not end it as a signal does"
says '^socket 0 '

# ---- pages of the cookbook ----

grep -o '"[0-9]*\. [^"]*"' "$SRC/src/command/explain/diagnoses.c" | tr -d '"' | sort -u >"$tmp/pages"
[ "$(wc -l <"$tmp/pages")" -ge 10 ] || fail "no pages are named"
while read -r page; do
	grep -qxF "## $page" "$SRC/docs/cookbook.md" || fail "docs/cookbook.md has no \"$page\""
done <"$tmp/pages"

# ---- JSON ----

answered 0 -d 0.4 --json
[ "$(grep -c . "$tmp/out")" -eq 1 ] || fail "JSON is not one line"
says '^\{"begin":0.0,"end":0\.[0-9]*,"packages":\[\{"package":0,"memory_limit":[0-9.e+]*,"measured":false,"rates":\{"UNCORE_MEM_READ_BYTES":'
says '"findings":\[\{"id":"memory-latency","package":[01],"confidence":1.0,"sentence":"bound by'
says '"phases":\[\]'

# ---- two runs compared ----

answered 0 -d 0.5 --json
cp "$tmp/out" "$tmp/before.json"
machine=sim:skx:packages=2,cores=4
answered 0 -d 0.5 --json
cp "$tmp/out" "$tmp/after.json"
machine=sim:skx:packages=2,cores=8
explain 0 --compare "$tmp/before.json" "$tmp/before.json"
says '^no rate differs by more than 2 % and 3 standard errors$'
explain 0 --compare "$tmp/before.json" "$tmp/after.json"
says '^ *1[12]\.[0-9] G *5\.[0-9]* G *-50\.[0-9] %  UNCORE_MEM_READ_BYTES:pkg=0$'
grep -q UNCORE_CLOCKTICKS "$tmp/out" && fail "an equal rate differs"
sed 's/"memory-latency"/"links"/' "$tmp/before.json" >"$tmp/other.json"
explain 0 --compare "$tmp/before.json" "$tmp/other.json"
says '^only before: bound by the latency'
says '^only after: '
explain 0 --json --compare "$tmp/before.json" "$tmp/after.json"
says '^\{"rates":\[\{"event":"UNCORE_[A-Z_]*","package":0,"before":[0-9.e+]*,"after":[0-9.e+]*,"change":-0\.[0-9]*\}'
explain 0 --json --compare "$tmp/before.json" "$tmp/other.json"
says '^\{"rates":\[\],"not_counted_before":\[\],"not_counted_after":\[\],"only_before":\[\{"id":"memory-latency",.*\],"only_after":\[\{"id":"links",.*\]\}$'
# what only one of the runs counted, another machine, and another number of packages
python3 - "$tmp/before.json" >"$tmp/other.json" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
del run["packages"][0]["rates"]["UNCORE_CLOCKTICKS"]
run["packages"][0]["rates"]["UNCORE_OTHER"] = 1.5
run["machine"] = "Other"
del run["packages"][1:]
print(json.dumps(run))
END
explain 0 --compare "$tmp/before.json" "$tmp/other.json"
says '^different machines: Intel Xeon'
says '^packages: 2 before, 1 after; only those of both are compared$'
says '^not counted before: UNCORE_OTHER:pkg=0$'
says '^not counted after: UNCORE_CLOCKTICKS:pkg=0$'
explain 0 --json --compare "$tmp/before.json" "$tmp/other.json"
says '^\{"machines":\["Intel Xeon.*","Other"\],"packages":\[2,1\],"rates":\[\],"not_counted_before":\[\{"event":"UNCORE_OTHER","package":0\}\],"not_counted_after":\[\{"event":"UNCORE_CLOCKTICKS","package":0\}\]'
explain 2 --compare "$tmp/before.json"
says 'requires two files'
for damaged in '' '{}' '[]' '{"packages":[],"findings":[]}' '{"packages":[{"rates":{"x":"y"}}],"findings":[1]}'; do
	echo "$damaged" >"$tmp/damaged.json"
	explain 3 --compare "$tmp/before.json" "$tmp/damaged.json"
	says 'is not the output of uncore explain --json'
done
for files in "none.json before.json" "before.json none.json"; do
	explain 3 --compare "$tmp/${files% *}" "$tmp/${files#* }"
	says '/none.json: No such file or directory$'
	[ "$(wc -l <"$tmp/out")" -eq 1 ] || fail "more than one line about a missing file: $(cat "$tmp/out")"
done
explain 3 --compare "$tmp" "$tmp/before.json"
says ': Is a directory$'

# ---- ceilings ----

cat >"$tmp/ceilings" <<'END'
{"machine": "Intel Xeon Scalable (Skylake-X, Cascade Lake-X), 2 packages, 16 CPUs, simulated",
"measured": "2026-01-01 00:00:00", "packages": [
{"read": 20e9, "write": 10e9, "copy": 18e9}, {"read": 200e9}]}
END
mkdir -p "$HOME/.cache/uncore"
cp "$tmp/ceilings" "$HOME/.cache/uncore/ceilings.json"
explain 0 -d 0.4
says '^socket 0 .* 18\.9 GB/s, 8[78] % \(measured\)$'
says '^socket 1 .* 200 GB/s, [0-9]* % \(measured\)$'
says '^bound by the memory bandwidth of package 0'
"$tool" stat --machine "$machine" -d 0.2 >"$tmp/out" 2>&1 || fail "stat with ceilings: status $?"
says '^memory of socket 0: 16\.[45] GB/s, 8[78] % of the measured 18\.9 GB/s$'
says '^memory of socket 1: 15\.[89] GB/s, 8 % of the measured 200 GB/s$'
"$tool" top --machine "$machine" --once -i 300ms >"$tmp/out" 2>&1 || fail "top with ceilings: status $?"
says '^memory bandwidth in use, of the measured: socket 0 8[78] % socket 1 8 %$'
"$tool" stat --machine "$machine" -d 0.2 -e UNCORE_CLOCKTICKS >"$tmp/out" 2>&1
grep -q '^memory of' "$tmp/out" && fail "memory that was not counted"
sed 's/16 CPUs/32 CPUs/' "$tmp/ceilings" >"$HOME/.cache/uncore/ceilings.json"
explain 0 -d 0.4
says '(theoretical)'
for damaged in '' '[' '{}' '{"machine": 7}' 'null' '{"packages": 3, "machine": "x"}'; do
	echo "$damaged" >"$HOME/.cache/uncore/ceilings.json"
	explain 0 -d 0.2
	says '(theoretical)'
done
"$tool" ceilings --machine "$machine" >"$tmp/out" 2>&1
[ $? -eq 3 ] || fail "ceilings of a simulated machine"
says 'has no memory to measure'

# ---- the page ----

machine=sim:skx:packages=2,cores=8,period=1600
# lacks: the patterns that the page does not have
lacks() {
	for pattern in '<h1>What limits this run' '<p class="what">' 'Evidence: <code>UNCORE_' '<h2>Phases' \
		'<h2>Memory traffic and its limit by the share of reads' '>limit of socket 1<' \
		'<h2>Memory traffic over time' '<h2>Use of the links over time' '<h2>Time of a read of memory over time' \
		'<h2>Memory traffic of each channel' '<h2>Lookups of each cache slice' '&plusmn; 0\.[0-9]* %</td>' 'SIMULATED' '</html>'; do
		grep -q -e "$pattern" "$tmp/page.html" || echo "$pattern"
	done
}
# A short run on a busy computer may not answer what a part is made of.
for seconds in 2 4 8; do
	explain 0 -d $seconds --html "$tmp/page.html"
	missing=$(lacks)
	[ -n "$missing" ] || break
done
[ -z "$missing" ] || fail "the page has no $missing"
[ "$(wc -c <"$tmp/page.html")" -lt 1000000 ] || fail "the page is larger than 1 MB"
grep -oE '(href|src|url)="?[^" >]*' "$tmp/page.html" | grep -qv '"data:,' && fail "the page refers to other files"
chromium=$(command -v chromium || command -v chromium-browser)
if [ -n "$chromium" ]; then
	browse() {
		timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --enable-logging=stderr --v=0 \
			--allow-file-access-from-files --user-data-dir="$tmp/profile" "$@" 2>"$tmp/err"
		grep -E 'CONSOLE' "$tmp/err" && fail "Chromium has messages: $*"
	}
	# A frame, because a window has at least 500 px; the page must not be wider.
	for width in 400 1400; do
		cat >"$tmp/frame.html" <<-END
			<iframe id="f" src="page.html" style="border:0" width="$width" height="3000"
			onload="let d = f.contentDocument.documentElement;
			document.title = d.scrollWidth > d.clientWidth ? 'too wide' : 'fits'"></iframe>
		END
		browse --screenshot="$tmp/$width.png" --window-size="1500,3000" "file://$tmp/frame.html" >"$tmp/out"
		[ "$(wc -c <"$tmp/$width.png")" -gt 20000 ] || fail "Chromium shows nothing at $width px: $(cat "$tmp/err")"
		browse --dump-dom "file://$tmp/frame.html" >"$tmp/out"
		says "<title>fits</title>"
	done
else
	echo "not tried: the page in a browser: there is no chromium"
fi

# ---- regions ----

cat >"$tmp/marked.c" <<'END'
#include <unistd.h>
#include <uncore_marker.h>

int main(void)
{
	UNCORE_MARKER_INIT;
	for (int i = 0; i < 2; i++) {
		LIKWID_MARKER_START("solve");
		usleep(400000);
		LIKWID_MARKER_STOP("solve");
		usleep(100000);
	}
	UNCORE_MARKER_START("short");
	UNCORE_MARKER_STOP("short");
	UNCORE_MARKER_CLOSE;
	return 0;
}
END
if cc -std=c99 -D_DEFAULT_SOURCE -I"$SRC/src" "$tmp/marked.c" -o "$tmp/marked" -L"$BUILD" -luncore -Wl,-rpath,"$BUILD" \
	>"$tmp/out" 2>&1; then
	machine=sim:skx:packages=2,cores=8
	answered 0 -- "$tmp/marked"
	says '^    solve, 2 calls, (0\.[89]|1\.[01])[0-9] s: [0-9.]+ GB/s of memory traffic$'
	says '^        bound by the latency of memory'
	says '^    short, 1 call, 0\.0[0-9] s: too short for an interval'
	explain 0 --html "$tmp/page.html" -- "$tmp/marked"
	grep -q '<h2>Regions</h2>' "$tmp/page.html" || fail "the page has no regions"
	answered 0 --json -- "$tmp/marked"
	python3 -c '
import json, sys
solve, short = json.load(open(sys.argv[1]))["regions"]
assert solve["name"] == "solve" and solve["calls"] == 2 and 0.8 < solve["seconds"] < 1.2, solve
assert solve["findings"] and solve["packages"], solve
assert short["name"] == "short" and "packages" not in short, short' "$tmp/out" || fail "regions in JSON"
else
	fail "a program with markers: $(cat "$tmp/out")"
fi

# ---- a program started without the descriptor, whose own files in memory get its number ----

cat >"$tmp/closes.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <uncore_marker.h>

int main(int argc, char **argv)
{
	(void)argc;
	if (strcmp(argv[1], "exec") == 0) { /* as subprocess of Python does */
		for (int fd = 3; fd < 64; fd++)
			close(fd);
		execl(argv[0], argv[0], "run", (char *)NULL);
		return 1;
	}
	for (int i = 0; i < 16; i++)
		dprintf(memfd_create("result", MFD_ALLOW_SEALING), "header %d\n", i);
	UNCORE_MARKER_INIT;
	UNCORE_MARKER_START("solve");
	usleep(300000);
	UNCORE_MARKER_STOP("solve");
	UNCORE_MARKER_CLOSE;
	for (int fd = 3; fd < 19; fd++)
		if (lseek(fd, 0, SEEK_END) > 10)
			return 9;
	return 0;
}
END
cat >"$tmp/truncates.c" <<'END'
#include <stdlib.h>
#include <unistd.h>
#include <uncore_marker.h>

int main(int argc, char **argv)
{
	(void)argc;
	UNCORE_MARKER_INIT;
	UNCORE_MARKER_START("solve");
	usleep(300000);
	UNCORE_MARKER_STOP("solve");
	if (ftruncate(atoi(getenv("UNCORE_MARKS")), atoll(argv[1])) != 0)
		return 9;
	UNCORE_MARKER_START("late");
	UNCORE_MARKER_STOP("late");
	UNCORE_MARKER_CLOSE;
	return 0;
}
END
machine=sim:skx:packages=2,cores=8
for program in closes truncates; do
	cc -std=c99 -D_GNU_SOURCE -I"$SRC/src" "$tmp/$program.c" -o "$tmp/$program" -L"$BUILD" -luncore \
		-Wl,-rpath,"$BUILD" >"$tmp/out" 2>&1 || fail "$program.c: $(cat "$tmp/out")"
done
explain 0 -- "$tmp/closes" exec
grep -q '^Regions' "$tmp/out" && fail "regions of a closed descriptor"
for size in 1099511627776 4096 20 0; do
	explain 0 --html "$tmp/page.html" -- "$tmp/truncates" "$size"
	says '^socket 0 .* GB/s'
	says 'has damaged the file with the times of its regions'
	grep -q '</html>' "$tmp/page.html" || fail "a damaged file of regions: the page is not complete"
done
explain 0 --json -- "$tmp/truncates" 1099511627776
says '"regions":\[\{.*"name":"solve".*\}\],"regions_problem":"The program has damaged '

# ---- what is refused ----

explain 2
says 'nothing to explain: name a command, or a time with -d'
explain 2 -d x
says 'invalid duration "x"'
explain 2 -d 1 -i 0
says 'invalid interval "0"'
explain 3 -d 0.2 --html "$tmp/none/page.html"
says 'none/page.html: No such file'
for to in "-- sleep 0.3" "--json -d 0.3"; do
	# shellcheck disable=SC2086
	"$tool" explain --machine sim:skx $to >/dev/full 2>/dev/full
	[ $? -eq 3 ] || fail "a full disk is not noticed: $to"
done
explain 3 -d 0.2 --html /dev/full
says '/dev/full: No space left'
machine=sim:none
explain 3 -d 1
says 'unknown simulated platform "none"'

[ $failures -eq 0 ]
