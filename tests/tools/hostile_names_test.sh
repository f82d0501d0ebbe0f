#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# hostile_names_test.sh - names that other users choose (processes, cgroups, regions, event lists, recordings,
# clients of uncored) in every command and kind of output: terminal, JSON, OpenMetrics, Influx, HTML, SVG, CSV.
# Every byte that a name can have, U+009B, bidirectional marks and 4 KiB are tried; a reader of each format
# checks the output.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS UNCORE_EVENT_FILES COLUMNS
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is missing"
	exit 77
fi
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
tool=$BUILD/uncore
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"
# shellcheck source=tests/support/exporter.sh
. "$SRC/tests/support/exporter.sh"
trap 'end_exporter -TERM; finish' EXIT
HOME=$tmp/home
export HOME
mkdir "$HOME"

# ---- the readers ----

cat >"$tmp/check.py" <<'END'
import json, re, sys
import xml.etree.ElementTree
from html.parser import HTMLParser

kind, file = sys.argv[1:]
text = open(file, "rb").read().decode("utf-8")
BIDI = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)}
for c in text:
    code = ord(c)
    assert c in "\n\t" or not (code < 0x20 or 0x7f <= code < 0xa0 or code in BIDI), hex(code)
if kind == "json":
    for line in text.splitlines():
        json.loads(line)
elif kind == "json-file":
    json.loads(text)
elif kind == "openmetrics":
    label = r'[a-z_]+="(?:[^"\\\n]|\\["\\n])*"'
    for line in text.splitlines():
        assert line.startswith("# ") or re.fullmatch(r"[a-z_0-9]+(\{%s(,%s)*\})? \S+" % (label, label), line), line
elif kind == "influx":
    part = r"(?:[^ ,=\\\n]|\\[ ,=\\])+"
    for line in text.splitlines():
        assert re.fullmatch(r"%s(,%s=%s)* %s=\S+ \d+" % (part, part, part, part), line), line
elif kind == "svg":
    xml.etree.ElementTree.fromstring(text)
elif kind == "html":
    class Page(HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert tag != "u", "an element of a name"
    Page().feed(text)
elif kind == "csv":
    import csv
    fields = {len(row) for row in csv.reader(text.splitlines())}
    assert len(fields) == 1, fields
END

# is KIND FILE: valid output of that kind
is() {
	python3 "$tmp/check.py" "$1" "$2" 2>"$tmp/why" || fail "$what: invalid $1: $(tail -1 "$tmp/why")"
}

# prints KIND WORD...: the output of the command is of that kind, its messages are for a terminal
prints() {
	kind=$1
	shift
	what="uncore $*"
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -lt 128 ] || fail "$what: ended by a signal"
	[ -s "$tmp/out" ] || [ -s "$tmp/err" ] || fail "$what: no output"
	[ ! -s "$tmp/out" ] || is "$kind" "$tmp/out"
	[ ! -s "$tmp/err" ] || is terminal "$tmp/err"
}

# ---- event lists and recordings of another user ----

python3 - "$tmp" <<'END'
import json, sys
dir = sys.argv[1]
odd = "\x1b[2J\x1b]0;PWN\x07\x9b31m\u202e\u2066\"'<u>,= \\" + "".join(map(chr, range(1, 32))) + "n" * 4096
event = {"Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "EventName": "UNC_CHA_ODD", "Counter": "0,1,2,3",
         "BriefDescription": odd, "PublicDescription": odd}
named = dict(event, EventName="UNC_CHA_" + odd)
def write(name, value):
    open(dir + "/" + name, "w").write(json.dumps(value, ensure_ascii=False))
