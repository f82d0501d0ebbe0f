/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_share.c - an MPI program in which every rank counts the memory traffic of its node:
 *
 *	mpicc mpi_share.c $(pkg-config --cflags --libs uncore) -o mpi_share
 *	mpirun -n 32 ./mpi_share
 *
 * The counters belong to the node.  One rank on a node counts and the others read 0, so that the
 * sum over ranks is the count of the node.  With UNCORE_SHARE=refuse, every rank counts the whole
 * node if uncored is used (docs/daemon.md); otherwise all ranks but one get UNCORE_EBUSY.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uncore.h>

#define SECONDS  2
#define N_EVENTS 2

static const char *const names[N_EVENTS] = {"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES"};

/* Print the message if code is an error; return code. */
static int report(struct uncore *u, int rank, int code)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code < 0)
		fprintf(stderr, "rank %d: %s\n", rank,
			u ? uncore_errmsg(u, text, sizeof(text)) : uncore_strerror(code));
	return code;
}

static int start(struct uncore **u, struct uncore_set **set, int rank)
{
	unsigned events[N_EVENTS];
	int code = uncore_open(u, NULL);

	for (int i = 0; code == 0 && i < N_EVENTS; i++)
		code = uncore_event(*u, names[i], &events[i]);
	if (code == 0)
		code = uncore_set_create(*u, set);
	if (code == 0)
		code = uncore_set_assign(*set, events, N_EVENTS);
	if (code == 0)
		code = uncore_set_start(*set);
	return report(*u, rank, code);
}

/* Whether all ranks succeeded; this also synchronizes them. */
static int all_good(int code)
{
	int good = code == 0, all;

	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

static void print_node(MPI_Comm node, const int64_t counts[N_EVENTS])
{
	const char *share = getenv("UNCORE_SHARE");
	const int one_counts = !share || strcmp(share, "refuse") != 0;
	char name[MPI_MAX_PROCESSOR_NAME];
	int64_t all[N_EVENTS];
	int rank, ranks, length;

	/* if each rank has counted the whole node, use the one that counted longest */
	MPI_Reduce(counts, all, N_EVENTS, MPI_INT64_T, one_counts ? MPI_SUM : MPI_MAX, 0, node);
	MPI_Comm_rank(node, &rank);
	MPI_Comm_size(node, &ranks);
	MPI_Get_processor_name(name, &length);
	for (int i = 0; rank == 0 && i < N_EVENTS; i++)
		printf("%s, %d ranks: %s %" PRId64 "\n", name, ranks, names[i], all[i]);
}

int main(int argc, char **argv)
{
	int64_t counts[N_EVENTS] = {0};
	struct uncore_set *set = NULL;
	struct uncore *u = NULL;
	int rank, good;
	MPI_Comm node;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	good = all_good(start(&u, &set, rank));
	if (good) {
		if (rank == 0)
			printf("all ranks work for %d s\n", SECONDS);
		fflush(stdout);
		sleep(SECONDS);              /* placeholder for the work of a real program */
		MPI_Barrier(MPI_COMM_WORLD); /* do not stop the rank that counts before the others
						are done */
		good = all_good(report(u, rank, uncore_set_stop(set)));
	}
	if (good) {
		uncore_set_read(set, counts);
		print_node(node, counts);
	}
	uncore_close(u);
	MPI_Comm_free(&node);
	MPI_Finalize();
	return good ? 0 : 1;
}
