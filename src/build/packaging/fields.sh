# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# fields.sh - what packages and recipes have of the project: sourced by the scripts next to it, which set
# $packaging and $version.  PROJECT is another file than `project`, for tests.

: "${version:?}" "${packaging:?}"
homepage='' releases='' author=''
# shellcheck source=src/build/packaging/project
. "${PROJECT:-$packaging/project}"
maintainer=${author:-uncore developers <uncore@example.org>}
releases=$(printf '%s' "$releases" | sed "s|@version@|$version|g; s|[^/]\$|&/|")

# require_fields MAKE-TARGET
require_fields() {
	for field in homepage releases author; do
		eval "value=\$$field"
		[ -n "$value" ] || {
			echo "make $1: ${PROJECT:-src/build/packaging/project} has no $field: fill it in before something is published" >&2
			exit 1
		}
	done
}

# fill TEMPLATE DATE: print the template; a line that is @url@ only is left out without a homepage
fill() {
	sed -e "s|@version@|$version|g" -e "s|@maintainer@|$maintainer|g" -e "s|@date@|$2|g" -e "s|@releases@|$releases|g" \
		-e "s|@homepage@|$homepage|g" -e "s|^@url@\$|${homepage:+URL:            $homepage}|" "$1"
}
