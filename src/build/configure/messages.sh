# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# messages.sh - messages of configure: part of ../../configure.

# wrap WIDTH FIRST NEXT TEXT: print the words of TEXT in lines of at most WIDTH columns, the
# first one after FIRST, the others after NEXT.  Text without spaces is not broken.
wrap() {
	printf '%s\n' "$4" | awk -v width="$1" -v first="$2" -v next_="$3" '
	{
		line = first
		empty = 1
		for (i = 1; i <= NF; i++) {
			if (!empty && length(line) + 1 + length($i) > width) {
				print line
				line = next_
				empty = 1
			}
			line = line (empty ? "" : " ") $i
			empty = 0
		}
		print line
	}'
}

# die SENTENCE [LINES]: print both and exit; LINES are not wrapped
die() {
	wrap 80 "configure: " "  " "$1" >&2
	[ $# -lt 2 ] || printf '%s\n' "$2" >&2
	exit 1
}

# near PATH: print it relative to this directory if that is shorter
near() {
	case $1 in
	"$there"/*)
		[ "$build" = . ] || printf '%s/' "$build"
		printf '%s' "${1#"$there"/}"
		;;
	*) printf '%s' "$1" ;;
	esac
}

# result WHAT RESULT: one aligned line per check
result() {
	wrap 80 "$(printf '%-26s' "$1")" "$(printf '%-26s' '')" "$2" | tee -a "$log"
}

# run COMMAND...: run it with its output in the log
run() {
	echo "+ $*" >>"$log"
	"$@" >>"$log" 2>&1
}
