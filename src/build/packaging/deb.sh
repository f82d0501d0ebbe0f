#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# deb.sh VERSION SOURCES.tar.xz DIR - Debian's source and binary packages in DIR: from these
# sources, with a debian/ made from the templates next to this script.  Needs no
# network; the packages that building needs have to be here.
#
# DEBFULLNAME and DEBEMAIL are the maintainer, as everywhere in Debian.
#
# Expects SRC in the environment.

set -eu

version=$1 tar=$2 dir=$3
templates=$SRC/src/build/packaging/debian
tree=$dir/uncore-$version
: "${DEBFULLNAME:=uncore developers}" "${DEBEMAIL:=uncore@example.org}"

fail() {
	echo "make deb: $*" >&2
	exit 1
}

for program in dpkg-buildpackage dh; do
	command -v $program >/dev/null || fail "there is no $program; as root:
    apt-get install --no-install-recommends dpkg-dev debhelper fakeroot"
done
missing=$(cd "$SRC" && dpkg-checkbuilddeps "$templates/control" 2>&1) ||
	fail "packages are missing: ${missing##*: }"

rm -rf "$dir"
mkdir -p "$dir"
cp "$tar" "$dir/uncore_$version.orig.tar.xz"
tar -C "$dir" -xf "$tar"
cp -R "$templates" "$tree/debian"
SOURCE_DATE_EPOCH=$(stat -c %Y "$tree/configure")
export SOURCE_DATE_EPOCH
for file in control changelog copyright; do
	sed -i -e "s|@version@|$version|" -e "s|@maintainer@|$DEBFULLNAME <$DEBEMAIL>|" \
		-e "s|@date@|$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")|" "$tree/debian/$file"
done
sed '1,/^All rights/d; s/^$/./; s/^/ /' "$SRC/LICENSE" >>"$tree/debian/copyright"
expand "$SRC/LICENSES/CC-BY-4.0.txt" | sed 's/ *$//; s/^$/./; s/^/ /' >"$dir/cc-by"
sed -i -e "/^@cc-by@\$/{r $dir/cc-by" -e 'd}' "$tree/debian/copyright"
rm "$dir/cc-by"
chmod +x "$tree/debian/rules"

# Do not pass the flags of this make on to theirs.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SRC BUILD
if ! (cd "$tree" && dpkg-buildpackage -us -uc) >"$dir/build.log" 2>&1; then
	tail -n 30 "$dir/build.log"
	fail "failed; $dir/build.log has all"
fi
rm -rf "$tree"
ls "$dir"/*.deb
