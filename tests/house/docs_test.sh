#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# docs_test.sh - the commands in README.md and docs/ work, and print what is shown there.
#
# Commands that are run: in indented blocks and in those that begin with ```sh,
# - each line that begins with "$ uncore", "uncore" or "build/uncore", with or without variables
#   in front of it (NAME=VALUE), and its continuation lines, after "\" or "|";
# - in the pages of all_lines each line that begins with "$ ", whatever it calls.
# A line "export UNCORE_MACHINE=sim:..." holds for the rest of its page, where the lines that mark counts
# as simulated are left out. Where nothing names a machine it is sim:snbep. ./program is a program that
# takes a moment; a block of C whose first line is "/* NAME.c */" is that file. The text below a line with
# "$ " is its output, which has to be the same but for numbers and the width of blanks. Without output
# the exit status has to be 0.
#
# Each block in which nothing is run has to be in docs_blocks, with the reason.
#
# docs_test.sh -w PAGE...: writes the outputs into these pages instead of comparing them.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_VERBOSE UNCORE_ACCESS UNCORE_EVENT_FILES COLUMNS LD_LIBRARY_PATH
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0
ran=0
compared=0
left_out=0
all_lines='docs/getting-started.md docs/cookbook.md'

# Each group of LIKWID 5.4 for Xeons has an answer.
for group in BRANCH CACHE CACHES CBOX CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DDR_HBM DIVIDE ENERGY FALSE_SHARE FLOPS \
	FLOPS_AVX FLOPS_DP FLOPS_HP FLOPS_SP FLOPS_X87 FRONTEND_STALLS HA HBM HBM_CACHE HBM_DP HBM_HP HBM_OFFCORE HBM_SP \
	ICACHE L2 L2CACHE L3 L3CACHE MEM MEM_DP MEM_FREERUN MEM_HP MEM_SP NUMA PMM PORT_USAGE QPI RECOVERY SBOX SCHEDULER \
	SPECI2M TLB TLB_DATA TLB_INSTR TMA UNCORECLOCK UOPS UOPS_EXEC UOPS_ISSUE UOPS_RETIRE UOPS_STALLS UPI; do
	grep -q "^|.*\`$group\`" "$SRC/docs/coming-from.md" || {
		echo "FAILED: docs/coming-from.md does not have LIKWID's group $group"
		exit 1
	}
done

