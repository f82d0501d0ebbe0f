#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi_node_test.sh - examples/library/mpi_node.c in front of programs in C and Fortran, under Open MPI,
# and under MPICH if that is installed, too: one reader for each of two nodes (tests/mount/mpi_nodes.h),
# sums of the nodes and the job.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failed=0
tried=

fail() {
	echo "FAILED: $mpi: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err" 2>/dev/null
	failed=1
}

if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: MPI is not built with sanitizers"
	exit 77
fi

cat >"$tmp/program.c" <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int provided;

	if (argc > 1)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	else
		MPI_Init(&argc, &argv);
	usleep(200000);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
cat >"$tmp/f90.f90" <<'END'
program f90
    use mpi
    integer :: code
    call mpi_init(code)
    call execute_command_line("sleep 0.2")
    call mpi_finalize(code)
end program
END
sed 's/use mpi/use mpi_f08/; s/(code)/()/' "$tmp/f90.f90" >"$tmp/f08.f90"

# By the line in its head, with the flags of this build in place of pkg-config's.
line=$(sed -n 's/^ \*[[:space:]]*mpicc \(-shared.*\) -o .*/\1/p' "$SRC/examples/library/mpi_node.c" |
	sed "s| mpi_node.c | |; s|\$(pkg-config[^)]*)|-I$SRC/src -L$BUILD -Wl,-rpath,$BUILD -luncore|")

# run PROGRAM ARGUMENT...: four ranks with the library in front of them
run() {
	rm -f "$tmp/err" "$tmp/out"
	if [ "$mpi" = openmpi ]; then
		OMPI_MCA_btl=self,vader OMPI_MCA_plm_rsh_agent=/bin/false \
			timeout 60 mpirun.openmpi --allow-run-as-root --oversubscribe \
			-x LD_PRELOAD="$tmp/libmpi_node.so" -np 4 "$@" >"$tmp/out" 2>"$tmp/err"
	else
		timeout 60 mpirun.mpich -genv LD_PRELOAD "$tmp/libmpi_node.so" -n 4 "$@" \
			>"$tmp/out" 2>"$tmp/err"
	fi
	status=$?
	[ "$status" -eq 0 ] || fail "$*: status $status"
}

# sums: the table has two nodes of two ranks, and the job is their sum, for each of two events
sums() {
	awk '
		/^UNCORE_/ || /^UNC_/ { events++; sum = nodes = 0; next }
		/^  job, 2 of 2 nodes +4 ranks/ {
			if ($10 - 0 != sum || nodes != 2)
				exit bad = 1
			jobs++
			next
		}
		/ 2 ranks / { nodes++; sum += $6 - 0; if ($6 <= 0 || $4 < 0.2) exit bad = 1 }
		END { exit bad || events != 2 || jobs != 2 }' "$tmp/err" || fail "$1: the sums"
}

try() {
	mpi=$1
	tried="$tried $mpi"
	export UNCORE_MACHINE=sim:snbep:packages=1,cores=2
	unset SECOND_NODE UNCORE_EVENTS UNCORE_MPI_SUMMARY
	if ! eval "mpicc.$mpi -Wall -Wextra -Werror -include '$SRC/tests/mount/mpi_nodes.h' \
		'$SRC/examples/library/mpi_node.c' $line -o '$tmp/libmpi_node.so'" >"$tmp/out" 2>"$tmp/err" ||
		! "mpicc.$mpi" "$tmp/program.c" -o "$tmp/program" 2>"$tmp/err"; then
		fail "mpi_node.c cannot be built"
		return
	fi

	run "$tmp/program"
	grep -q '^SIMULATED' "$tmp/err" || fail "it is not reported that the machine is simulated"
	sums "MPI_Init"
	run "$tmp/program" threads
	sums "MPI_Init_thread"

	UNCORE_EVENTS=UNC_M_CAS_COUNT:RD:box=0,1,UNCORE_TOR_DRD_LATENCY_CLOCKS UNCORE_MPI_SUMMARY=$tmp/table \
		run "$tmp/program"
	[ ! -s "$tmp/err" ] || fail "a file is named, and something is on standard error"
	cp "$tmp/table" "$tmp/err"
	[ "$(grep -c '^  job' "$tmp/table")" -eq 1 ] || fail "a mean has a sum"
	[ "$(grep -c ' 2 ranks ' "$tmp/table")" -eq 4 ] || fail "not each node has two values"

	SECOND_NODE=nonsense run "$tmp/program"
	grep -q "2 ranks, is not counted: .*nonsense" "$tmp/err" || fail "why a node has no counts"
	grep -q "^  job, 1 of 2 nodes *2 ranks" "$tmp/err" || fail "the job without a node"
	SECOND_NODE=nonsense UNCORE_MACHINE=nonsense run "$tmp/program"
	[ "$(grep -c "2 ranks, is not counted: .*nonsense" "$tmp/err")" -eq 2 ] || fail "no node counts"
	grep -q "^  job" "$tmp/err" && fail "a job without counts has a sum"
	UNCORE_MPI_SUMMARY=$tmp/no/such/directory run "$tmp/program"
	grep -q "no/such/directory: No such file" "$tmp/err" || fail "a file that cannot be made"

	for program in f90 f08; do
		if "mpifort.$mpi" "$tmp/$program.f90" -o "$tmp/$program" 2>"$tmp/fortran"; then
			run "$tmp/$program"
			sums "Fortran, $program"
		else
			echo "not tried: Fortran with $mpi, $program: $(tail -n 1 "$tmp/fortran")"
		fi
	done
}

for mpi in openmpi mpich; do
	if command -v "mpicc.$mpi" >/dev/null && command -v "mpirun.$mpi" >/dev/null; then
		try "$mpi"
	else
		echo "not tried: $mpi is not installed; ./configure --install-deps=all installs it"
	fi
done
[ -n "$tried" ] || exit 77
exit "$failed"
