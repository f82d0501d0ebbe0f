#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# marker_test.sh - src/uncore_marker.h in a program of two files: its table, its JSON, missing and
# invalid environment variables, and an output that cannot be written.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/awk.sh
. "$SRC/tests/support/awk.sh"
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failed=0

if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: the program would have to be built with the sanitizers of the library"
	exit 77
fi

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err" "$tmp/table" 2>/dev/null
	failed=1
}

# build NAME COMPILER... : strict, so that a program's own flags have nothing to complain about
build() {
	program=$tmp/$1
	shift
	# shellcheck disable=SC2086
	if ! "$@" -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -pedantic -Werror \
		-I"$SRC/src" -c "$SRC/tests/region/marked.c" -o "$program.1.o" 2>"$tmp/err" ||
		! "$@" -Wall -Wextra -pedantic -Werror -I"$SRC/src" -DOTHER -c "$SRC/tests/region/marked.c" \
			-o "$program.2.o" 2>"$tmp/err" ||
		! "$@" "$program.1.o" "$program.2.o" $libraries -o "$program" 2>"$tmp/err"; then
		fail "$program cannot be built with $*"
	fi
}

# run ARGUMENT...: the program; what is left of a former run is gone
run() {
	rm -f "$tmp/table"
	"$program" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ "$status" -eq 0 ] || fail "status $status of the program with $*"
}

# says FILE PATTERN WHAT
says() {
	grep -q -e "$2" "$tmp/$1" || fail "$3"
}

: >"$tmp/out"
# ---- marks that are compiled out need no library ----

libraries=-pthread
# shellcheck disable=SC2086
build nothing ${CC:-cc} -std=gnu99 -DUNCORE_NO_MARKERS
libraries="-pthread -L$BUILD -Wl,-rpath,$BUILD -luncore"
export UNCORE_MACHINE=sim:snbep:packages=1,cores=2
export UNCORE_EVENTS='UNCORE_MEM_READ_BYTES,UNCORE_TOR_DRD_LATENCY_CLOCKS|UNC_M_CAS_COUNT:RD:box=0,1'
export UNCORE_REGIONS="$tmp/table"
run
if [ -e "$tmp/table" ] || [ -s "$tmp/err" ]; then
	fail "marks that are nothing do something"
fi
says out "^threads: 0 events, .* 0 calls" "without marks there are no events"
# shellcheck disable=SC2086
build marked ${CC:-cc} -std=gnu99

# ---- a header that is included without a mark needs no library ----

printf '#include <uncore_marker.h>\nint main(void) { return 0; }\n' >"$tmp/unused.c"
# shellcheck disable=SC2086
${CC:-cc} -std=gnu99 -O2 -I"$SRC/src" "$tmp/unused.c" -o "$tmp/unused" 2>"$tmp/err" ||
	fail "the header alone needs the library"

# ---- without the variables nothing is touched ----

(unset UNCORE_EVENTS UNCORE_REGIONS && UNCORE_MACHINE=nonsense "$program" >"$tmp/out" 2>"$tmp/err") ||
	fail "without variables"
[ ! -s "$tmp/err" ] || fail "without variables something is printed"

# ---- the table ----

run
says table "^SIMULATED Intel Xeon E5-2600" "the table has no machine"
says table "^region registered: 0 calls" "a registered region"
says table "^region threads: 3 calls" "a region of three threads"
says table "^region other file: 1 call" "a region of another file"
says table "^region reset: 0 calls, 0\.000000 s" "a region that was reset"
says table "[1-9][0-9]* .* bytes .*UNCORE_MEM_READ_BYTES" "counts"
says out "^threads: 2 events, first [1-9][0-9]*\.000000, second [0-9]*\.[0-9]*, .* s, 3 calls" "LIKWID_MARKER_GET"
# three threads that sleep side by side: their time is theirs once
for region in threads "other file"; do
	time=$(sed -n "s/^region $region: [0-9]* calls*, \([0-9.]*\) s.*/\1/p" "$tmp/table")
	took=$(sed -n "s/^$region took \([0-9.]*\) s/\1/p" "$tmp/out")
	awk -v time="$time" -v took="$took" 'BEGIN { exit !(time >= 0.005 && time <= took) }' ||
		fail "region $region: $time s, of $took s, in which it slept for 0.005 s"
