#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# add.sh [REPORT...] - add reports of `uncore selftest --report` on real machines to this folder, and
# write the table of README.md here and the column "on hardware" of the project's README.md.
#
# Refuses reports of simulated machines and files without the results of a self-test.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
readme=$here/../../README.md

# The platforms of each row of the table of processors.
rows='nhmex,wsmex snbep ivbep hswep,bdx skx icx knl spr,emr gnr,srf,cwf dmr discovered'

die() {
	echo "add.sh: $*" >&2
	exit 1
}

# member NAME FILE: the first value of that name
member() {
	sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\).*/\1/p" "$2" | head -n 1
}

# results STATE FILE: the number of checks that ended so
results() {
	grep -c "\"state\": *\"$1\"" "$2" || :
}

add() {
	[ -f "$1" ] || die "$1: no such file"
	grep -q '"selftest": *{' "$1" || die "$1: not a report of uncore selftest --report"
	[ "$(member simulated "$1")" = false ] || die "$1: from a simulated machine: only real ones count here"
	platform=$(member platform "$1")
	case ",$(echo "$rows" | tr ' ' ,)," in
	*",$platform,"*) ;;
	*) die "$1: unknown platform \"$platform\"" ;;
	esac
	for known in "$here"/*.json; do
		! cmp -s "$known" "$1" || die "$1: already here, as ${known##*/}"
	done
	n=1
	while [ -e "$here/$platform-$n.json" ]; do
		n=$((n + 1))
	done
	cp "$1" "$here/$platform-$n.json"
	echo "added $platform-$n.json"
}

# The reports, as rows of a table.
reports() {
	for report in "$here"/*.json; do
		[ -e "$report" ] || continue
		echo "| [${report##*/}](${report##*/}) | $(member family "$report"), $(member model "$report")," \
			"$(member stepping "$report") | $(member version "$report") | $(results PASS "$report") |" \
			"$(results WARN "$report") | $(results FAIL "$report") | $(results SKIP "$report") |"
	done
}

# verdict PLATFORM,...: what the column says
verdict() {
	n=0
	failed=0
	for platform in $(echo "$1" | tr , ' '); do
		for report in "$here/$platform"-*.json; do
			[ -e "$report" ] || continue
			n=$((n + 1))
			[ "$(results FAIL "$report")" -eq 0 ] || failed=$((failed + 1))
		done
	done
	case $n,$failed in
	0,*) echo 'not yet' ;;
	1,0) echo '[1 report](docs/verified/README.md)' ;;
	*,0) echo "[$n reports](docs/verified/README.md)" ;;
	*) echo "[$n with $failed failed](docs/verified/README.md)" ;;
	esac
}

# replace FILE: by standard input, if it differs
replace() {
	cat >"$1.new"
	cmp -s "$1.new" "$1" || cp "$1.new" "$1"
	rm "$1.new"
}

write_table() {
	table=$(reports)
	{
		sed '/^| report |/,$d' "$here/README.md"
		echo '| report | family, model, stepping | version | passed | warned | failed | skipped |'
		echo '|---|---|---|---|---|---|---|'
		echo "${table:-| none yet | | | | | | |}"
	} | replace "$here/README.md"
}

write_column() {
	for row in $rows; do
		verdict "$row"
	done >"$here/column.new"
	awk -v column="$here/column.new" '
		/^\| processor \| boxes \|/ { inside = 1; print; next }
		inside && /^\|---/ { print; next }
		inside && /^\|/ {
			getline cell <column
			sub(/[^|]*\|$/, " " cell " |")
		}
		inside && !/^\|/ { inside = 0 }
		{ print }' "$readme" | replace "$readme"
	rm "$here/column.new"
}

for report in "$@"; do
	add "$report"
done
write_table
write_column
