#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rows.sh LIST UNIT - the rows of a .def file for the events of a unit, from one of Intel's lists as
# tests/event/intel has them; docs/adding.md, "An event".
#
#	sh events/rows.sh tests/event/intel/gnr.list "UPI LL"
#
# With the word regular behind them, the rows of regular.def: what is not experimental.
#
# Each row has an empty text, which is to be written; umasks of one bit are UMASK, whether or not
# they can be joined.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ "${3:-regular}" != regular ] || [ ! -r "$1" ]; then
	echo "usage: sh events/rows.sh LIST UNIT [regular]; for example tests/event/intel/gnr.list PCU" >&2
	exit 2
fi

# A list after those that it is based on.
lists()
{
	base=$(sed -n 's/^base //p' "$1")
	if [ -n "$base" ]; then
		lists "$(dirname "$1")/$base"
	fi
	cat "$1"
}

lists "$1" | awk -v wanted="$2" -v regular="${3:-}" '
function prefix(marks)
{
	return marks ~ / d/ ? "X" : ""
}

# Hexadecimal digits as a number of a row; of a umask all but the last two, the code.
function number(digits)
{
	sub(/^0+/, "", digits)
	return "0x" (length(digits) < 2 ? substr("00", length(digits) + 1) digits : digits)
}

function umask_row(name,    digits, kind)
{
	digits = substr(control[name], 1, length(control[name]) - 2) "00"
	kind = digits ~ /^[1248]0*$/ && length(digits) <= 4 ? "UMASK" : "ALONE"
	return sprintf("\t%s%s(%s, %s, \"\")", prefix(marks[name]), kind, umask[name], number(digits))
}

/^base / { next }
/^- / { unit[$2] = ""; next }
/^\[/ { now = substr($0, 2, length($0) - 2); next }
$3 != "free" && $3 != "fixed" {
	if (!($1 in unit))
		names[n++] = $1
	unit[$1] = now
	control[$1] = length($2) < 3 ? substr("000", length($2) + 1) $2 : $2
	marks[$1] = " " substr($0, length($1) + length($2) + 3)
	dot = index($1, ".")
	event[$1] = dot ? substr($1, 1, dot - 1) : $1
	umask[$1] = dot ? substr($1, dot + 1) : "PLAIN"
	gsub(/\./, "_", umask[$1])
}
function print_regular(e,    k, words)
{
	for (k = 0; k < n; k++) {
		if (unit[names[k]] != wanted || event[names[k]] != e || marks[names[k]] ~ / x/)
			continue
		words = words " " (index(names[k], ".") ? umask[names[k]] : "")
		found = 1
	}
	if (found)
		printf("REGULAR(%s, \"%s\")\n", e, substr(words, 2))
	found = 0
}

END {
	for (i = 0; i < n; i++) {
		name = names[i]
		e = event[name]
		if (unit[name] != wanted || e in done)
			continue
		done[e] = 1
		if (regular) {
			print_regular(e)
			continue
		}
		rows = 0
		kind = "X"
		for (k = i; k < n; k++) {
			other = names[k]
			if (unit[other] != wanted || event[other] != e)
				continue
			rows++
			if (prefix(marks[other]) == "")
				kind = ""
		}
		code = rows == 1 && umask[name] == "PLAIN" ? control[name] \
			: substr(control[name], length(control[name]) - 1)
		printf("%sEVENT(%s, %s, 0, \"\")\n", kind, e, number(code))
		for (k = i; k < n; k++)
			if (unit[names[k]] == wanted && event[names[k]] == e && !(rows == 1 && umask[name] == "PLAIN"))
				print umask_row(names[k])
	}
}'