# Commands that are not run, by patterns of the whole line without its comment, and why.
cat >"$tmp/not_run" <<'END'
uncore top	a screen of its own, until q: tests/tools/screens_test.sh
uncore exporter	runs until it is ended: tests/exporter
uncore exporter --listen :19836	the same, on all addresses
uncore exporter --machine sim:*	the same
uncore exporter -e *	the same
uncore memory	prints a table every second until it is interrupted: tests/tools/channels_test.sh
uncore stat --multiplex -e *	counts until it is interrupted: tests/tools/stat_test.sh
uncore stat --json -i 10s *	counts until it is interrupted, for a program of LDMS
uncore explain -d 10	takes 10 s: tests/tools/explain_test.sh
uncore ceilings	measures this machine for a minute: refused on simulated ones
uncore stat -M roofline *	needs counters of cores, which no machine of the tests has: tests/tools/roofline_test.sh
uncore stat -g MEM_SP *	the same
uncore selftest	takes seconds: tests/tools/selftest_test.sh
uncore selftest --report *	the same
uncore selftest --json >*	the same
uncore plan NAME	a name has to be filled in
uncore allowlist >/dev/cpu/*	writes to a device of msr-safe
uncore sim mount *	needs FUSE, and mounts at a place of its own: tests/mount
uncore stat --share *	a monitoring group of a real kernel: tests/tools/who_test.sh
uncore exporter --by *	monitoring groups of a real kernel: tests/exporter/exporter_test.sh
uncore who *	processes of a mounted machine: tests/tools/who_test.sh
uncore record -o run.json *	samples for a minute what something else counts: tests/mount/mount_test.sh
uncore --machine file:run.json*	the same
UNCORE_SYSROOT=/tmp/xeon *	needs what is mounted there
END
no_programs=
command -v pkg-config >/dev/null || no_programs='there is no pkg-config'
command -v cc >/dev/null || no_programs='there is no cc'
grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk" && no_programs='the libraries are built with a sanitizer'
if [ -n "$no_programs" ]; then
	for pattern in 'cc *' ./count; do
		printf '%s\t%s\n' "$pattern" "$no_programs"
	done >>"$tmp/not_run"
fi

# commands PAGE ALL: $tmp/N.command, and N.shown if it has an output, N.line, for each command
commands() {
	awk -v dir="$tmp" -v all="$2" '
	function ours(text) {
		return text ~ /^(\$ )?([A-Z_]+=[^ ]* )*(build\/)?uncore( |$)/ ||
			text ~ /^(\$ )?export UNCORE_MACHINE=sim:/ || (all && text ~ /^\$ /)
	}
	function flush() {
		if (file != "")
			close(file)
		file = ""
		blanks = 0
	}
	/^```/ { shell = !fenced && $0 == "```sh"; fenced = !fenced; flush(); next }
	fenced && !shell { next }
	!fenced && !/^    / && NF > 0 { flush(); going_on = 0; next }
	{
		text = fenced ? $0 : substr($0, 5)
		sub(/^ +uncore/, "uncore", text)
		begins = !going_on && ours(text)
		if (begins) {
			flush()
			n++
			printf "%d\n", NR >(dir "/" n ".line")
			command = dir "/" n ".command"
			printf "" >command
			if (text ~ /^\$ /)
				file = dir "/" n ".shown"
			sub(/^\$ /, "", text)
		} else if (!going_on && text ~ /^\$ /)
			flush()
		if (begins || going_on) {
			print text >command
			going_on = text ~ /[\\|]$/
			if (!going_on)
				close(command)
		} else if (file != "" && NF == 0)
			blanks++
		else if (file != "") {
			for (; blanks > 0; blanks--)
				print "" >file
			print text >file
		}
	}' "$1"
}

# blocks PAGE: FIRST LAST TEXT, the lines of each block and how it begins
blocks() {
	awk '
	function flush() {
		if (first)
			print first, last, text
		first = 0
	}
	function line(is) {
		last = NR
		if (first)
			return
		first = NR
		text = is
		sub(/^ +/, "", text)
	}
	/^```/ { fenced = !fenced; if (fenced) { flush(); line($0) } else { last = NR; flush() } next }
	fenced { last = NR; next }
	/^    / && (first || empty) { line($0); next }
	{ empty = NF == 0 }
	NF > 0 { flush() }
	END { flush() }' "$1"
}

# Blocks of the page in which nothing is run.  The lines of those that were found in the list are kept,
# to see whether some are left over.
other_blocks() {
	cat "$tmp"/*.line 2>/dev/null | sort -n >"$tmp/lines"
	blocks "$SRC/$page" | while read -r first last text; do
		awk -v first="$first" -v last="$last" '$1 >= first && $1 <= last { is = 1 } END { exit !is }' \
			"$tmp/lines" && continue
		case $text in
		'```c') # a program that commands of this page compile and run
			sed -n "$((first + 1))p" "$SRC/$page" | grep -q '^/\* [a-z]*\.c' && continue
			;;
		esac
		awk -F '\t' -v page="$page" -v text="$text" '
			$1 == page && index(text, $2) == 1 { print; is = 1 } END { exit !is }' \
			"$SRC/tests/house/docs_blocks" >>"$tmp/listed" ||
			echo "FAILED: $page, line $first: nothing is run in this block, and docs_blocks has no reason: $text"
	done
}

# programs PAGE: the blocks of C that have a name
programs() {
	awk '
	/^```/ { file = ""; first = $0 == "```c"; next }
	first && match($0, /^\/\* [a-z]+\.c/) { file = substr($0, 4, RLENGTH - 3) }
	{ first = 0 }
	file != "" { print >file }' "$1"
}

# The numbers, the shades of a map and the width of blanks say nothing, nor does how busy this computer is.
alike() {
	sed -E '/^uncore: multiplexing in windows of .* no processor is idle /d
		s/[-.,:=+*#%@]{8,}/MAP/g; s/-?([0-9]{1,3}(,[0-9]{3})+|[0-9]+(\.[0-9]+)?)/N/g; s/[[:blank:]]+/ /g; s/ $//' "$1" |
		sed -e '/./,$!d' -e ':a' -e '/^\n*$/{$d;N;ba' -e '}'
}

fail() {
	echo "FAILED: $page, line $line: $(head -n 1 "$command"): $1"
	[ ! -s "$2" ] || sed 's/^/  /' "$2"
	failures=$((failures + 1))
}

# why_not: says why the command is not run, if it is not
why_not() {
	text=$(head -n 1 "$command" | sed 's/ *\(#.*\)*$//')
	while IFS='	' read -r pattern reason; do
		# shellcheck disable=SC2254
		case $text in
		$pattern)
			echo "not run: $page, line $line: $text: $reason"
			return 0
			;;
		esac
	done <"$tmp/not_run"
	return 1
}

# lengthened TIMES FILE: a command whose times are all longer, so that it has as many intervals
lengthened() {
	awk -v times="$1" '{
		text = ""
		while (match($0, /( -[dIi] ?|sleep )[0-9]+(\.[0-9]+)?/)) {
			time = substr($0, RSTART, RLENGTH)
			text = text substr($0, 1, RSTART - 1)
			$0 = substr($0, RSTART + RLENGTH)
			match(time, /[0-9]/)
			text = text substr(time, 1, RSTART - 1) substr(time, RSTART) * times
		}
		print text $0
	}' "$2"
}

# execute [FILE]: runs the command, or that file.  A page with a machine of its own does not repeat the mark of simulated counts.
execute() {
	sh "${1:-$command}" >"$out.all" 2>&1 </dev/null
	result=$?
	awk -v own="$own_machine" '
		own && /^(uncore: )?SIMULATED(.*: counts do not.*)?$/ { mark = 1; next }
		mark && /^describe a real machine$/ { next }
		{ if (!mark || NF > 0) print; mark = 0 }' "$out.all" >"$out"
	return "$result"
}

run() {
	out=${command%.command}.out
	shown=${command%.command}.shown
	line=$(cat "${command%.command}.line")
	if grep -q '^export ' "$command"; then
		machine=$(sed 's/ *#.*//; s/^export UNCORE_MACHINE=//' "$command")
		own_machine=yes
		return
	fi
	if why_not; then
		left_out=$((left_out + 1))
		return
	fi
	export UNCORE_MACHINE="$machine"
	execute
	status=$?
	ran=$((ran + 1))
	if [ $status -ge 126 ]; then
		fail "ended with $status" "$out"
	elif [ ! -e "$shown" ]; then
		[ $status -eq 0 ] || fail "exit status $status" "$out"
	elif [ -z "$write" ]; then
		compared=$((compared + 1))
		same_output || same_again || fail "shown (<) and printed (>) differ" "$tmp/diff"
	fi
}

