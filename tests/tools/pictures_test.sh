#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pictures_test.sh - `uncore stat --svg` and `--heatmap`: what is in the files, when they are
# written, and the messages when they cannot be.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

unset UNCORE_SYSROOT UNCORE_WRAP_POLLER UNCORE_FORCE COLUMNS
UNCORE_MACHINE=sim:snbep:packages=2,cores=4
export UNCORE_MACHINE
tool=$BUILD/uncore
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0
rows='UNCORE_MEM_READ_BYTES:box=*:pkg=*,UNCORE_TOR_DRD_LATENCY_NS'

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# is_xml FILE
is_xml() {
	if command -v xmllint >/dev/null; then
		xmllint --noout "$1" || fail "$1 is no XML"
	else
		[ "$(tail -n 1 "$1")" = '</svg>' ] || fail "$1 does not end"
	fi
	grep -q SIMULATED "$1" || fail "$1 does not say that it is simulated"
}

# has FILE PATTERN TIMES
has() {
	[ "$(grep -cE "$2" "$1")" -eq "$3" ] || fail "$1 has not $3 times: $2"
}

# ---- what is drawn ----

# names that promise another format, or none at all, are refused before counting starts
for name in "$tmp/x.gif" "$tmp/x.JPEG" ""; do
	"$tool" stat -d 100 -e "$rows" --svg "$name" >"$tmp/out" 2>&1 && fail "--svg '$name' is accepted"
	[ ! -e "$name" ] || fail "--svg '$name' writes a file"
done

"$tool" stat -d 0.5 -e "$rows" --svg "$tmp/lines.svg" --heatmap "$tmp/map.svg" >"$tmp/out" 2>&1 ||
	fail "stat --svg fails: $(cat "$tmp/out")"
is_xml "$tmp/lines.svg"
is_xml "$tmp/map.svg"
has "$tmp/lines.svg" '>time, s<' 1
has "$tmp/lines.svg" '>GB/s<' 1
has "$tmp/lines.svg" '>ns<' 1
has "$tmp/lines.svg" 'stroke-width="1.5".*UNCORE_MEM_READ_BYTES:box=3:pkg=1<' 2
has "$tmp/map.svg" '>channel [0-3], socket [01]<' 8
has "$tmp/map.svg" 'mean, GB/s' 1
! grep -q '^at ' "$tmp/out" || fail "intervals are printed without -I"
grep -q 'UNCORE_MEM_READ_BYTES:box=3:pkg=1' "$tmp/out" || fail "the total is not printed"
[ "$(ls "$tmp")" = "$(printf 'lines.svg\nmap.svg\nout')" ] || fail "something else is left: $(ls "$tmp")"

"$tool" stat -i 50 --csv -d 1 -e UNCORE_CLOCKTICKS --svg "$tmp/lines.svg" >"$tmp/out"
[ "$(grep -c '^[0-9.]*,' "$tmp/out")" -ge 2 ] || fail "with -i the intervals are not printed"
is_xml "$tmp/lines.svg"
"$tool" stat --csv -d 0.2 -e UNCORE_CLOCKTICKS --svg "$tmp/lines.svg" >"$tmp/out"
[ "$(grep -c '^[0-9.]*,' "$tmp/out")" -eq 1 ] || fail "the total is not the one line of --csv"
"$tool" stat -e 'bw=64*UNC_M_CAS_COUNT:RD/seconds' --svg "$tmp/lines.svg" -- true >/dev/null 2>&1 ||
	fail "a formula of a command that ends at once cannot be drawn"
is_xml "$tmp/lines.svg"

# ---- how it looks ----

"$tool" stat -d 0.3 -e UNCORE_MEM_READ_BYTES:pkg=0 --size 85mm --title 'A "title"' --label reads --caption \
	--svg "$tmp/lines.svg" >/dev/null 2>"$tmp/out" || fail "--size and others fail: $(cat "$tmp/out")"
is_xml "$tmp/lines.svg"
has "$tmp/lines.svg" '<svg .*width="85mm"' 1
has "$tmp/lines.svg" '>A &quot;title&quot;<' 2
has "$tmp/lines.svg" '>reads<' 3
has "$tmp/lines.svg" '<metadata>.*: uncore stat -d 0.3 -e UNCORE_MEM_READ_BYTES:pkg=0 --size 85mm' 1
has "$tmp/lines.svg" "<text.*&#39;A &quot;title&quot;&#39;" 1
many='UNCORE_MEM_READ_BYTES:box=*:pkg=*,UNCORE_MEM_WRITE_BYTES:pkg=0'
"$tool" stat -d 0.2 -e "$many" --svg "$tmp/lines.svg" >/dev/null 2>"$tmp/out"
grep -q 'a heat map, because it has 9 lines' "$tmp/out" || fail "9 lines are drawn as lines: $(cat "$tmp/out")"
has "$tmp/lines.svg" 'mean, GB/s' 2
"$tool" stat -d 0.2 -e "$many" --lines --svg "$tmp/lines.svg" >/dev/null 2>&1
has "$tmp/lines.svg" 'uncore events over time' 1
"$tool" stat -d 0.1 -e UNCORE_CLOCKTICKS --label a --label b --svg "$tmp/lines.svg" >/dev/null 2>"$tmp/out"
grep -q '2 labels for 1 line' "$tmp/out" || fail "a label too many is not reported: $(cat "$tmp/out")"
# before its first window an event has no points, instead of 0 (the lower end of the box, 256.0)
"$tool" stat -i 20 --multiplex=200 -d 0.9 -e UNC_C_TOR_OCCUPANCY:ALL,UNC_C_RXR_OCCUPANCY:IRQ --svg "$tmp/lines.svg" \
	>/dev/null 2>"$tmp/out" || fail "windows: $(cat "$tmp/out")"
