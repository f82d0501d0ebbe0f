#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi_test.sh - examples/library/mpi_share.c under Open MPI, four ranks on one mounted machine:
# without settings and with UNCORE_SHARE=owner their sum is what one rank counts alone, with
# UNCORE_SHARE=refuse three are refused.  Through uncored it is the same sum, and with
# UNCORE_SHARE=refuse each counts all of the node.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

failed=0

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err"
	failed=1
}

skip() {
	echo "skipped: $*"
	exit 77
}

for program in mpicc mpirun; do
	command -v "$program" >/dev/null || skip "there is no $program (openmpi-bin, libopenmpi-dev); ./configure --install-deps=all installs it"
done
grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk" && skip "MPI is not built with sanitizers"
"$BUILD/uncore" sim mount -b --machine sim:snbep:time=virtual "$dir" >"$tmp/out" 2>&1 ||
	skip "nothing can be mounted: $(tail -n 1 "$tmp/out")"

# By the line in its head.
line=$(sed -n 's/^ \*[[:space:]]*mpicc /mpicc /p' "$SRC/examples/library/mpi_share.c" |
	sed "s|\$(pkg-config[^)]*)|-include $SRC/tests/mount/mpi_work.h -I$SRC/src -L$BUILD -Wl,-rpath,$BUILD -luncore|")
: >"$tmp/err"
(cd "$SRC/examples/library" && eval "${line% -o *}" -o "'$tmp/mpi_share'") >"$tmp/out" 2>&1 ||
	fail "$line"

# all_work: the ranks do, or have ended
# shellcheck disable=SC2317 # soon calls it
all_work() {
	grep -q "all ranks work" "$tmp/out" || ! kill -0 "$run" 2>/dev/null
}

# ranks N: runs them; while all of them work, a second passes on the machine, and ends it.  The
# output of the previous run is removed first: the shell truncates the file only in the background.
ranks() {
	rm -f "$tmp/worked"
	: >"$tmp/out"
	MPI_WORKED=$tmp/worked \
		OMPI_MCA_btl=self,vader OMPI_MCA_plm_rsh_agent=/bin/false \
		timeout 60 mpirun --allow-run-as-root --oversubscribe -np "$1" "$tmp/mpi_share" \
		>"$tmp/out" 2>"$tmp/err" &
	run=$!
	await all_work
	[ ! -s "$tmp/out" ] || echo 1000000000 >"$dir/sim/advance"
	: >"$tmp/worked"
	wait "$run"
	status=$?
}

# counts N: lines EVENT COUNT of a node with that many ranks
counts() {
	sed -n "s/^.*, $1 ranks: //p" "$tmp/out"
}

# four_like_one WHAT: four ranks print what one has counted alone
four_like_one() {
	[ "$status" -eq 0 ] || fail "four ranks, $1: status $status"
	# In each of eight channels a line of 64 bytes may be this second's or the one's before.
	counts 4 >"$tmp/four"
	echo "$alone" | paste - "$tmp/four" |
		awk '{ off = $2 - $4 } $1 != $3 || off * off > 512 * 512 { exit 1 }' ||
		fail "four ranks, $1, count $(cat "$tmp/four"), one counts $alone"
}

# one_reports: one of the ranks says that it counts for all
one_reports() {
	[ "$(grep -c 'uncore: rank [0-3] of the 4 on this node counts .* for all' "$tmp/err")" -eq 1 ] ||
		fail "not one rank reports that it counts for all"
}

export UNCORE_SYSROOT="$dir"
ranks 1
[ "$status" -eq 0 ] || fail "one rank: status $status"
alone=$(counts 1)
echo "$alone" | grep -q "READ_BYTES [1-9]" || fail "one rank counts nothing"

ranks 4
four_like_one "without settings"
one_reports
export UNCORE_SHARE=owner
ranks 4
four_like_one "with an owner"

export UNCORE_SHARE=refuse
ranks 4
[ "$status" -ne 0 ] || fail "four ranks with UNCORE_SHARE=refuse are not refused"
grep -o 'in use by mpi_share (pid [0-9]*' "$tmp/err" >"$tmp/owners"
[ "$(wc -l <"$tmp/owners")" -eq 3 ] || fail "not three ranks are refused"
[ "$(sort -u "$tmp/owners" | wc -l)" -eq 1 ] || fail "they do not name one process"

unset UNCORE_SYSROOT UNCORE_SHARE
# shellcheck disable=SC2119
start_daemon
export UNCORE_ACCESS=daemon UNCORE_DAEMON="$tmp/socket"
ranks 4
four_like_one "through uncored"
one_reports
export UNCORE_SHARE=refuse
ranks 4
four_like_one "through uncored, each for itself"
export UNCORE_SHARE=owner
ranks 4
four_like_one "through uncored with an owner"
end_daemon -TERM
[ "$status" -eq 0 ] || fail "uncored: $(cat "$tmp/daemon.err")"

exit "$failed"
