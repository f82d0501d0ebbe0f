#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# who_users_test.sh - `uncore who` by users without root's rights on mounted machines, where they may make
# groups themselves, and through uncored.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
needs_mounts
tool=$BUILD/uncore
groups=$dir/sys/fs/resctrl/mon_groups
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"
chmod 711 "$tmp"
copy_for_others "$tmp/bin" uncore || exit 1
export LD_LIBRARY_PATH="$tmp/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# mounted MACHINE
mounted() {
	"$tool" sim mount --background --machine "$1" --processes "$tmp/processes" "$dir" >"$tmp/mount" ||
		fail "cannot mount $1"
}

number_of_groups() {
	find "$groups" -mindepth 1 -maxdepth 1 | wc -l
}
has_group() {
	ls -d "$groups"/uncored-* >/dev/null 2>&1
}
is_without_groups() {
	! has_group
}
is_loaded() {
	grep -q ': loaded policy .*: 1 line' "$tmp/daemon.err"
}

# user_is COMMAND...: executes a command in place of this process as the user of process 101
user_is() {
	exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# user_runs ARGUMENT...: the command, in place of this process
user_runs() {
	export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon UNCORE_SYSROOT="$dir" UNCORE_JOURNAL=/nonexistent
	user_is "$tmp/bin/uncore" "$@" >"$tmp/out" 2>&1
}

as_user() (
	user_runs "$@"
)

# start_who: the process is $who
start_who() {
	user_runs who -I 1s -n 60 &
	who=$!
	soon has_group || fail "no group: $(cat "$tmp/out")"
}

end_who() {
	kill -KILL "$who"
	wait "$who" 2>/dev/null
}

# The user has rows of its own process and job, and no names of others.
sees_own_traffic() {
	for seconds in 1 2 4 8; do # a busy computer may withhold the rates of a short interval
		as_user who --by job -n 1 -I ${seconds}s || fail "who of a user: status $?"
		grep -qE '^(7|\(others\))  *- ' "$tmp/out" || break
	done
	says '^7  *([89][0-9]{2} MB|1\.[0-9]+ GB)/s'
	says '^\(others\)  *([89][0-9]{2} MB|1\.[0-9]+ GB)/s'
	as_user who
	says '^own \(101\)'
	if grep -q 'secret\|^8 \|201' "$tmp/out"; then
		fail "a process of another user: $(cat "$tmp/out")"
	fi
}

# ---- users who may make groups ----

cat >"$tmp/processes" <<-'END'
	background 0.02
	resctrl shared=yes
	process 101 name=own cgroup=/slurm/uid_65534/job_7 uid=65534 cpu=0 read=1G
	process 201 name=secret cgroup=/slurm/uid_2/job_8 uid=2 cpu=8 read=1G
END
mounted sim:skx:packages=2,cores=8
start_daemon --group nogroup
sees_own_traffic
[ "$(number_of_groups)" -eq 0 ] || fail "groups of a user are left"
mkdir "$groups/of_others"
(user_is rmdir "$groups/of_others") 2>"$tmp/out" && fail "a user removed a group of root"
end_daemon -TERM
unmount

# ---- users who may not ----

sed -i /resctrl/d "$tmp/processes"
mounted sim:skx:packages=2,cores=8
start_daemon --group nogroup
as_user who && fail "a user who may not make groups"
says 'no permission to make monitoring groups in .*/mon_groups: run as root, or let uncored'
end_daemon -TERM

# ---- groups that uncored makes, if its policy allows that ----

echo 'allow user 65534 count' >"$tmp/policy"
start_daemon --group nogroup --policy "$tmp/policy"
as_user who && fail "a user whom the policy does not allow to have groups"
says 'no permission to make monitoring groups in '
echo 'allow user 65534 count traffic' >"$tmp/policy"
kill -HUP "$daemon"
soon is_loaded || fail "the policy was not read again"
sees_own_traffic
soon is_without_groups || fail "groups are left by uncored"
as_user doctor
says 'may count, have monitoring groups'

# a client that is killed, and a daemon
start_who
end_who
soon is_without_groups || fail "the group of a killed client is left"
start_who
end_daemon -KILL
end_who
has_group || fail "a daemon that was killed removed its group"
start_daemon --group nogroup --policy "$tmp/policy"
is_without_groups || fail "the group of a killed daemon is left"

# the right is withdrawn
start_who
echo 'allow user 65534 count' >"$tmp/policy"
kill -HUP "$daemon"
soon is_without_groups || fail "a group stays without the right"
end_who
end_daemon -TERM
unmount

[ $failures -eq 0 ]
