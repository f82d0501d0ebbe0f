# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# release_checks.sh - checks of a tree before it is published: sourced by release.sh, which sets $version.
# Each prints what is wrong, or nothing.

: "${SRC:?}" "${version:?}" "${packaging:?}"
# shellcheck disable=SC2034
release_checks="number tree tag changelog dates documents symbols"

# The version is compiled in; the command line of make does not change that.
check_number() {
	has=$(sed -n 's/^VERSION=//p' "$SRC/configure")
	case $version in
	[0-9]*.[0-9]*) ;;
	*) echo "\"$version\" is not a version: use make release VERSION=X.Y"; return ;;
	esac
	[ "$has" = "$version" ] || echo "configure has VERSION=$has: change it, and run configure again"
	grep -qx "#define UNCORE_VERSION \"$version\"" "$BUILD/src/config.h" ||
		[ "$has" != "$version" ] || echo "what was built is another version: run configure again"
}

check_tree() {
	status=$(git -C "$SRC" status --porcelain 2>&1) || { echo "no git repository: $status"; return; }
	[ -z "$status" ] || echo "$(echo "$status" | wc -l) files differ from the commit: commit or remove them"
}

check_tag() {
	! git -C "$SRC" rev-parse -q --verify "refs/tags/v$version" >/dev/null 2>&1 || echo "the tag v$version exists already"
}

# release_date: of CHANGELOG.md, for example 2026-12-01
release_date() {
	sed -n "s/^## $version (\\(20[0-9][0-9]-[01][0-9]-[0-3][0-9]\\))\$/\\1/p" "$SRC/CHANGELOG.md"
}

check_changelog() {
	first=$(sed -n 's/^## //p' "$SRC/CHANGELOG.md" | head -n 1)
	if [ -z "$(release_date)" ] || [ "$first" != "$version ($(release_date))" ]; then
		echo "the first section of CHANGELOG.md is \"$first\", not \"$version (YYYY-MM-DD)\""
		return
	fi
	awk -v first="## $first" '$0 == first { inside = 1; next } /^## / { inside = 0 } inside && /^- / { n++ }
		END { if (!n) print "CHANGELOG.md has no entries for this version" }' "$SRC/CHANGELOG.md"
	grep -n -E '^## (Unreleased|.*not released)' "$SRC/CHANGELOG.md" | sed 's/^/CHANGELOG.md:/; s/$/: not released/'
}

# A page's date is that of its last change; nothing has the date of a day to come.
check_dates() {
	day=$(release_date)
	today=$(date -u +%F)
	[ -n "$day" ] || return 0
	[ "$(printf '%s\n' "$day" "$today" | sort | tail -n 1)" = "$today" ] || echo "CHANGELOG.md has a date to come: $day"
	for page in "$SRC"/docs/*.[1-8]; do
		dated=$(sed -n 's/^\.TH .*"\([0-9-]*\)".*/\1/p' "$page")
		changed=$(git -C "$SRC" log -1 --date=short --format=%cd -- "$page" 2>/dev/null)
		[ "$(printf '%s\n' "$dated" "$changed" | sort | tail -n 1)" = "$dated" ] ||
			echo "docs/${page##*/} has the date $dated, but was changed on $changed"
		[ "$(printf '%s\n' "$dated" "$day" | sort | tail -n 1)" = "$day" ] ||
			echo "docs/${page##*/} has the date $dated, which is after $day"
	done
}

check_documents() {
	grep -q "find_package(uncore $version " "$SRC/docs/installing.md" ||
		echo "docs/installing.md: find_package(uncore) asks for another version"
	grep -q "^| $version " "$SRC/SECURITY.md" || echo "SECURITY.md does not list version $version"
	grep -q "^| .*not released" "$SRC/SECURITY.md" && echo "SECURITY.md lists a version that is not released"
	return 0
}

# Functions of a later version than this one, or of one that Debian's list of symbols lacks.
check_symbols() {
	sed -n 's/^\(UNCORE_[0-9.]*\) {.*/\1/p' "$SRC/src/libuncore.map" | while read -r block; do
		[ "$(printf '%s\n' "${block#UNCORE_}" "$version" | sort -V | tail -n 1)" = "$version" ] ||
			echo "libuncore.map has functions of version ${block#UNCORE_}"
		grep -q "(symver)$block ${block#UNCORE_}\$" "$packaging/debian/libuncore0.symbols" ||
			echo "src/build/packaging/debian/libuncore0.symbols lacks $block"
	done
}