info = {"Info": "Performance Monitoring Events for 2nd Generation Intel(R) Xeon(R) Processor Scalable Family"}
write("text.json", {"Header": info, "Events": [event]})
write("name.json", {"Header": info, "Events": [event, named]})
write("info.json", {"Header": {"Info": odd}, "Events": [dict(event, Unit=odd, EventCode=odd)]})
rates = {odd: 1.0, "b" + odd: 5.0}
finding = {"id": odd, "package": 0, "confidence": 1, "sentence": odd, "evidence": odd, "try": odd, "page": odd}
run = {"packages": [{"package": 0, "rates": rates, "errors": {k: 0.1 for k in rates}}], "findings": [finding]}
write("before.json", run)
run["packages"][0]["rates"] = {odd: 3.0, "b" + odd: 1.0}
run["findings"] = [dict(finding, id="other")]
write("after.json", run)
END
for list in text name info; do
	UNCORE_EVENT_FILES=$tmp/$list.json
	export UNCORE_EVENT_FILES
	for kind in list list\ -v show stat\ -d\ 100ms\ -e\ UNC_CHA_ODD; do
		# shellcheck disable=SC2086 # words
		prints terminal $kind --machine sim:skx:stepping=7
	done
	prints json plan --json --machine sim:skx:stepping=7 UNC_CHA_ODD
done
UNCORE_EVENT_FILES=$tmp/text.json
prints csv stat --machine sim:skx:stepping=7 -d 100ms --csv -e UNC_CHA_ODD
prints influx stat --machine sim:skx:stepping=7 -d 100ms --influx -e UNC_CHA_ODD
prints json stat --machine sim:skx:stepping=7 -d 100ms --json -e UNC_CHA_ODD
prints terminal top --machine sim:skx:stepping=7 --once -i 100ms UNC_CHA_ODD
"$tool" stat --machine sim:skx:stepping=7 -d 300ms --svg "$tmp/chart.svg" -e UNC_CHA_ODD >/dev/null 2>&1
what="stat --svg"
is svg "$tmp/chart.svg"
unset UNCORE_EVENT_FILES
prints terminal explain --compare "$tmp/before.json" "$tmp/after.json"
says '^only before: '
odd=$(printf '\033[2J\302\2331m\342\200\256\377<u>"')
prints terminal stat --machine sim:skx -e "$odd" -d 100ms
prints terminal "$odd"
prints terminal list --machine "sim:$odd" x
prints terminal explain --compare "$tmp/$odd" "$tmp/after.json"
"$tool" record --machine sim:skx:packages=1,cores=2 -o "$tmp/record.json" >"$tmp/out" 2>&1 || fail "record: $(cat "$tmp/out")"
sed 's/"\(vendor\)":\( *\)"[^"]*"/"\1":\2"\\u001b[2J\\u009b\\u202e<u>"/' "$tmp/record.json" >"$tmp/odd.json"
for kind in show list doctor top\ --once\ -i\ 100ms; do
	# shellcheck disable=SC2086
	prints terminal $kind --machine "file:$tmp/odd.json"
done
prints json show --json --machine "file:$tmp/odd.json"
prints json doctor --json --machine "file:$tmp/odd.json"

# ---- regions ----

cat >"$tmp/regions.c" <<'END'
#include <string.h>
#include <unistd.h>
#include <uncore_marker.h>

int main(void)
{
	char bytes[256], name[5000];

	UNCORE_MARKER_INIT;
	for (int c = 1; c < 256; c++)
		bytes[c - 1] = (char)c;
	bytes[255] = '\0';
	memset(name, '\033', 4096);
	name[4096] = '\0';
	const char *const names[] = {bytes, bytes + 90, bytes + 180, name, "<u>\302\2331m\342\200\256\377\"'&"};
	for (int i = 0; i < 5; i++) {
		UNCORE_MARKER_START(names[i]);
		usleep(150000);
		UNCORE_MARKER_STOP(names[i]);
	}
	UNCORE_MARKER_CLOSE;
	return 0;
}
END
if cc -std=c99 -D_DEFAULT_SOURCE -I"$SRC/src" "$tmp/regions.c" -o "$tmp/regions" -L"$BUILD" -luncore \
	-Wl,-rpath,"$BUILD" >"$tmp/out" 2>&1; then
	what="explain -- a program with regions"
	"$tool" explain --machine sim:skx:packages=1,cores=4 --html "$tmp/page.html" -- "$tmp/regions" >"$tmp/out" 2>&1
	is terminal "$tmp/out"
	is html "$tmp/page.html"
	says '^    <u>\\u009b1m\\u202e\\xff'
	"$tool" explain --machine sim:skx:packages=1,cores=4 --json -- "$tmp/regions" >"$tmp/out" 2>/dev/null
	[ -s "$tmp/out" ] || fail "explain --json prints nothing"
	is json "$tmp/out"
	[ "$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["regions"]))' "$tmp/out")" -eq 5 ] ||
		fail "not all regions"