same_output() {
	alike "$shown" >"$tmp/expected"
	alike "$out" >"$tmp/seen"
	diff "$tmp/expected" "$tmp/seen" >"$tmp/diff"
}

# same_again: what it prints in further runs.  On a busy computer an event may have had no turn, an interval be
# missing, or a paragraph say that the run was too short; of a longer run only the numbers differ.
same_again() {
	for times in 1 2 4 8 8; do
		lengthened $times "$command" >"$tmp/longer"
		PROGRAM_SECONDS=$(awk "BEGIN { print 0.05 * $times }")
		export PROGRAM_SECONDS
		execute "$tmp/longer"
		unset PROGRAM_SECONDS
		if same_output; then return; fi
	done
	return 1
}

# written PAGE: the page with the outputs of this run
written() {
	awk -v dir="$tmp" '
	function output(text) {
		while ((getline text <(dir "/" n ".out")) > 0)
			if (text != "" || !first) {
				print (text == "" ? "" : "    " text)
				first = 0
			}
	}
	BEGIN { while ((getline at[++last] <(dir "/lines")) > 0) ; n = 0 }
	NR == at[n + 1] {
		if (skipped)
			print ""
		n++; skipped = 0; going_on = 1; first = 1
	}
	going_on {
		print
		going_on = /[\\|]$/
		if (!going_on && /^    \$ /) {
			output()
			skipped = 1
		}
		next
	}
	skipped && (/^    [^$]/ || NF == 0) { next }
	skipped { print ""; skipped = 0 }
	{ print }' "$1"
}

