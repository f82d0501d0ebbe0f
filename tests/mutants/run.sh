#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mutants/run.sh [TEXT...] - build each mutant of tests/mutants/list and run the tests that should
# fail: those of its folder, and if all of these pass, all.  Prints which mutants live.  With TEXT,
# only mutants whose file or description contains one of them.
#
# mutants/run.sh --rooms FILE - the folders of tests/ that should notice changes of a file
#
# mutants/run.sh --stale - print the mutants whose lines the sources do not have, or have twice
#
# Expects SRC and BUILD in the environment, and the unit test program built.  Works on a copy of the
# sources below BUILD/mutants.

set -u

: "${SRC:?the source directory}" "${BUILD:?the build directory}"
work=$BUILD/mutants
tree=$work/tree
list=$SRC/tests/mutants/list
limit=300
trap 'exit 130' INT TERM

fail() {
	echo "mutants: $*" >&2
	exit 2
}

# ---- the copy ----

copy() {
	mkdir -p "$tree/build/src" "$tree/build/tests"
	for name in src components events tests docs configure README.md CHANGELOG.md examples; do
		rm -rf "${tree:?}/$name"
		cp -Rp "$SRC/$name" "$tree/" || fail "cannot copy $name"
	done
	cp -p "$BUILD/config.mk" "$tree/build/"
	cp -p "$BUILD/src/config.h" "$tree/build/src/"
	rm -rf "$tree/build/obj"
	cp -Rp "$BUILD/obj" "$tree/build/"
	for name in uncore uncored libuncore.a libuncore.so; do
		[ ! -e "$BUILD/$name" ] || cp -p "$BUILD/$name" "$tree/build/"
	done
}

# build TARGET...: in the copy, with the output in $work/make
build() {
	make -s -C "$tree" SRC=. B=build -f build/config.mk -f src/build/rules.mk "$@" \
		>"$work/make" 2>&1
}

# ---- mutants ----

# split: a file in $parts for each
split() {
	parts=$(mktemp -d) || fail "no directory for the mutants"
	trap 'rm -rf "$parts"' EXIT
	awk -v parts="$parts" 'BEGIN { RS = "" } !/^#!/ { file = parts "/" sprintf("%04d", ++n); print >file; close(file) }' "$list"
}

# mutate FILE <MUTANT: replace the lines that begin with - by those with +; blanks at the beginning
# of a line do not matter.  Fails unless there is exactly one such place.
mutate() {
	awk -v file="$1" '
		function bare(text) { sub(/^[ \t]+/, "", text); return text }
		FILENAME == "-" {
			if (/^- ?/) old[++n_old] = bare(substr($0, 2))
			if (/^[+] ?/) new[++n_new] = bare(substr($0, 2))
			next
		}
		{ line[++n] = $0 }
		END {
			for (i = 1; i <= n - n_old + 1; i++) {
				for (k = 1; k <= n_old && bare(line[i + k - 1]) == old[k]; k++)
					;
				if (k > n_old) {
					found++
					at = i
				}
			}
			if (found != 1)
				exit 1
			for (i = 1; i <= n; i++)
				if (i == at) {
					for (k = 1; k <= n_new; k++)
						print new[k]
					i += n_old - 1
				} else
					print line[i]
		}' - "$1"
}

# ---- tests ----

