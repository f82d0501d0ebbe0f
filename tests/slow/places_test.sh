#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# places_test.sh - tests in other places: locales, a zone of time, no HOME, few open files, other
# directories for temporary files, /tmp without the right to execute, no IPv6, and two users at once.
# build_test.sh has the other directories for the sources and the build.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
tests='Doctor.Of*:Listening.*:Directory.*:Journals.*:Errors.*:Names.*:Privileged.*'
event=UNC_M_CAS_COUNT:RD
# not of a terminal that is narrow
unset COLUMNS

fail() {
	echo "FAILED: $*"
	tail -n 40 "$tmp/out"
	failed=1
}

not_tried() {
	echo "not tried: $*"
}

# the_command PLACE COMMAND...: the command starts uncore there
the_command() {
	place=$1
	shift
	"$@" "$BUILD/uncore" stat --machine sim:snbep --json -d 0.01 -e $event >"$tmp/out" 2>&1 || fail "$place: stat"
	grep -qE '"seconds": ?0\.[0-9]' "$tmp/out" || fail "$place: the JSON of stat"
}

# unit_tests PLACE COMMAND...
unit_tests() {
	place=$1
	shift
	"$@" "$BUILD/tests/unit" --gtest_filter="$tests" --gtest_brief=1 >"$tmp/out" 2>&1 || fail "$place: tests"
	grep -q '^\[  PASSED  \] [1-9][0-9]* tests' "$tmp/out" || fail "$place: no test was run"
}

# scripts PLACE "SCRIPT..." COMMAND...
scripts() {
	place=$1
	names=$2
	shift 2
	for name in $names; do
		"$@" sh "$SRC/tests/$name" >"$tmp/out" 2>&1
		case $? in
		0) sed -n "s|^not tried: |&$place: $name: |p" "$tmp/out" ;;
		77) not_tried "$place: $name: $(tail -n 1 "$tmp/out" | sed 's/^skipped: *//')" ;;
		*) fail "$place: $name" ;;
		esac
	done
}

# place NAME "SCRIPT..." COMMAND...: unit tests, the command and scripts
place() {
	scripts "$@"
	name=$1
	shift 2
	unit_tests "$name" "$@"
	the_command "$name" "$@"
}

# with_root COMMAND...: as root of namespaces, by unshare's options; a user's own if this is not root
if [ "$(id -u)" -eq 0 ]; then
	with_root() {
		unshare "$@"
	}
else
	with_root() {
		unshare --user --map-root-user --map-auto "$@"
	}
fi

# possible PLACE COMMAND...: whether the place can be made
possible() {
	place=$1
	shift
	"$@" true >"$tmp/out" 2>&1 || {
		not_tried "$place: $(tail -n 1 "$tmp/out")"
		return 1
	}
}

# ---- variables and limits ----

place "locale C" "" env LC_ALL=C
if mkdir "$tmp/locales" && localedef -i de_DE -f UTF-8 "$tmp/locales/de_DE.UTF-8" >"$tmp/out" 2>&1; then
	place "locale de_DE.UTF-8" "tools/tool_test.sh tools/queue_test.sh tools/doctor_test.sh region/marker_test.sh house/structure_test.sh" \
		env LOCPATH="$tmp/locales" LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8
else
	not_tried "locale de_DE.UTF-8: $(tail -n 1 "$tmp/out")"
fi
place "another zone of time" "" env TZ=Pacific/Kiritimati
place "without HOME" tools/doctor_test.sh env -u HOME
# shellcheck disable=SC2016
place "256 open files" tools/tool_test.sh sh -c 'ulimit -n 256 && exec "$@"' sh

# ---- directories ----

# in_memory COMMAND...: with TMPDIR on a file system of its own
# shellcheck disable=SC2317 # possible calls it
in_memory() {
	# shellcheck disable=SC2016
	with_root --mount sh -c 'mount -t tmpfs -o mode=1777 tmpfs "$0" && TMPDIR=$0 exec "$@"' "$tmp/memory" "$@"
}
mkdir "$tmp/memory"
if possible "TMPDIR on another file system" in_memory; then
	place "TMPDIR on another file system" "mount/mount_test.sh daemon/uncored_test.sh region/marker_test.sh" in_memory
fi

mkdir -m 700 "$tmp/own" "$tmp/own/Größe (1) & mehr"
place "TMPDIR with spaces and other letters that others cannot enter" \
	"mount/mount_test.sh mount/privileged_test.sh daemon/uncored_test.sh tools/doctor_test.sh region/marker_test.sh house/readme_test.sh" \
	env TMPDIR="$tmp/own/Größe (1) & mehr"