# page NAME: all of its commands, in a directory of their own
page() {
	page=$1
	machine=sim:snbep
	own_machine=
	rm -f "$tmp"/*.command "$tmp"/*.shown "$tmp"/*.line "$tmp"/*.out
	case " $all_lines " in
	*" $page "*) commands "$SRC/$page" 1 ;;
	*) commands "$SRC/$page" "" ;;
	esac
	[ -n "$write" ] || other_blocks >>"$tmp/others"
	[ -e "$tmp/1.command" ] || return
	rm -rf "$tmp/here"
	mkdir "$tmp/here"
	cd "$tmp/here" || exit 1
	programs "$SRC/$page"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nsleep "${PROGRAM_SECONDS:-0.05}"\n' >program
	chmod +x program
	ln -s "$BUILD" build
	ln -s "$SRC/src" src
	ln -s "$SRC/examples" examples
	n=1
	while [ -e "$tmp/$n.command" ]; do
		command=$tmp/$n.command
		run
		n=$((n + 1))
	done
	if [ -n "$write" ]; then
		n=1
		while [ -e "$tmp/$n.line" ]; do
			cat "$tmp/$n.line"
			n=$((n + 1))
		done >"$tmp/lines"
		written "$SRC/$page" >"$tmp/page" && cp "$tmp/page" "$SRC/$page"
	fi
}

mkdir "$tmp/bin"
ln -s "$BUILD/uncore" "$tmp/bin/uncore"
PATH=$tmp/bin:$PATH
PKG_CONFIG_PATH=$BUILD
export PATH PKG_CONFIG_PATH

write=
if [ "${1-}" = -w ]; then
	write=yes
	shift
	for name; do
		page "$name"
	done
else
	for name in $(cd "$SRC" && echo README.md docs/*.md docs/reference/*.md docs/hardware/*.md); do
		page "$name"
	done
	grep -v '^#' "$SRC/tests/house/docs_blocks" | while read -r line; do
		grep -qxF -e "$line" "$tmp/listed" || echo "FAILED: docs_blocks: no block: $line"
	done >>"$tmp/others"
	cut -s -f 3 "$SRC/tests/house/docs_blocks" | grep -o 'tests/[a-z_/]*[a-z]\(\.sh\|\.cc\)\?' | sort -u |
		while read -r file; do
			[ -e "$SRC/$file" ] || echo "FAILED: docs_blocks: there is no $file"
		done >>"$tmp/others"
	cat "$tmp/others"
	failures=$((failures + $(grep -c . "$tmp/others")))
	echo "$ran commands were run, $compared of them compared with what is shown; $left_out were not run; $(wc -l <"$tmp/listed") blocks are" \
		"others' or are not commands (docs_blocks)"
	# It would find nothing if the rule and the pages no longer fitted.
	if [ $compared -lt 25 ]; then
		echo "FAILED: so few outputs were found"
		failures=$((failures + 1))
	fi
fi
[ $failures -eq 0 ]