# rooms FILE: the folders of tests/ whose tests should notice
rooms() {
	case $1 in
	src/lib/claim/*) echo claim set ;;
	src/lib/plan/place.c) echo plan claim ;;
	src/lib/plan/*) echo plan set golden ;;
	src/lib/hw/*) echo hw machine mount ;;
	src/lib/count/*) echo count set ;;
	src/lib/event/*) echo event perf ;;
	src/lib/backend/daemon*) echo daemon backend ;;
	src/lib/backend/*) echo backend set ;;
	src/lib/set/*) echo set region claim ;;
	src/lib/inspect/*) echo perf record region doctor ;;
	src/lib/base/*) echo event set command ;;
	src/lib/*) echo machine record ;;
	src/sim/mount/*) echo mount ;;
	src/sim/*) echo sim set ;;
	src/command/base/*) echo command ;;
	src/command/*) echo "$1" | sed 's|src/command/\([a-z]*\).*|\1|' ;;
	src/daemon/*) echo daemon ;;
	components/*) echo papi ;;
	events/*) echo house event golden machine set ;;
	*) fail "no tests are known for $1" ;;
	esac
}

# filter <ROOMS: Google Test's pattern for their suites
filter() {
	tr ' ' '\n' | while read -r room; do
		cat "$SRC/tests/$room"/*_test.cc 2>/dev/null
	done | sed -nE 's/^TEST(_F|_P)?\(([A-Za-z0-9_]+),.*/\2/p' | sort -u |
		awk '{ printf "%s%s.*:*/%s.*", (NR > 1 ? ":" : ""), $1, $1 }'
}

# program FILE: the test program that contains it
program() {
	case $1 in
	components/*) echo papi_calls ;;
	*) echo unit ;;
	esac
}

# try_papi: true if PAPI's tests pass; one process, since they measure their own CPU time
try_papi() {
	SRC=$SRC BUILD=$tree/build timeout -k 5 "$limit" "$tree/build/tests/papi_calls" \
		--gtest_fail_fast >"$work/out.0" 2>&1 </dev/null
}

# try FILTER: run them in two processes; true if all pass
try() {
	pids="" passed=true
	for shard in 0 1; do
		SRC=$SRC BUILD=$tree/build GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$shard \
			timeout -k 5 "$limit" "$tree/build/tests/unit" --gtest_fail_fast \
			--gtest_filter="$1" >"$work/out.$shard" 2>&1 </dev/null &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid" || passed=false
	done
	$passed
}

# passes FILE: true if no test notices a mutant of it
passes() {
	rm -f "$work"/out.?
	if [ "$(program "$1")" = papi_calls ]; then
		try_papi
	else
		try "$(rooms "$1" | filter)" && try '*'
	fi
}

# by: the test that failed first
by() {
	cat "$work"/out.? | sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' | head -n 1 | grep . || echo "a crash"
}

# ---- run ----

# stale: the exit status is 1 if one is
stale() {
	all=true
	for one in "$parts"/*; do
		{ read -r what && read -r file; } <"$one"
		mutate "$SRC/$file" <"$one" >/dev/null 2>&1 && continue
		echo "stale   $file: ${what#\# }"
		all=false
	done
	$all
}

case ${1-} in
--rooms)
	rooms "$2"
	exit
	;;
--stale)
	split
	stale
	exit
	;;
esac
[ -x "$BUILD/tests/unit" ] || fail "build the tests first: make build/tests/unit"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_WRAP_POLLER UNCORE_FORCE UNCORE_VERBOSE
# The make that called this has no jobs for the one in here.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
copy
build build/tests/unit || { cat "$work/make"; fail "the copy is not built"; }
split
killed=0 alive=0 stale=0
for one in "$parts"/*; do
	{ read -r what && read -r file; } <"$one"
	what=${what#\# }
	if [ $# -gt 0 ]; then
		wanted=false
		for text; do
			case "$file $what" in *"$text"*) wanted=true ;; esac
		done
		$wanted || continue
	fi
	if ! mutate "$SRC/$file" <"$one" >"$work/mutated"; then
		echo "stale   $file: $what"
		stale=$((stale + 1))
		continue
	fi
	cp "$work/mutated" "$tree/$file"
	if ! build "build/tests/$(program "$file")"; then
		echo "invalid $file: $what: not compiled"
		stale=$((stale + 1))
	elif passes "$file"; then
		echo "LIVES   $file: $what"
		alive=$((alive + 1))
	else
		echo "killed  $file: $what ($(by))"
		killed=$((killed + 1))
	fi
	cp "$SRC/$file" "$tree/$file"
done
echo "$killed killed, $alive live, $stale stale"
[ "$alive" -eq 0 ] && [ "$stale" -eq 0 ]
