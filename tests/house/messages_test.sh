#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# messages_test.sh [-v | --lower] - the form of every message (make messages): it begins in lower case or
# with a name, has no full stop at the end, no control characters, at most 200 characters, and none
# of the wording in english_words.  Each area has a limit of exceptions (messages_limits) that only falls.
#
# Prints the messages of areas that exceed their limit; with -v, all.  --lower writes lower counts.
#
# Expects SRC, the source directory, in the environment.

set -u
export LC_ALL=C # the order of names

: "${SRC:?the source directory}"
cd "$SRC" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
house=tests/house
# shellcheck source=tests/house/limits.sh
. "$house/limits.sh"

sh src/build/messages.sh >"$tmp/messages" || exit 1
for area in library command daemon component simulator configure scripts; do
	cut -f 2 "$tmp/messages" | grep -qx "$area" || { echo "no message of the area $area was found" && exit 1; }
done
if [ "$(wc -l <"$tmp/messages")" -lt 800 ]; then
	echo "src/build/messages.sh found only $(wc -l <"$tmp/messages") messages"
	exit 1
fi

# A message names a document by its installed path (base/documents.h), and help by a manual page.
for document in $(sed -n 's|^#define UNC_DOC_[A-Z]* *UNCORE_DOC_DIR "/\(.*\)"$|\1|p' src/lib/base/documents.h); do
	[ -f "docs/$document" ] || { echo "FAILED: messages cite docs/$document, which does not exist" && exit 1; }
done
if cut -f 1,2,4 "$tmp/messages" | awk -F '\t' '$2 !~ /configure|scripts/' | grep -E '(docs/|[( ])[a-z/_-]+\.md' |
	grep -v '/usr/share/doc/uncore/'; then
	echo "FAILED: messages cite documents by a path of the sources: use a macro of base/documents.h"
	exit 1
fi

# Errors and warnings are whole sentences; other texts may be parts of one, or help.
# shellcheck disable=SC2016
awk -F '\t' '
	FILENAME ~ /english_words$/ {
		if (/^word /) {
			rule = substr($0, 6)
			sub(/ => .*/, "", rule)
			words = words (words == "" ? "" : "|") rule
		}
		next
	}
	function fault(why) {
		printf("%s\t%s: %s  [%s]\n", $2, $1, $4, why)
	}
	{
		text = $4
		sub(/(\\n)+$/, "", text)
		lower = " " tolower(text) " "
		gsub(/there (is|are|was|were) (no|none)[^a-z]/, "there ", lower)
		if (lower ~ "[^a-z0-9_](" words ")[^a-z0-9_]")
			fault("wording")
		# The help of a command separates its options from their texts by tabs.
		if (text ~ /\\[abefrtvx0-9]/ && text !~ /\\n--?[a-z]/ && $3 !~ /printf|puts|print|svg/)
			fault("control character")
		if ($3 !~ /^(UNCORE_|unc_fail|unc_list_fail|fail|refuse|wrong|warn|die)/)
			next
		if (text ~ /\\n/)
			fault("control character")
		if (length(text) > 200)
			fault("longer than 200 characters")
		if (text ~ /[^.]\.$/)
			fault("full stop")
		# Names have further capitals, digits or marks (UBox, CPUID, Intel'\''s), or are listed here.
		first = text
		sub(/[ :;,].*/, "", first)
		if (first ~ /^[A-Z][a-z]*$/ && first !~ /^(Intel|Linux)$/)
			fault("begins with a capital letter")
	}' $house/english_words "$tmp/messages" | LC_ALL=C sort -u >"$tmp/found"

if [ "${1:-}" = -v ]; then
	cut -f 2- "$tmp/found"
	wc -l <"$tmp/found"
	exit 0
fi
cut -f 1 "$tmp/found" | sort | uniq -c | awk '{ print $2, $1 }' >"$tmp/counts"
over_limits "$tmp/counts" $house/messages_limits >"$tmp/over"
[ "${1:-}" != --lower ] || lower_limits "$tmp/counts" $house/messages_limits
[ -s "$tmp/over" ] || exit 0
while read -r area now limit; do
	echo "$area: $now messages without the form, the limit is $limit ($house/messages_limits):"
	awk -F '\t' -v area="$area" '$1 == area { print "  " $2 }' "$tmp/found"
done <"$tmp/over"
exit 1
