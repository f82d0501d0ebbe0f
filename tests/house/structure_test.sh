#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# structure_test.sh [-v] - which file uses which, by calls and data (from the objects) and by
# includes.  No circle of more than two files; no arrow against the direction of the folders;
# operations on registers are composed in src/lib/plan only; no name of a struct has two meanings;
# each source file says its licence; the make rules name no file that has gone; docs/design.md lists the folders
# in this order.  With -v: a line per folder, from the lowest layer up, with the folders it uses.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u
export LC_ALL=C # the order of names

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"

# The layers are the folders of src/lib, other folders of src with C, and events.  A folder may
# use those listed before it; daemon and command do not use each other.  events and sim use
# nothing: events describes the hardware independent of its users, and a simulated machine that used the
# library would confirm its errors.  src/sim/mount uses src/sim only.
order='events src src/lib/base src/sim src/sim/mount src/lib/hw src/lib/machine src/lib/device src/lib/event src/lib/plan
src/lib/count src/lib/claim src/lib/backend src/lib/set src/lib/inspect src/command src/daemon'

tmp=$(mktemp -d) || exit 1
drawn=0 # 1: docs/ and the sources differ
trap 'rm -rf "$tmp"' EXIT
cd "$SRC" || exit 1

# FILE U|D SYMBOL: what each object uses and defines, but for those of sources that have gone
(cd "$BUILD/obj" && find src events -name '*.o') |
	while read -r object; do
		[ -e "${object%.o}.c" ] && echo "$object"
	done |
	(cd "$BUILD/obj" && xargs nm -A) |
	awk '{
		file = substr($0, 1, index($0, ":") - 3) ".c"
		n = split(substr($0, index($0, ":") + 1), part, " ")
		if (n == 2 && part[1] == "U")
			print file, "U", part[2]
		if (n == 3 && part[2] ~ /^[TDBRVWC]$/)
			print file, "D", part[3]
	}' >"$tmp/symbols"
if [ "$(grep -c ' D ' "$tmp/symbols")" -lt 100 ]; then
	echo "there are no objects in $BUILD/obj: run make first"
	exit 1
fi

# FILE FILE: uses
awk '
	NR == FNR { if ($2 == "D") where[$3] = $1; next }
	$2 == "U" && $3 in where && where[$3] != $1 { print $1, where[$3] }
' "$tmp/symbols" "$tmp/symbols" | sort -u >"$tmp/calls"

# The same of includes.
sh src/build/rooms.sh includes >"$tmp/includes"

# ---- circles: files that include each other ----

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

# ---- command and daemon: public headers, and of the library's own what is for all folders, or the protocol ----