else
	fail "a program with regions: $(cat "$tmp/out")"
fi

# ---- processes and cgroups ----

if ! has_mounts; then
	echo "not tried: names of processes: $reason"
	[ $failures -eq 0 ]
	exit
fi

# A name of the description has no blanks; each byte is in a name of at most 64.
python3 - "$tmp/processes" "$(id -u)" <<'END'
import sys
file, uid = sys.argv[1:]
names = [bytes(c for c in range(first, first + 32) if c and not chr(c).isspace()) for first in range(0, 256, 32)]
names += [b"\x1b[2J\x1b]0;PWN\x07", "\x9b31m\u202e\u2066".encode(), b"\xff\xfe", b"a\\", b"<u>\"'&,=", b"n" * 4096]
with open(file, "wb") as out:
    out.write(b"background 0.02\nresctrl rmids=64\n")
    for i, name in enumerate(names):
        name = name.replace(b"#", b"") or b"x"
        path = name.replace(b"/", b"")
        out.write(b"process %d name=%s uid=%s cgroup=/slurm/uid_1/job_%s cpu=%d read=100M\n"
                  % (101 + i, name, uid.encode(), path, i % 8))
END
"$tool" sim mount --background --machine sim:skx:packages=1,cores=8 --processes "$tmp/processes" "$dir" >"$tmp/out" 2>&1 ||
	fail "cannot mount: $(cat "$tmp/out")"
UNCORE_SYSROOT=$dir UNCORE_JOURNAL=$tmp
export UNCORE_SYSROOT UNCORE_JOURNAL
for by in process job cgroup user container socket; do
	prints terminal who -n 1 -I 200ms --by $by
	prints json who -n 1 -I 200ms --by $by --json
done
if command -v curl >/dev/null && "$tool" exporter --help >/dev/null 2>&1; then
	for by in process cgroup job; do
		what="exporter --by $by"
		start_exporter --by $by || fail "$what: $(cat "$tmp/exporter.err")"
		fetch /metrics
		is openmetrics "$tmp/page"
		grep -q '^uncore_owner_memory_bytes' "$tmp/page" || fail "$what: no owners"
		fetch /metrics -H 'Accept: application/openmetrics-text; version=1.0.0'
		is openmetrics "$tmp/page"
		fetch /influx
		is influx "$tmp/page"
		grep -q '^uncore_owner_memory_bytes' "$tmp/page" || fail "$what: no owners in /influx"
		end_exporter -TERM
	done
else
	echo "not tried: the exporter: curl is missing"
fi

# ---- programs that count, here and through uncored ----

name=$(printf '\033[2J\302\2331m\377"<u>')
cp "$tool" "$tmp/$name"
# is_counting PATTERN WORD...: the command lists a program like that
# shellcheck disable=SC2317 # soon calls it
is_counting() {
	pattern=$1
	shift
	COLUMNS=10000 "$tool" "$@" 2>&1 | grep -aq "$pattern"
}
"$tmp/$name" stat -d 60s -e UNCORE_MEM_READ_BYTES >/dev/null 2>&1 &
pid=$!
soon is_counting 'since .* register' show || fail "no process counts"
prints terminal show
prints terminal doctor
prints json doctor --json
prints json show --json
prints terminal stat -d 100ms -e UNC_M_CAS_COUNT.RD:e1
kill -KILL $pid
wait $pid 2>/dev/null
prints terminal restore
says 'restored'
start_daemon
UNCORE_DAEMON=$tmp/socket
export UNCORE_DAEMON
UNCORE_ACCESS=daemon "$tmp/$name" stat -d 60s -e UNCORE_MEM_READ_BYTES >/dev/null 2>&1 &
pid=$!
soon is_counting 'connected since .* counts [1-9]' clients || fail "no client counts"
prints terminal clients
UNCORE_ACCESS=daemon prints terminal show
kill -KILL $pid
wait $pid 2>/dev/null
end_daemon -TERM
what="messages of uncored"
is terminal "$tmp/daemon.err"

[ $failures -eq 0 ]
