#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# adding_test.sh - a metric is added as docs/adding.md says, by the rows that are printed there, in a
# copy of the sources: first it is counted by name only; with the fields of its row `uncore stat`,
# `uncore top` and the exporter show it, too.  Their previous output does not change.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck disable=SC2034 # for common
without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
tmp=$work
# shellcheck source=tests/support/exporter.sh
. "$SRC/tests/support/exporter.sh"
trap 'end_exporter -TERM; rm -rf "$work"' EXIT
"$BUILD/uncore" exporter --machine sim:none 2>&1 | grep -q 'built without' &&
	skip "the command was built without libmicrohttpd"
command -v curl >/dev/null || skip "there is no curl"
unset UNCORE_SYSROOT UNCORE_ACCESS UNCORE_DAEMON UNCORE_JOURNAL UNCORE_SHARE UNCORE_EVENT_FILES
export UNCORE_MACHINE=sim:snbep COLUMNS=200
failures=0
tree=$work/tree

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# block BEGINNING: of the section about metrics the rows that begin so, up to the next empty line
block() {
	sed -n '/^## A metric/,$p' "$SRC/docs/adding.md" | awk -v begins="$1" '
		{ text = $0; sub(/^ +/, "", text) }
		!found && /^       / && index(text, begins) == 1 { found = 1 }
		found && NF == 0 { exit }
		found { print text }'
}

# insert FILE PATTERN: what is read, before the first line of the source's file with the pattern
insert() {
	awk -v pattern="$2" -v file="$work/rows" '
		!done && index($0, pattern) {
			while ((getline line <file) > 0)
				print line
			done = 1
		}
		{ print }' "$SRC/$1" >"$tree/$1"
}

# ---- the rows of the page ----

row=$(block 'METRIC(')
recipe=$(block 'RECIPE(')
fields=$(block 'GROUP(')
for text in "$row" "$recipe" "$fields"; do
	[ -n "$text" ] ||
		fail "docs/adding.md, \"A metric\": a row, a recipe or the fields are missing"
done
metric=UNCORE_$(echo "$row" | sed -n 's/^METRIC(\([A-Z_]*\),.*/\1/p')
event=$(echo "$recipe" | sed -n 's/.*ABOVE(64, "\(.*\)").*/\1/p')
label=$(echo "$fields" | sed -n 's/.*COLUMN("\([^"]*\)".*/\1/p')
family=uncore_$(echo "$fields" | sed -n 's/^FAMILY(\([a-z_]*\),.*/\1/p')
[ $failures -eq 0 ] || exit 1
"$BUILD/uncore" list --metrics | grep -qw "$metric" &&
	fail "there is a $metric already: docs/adding.md needs another example"

# build WHAT: the command, from the copy
build() {
	step "$1" make -C "$tree" SRC=. B=build -f build/config.mk -f src/build/rules.mk \
		build/uncore
	tool=$tree/build/uncore
}

# show WHEN: what the three show by now, in $work/*.WHEN
show() {
	"$tool" stat -M memory -d 0.05 >"$work/stat.$1" 2>&1 || fail "stat: $(cat "$work/stat.$1")"
	"$tool" top --once -i 100 >"$work/top.$1" 2>&1 || fail "top: $(cat "$work/top.$1")"
	start_exporter --group memory || fail "exporter: $(cat "$work/exporter.err")"
	fetch /metrics || fail "the exporter does not answer"
	cp "$work/page" "$work/page.$1"
	end_exporter -TERM
}

mkdir -p "$tree/build/src"
for name in src components events; do
	cp -R "$SRC/$name" "$tree/"
done
mkdir "$tree/tests" && cp -R "$SRC/tests/lab" "$tree/tests/"
cp "$BUILD/config.mk" "$tree/build/" && cp "$BUILD/src/config.h" "$tree/build/src/"

# ---- a row and a recipe ----

echo "$row" >"$work/rows"
insert events/metrics/vocabulary.def 'METRIC(MCDRAM_READ_BYTES'
echo "$recipe" >"$work/rows"
insert events/snbep/metrics.c RECIPES_END
build "make with a row and a recipe"
"$tool" list --metrics | grep -qw "$metric" || fail "uncore list --metrics lacks $metric"
"$tool" stat -x , -M "$metric" -e "$event" -d 0.05 >"$work/counts" 2>&1
awk -F , -v metric="$metric" '$3 == metric { bytes = $1 } $3 != metric { lines += $1 }
	END { exit !(lines > 0 && bytes == 64 * lines) }' "$work/counts" ||
	fail "$metric is not 64 times $event: $(cat "$work/counts")"
show before
for shown in stat top page; do
	if grep -q "$metric\|$label\|$family" "$work/$shown.before"; then
		fail "no field says so, but it shows $metric: $(cat "$work/$shown.before")"
	fi
done

# ---- its fields ----

# The last parenthesis of the row is behind its fields.
printf '%s,\n%s\n' "${row%)}" "$fields" >"$work/rows"
insert events/metrics/vocabulary.def 'METRIC(MCDRAM_READ_BYTES'
build "make with the fields"
show after
grep -qw "$metric" "$work/stat.after" || fail "stat -M lacks $metric: $(cat "$work/stat.after")"
grep -q "$label" "$work/top.after" || fail "top lacks a column $label: $(cat "$work/top.after")"
grep -q "^  $label, " "$work/top.after" || fail "top lacks its channels: $(cat "$work/top.after")"
for package in 0 1; do
	grep -q "^${family}_total{package=\"$package\"} [1-9]" "$work/page.after" ||
		fail "the exporter lacks $family of package $package: $(cat "$work/page.after")"
done

# names FILE: what the exporter's answer has, or what stat shows
names() {
	grep -ow "UNCORE_[A-Z_]*\|^uncore_[^ ]*" "$1" | grep -v "$metric\|^$family"
}

for shown in stat page; do
	names "$work/$shown.before" >"$work/names"
	[ -s "$work/names" ] || fail "nothing else is shown: $(cat "$work/$shown.before")"
	names "$work/$shown.after" | diff "$work/names" - || fail "the others of $shown are not what they were"
done

[ $failures -eq 0 ]
