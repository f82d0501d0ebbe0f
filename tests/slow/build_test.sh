#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Where and by which users this can be built: outside of the sources and in them, in directories with
# spaces and letters that are not ASCII in their names, by a user who may not write the sources, which are another
# user's; with and without optional libraries.  And what make uninstall, clean and distclean leave: nothing.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
without_sanitizer "what is built here is built without"
unset PKG_CONFIG_PATH

user_id=65534
cc=$(setting CC)
cxx=$(setting CXX)
# With the same flags, ccache has most files of a tree that is built in its own directory.
flags=$(setting CFLAGS)
[ -n "$(setting CCACHE)" ] || flags='-O0 -w'
user=$work/user
tree="$work/the sources (größer & neu)"
link=
trap 'rm -rf "$work" ${link:+"$link"}' EXIT

# as_user COMMAND...: as another user than the one who has the sources, where that can be done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	privileged=yes
	as_user() {
		HOME=$user CCACHE_DISABLE=1 setpriv --reuid=$user_id --regid=$user_id --clear-groups "$@"
	}
else
	privileged=no
	as_user() {
		"$@"
	}
fi

fail() {
	echo "FAILED: $*"
	exit 1
}

# left DIR: what is in DIR
left() {
	(cd "$1" && find . ! -name . | sort)
}

# state DIR: names, kinds, sizes and times of all files
state() {
	(cd "$1" && find . -printf '%p %y %s %T@\n' | sort)
}

# empty WHEN DIR
empty() {
	[ -z "$(left "$2")" ] || fail "$1 there is still: $(left "$2")"
}

mkdir "$user" "$tree"
chmod 711 "$work"
cp -R "$source" "$work/papi's source"
for name in configure src events components examples tests docs README.md; do
	cp -R "$SRC/$name" "$tree/"
done
cp -R "$tree" "$work/mes sources à moi"
chmod -R a-w,a+rX "$tree" "$work/papi's source"
if [ $privileged = yes ]; then
	chown $user_id:$user_id "$user"
	# shellcheck disable=SC2086
	as_user $cc --version >"$work/log" 2>&1 || skip "$cc cannot be run by another user"
fi

# ---- outside of the sources, which are read-only and owned by another user ----

as_user mkdir "$user/Größe 1"
cd "$user/Größe 1"
step "configure" as_user env CFLAGS='-O0 -w' "../../${tree##*/}/configure" --cc="$cc" --cxx="$cxx" \
	--prefix="$user/new/prefix" --with-papi-src="$work/papi's source"
link=$(sed -n 's/^HERE := //p' Makefile)
[ -L "$link" ] || fail "there is no link that stands for a directory with a space in its name"
touch "$tree/configure"
state "$tree" >"$work/before"
step "make, which configures again" as_user make all papi-component
grep -q '^build directory' "$work/log" || fail "a configure that has changed is not run by make"
step "make check" as_user make check CHECK_BUILDS="all papi-component examples tests/unit" TESTS=tests/unit \
	SHELL_TESTS=tests/papi/dropin_test.sh UNIT_SRC="tests/golden/golden_test.cc tests/event/names_test.cc" \
	SUPPORT_SRC="$(printf 'tests/support/%s.cc ' data facts fake_driver golden golden_platforms \
		handle interposer machines perf_tree sim_machine simulated source stepped tree)"
grep -q '^unit  *[0-9][0-9]* passed   0 failed' "$work/log" || fail "make check ran no unit test"

# ---- installed, and nothing of it stays ----

step "make install" as_user make install
[ -x "$user/new/prefix/bin/uncore" ] || fail "the command is not installed"
step "uncore" as_user "$user/new/prefix/bin/uncore" --machine sim:snbep list bandwidth
step "make install again" as_user make install
step "make uninstall" as_user make uninstall
[ ! -e "$user/new" ] || fail "make uninstall leaves: $(left "$user/new")"

# Existing files remain, and those that others add next to ours.
as_user mkdir -p "$user/new/prefix/share"
step "make install where something is" as_user make install
as_user touch "$user/new/prefix/include/theirs.h" "$user/new/prefix/lib/uncore/theirs"
step "make uninstall where something is" as_user make uninstall
left "$user/new" >"$work/log"
printf './%s\n' prefix prefix/include prefix/include/theirs.h prefix/lib prefix/lib/uncore \
	prefix/lib/uncore/theirs prefix/share | diff - "$work/log" ||
	fail "make uninstall takes what is not ours, or leaves what is"

