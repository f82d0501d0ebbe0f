#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ranks_users_test.sh - ranks of two users who count the same events at the same time through uncored,
# on one mounted machine: each user's sum is what one process counts alone, and one rank of each
# user reports it.  A serial program in a batch script counts as without a batch system, and says nothing.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

failed=0

fail() {
	echo "FAILED: $*"
	for file in "$tmp"/*.out "$tmp"/*.err; do
		sed "s|^|    ${file##*/}: |" "$file"
	done
	failed=1
}

needs_mounts
"$BUILD/uncore" sim mount -b --machine sim:snbep:time=virtual "$dir" >"$tmp/mount.out" 2>&1 || {
	fail "cannot mount a machine"
	exit 1
}
chmod 711 "$tmp"
copy_for_others "$tmp/bin" uncore || exit 1
libraries=$tmp/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
start_daemon --group nogroup --socket "$tmp/socket"
export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon
unset UNCORE_SHARE UNCORE_MACHINE UNCORE_SYSROOT
mkdir -m 1777 "$tmp/ready"

# count NAME USER COMMAND...: starts uncore stat as this user by COMMAND (env VARIABLE...), which counts until
# there is the file go.  Its counts are in NAME.out
names=
count() {
	name=$1 user=$2
	shift 2
	names="$names $name"
	# shellcheck disable=SC2016 # of the counted program
	LD_LIBRARY_PATH=$libraries setpriv --reuid "$user" --regid nogroup --clear-groups "$@" \
		"$tmp/bin/uncore" stat -x ' ' -e UNC_M_CAS_COUNT:RD,UNC_M_CAS_COUNT:WR -- \
		sh -c ': >"$1/ready/$2"; while [ ! -e "$1/go" ]; do sleep 0.02; done' sh "$tmp" "$name" \
		>"$tmp/$name.out" 2>"$tmp/$name.err" &
}

# shellcheck disable=SC2317 # soon calls it
all_count() {
	for name in $names; do
		[ -e "$tmp/ready/$name" ] || return 1
	done
}

# a_second: a second passes on the machine while all of them count
a_second() {
	await all_count
	echo 1000000000 >"$dir/sim/advance"
	: >"$tmp/go"
	for name in $names; do
		soon ended "$name" || fail "$name does not end"
	done
	wait_for_all
	rm -f "$tmp/go" "$tmp/ready"/*
	names=
}

# shellcheck disable=SC2317 # soon calls it
ended() {
	grep -q 'UNC_M_CAS_COUNT:WR' "$tmp/$1.out" "$tmp/$1.err"
}

# Not the daemon.
wait_for_all() {
	for pid in $(jobs -p); do
		[ "$pid" = "$daemon" ] || wait "$pid"
	done
}

# sum NAME...: the counts of both events, added up over these processes
sum() {
	for name; do
		cat "$tmp/$name.out" "$tmp/$name.err"
	done | awk '$3 ~ /^UNC_M_CAS_COUNT:(RD|WR)$/ { n[$3] += $1 } END { print n["UNC_M_CAS_COUNT:RD"] + 0, n["UNC_M_CAS_COUNT:WR"] + 0 }'
}

# like_one WHAT NAME...: these processes count together what one has counted alone.  In each of eight
# channels a line may be this second's or the one's before
like_one() {
	what=$1
	shift
	echo "$alone $(sum "$@")" | awk '{ r = $1 - $3; w = $2 - $4 } r * r > 64 || w * w > 64 { exit 1 }' ||
		fail "$what: $(sum "$@"), one process counts $alone"
}

# reports N NAME...: N of these processes say that they count for all
reports() {
	expected=$1
	shift
	found=0
	for name; do
		[ "$(grep -c 'counts .* for all, the others read 0' "$tmp/$name.err")" -eq 0 ] || found=$((found + 1))
	done
	[ "$found" -eq "$expected" ] || fail "$found of $* report that they count for all, not $expected"
}

count alone 65534 env
a_second
alone=$(sum alone)
[ "${alone%% *}" -gt 0 ] || fail "one process counts nothing"
reports 0 alone

# ---- two users, two ranks each ----

ranks="env OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=job"
for n in 0 1; do
	# shellcheck disable=SC2086
	count root$n 0 $ranks OMPI_COMM_WORLD_LOCAL_RANK=$n
	# shellcheck disable=SC2086
	count user$n 65534 $ranks OMPI_COMM_WORLD_LOCAL_RANK=$n
done
a_second
for user in root user; do
	like_one "ranks of $user" ${user}0 ${user}1
	reports 1 ${user}0 ${user}1
	case " $(sum ${user}0) $(sum ${user}1) " in
	*" 0 0 "*) ;;
	*) fail "no rank of $user reads 0" ;;
	esac
done

# ---- serial programs of a batch script for eight tasks, of one user and of two ----

script="env SLURM_JOB_ID=4711 SLURM_NTASKS=8 SLURM_TASKS_PER_NODE=8 SLURM_NODEID=0 SLURM_LOCALID=0 SLURM_PROCID=0"
for name in first second; do
	# shellcheck disable=SC2086
	count $name 65534 $script
done
# shellcheck disable=SC2086
count other 0 $script
a_second
for name in first second other; do
	like_one "the $name program of a batch script" $name
	reports 0 $name
done

end_daemon -TERM
[ "$status" -eq 0 ] || fail "uncored ends with $status"
exit "$failed"
