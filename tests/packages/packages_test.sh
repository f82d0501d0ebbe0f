#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# packages_test.sh (make check-packages) - `make dist` packs what git tracks, the same each time; `make deb` builds
# Debian's packages from that file alone, without a network and without PAPI; they collide with no
# file of Debian's PAPI, lintian finds no error, and what is unpacked from them counts.  The
# recipe for Spack is Python and names options that configure has.
#
# Without optimisation and debugging symbols, which takes half of the time.  Expects SRC and BUILD in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
failures=0
version=$(setting VERSION)

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# ---- the sources as one file ----

export SRC
for n in 1 2; do
	step "dist.sh" sh "$SRC/src/build/packaging/dist.sh" "$version" "$work/$n/uncore-$version.tar.xz"
done
cmp "$work"/[12]/*.tar.xz || fail "two files of the same sources differ"
tar -tf "$work/1/uncore-$version.tar.xz" | sed "s|^uncore-$version/||" | sort >"$work/packed"
if git -C "$SRC" rev-parse 2>/dev/null && [ -e "$SRC/.git" ]; then
	(cd "$SRC" && git ls-files | while read -r file; do [ ! -e "$file" ] || echo "$file"; done) |
		sort | cmp - "$work/packed" || fail "what is packed is not what git tracks"
fi
# From what was unpacked, without git, it is the same again.
tar -C "$work" -xf "$work/1/uncore-$version.tar.xz"
step "dist.sh without git" env SRC="$work/uncore-$version" sh "$SRC/src/build/packaging/dist.sh" \
	"$version" "$work/3/again.tar.xz"
tar -tf "$work/3/again.tar.xz" | sed "s|^uncore-$version/||" | sort | cmp - "$work/packed" ||
	fail "what is packed without git is something else"

# ---- a recipe ----

recipe=$SRC/examples/spack/package.py
if command -v python3 >/dev/null; then
	step "python3 parses package.py" python3 -c \
		'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe"
else
	echo "not tried: package.py: there is no python3"
fi
"$SRC/configure" --help >"$work/help"
options=$(sed -n '/def install/,/def test/p' "$recipe" | grep -Eo -e '"--[a-z-]+' | tr -d '"' | sort -u)
[ "$(echo "$options" | wc -l)" -ge 5 ] || fail "package.py has no options of configure"
for option in $options; do
	grep -q -e "$option" "$work/help" || fail "package.py has $option, configure has not"
done

# ---- Debian's packages ----

debian() {
	for program in dpkg-buildpackage dh; do
		command -v $program >/dev/null || { echo "not tried: make deb: there is no $program"; return; }
	done
	# Nothing can be fetched: in a network namespace of its own, if that is allowed.
	alone=
	if unshare -r -n true 2>/dev/null; then
		alone="unshare -r -n"
	else
		echo "not tried: make deb without a network: unshare is not allowed"
	fi
	DEB_BUILD_OPTIONS="noopt noautodbgsym" DEB_CFLAGS_STRIP=-g
	export DEB_BUILD_OPTIONS DEB_CFLAGS_STRIP
	# shellcheck disable=SC2086
	step "deb.sh" $alone sh "$SRC/src/build/packaging/deb.sh" "$version" \
		"$work/1/uncore-$version.tar.xz" "$work/deb"
	for package in libuncore0 libuncore-dev uncore-tools papi-uncore-source; do
		set -- "$work/deb/${package}_$version"-*.deb
		[ -e "$1" ] || { fail "there is no package $package"; continue; }
		step "dpkg-deb -x" dpkg-deb -x "$1" "$work/root"
	done
	if command -v lintian >/dev/null; then
		lintian --allow-root --fail-on error "$work"/deb/*.changes >"$work/log" 2>&1 ||
			{ fail "lintian:"; grep '^E' "$work/log" || cat "$work/log"; }
	else
		echo "not tried: lintian is not here"
	fi
	unpacked
}

# The unpacked files are used as if they were installed.
unpacked() {
	root=$work/root
	lib=$(dirname "$(find "$root" -name 'libuncore.so.0')")
	for file in usr/bin/uncore usr/sbin/uncored usr/include/uncore.h usr/share/man/man1/uncore.1.gz \
		usr/share/man/man3/uncore_open.3.gz usr/share/man/man7/uncore-events.7.gz \
		usr/share/man/man8/uncored.8.gz lib/systemd/system/uncored.service \
		lib/systemd/system/uncored.socket usr/lib/tmpfiles.d/uncored.conf \
		usr/lib/sysusers.d/uncored.conf usr/share/bash-completion/completions/uncore \
		usr/src/papi-uncore/uncore/Rules.uncore usr/src/papi-uncore/uncore/src/uncore.h; do
		[ -f "$root/$file" ] || fail "no package has $file"
	done
	if find "$root" -name 'libpapi*' | grep .; then
		fail "a libpapi is in the packages"
	fi
	(cd "$root" && find . ! -type d | sed 's/^\.//' | sort) >"$work/ours"
	if command -v dpkg >/dev/null; then
		for package in $(dpkg-query -W -f '${binary:Package}\n' '*papi*' 2>/dev/null || :); do
			case $package in *uncore*) continue ;; esac
			dpkg -L "$package" 2>/dev/null || :
		done | sort -u | while read -r file; do [ -d "$file" ] || echo "$file"; done |
			comm -12 - "$work/ours" >"$work/both"
		[ ! -s "$work/both" ] || fail "PAPI's packages have these, too: $(cat "$work/both")"
	fi
	LD_LIBRARY_PATH=$lib UNCORE_MACHINE=sim:snbep "$root/usr/bin/uncore" stat -d 1 -e UNC_M_CAS_COUNT:RD >"$work/log" 2>&1 ||
		{ fail "uncore stat:"; cat "$work/log"; }
	grep -q "^ExecStart=/usr/sbin/uncored " "$root/lib/systemd/system/uncored.service" ||
		fail "the unit does not start /usr/sbin/uncored"
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$lib/pkgconfig
	export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
	# shellcheck disable=SC2046
	step "a program" $(setting CC) "$SRC/examples/library/count.c" \
		$(pkg-config --cflags --libs uncore) -o "$work/count"
	LD_LIBRARY_PATH=$lib UNCORE_MACHINE=sim:snbep step "the program" "$work/count"
	grep -q '^UNC_M_CAS_COUNT:RD *[1-9]' "$work/log" || fail "the program counts nothing"
}

debian
[ $failures -eq 0 ]