grep '<path.*stroke-width="1.5"' "$tmp/lines.svg" >"$tmp/out"
if grep -q '[0-9] 256\.0' "$tmp/out"; then fail "what was not counted is drawn as 0: $(cat "$tmp/out")"; fi
for wrong in '--size 3' '--size x' '--size 85cm' '--size nan'; do
	# shellcheck disable=SC2086
	"$tool" stat -d 0.1 $wrong --svg "$tmp/x.svg" >/dev/null 2>&1
	[ $? -eq 2 ] || fail "$wrong: no wrong usage"
done
"$tool" stat -d 0.1 --title x >/dev/null 2>&1
[ $? -eq 2 ] || fail "a title without a picture is accepted"
PATH=/nonexistent "$tool" stat -d 60 --svg "$tmp/x.pdf" >/dev/null 2>"$tmp/err"
[ $? -eq 3 ] || fail "a missing rsvg-convert is not reported before counting"
grep -q 'librsvg2-bin' "$tmp/err" || fail "rsvg-convert is not named: $(cat "$tmp/err")"
if command -v rsvg-convert >/dev/null; then
	"$tool" stat -d 0.2 --svg "$tmp/x.pdf" --heatmap "$tmp/x.png" --per-box -e UNCORE_MEM_READ_BYTES \
		>/dev/null 2>"$tmp/err" || fail "PDF and PNG fail: $(cat "$tmp/err")"
	[ "$(head -c 5 "$tmp/x.pdf")" = %PDF- ] || fail "x.pdf is no PDF"
	[ "$(tail -c +2 "$tmp/x.png" | head -c 3)" = PNG ] || fail "x.png is no PNG"
fi

# ---- the end ----

rm "$tmp/lines.svg"
: >"$tmp/out" # not in the background only
"$tool" stat -i 50 -e UNCORE_CLOCKTICKS --svg "$tmp/lines.svg" >"$tmp/out" 2>&1 &
pid=$!
await grep -Eqs -e ' GHz$' "$tmp/out"
[ ! -e "$tmp/lines.svg" ] || fail "the file is there before the end"
kill -TERM $pid
wait $pid 2>/dev/null
[ $? -eq 143 ] || fail "SIGTERM does not end it as a signal does"
is_xml "$tmp/lines.svg"

# ---- what cannot be written ----

echo before >"$tmp/kept.svg"
"$tool" stat -d 0.1 --svg /dev/full >/dev/null 2>"$tmp/err"
[ $? -eq 3 ] || fail "a full disk does not change the exit status"
grep -q '/dev/full: No space left' "$tmp/err" || fail "a full disk is not told: $(cat "$tmp/err")"
"$tool" stat -d 60 --heatmap "$tmp/none/x.svg" >/dev/null 2>"$tmp/err"
[ $? -eq 3 ] || fail "a missing directory is not reported before counting"
grep -q 'none/x.svg: No such file' "$tmp/err" || fail "the directory is not told: $(cat "$tmp/err")"
"$tool" stat --svg "$tmp/kept.svg" -e UNC_NOTHING -d 0.1 2>/dev/null && fail "an unknown event is accepted"
[ "$(cat "$tmp/kept.svg")" = before ] || fail "the old picture is lost without a new one"
"$tool" stat -r 2 --svg "$tmp/x.svg" -- true 2>/dev/null
[ $? -eq 2 ] || fail "-r and --svg are combined"

# ---- the screen in README.md ----

# Counts differ from run to run, and with them the shades of a map and the width of blanks.
alike() {
	sed -E 's/[-.,:=+*#%@]{8,}/MAP/; s/[0-9]+(\.[0-9]+)?/N/g; s/[[:blank:]]+/ /g' "$1"
}
# On a busy computer an event of a short interval may have had no turn.
for interval in 500ms 2s 8s; do
	"$tool" top --once -i $interval --machine sim:skx:cores=8 | "$SRC/docs/pictures/screen.sh" >"$tmp/top.svg"
	is_xml "$tmp/top.svg"
	alike "$tmp/top.svg" >"$tmp/seen"
	alike "$SRC/docs/pictures/top.svg" | diff - "$tmp/seen" >"$tmp/out" && break
done
[ ! -s "$tmp/out" ] ||
	fail "docs/pictures/top.svg (<) is not the screen of uncore top (>): $(cat "$tmp/out")"

[ $failures -eq 0 ]