done
grep -q child "$tmp/table" && fail "a child has a region"
(unset UNCORE_REGIONS && "$program" >"$tmp/out" 2>"$tmp/err")
says err "^region threads: 3 calls" "without UNCORE_REGIONS the table goes to standard error"
(unset UNCORE_EVENTS && "$program" >"$tmp/out" 2>"$tmp/err")
says table "UNCORE_MEM_WRITE_BYTES" "without UNCORE_EVENTS memory traffic is counted"
run exit
says table "^region threads: 3 calls" "a program that forgets LIKWID_MARKER_CLOSE"
run write "$tmp/early"
cmp -s "$tmp/early" "$tmp/table" || fail "LIKWID_MARKER_WRITE_FILE"

# ---- groups ----

run switch
says table "CAS_COUNT:RD:box=0_1" "the second group"
says out "^other file: 1 events, first [1-9][0-9]*" "a region of the second group"
[ "$(grep -c "^SIMULATED" "$tmp/table")" -eq 2 ] || fail "not a table for each group"

# ---- JSON ----

UNCORE_REGIONS=$tmp/table.json run switch
if command -v python3 >/dev/null; then
	python3 -c '
import json, sys
regions = [json.loads(line) for line in open(sys.argv[1])]
assert [r["region"] for r in regions] == ["registered", "threads", "other file", "reset", "other file"]
assert regions[1]["calls"] == 3 and len(regions[1]["counts"]) == 2 and regions[1]["simulated"]
' "$tmp/table.json" 2>"$tmp/err" || fail "JSON: $(cat "$tmp/table.json")"
else
	echo "not tried: there is no python3 to read JSON"
fi

# ---- what is wrong ----

run wrong
says err "region never begun ends but was not started" "an end without a begin"
says table "^region never ended: 1 call, .*; 1 not ended" "a region that does not end"
says err "invalid region name: expected 1 to" "a bad name"
UNCORE_EVENTS=UNC_M_CAS_COUNT:NONSENSE run
says err "regions are not counted: .*NONSENSE" "a wrong event"
for events in "A,|" "|" "$(printf '%0200d' 0)" \
	"$(printf 'UNC_M_CLOCKTICKS|%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)UNC_M_CLOCKTICKS" \
	"$(yes UNC_M_CLOCKTICKS, | head -n 129 | tr -d '\n')"; do
	UNCORE_EVENTS=$events run
	says err "^uncore: " "events $events"
done
UNCORE_MACHINE=nonsense run
says err "regions are not counted: .*nonsense" "a wrong machine"
UNCORE_REGIONS=$tmp/no/such/directory run
says err "$tmp/no/such/directory: No such file" "a file that cannot be made"
UNCORE_REGIONS=/dev/full run
says err "/dev/full: No space left" "a full disk"

# ---- C++ ----

if command -v "${CXX:-c++}" >/dev/null || command -v "${CXX##* }" >/dev/null; then
	printf '#include <uncore_marker.h>
int main() { LIKWID_MARKER_INIT; LIKWID_MARKER_START("c++"); LIKWID_MARKER_STOP("c++");
LIKWID_MARKER_CLOSE; return 0; }\n' >"$tmp/marked.cc"
	# shellcheck disable=SC2086
	${CXX:-c++} -std=c++98 -Wall -Wextra -pedantic -Werror -I"$SRC/src" "$tmp/marked.cc" -L"$BUILD" \
		-Wl,-rpath,"$BUILD" -luncore -o "$tmp/c++" 2>"$tmp/err" || fail "C++ 98"
	program=$tmp/c++
	run
	says table "^region c++: 1 call" "a program in C++"
else
	echo "not tried: there is no C++ compiler"
fi
exit "$failed"