awk '$1 ~ /^src\/(command|daemon)\// && $2 ~ /^src\/lib\// && $2 !~ /^src\/lib\/(base|backend\/daemon)\// &&
	!($1 ~ /^src\/command\/selftest\// && $2 == "src/lib/backend/kernel/perf.h") { print $1 " includes " $2 }' \
	"$tmp/includes" >"$tmp/internal"
if [ -s "$tmp/internal" ]; then
	echo "command and daemon include internal headers of the library:"
	cat "$tmp/internal"
	drawn=1
fi

# ---- arrows between folders ----

cat "$tmp/calls" "$tmp/includes" | awk -v order="$order" '
	BEGIN {
		n = split(order, name, /[ \n]+/)
		for (i = 1; i <= n; i++)
			level[name[i]] = i
	}
	# src/lib/ROOM/..., src/ROOM/..., events/...; the public headers are in src itself.
	function folder(file,    part, n) {
		n = split(file, part, "/")
		if (part[1] != "src")
			return part[1]
		if (part[2] == "lib")
			return part[1] "/" part[2] "/" part[3]
		if (part[2] "/" part[3] == "sim/mount")
			return "src/sim/mount"
		return n == 2 ? part[1] : part[1] "/" part[2]
	}
	{
		a = folder($1)
		b = folder($2)
		if (!(a in level) || !(b in level))
			print "UP " $1 " or " $2 " is in a folder that is missing in the order"
		else if (a != b && (level[b] > level[a] || a == "src/sim" || a == "events" || a b == "src/daemonsrc/command" ||
				(a == "src/sim/mount" && b != "src/sim")))
			print "UP " $1 " uses " $2
		else if (a != b)
			print "ROOM " a " " b
	}' | sort -u >"$tmp/arrows"

if [ "${1:-}" = -v ]; then
	awk -v order="$order" '$1 == "ROOM" { to[$2] = to[$2] " " $3 }
		END {
			n = split(order, name, /[ \n]+/)
			for (i = 1; i <= n; i++)
				print name[i] (name[i] in to ? " ->" to[name[i]] : "")
		}' "$tmp/arrows"
fi
# The table in docs/design.md has a row for each of these folders, in the same order, and none for missing folders.
echo "$order" | tr ' ' '\n' >"$tmp/folders"
awk -F '`' '/^\| folder \|/ { inside = 1 }
	!NF { inside = 0 }
	inside && NF > 1 { sub(/^src\/uncore[.]h$/, "src", $2); sub(/\/$/, "", $2); print $2 }' docs/design.md >"$tmp/rows"
grep -xFf "$tmp/folders" "$tmp/rows" | cmp -s - "$tmp/folders" || {
	echo "the list of folders in docs/design.md differs from the layers:"
	grep -xFf "$tmp/folders" "$tmp/rows" | diff - "$tmp/folders"
	drawn=1
}
while read -r folder; do
	[ -d "$folder" ] || echo "$folder"
done <"$tmp/rows" >"$tmp/missing"
if [ -s "$tmp/missing" ]; then
	echo "docs/design.md lists missing folders:"
	cat "$tmp/missing"
	drawn=1
fi
sed -n 's/^UP //p' "$tmp/arrows" >"$tmp/up"
if [ -s "$tmp/circles" ]; then
	echo "more than two files use each other in a circle:"
	cat "$tmp/circles"
fi
if [ -s "$tmp/up" ]; then
	echo "against the direction of the folders:"
	cat "$tmp/up"
fi
find configure src events components examples tests -type f \
	\( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o -name '*.sh' -o -name configure \) \
	-exec grep -L 'SPDX-License-Identifier: ' {} + >"$tmp/unlicensed"
if [ -s "$tmp/unlicensed" ]; then
	echo "these say no licence in their first lines (SPDX-License-Identifier):"
	cat "$tmp/unlicensed"
fi
# Register writes are composed in src/lib/plan only: src/lib/hw carries them out, the command prints
# them, and src/sim answers them.
grep -rnE 'kind = [^=;]*UNCORE_(WRITE|RMW)|[(]struct unc_op[)] *[{]' --include='*.[ch]' src |
	grep -Ev '^src/(lib/plan|sim)/|^src/lib/machine/.*[(]struct unc_op[)]' >"$tmp/composed"
if [ -s "$tmp/composed" ]; then
	echo "operations on registers are composed outside src/lib/plan:"
	cat "$tmp/composed"
fi
# A rule for a file that has moved is silently a rule for nothing.  config.h is configure's.
grep -noE '(src|tests|components|events)/[A-Za-z0-9_/]+[.](c|cc|h|sh)' /dev/null src/build/rules.mk src/build/*/*.mk |
	while IFS=: read -r makefile line file; do
		[ -e "$file" ] || [ "$file" = src/config.h ] || echo "$makefile, line $line: $file"
	done >"$tmp/gone"
if [ -s "$tmp/gone" ]; then
	echo "the make rules name missing files:"
	cat "$tmp/gone"
fi
# A name of a struct means one thing.  The two of unc_lists are never in one build.
grep -rhoE '^struct unc_[a-z0-9_]+ \{' src/lib events | sort | uniq -d | grep -v '^struct unc_lists ' >"$tmp/doubled"
if [ -s "$tmp/doubled" ]; then
	echo "these names of structs have two meanings:"
	cat "$tmp/doubled"
fi
# tests/runner names a script by its file, and keeps its output by that name.
find tests -name '*_test.sh' | sed 's|.*/||' | sort | uniq -d >"$tmp/twice"
if [ -s "$tmp/twice" ]; then
	echo "these names of scripts are used twice:"
	cat "$tmp/twice"
fi
# tests/runner executes them.
find tests -name '*_test.sh' ! -perm -u+x >"$tmp/modes"
if [ -s "$tmp/modes" ]; then
	echo "these tests are not executable:"
	cat "$tmp/modes"
fi
sh src/build/rooms.sh picture | cmp - docs/pictures/rooms.svg || {
	echo "docs/pictures/rooms.svg is out of date: run make design"
	drawn=1
}
[ $drawn -eq 0 ] && [ ! -s "$tmp/circles" ] && [ ! -s "$tmp/up" ] && [ ! -s "$tmp/unlicensed" ] && [ ! -s "$tmp/composed" ] &&
	[ ! -s "$tmp/gone" ] && [ ! -s "$tmp/doubled" ] && [ ! -s "$tmp/twice" ] && [ ! -s "$tmp/modes" ]
