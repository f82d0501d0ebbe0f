#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rpm.sh VERSION SOURCES.tar.xz DIR PAPI - source and binary RPM packages in DIR, from these sources and
# the template next to this script.  PAPI is the src directory of PAPI's source, of which a private
# libpapi is built, or empty for none.
#
# Where rpm does not manage the system's packages, as on Debian, what the packages need for building cannot
# be checked by it.  RPM_OPTIONS are further options of rpmbuild.
#
# Expects SRC in the environment.

set -eu

version=$1 tar=$2 dir=$3 papi=$4
packaging=$SRC/src/build/packaging
# shellcheck source=src/build/packaging/fields.sh
. "$packaging/fields.sh"

fail() {
	echo "make rpm: $*" >&2
	exit 1
}

command -v rpmbuild >/dev/null || fail "there is no rpmbuild; install rpm-build (Debian: rpm)"
rm -rf "$dir"
mkdir -p "$dir/SOURCES" "$dir/SPECS"
cp "$tar" "$dir/SOURCES/uncore-$version.tar.xz"
date=$(tar -tvf "$tar" --full-time "uncore-$version/configure" | awk '{ print $4 }')
fill "$packaging/rpm/uncore.spec.in" "$(LC_ALL=C date -u -d "$date" '+%a %b %d %Y')" >"$dir/SPECS/uncore.spec"

set -- --define "_topdir $dir" --define "_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm"
if ! rpm -q --quiet rpm-build 2>/dev/null; then
	echo "note: rpm does not manage this system's packages: build requirements are not checked"
	set -- "$@" --nodeps
fi
if [ -n "$papi" ]; then
	papi_version=$(sed -n 's/^#define  *PAPI_VERSION[[:space:]].*(\([0-9]*\), *\([0-9]*\), *\([0-9]*\), *\([0-9]*\)).*/\1.\2.\3.\4/p' \
		"$papi/papi.h" | sed 's/\.0$//')
	[ -n "$papi_version" ] || fail "cannot find the version of PAPI in $papi/papi.h"
	tar -C "$(dirname "$papi")" --transform "s|^\.|papi-$papi_version|" -czf "$dir/SOURCES/papi-$papi_version.tar.gz" .
	set -- "$@" --define "papi_version $papi_version"
else
	set -- "$@" --without papi
fi

# Do not pass the flags of this make on to theirs.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SRC BUILD
# shellcheck disable=SC2086
if ! rpmbuild "$@" ${RPM_OPTIONS:-} -ba "$dir/SPECS/uncore.spec" >"$dir/build.log" 2>&1; then
	tail -n 30 "$dir/build.log"
	fail "failed; $dir/build.log has all"
fi
rm -rf "$dir/BUILD" "$dir/BUILDROOT"
mv "$dir"/RPMS/*.rpm "$dir"/SRPMS/*.rpm "$dir"
ls "$dir"/*.rpm
