#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./configure where packages cannot be had.  For a user who is not root --install-deps installs by sudo
# where that needs no password or can ask for it, and otherwise prints the line for an administrator, and
# continues if nothing is missing that it requires.  Without a source package of PAPI it names the
# options to build without it.  The programs id, sudo and those of apt are imitated.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
command -v apt-get >/dev/null || skip "there is no apt-get, which --install-deps calls"

fail() {
	echo "FAILED: $*"
	cat "$work/log"
	exit 1
}

# All programs of this computer but sudo and two that are to be missing.
mkdir "$work/fake" "$work/build"
link_programs "$work/bin"
rm -f "$work/bin/sudo" "$work/bin/zsh" "$work/bin/mandoc"
line='apt-get update && apt-get install --no-install-recommends .*mandoc.* zsh'

# fake NAME: a program from standard input, which finds its directory in $dir
fake() {
	{
		printf '#!/bin/sh\ndir=%s\n' "$work/fake"
		cat
	} >"$work/fake/$1"
	chmod +x "$work/fake/$1"
}

echo 'echo 1000' | fake id
fake apt-get <<'END'
echo "$*" >>"$dir/calls"
END

# A user's sudo with a password: it asks on the terminal and remembers the answer.
fake_sudo_with_password() {
	rm -f "$work/fake/answered"
	fake sudo <<'END'
if [ ! -e "$dir/answered" ]; then
	[ "$1" = -v ] && read -r answer 2>/dev/null </dev/tty && [ "$answer" = secret ] ||
		{ echo "sudo: a password is required" >&2; exit 1; }
	touch "$dir/answered"
fi
while [ "$1" = -v ] || [ "$1" = -n ]; do
	shift
	[ $# -gt 0 ] || exit 0
done
exec "$@"
END
}

# configure_as_user: without a terminal; its exit status
configure_as_user() {
	: >"$work/fake/calls"
	rm -f "$work/build/Makefile"
	(cd "$work/build" && PATH=$work/fake:$work/bin setsid -w "$SRC/configure" \
		--without-papi --cc="$(setting CC)" --cxx="$(setting CXX)" --install-deps) >"$work/log" 2>&1
}

says() {
	grep -q -e "$1" "$work/log" || fail "it does not say $1"
}

# installs: whether apt-get was called to install what is missing
installs() {
	grep -q '^-q install -y --no-install-recommends .*mandoc.* zsh' "$work/fake/calls"
}

# asks WHY: the line for the administrator, of one line, and nothing was installed
asks() {
	says "^this user cannot install packages ($1); as root:$"
	says "^    $line$"
	! installs || fail "it installs without being allowed to"
}

# continues: configure has come to its end
continues() {
	[ -e "$work/build/Makefile" ] || fail "no Makefile is written, though nothing is missing that it requires"
}

configure_as_user || fail "without sudo: exit status $?"
asks "there is no sudo"
continues

fake_sudo_with_password
configure_as_user || fail "without a password: exit status $?"
asks "a password is required"
continues

if command -v script >/dev/null; then
	: >"$work/fake/calls"
	(cd "$work/build" && echo secret | PATH=$work/fake:$work/bin script -qec "'$SRC/configure' --without-papi \
		--cc='$(setting CC)' --cxx='$(setting CXX)' --install-deps" /dev/null) >"$work/log" 2>&1 ||
		fail "with a password: exit status $?"
	says "sudo asks for a password:"
	installs || fail "it does not install after the right password"
else
	echo "not tried: a password on a terminal: there is no script"
fi

# Without a terminal, too, where no password is needed.
touch "$work/fake/answered"
configure_as_user || fail "with sudo: exit status $?"
installs || fail "it does not install by sudo"
says "^checking again:"

# A library that it requires; the line names it, too.
rm "$work/fake/answered"
mkdir -p "$work/none/json-c"
echo '#error not here' >"$work/none/json-c/json.h"
if CPATH=$work/none configure_as_user; then
	fail "json-c is not missed"
fi
says '^    apt-get update && .*--no-install-recommends libjson-c-dev mandoc'
tr -s '\n ' '  ' <"$work/log" | grep -q 'when they are installed, run .*configure.* again' || fail "it does not say to run it again"
[ ! -e "$work/build/Makefile" ] || fail "a Makefile is written without json-c"

# An archive that lacks the source package of its PAPI; what else is missing is not installed first.
fake apt-get <<'END'
case "$*" in
*source*papi=*)
	printf 'Err:1 http://x/debian y/main papi 9.8-7\n  404  Not Found [IP: 192.0.2.1 80]\n'
	echo 'E: Failed to fetch http://x/debian/papi_9.8-7.dsc  404  Not Found [IP: 192.0.2.1 80]'
	exit 100
	;;
esac
END
echo 'exit 1' | fake dpkg-query
fake apt-cache <<'END'
case "$*" in
*policy*) echo '  Candidate: 9.8-7+b1' ;;
*madison*) echo 'papi-tools | 9.8-7+b1 | http://x/debian y/main amd64 Packages' ;;
esac
END
if (cd "$work/build" && PATH=$work/fake:$work/bin "$SRC/configure" --cc="$(setting CC)") >"$work/log" 2>&1; then
	fail "it does not miss PAPI's source package"
fi
tr -s '\n ' '  ' <"$work/log" | grep -q "configure: cannot fetch the source package papi 9.8-7: \
404 Not Found .*; use --with-papi-src=DIR .*, or --without-papi to build and test everything except the PAPI component *$" ||
	fail "it does not say how to build without PAPI's source package"
