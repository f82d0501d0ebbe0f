#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# structure_test.sh [-v] - which file uses which, by calls and data (from the objects) and by
# includes.  No circle of more than two files; no arrow against the direction of the rooms;
# operations on registers are composed in src/plan only; each source file says its licence.  With -v the drawing: a line for each room and what
# it uses.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"

# A room may use those with a smaller number.  machine and regs use each other: a box is
# found by reading registers, a register file by what is known of CPUs and PCI devices.  events
# and sim use nothing: the one is what the hardware is, whoever asks, and a simulated machine
# that knew the library would confirm its errors.
rooms='
src/tools	14
src/mount	13
src/doctor	13
src/selftest	13
src/load	13
src/top	13
src/draw	13
src/exporter	13
src/daemon	13
src/command	12
src/session	12
src/mux	11
src/run	10
src/share	9
src/count	9
src/region	9
src/plan	8
src/perf	8
src/event	7
src/record	6
src/machine	6
src/regs	5
src/topology	4
src/sim	3
src/access	3
events	2
src	1
'

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$SRC" || exit 1

# FILE U|D SYMBOL: what each object uses and defines
for object in $(cd "$BUILD/obj" && find src events -name '*.o'); do
	[ -e "${object%.o}.c" ] || continue # of a source that has gone
	nm "$BUILD/obj/$object" | awk -v file="${object%.o}.c" '
		NF == 2 && $1 == "U" { print file, "U", $2 }
		NF == 3 && $2 ~ /^[TDBRVWC]$/ { print file, "D", $3 }'
done >"$tmp/symbols"
if [ "$(grep -c ' D ' "$tmp/symbols")" -lt 100 ]; then
	echo "there are no objects in $BUILD/obj: run make first"
	exit 1
fi

# FILE FILE: uses
awk '
	NR == FNR { if ($2 == "D") where[$3] = $1; next }
	$2 == "U" && $3 in where && where[$3] != $1 { print $1, where[$3] }
' "$tmp/symbols" "$tmp/symbols" | sort -u >"$tmp/calls"

# The same of includes; headers are looked for as the compiler does.
grep -rEo '^#include "[^"]+"' --include='*.[ch]' src events | while IFS=: read -r file line; do
	name=${line#*\"}
	name=${name%\"}
	for dir in "${file%/*}" src events; do
		if [ -e "$dir/$name" ]; then
			echo "$file $dir/$name"
			break
		fi
	done
done >"$tmp/includes"

# ---- circles: who can be reached from whom and back ----

awk '
	{ uses[$1] = uses[$1] " " $2; files[$1]; files[$2] }
	function walk(from, to,    list, n, i) {
		n = split(uses[to], list)
		for (i = 1; i <= n; i++)
			if (!((from, list[i]) in reach)) {
				reach[from, list[i]]
				walk(from, list[i])
			}
	}
	END {
		for (f in files)
			walk(f, f)
		for (f in files) {
			circle = ""
			n = 0
			for (g in files)
				if (f != g && (f, g) in reach && (g, f) in reach) {
					circle = circle " " g
					n++
				}
			if (n > 1)
				print f " is in a circle with" circle
		}
	}' "$tmp/calls" >"$tmp/circles"

# ---- arrows between rooms ----

cat "$tmp/calls" "$tmp/includes" | awk -v rooms="$rooms" '
	BEGIN {
		n = split(rooms, line, "\n")
		for (i = 1; i <= n; i++)
			if (split(line[i], part, "\t") == 2)
				level[part[1]] = part[2]
	}
	# The longest room that a file is in.
	function room(file) {
		while (sub(/\/[^\/]*$/, "", file))
			if (file in level)
				return file
		return "?"
	}
	{
		a = room($1)
		b = room($2)
		if (a == "?" || b == "?")
			print "UP " $1 " or " $2 " is in no room"
		else if (a != b && (level[b] > level[a] || a == "src/sim" || a == "events"))
			print "UP " $1 " uses " $2
		else if (a != b)
			print "ROOM " a " " b
	}' | sort -u >"$tmp/arrows"

if [ "${1:-}" = -v ]; then
	awk '$1 == "ROOM" { to[$2] = to[$2] " " $3 }
		END { for (r in to) print r " ->" to[r] }' "$tmp/arrows" | sort
fi
sed -n 's/^UP //p' "$tmp/arrows" >"$tmp/up"
if [ -s "$tmp/circles" ]; then
	echo "more than two files use each other in a circle:"
	cat "$tmp/circles"
fi
if [ -s "$tmp/up" ]; then
	echo "against the direction of the rooms:"
	cat "$tmp/up"
fi
find configure src events components examples tests -type f \
	\( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o -name '*.sh' -o -name configure \) \
	-exec grep -L 'SPDX-License-Identifier: ' {} + >"$tmp/unlicensed"
if [ -s "$tmp/unlicensed" ]; then
	echo "these say no licence in their first lines (SPDX-License-Identifier):"
	cat "$tmp/unlicensed"
fi
# What writes a register is composed in src/plan, and looked at in regs, where it is carried
# out, and in tools, where it is printed.  src/sim answers and does not write.
grep -rnE 'kind = [^=;]*UNCORE_(WRITE|RMW)|[(]struct unc_op[)] *[{]' --include='*.[ch]' src |
	grep -Ev '^src/(plan|sim)/|^src/machine/.*[(]struct unc_op[)]' >"$tmp/composed"
if [ -s "$tmp/composed" ]; then
	echo "operations on registers are composed outside src/plan:"
	cat "$tmp/composed"
fi
[ ! -s "$tmp/circles" ] && [ ! -s "$tmp/up" ] && [ ! -s "$tmp/unlicensed" ] && [ ! -s "$tmp/composed" ]
