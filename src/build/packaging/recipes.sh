#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# recipes.sh VERSION SOURCES.tar.xz COMPONENT.tar.xz DIR - recipes for Spack, EasyBuild and conda in DIR: the
# templates in recipes/ with the version, the checksums of both files, and the URLs of `project`.
#
# Expects SRC in the environment.

set -eu

version=$1 sources=$2 component=$3 dir=$4
packaging=$SRC/src/build/packaging
# shellcheck source=src/build/packaging/fields.sh
. "$packaging/fields.sh"
require_fields recipes

sum() {
	sha256sum "$1" | cut -d ' ' -f 1
}

rm -rf "$dir"
mkdir -p "$dir"
(cd "$packaging/recipes" && find . -type f) | sed 's|^\./||' | while read -r file; do
	case $file in
	easybuild/uncore-*) new=easybuild/uncore-$version-${file##*/uncore-} ;;
	*) new=$file ;;
	esac
	mkdir -p "$dir/$(dirname "$new")"
	fill "$packaging/recipes/$file" "" | sed -e "s|@sha256@|$(sum "$sources")|" \
		-e "s|@component_sha256@|$(sum "$component")|" >"$dir/$new"
done
find "$dir" -type f | LC_ALL=C sort
