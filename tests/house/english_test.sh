#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# english_test.sh [-v | --lower] [PATH...] - wording that the project avoids (english_words) in comments,
# strings, documents and identifiers.  Each area has a limit (english_limits) that only falls.  A use that is
# justified is in english_allowed.
#
# Prints the lines of areas that exceed their limit; with -v, or of PATHs, all lines.  --lower writes
# the present counts to english_limits where they are lower.
#
# Expects SRC, the source directory, in the environment.

set -u
export LC_ALL=C # the order of names

: "${SRC:?the source directory}"
cd "$SRC" || exit 1
verbose=0 lower=0
case ${1:-} in
-v) verbose=1 && shift ;;
--lower) lower=1 && shift ;;
esac
[ $# -eq 0 ] || verbose=1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
house=tests/house
# shellcheck source=tests/house/limits.sh
. "$house/limits.sh"

# Recorded data and other projects' files are not the project's text.
find "${@:-.}" \( -path ./build -o -path ./.git -o -path '*/fuzz/corpus' -o -path '*tests/golden' -o \
	-path '*event/intel' -o -path '*event/published' -o -path '*tests/machines' \) -prune -o -type f \
	\( -name '*.[ch1-8]' -o -name '*.cc' -o -name '*.def' -o -name '*.md' -o -name '*.sh' -o -name '*.mk' \
	-o -name '*.py' -o -name '*.f90' -o -name '*.in' -o -name '*.conf' -o -name configure \) -print |
	sed 's|^\./||' | grep -v "^$house/english_\|^[^/]*build[^/]*/" | LC_ALL=C sort >"$tmp/files"

# AREA TAB KIND TAB FILE:LINE: TEXT TAB REMEDY
# shellcheck disable=SC2016
xargs awk '
	FILENAME ~ /english_words$/ {
		if (/^(word|begin|name) /) {
			kind = $1
			rule = substr($0, length(kind) + 2)
			at = index(rule, " => ")
			i = ++n[kind]
			pattern[kind, i] = kind == "name" ? "^(" substr(rule, 1, at - 1) ")$" : \
				"[^a-z0-9_](" substr(rule, 1, at - 1) ")[^a-z0-9_]"
			remedy[kind, i] = substr(rule, at + 4)
			any[kind] = any[kind] (i > 1 ? "|" : "") pattern[kind, i]
		}
		next
	}
	FILENAME ~ /english_allowed$/ {
		if (/^[^#]/) {
			at = index($0, ": ")
			allowed_in[++allowances] = substr($0, 1, at - 1)
			allowed[allowances] = substr($0, at + 2)
		}
		next
	}
	function report(kind, i,    k, area, part, text) {
		for (k = 1; k <= allowances; k++)
			if (allowed_in[k] == FILENAME && index($0, allowed[k]))
				return
		split(FILENAME, part, "/")
		area = FILENAME !~ /\// ? "." : part[1] == "src" ? (part[3] == "" ? "src" : "src/" part[2]) : part[1]
		text = $0
		gsub(/^[ \t]+|\t/, " ", text)
		printf("%s\t%s\t%s:%d:%s\t%s\n", area, kind == "name" ? "names" : "words", FILENAME, FNR, text, remedy[kind, i])
	}
	# The first pattern that matches.
	function which(kind, text,    i) {
		for (i = 1; i <= n[kind]; i++)
			if (text ~ pattern[kind, i])
				return i
		return 1
	}
	# A sentence begins with a capital letter; a line that does not may continue one.
	function sentences(text,    s, part, k, count) {
		if (index(text, "?") > 0)
			return 0
		count = split(text, part, /[.:!] +|"/)
		for (k = 1; k <= count; k++) {
			s = part[k]
			sub(/^[ *#\/-]+/, "", s)
			if (s ~ /^[A-Z]/ && (" " tolower(s) " ") ~ "^(" any["begin"] ")")
				return which("begin", " " tolower(s) " ")
		}
		return 0
	}
	function prose(text,    i, lower) {
		lower = " " tolower(text) " "
		gsub(/there (is|are|was|were) (no|none)[^a-z]/, "there ", lower)
		if (lower ~ any["word"])
			report("word", which("word", lower))
		else if ((i = sentences(text)) > 0)
			report("begin", i)
	}
	function identifier(token,    part, count, k) {
		count = split(token, part, "_")
		for (k = 1; k <= count; k++)
			if (part[k] ~ any["name"]) {
				report("name", which("name", part[k]))
				return 1
			}
		return 0
	}
	FNR == 1 { comment = 0 }
	FILENAME !~ /\.(c|h|cc|def)$/ { prose($0); next }
	{
		rest = $0
		text = ""
		found = 0
		while (rest != "") {
			if (comment) {
				i = index(rest, "*/")
				text = text (i ? substr(rest, 1, i - 1) : rest)
				rest = i ? substr(rest, i + 2) : ""
				comment = !i
				continue
			}
			if (!match(rest, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\/|[A-Za-z_][A-Za-z_0-9]*/))
				break
			token = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			if (token == "/*")
				comment = 1
			else if (token == "//") {
				text = text rest
				rest = ""
			} else if (token ~ /^"/)
				text = text " " (/^[ \t]*#[ \t]*include/ ? "" : token) " "
			else if (!found && token ~ /^[a-z]/ && token ~ /_|^(there|elsewhere|kept|tells?|told|spell|beside|nobody|somebody)$/)
				found = identifier(token)
		}
		if (text ~ /[a-z]/)
			prose(text)
	}' $house/english_words $house/english_allowed <"$tmp/files" >"$tmp/found"

cut -f 1,2 "$tmp/found" | sort | uniq -c | awk '{ print $2, $3, $1 }' >"$tmp/counts"
if [ $verbose -eq 1 ]; then
	awk -F '\t' '{ print $3 "  [" $4 "]" }' "$tmp/found"
	awk '{ n += $3 } END { print n + 0 " lines" }' "$tmp/counts"
	exit 0
fi
# A name or word that is back counts like a new one: the limits are those of the last time.
over_limits "$tmp/counts" $house/english_limits >"$tmp/over"
[ $lower -eq 0 ] || lower_limits "$tmp/counts" $house/english_limits
[ -s "$tmp/over" ] || exit 0
while read -r area kind now limit; do
	echo "$area: $now lines with $kind to avoid, the limit is $limit ($house/english_limits):"
	awk -F '\t' -v area="$area" -v kind="$kind" '$1 == area && $2 == kind { print "  " $3 "  [" $4 "]" }' "$tmp/found"
done <"$tmp/over"
exit 1