# without_execution COMMAND...: /tmp in which no program can be executed
# shellcheck disable=SC2317 # possible calls it
without_execution() {
	# shellcheck disable=SC2016
	with_root --mount sh -c 'mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs /tmp && exec env -u TMPDIR "$@"' sh "$@"
}
case $(readlink -f "$BUILD"):$(readlink -f "$SRC") in
/tmp/* | *:/tmp/*) not_tried "/tmp with noexec: the source or the build directory is in it" ;;
*)
	if possible "/tmp with noexec" without_execution; then
		place "/tmp with noexec" "mount/privileged_test.sh daemon/uncored_test.sh region/marker_test.sh
			region/bindings_test.sh tools/doctor_test.sh tools/completion_test.sh claim/memory_test.sh
			house/readme_test.sh house/verified_test.sh papi/forked_test.sh" without_execution
	fi
	;;
esac

# ---- IPv6 ----

# without_addresses COMMAND...: where no interface has an address of IPv6
# shellcheck disable=SC2317
without_addresses() {
	# shellcheck disable=SC2016
	with_root --net sh -c 'ip link set lo up &&
		for c in all default lo; do ! [ -e /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/$c/disable_ipv6 || exit
		done && exec "$@"' sh "$@"
}
if possible "no address of IPv6" without_addresses; then
	place "no address of IPv6" exporter/exporter_test.sh without_addresses
fi

cat >"$tmp/no_ipv6.c" <<'END'
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int socket(int domain, int type, int protocol)
{
	if (domain != AF_INET6)
		return (int)syscall(SYS_socket, domain, type, protocol);
	errno = EAFNOSUPPORT;
	return -1;
}
END
setting() {
	sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" "$BUILD/config.mk"
}
if [ -n "$(setting SANITIZERS)" ]; then
	not_tried "a kernel without IPv6: its socket() would have to be built with the sanitizers of uncore"
elif ! $(setting CC) -shared -fPIC -D_GNU_SOURCE -o "$tmp/no_ipv6.so" "$tmp/no_ipv6.c" >"$tmp/out" 2>&1; then
	fail "a kernel without IPv6: its socket() cannot be compiled"
else
	place "a kernel without IPv6" exporter/exporter_test.sh env LD_PRELOAD="$tmp/no_ipv6.so"
	for seconds in 1 4 16; do # a busy computer may start it late
		env LD_PRELOAD="$tmp/no_ipv6.so" timeout -s INT $seconds "$BUILD/uncore" exporter --machine sim:snbep --listen :0 >"$tmp/out" 2>&1
		if grep -q 'http://' "$tmp/out"; then break; fi
	done
	grep -q 'http://0\.0\.0\.0:[1-9]' "$tmp/out" || fail "a kernel without IPv6: exporter --listen :PORT"
fi

# ---- two users at once ----

# as_other COMMAND...: another user, who has a copy of what this one has built
# shellcheck disable=SC2317
as_other() {
	with_root --mount setpriv --reuid 65534 --regid 65534 --clear-groups env PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME="$tmp/other" \
		TMPDIR="$tmp/other" SRC="$tmp/other/source" BUILD="$tmp/other/build" LD_LIBRARY_PATH="$tmp/other/build" "$@"
}

copy_for_other() {
	chmod 711 "$tmp" && mkdir -m 1777 "$tmp/other" &&
		mkdir -p "$tmp/other/build/tests" "$tmp/other/source" &&
		cp -R "$SRC/src" "$SRC/events" "$SRC/tests" "$SRC/docs" "$SRC/examples" "$tmp/other/source" &&
		cp -P "$BUILD"/libuncore* "$BUILD"/uncore* "$BUILD/config.mk" "$tmp/other/build" &&
		cp "$BUILD/tests/unit" "$tmp/other/build/tests" &&
		chmod -R go+rX "$tmp/other/source" "$tmp/other/build"
}

# both WHAT COMMAND...: at once
both() {
	what=$1
	shift
	as_other "$@" >"$tmp/others" 2>&1 &
	"$@" >"$tmp/out" 2>&1 || fail "two users at once: $what, this user"
	wait $! || {
		cp "$tmp/others" "$tmp/out"
		fail "two users at once: $what, the other user"
	}
}

if possible "two users at once" with_root --mount setpriv --reuid 65534 --regid 65534 --clear-groups; then
	copy_for_other >"$tmp/out" 2>&1 || fail "two users at once: what is built cannot be copied"
	for _ in 1 2; do
		# shellcheck disable=SC2016
		both "unit tests" sh -c '"$BUILD/tests/unit" --gtest_filter="$1" --gtest_brief=1' sh "$tests"
	done
	for script in exporter/exporter_test.sh tools/queue_test.sh; do
		# shellcheck disable=SC2016
		both "$script" sh -c 'sh "$SRC/tests/$1" || [ $? -eq 77 ]' sh $script
	done
fi
exit $failed
