#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rows.sh LIST UNIT - the rows of a .def file for the events of a unit, from one of Intel's lists as
# tests/event/intel has them; docs/adding.md, "An event".
#
#	sh events/rows.sh tests/event/intel/gnr.list.gz "UPI LL"
#
# Rows are REGULAR if the list has experimental ones, too.  Each row has an empty text, which is to be
# written; umasks of one bit are UMASK, whether or not they can be joined.
set -eu

if [ $# -ne 2 ] || [ ! -r "$1" ]; then
	echo "usage: sh events/rows.sh LIST UNIT; for example tests/event/intel/gnr.list.gz PCU" >&2
	exit 2
fi

# A list, compressed or not.
text()
{
	gzip -dcf "$1"
}

# A list after those that it is based on, which are compressed if it is.
lists()
{
	base=$(text "$1" | sed -n 's/^base //p')
	if [ -n "$base" ]; then
		case $1 in *.gz) base=$base.gz ;; esac
		lists "$(dirname "$1")/$base"
	fi
	text "$1"
}

lists "$1" | awk -v wanted="$2" '
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
	return sprintf("\t%s%s(%s, %s, \"\"%s)", prefix(marks[name]), kind, umask[name], number(digits), regular(marks[name] ~ / x/))
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
	two_lists = two_lists || marks[$1] ~ / x/
	dot = index($1, ".")
	event[$1] = dot ? substr($1, 1, dot - 1) : $1
	umask[$1] = dot ? substr($1, dot + 1) : "PLAIN"
	gsub(/\./, "_", umask[$1])
}

# Experimental events are marked if there is a list of them.
function regular(experimental)
{
	return two_lists && !experimental ? ", REGULAR" : ""
}

END {
	for (i = 0; i < n; i++) {
		name = names[i]
		e = event[name]
		if (unit[name] != wanted || e in done)
			continue
		done[e] = 1
		rows = 0
		kind = "X"
		experimental = 1
		for (k = i; k < n; k++) {
			other = names[k]
			if (unit[other] != wanted || event[other] != e)
				continue
			rows++
			if (marks[other] !~ / x/)
				experimental = 0
			if (prefix(marks[other]) == "")
				kind = ""
		}
		code = rows == 1 && umask[name] == "PLAIN" ? control[name] \
			: substr(control[name], length(control[name]) - 1)
		printf("%sEVENT(%s, %s, 0, \"\"%s)\n", kind, e, number(code), regular(experimental))
		for (k = i; k < n; k++)
			if (unit[names[k]] == wanted && event[names[k]] == e && !(rows == 1 && umask[name] == "PLAIN"))
				print umask_row(names[k])
	}
}'
