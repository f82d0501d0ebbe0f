#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# privileged_test.sh - a setuid uncore, and one with file capabilities, used by an unprivileged user on a mounted
# machine: it counts, but what the user names is opened, and what the user runs is run, with the
# user's own rights.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"

# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
# shellcheck disable=SC2034 # for scratch.sh
scratch_without="noexec nosuid"
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

skip() {
	echo "skipped: $1"
	exit 77
}

tool=$tmp/uncore
reads=UNC_M_CAS_COUNT:RD
failures=0

fail() {
	echo "FAILED: $kind: $1"
	sed 's/^/  out: /' "$tmp/out"
	sed 's/^/  err: /' "$tmp/err"
	failures=$((failures + 1))
}

# as_nobody COMMAND...: the inheritable set is not empty, as a login may leave it
as_nobody() {
	sh "$SRC/examples/on_simulated.sh" "$dir" setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps +sys_rawio "$@" >"$tmp/out" 2>"$tmp/err"
}

# cannot_write FILE ARGUMENT...: also a file in a directory of root's
cannot_write() {
	file=$1
	shift
	as_nobody "$tool" "$@"
	[ ! -e "$file" ] || fail "$1 wrote $file where its user may not"
	grep -q "$file: Permission denied" "$tmp/err" || fail "$1 does not say why it cannot write $file"
	rm -f "$file"
}

# runs_as EXPECTED COMMAND...: what a command of stat prints
runs_as() {
	expected=$1
	shift
	as_nobody "$tool" stat -e $reads -- "$@"
	[ "$(cat "$tmp/out")" = "$expected" ] || fail "$*: expected $expected"
	grep -q "  $reads\$" "$tmp/err" || fail "$*: no counts"
}

check() {
	kind=$1
	echo secret >"$tmp/roots/secret"
	as_nobody "$tool" show --machine "file:$tmp/roots/secret"
	grep -q "$tmp/roots/secret.*: Permission denied" "$tmp/err" ||
		fail "show reads a file that its user may not read"
	for machine in native sim:snbep; do
		cannot_write "$tmp/roots/record" record --machine $machine -o "$tmp/roots/record"
		cannot_write "$tmp/roots/counts" stat --machine $machine -e $reads -o "$tmp/roots/counts" -- true
		cannot_write "$tmp/roots/svg" stat --machine $machine -e $reads --svg "$tmp/roots/svg" -- true
		cannot_write "$tmp/roots/map" stat --machine $machine -e "$reads:box=*" --heatmap "$tmp/roots/map" -- true
		cannot_write "$tmp/roots/report" selftest --machine $machine --report "$tmp/roots/report"
	done
	as_nobody "$tool" stat -e $reads -o "$tmp/roots/secret" --append -- true
	[ "$(cat "$tmp/roots/secret")" = secret ] || fail "stat --append wrote into a file of root's"
	as_nobody "$tool" stat -e $reads -o "$tmp/anybodys/counts" --svg "$tmp/anybodys/svg" -- true
	for file in counts svg; do
		[ "$(stat -c %u "$tmp/anybodys/$file")" = 65534 ] || fail "$file is not its user's"
		rm -f "$tmp/anybodys/$file"
	done
	# no shell: dash and bash give up a user that is not the real one
	runs_as 65534 id -u
	runs_as 65534 id -g
	runs_as 4 grep -c '^Cap\(Inh\|Prm\|Eff\|Amb\):[[:space:]]*0*$' /proc/self/status
	runs_as '' cmp "$tmp/roots/secret" /dev/null
}

# is_privileged: the copy ignores a variable, so it knows that it is
is_privileged() {
	as_nobody env UNCORE_ACCESS=none "$tool" stat -e $reads -d 0.01
}

needs_mounts
unshare --mount mount --make-rprivate / 2>/dev/null || skip "no mount namespace can be made here"
"$BUILD/uncore" sim mount --background --machine sim:snbep:cores=2 "$dir" >/dev/null || exit 1
chmod 755 "$tmp"
mkdir -m 700 "$tmp/roots"
mkdir -m 777 "$tmp/anybodys"

cp "$BUILD/uncore" "$tool" && chmod 4755 "$tool"
is_privileged || { cat "$tmp/err"; skip "setuid programs have no effect in $tmp"; }
check setuid
chmod 755 "$tool"
PATH=$PATH:/usr/sbin:/sbin
skipped=
if ! command -v setcap >/dev/null; then
	skipped="file capabilities: setcap (package libcap2-bin) is not installed"
elif ! setcap cap_sys_rawio,cap_sys_admin,cap_dac_override+ep "$tool" 2>"$tmp/err" || ! is_privileged; then
	skipped="file capabilities have no effect in $tmp"
else
	check "file capabilities"
fi
[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || skip "$skipped"