step "make install with DESTDIR" as_user make install DESTDIR="$user/stage"
[ -x "$user/stage$user/new/prefix/bin/uncore" ] || fail "DESTDIR has no uncore"
step "make uninstall with DESTDIR" as_user make uninstall DESTDIR="$user/stage"
[ ! -e "$user/stage" ] || fail "make uninstall leaves in DESTDIR: $(left "$user/stage")"

# ---- cleaned ----

step "make clean" as_user make clean
[ -e Makefile ] || fail "make clean removes what configure wrote"
[ ! -e libuncore.a ] || fail "make clean leaves a library"
step "make distclean" as_user make distclean
empty "after make distclean" .
[ ! -L "$link" ] || fail "make distclean leaves $link"
state "$tree" | diff "$work/before" - || fail "building outside of the sources changed them"

# ---- in the sources ----

cd "$work/mes sources à moi"
left . >"$work/before"
step "configure in the sources" env CFLAGS="$flags" ./configure --cc="$cc" --cxx="$cxx" \
	--with-papi-src="$work/papi's source"
step "make in the sources" make lib build/uncore
link=$(sed -n 's/^HERE := //p' Makefile)
rm "$link"
touch src/command/main.c
step "make when the link is gone" make build/uncore
[ -L "$link" ] || fail "make does not make the link again that stands for this directory"
step "uncore in the sources" build/uncore --machine sim:snbep list bandwidth
mkdir below
cd below
step "configure in a directory of the sources" ../configure --cc="$cc" --cxx="$cxx" \
	--with-papi-src="$work/papi's source"
step "make in a directory of the sources" make -n lib uncore tests/unit
step "make distclean there" make distclean
empty "after make distclean below the sources" .
cd ..
rmdir below
step "make distclean in the sources" make distclean
left . | diff "$work/before" - || fail "make distclean removes files that existed before"

# ---- what no link helps against ----

mkdir "$work/a pfm"
if ./configure --with-pfm="$work/a pfm" >"$work/log" 2>&1; then
	fail "a libpfm4 in a directory with a space in its name is not refused"
fi
tr -s '\n ' '  ' <"$work/log" | grep -q "make cannot use a path with a space" ||
	fail "there is no sentence about a libpfm4 in a directory with a space in its name"
left . | diff "$work/before" - || fail "a configure that refuses leaves something"

# ---- with and without libraries that single commands use ----

cat >"$work/no_numa" <<END
#!/bin/sh
for word; do [ "\$word" != -lnuma ] || exit 1; done
exec $cc "\$@"
END
chmod +x "$work/no_numa"
mkdir below
cd below
step "configure without libnuma" ../configure --without-papi --cc="$work/no_numa"
grep -q '^libnuma  *no: "uncore selftest" will not' "$work/log" || fail "configure does not say what lacks without libnuma"
if ../configure --without-papi --cc="$work/no_numa" --with-numa >"$work/log" 2>&1; then
	fail "--with-numa without libnuma is not refused"
fi
grep -q 'libnuma-dev  *memory of a chosen node .*(--with-numa)' "$work/log" || fail "the package of --with-numa is not named"
cd ..
rm -r below
step "configure --without" env CFLAGS="$flags" ./configure --with-papi-src="$work/papi's source" --cc="$cc" --cxx="$cxx" \
	--without-numa --without-seccomp
grep -q '^libseccomp  *no (--without-seccomp): uncored' "$work/log" || fail "--without-seccomp is ignored"
if make check >"$work/log" 2>&1; then
	fail "make check tests without libraries"
fi
grep -q 'run configure again without --without-numa, --without-seccomp$' "$work/log" ||
	fail "make check does not say that it tests with every library: $(cat "$work/log")"
step "make without libraries" make lib build/uncore build/uncored
if ldd build/uncore build/uncored | grep -E 'numa|seccomp'; then
	fail "libraries that are not wanted are linked"
fi

if [ $privileged = no ]; then
	skip "only root can build as another user; as $(id -un) all of it passed"
fi
