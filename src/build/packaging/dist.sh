#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# dist.sh VERSION FILE.tar.xz - the sources as one file, in a folder uncore-VERSION: what git
# tracks, as it is here now; without git, in what was unpacked from such a file, all of it.
# The same sources give the same file.
#
# Expects SRC in the environment.

set -eu

version=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $out in
/*) ;;
*) out=$PWD/$out ;;
esac
cd "$SRC"

# The project's files have no spaces in their names, which git would quote.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	git ls-files | while read -r file; do
		[ ! -e "$file" ] || printf '%s\n' "$file"
	done >"$work/files"
	date=$(git log -1 --format=%ct)
	if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
		echo "note: with changes that are not committed"
	fi
else
	find configure src components events tests docs examples LICENSES .ci .reuse .gitattributes .gitignore .clang-format .clang-tidy \
		LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md -type f >"$work/files"
	date=$(stat -c %Y CHANGELOG.md)
fi
mkdir -p "$(dirname "$out")"
LC_ALL=C sort "$work/files" >"$work/sorted"
tar -cf "$work/tar" --format=gnu --owner=0 --group=0 --numeric-owner --mode=u+rw,go=u-w --mtime="@$date" \
	--transform="flags=r;s|^|uncore-$version/|" --no-recursion --verbatim-files-from -T "$work/sorted"
xz -T 1 -c "$work/tar" >"$out.new"
mv "$out.new" "$out"
