/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_node.c - counts per node, and for the whole job, of an MPI program.  This is a library to be
 * preloaded into any MPI program, which need not be changed or linked again:
 *
 *	mpicc -shared -fPIC mpi_node.c $(pkg-config --cflags --libs uncore) -ldl -o libmpi_node.so
 *	mpirun -x LD_PRELOAD=$PWD/libmpi_node.so -n 64 ./program          # Open MPI
 *	mpirun -genv LD_PRELOAD $PWD/libmpi_node.so -n 64 ./program       # MPICH, Intel MPI
 *	srun --export=ALL,LD_PRELOAD=$PWD/libmpi_node.so -n 64 ./program  # Slurm
 *
 * The counters belong to the node: one rank of each node reads them, from MPI_Init() to
 * MPI_Finalize().  The first rank of the job writes a table at the end: for each event the
 * counts of the nodes and their sum.  UNCORE_EVENTS selects events, separated by commas
 * (default: reads and writes of memory), UNCORE_MPI_SUMMARY the output file (default: standard
 * error).  For a node that cannot count, the table has the reason, and the program is not
 * affected.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uncore_inspect.h>

#define MOST_EVENTS 32

/* The results that a node sends to the first one. */
struct node {
	char name[MPI_MAX_PROCESSOR_NAME];
	char why[UNCORE_ERRMSG_MAX]; /* why the node has no counts, or "" */
	int ranks, simulated;
	double seconds;
	int64_t counts[MOST_EVENTS];
	int real[MOST_EVENTS]; /* this count is a mean, which cannot be summed */
};

static struct {
	int began, ended;
	MPI_Comm ranks,
		readers; /* ranks of this node; one rank per node, MPI_COMM_NULL in the others */
	struct uncore *u;
	struct uncore_set *set;
	unsigned events[MOST_EVENTS];
	char *names[MOST_EVENTS], *list;
	int n;
	double start;
	struct node node;
} job;

/* ---- events ---- */

/* A comma followed by a digit or * belongs to a list of box= or pkg=: no event begins so. */
static void split_names(const char *list)
{
	char *name = job.list = strdup(list);

	for (; name && *name && job.n < MOST_EVENTS; job.n++) {
		job.names[job.n] = name;
		do
			name = strchr(name + 1, ',');
		while (name && (isdigit((unsigned char)name[1]) || name[1] == '*'));
		if (name)
			*name++ = '\0';
	}
}

static int start_set(void)
{
	struct uncore_options options;
	int code;

	UNCORE_INIT(options);
	options.share = "refuse"; /* begin() has chosen the rank that counts */
	code = uncore_open(&job.u, &options);
	for (int i = 0; code == 0 && i < job.n; i++)
		code = uncore_event(job.u, job.names[i], &job.events[i]);
	if (code == 0)
		code = uncore_set_create(job.u, &job.set);
	if (code == 0)
		code = uncore_set_assign(job.set, job.events, (size_t)job.n);
	return code < 0 ? code : uncore_set_start(job.set);
}

static void note_failure(int code)
{
	if (code >= 0 || *job.node.why)
		return;
	if (job.u)
		uncore_errmsg(job.u, job.node.why, sizeof(job.node.why));
	else
		snprintf(job.node.why, sizeof(job.node.why), "%s", uncore_strerror(code));
}

static void describe_events(void)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	struct uncore_event_info event = {.size = sizeof(event)};

	uncore_machine(job.u, &machine);
	job.node.simulated = machine.simulated;
	for (int i = 0; i < job.n; i++)
		job.node.real[i] =
			uncore_event_info(job.u, job.events[i], &event) == 0 && event.real;
}

/* ---- begin and end ---- */

static void begin(void)
{
	const char *list = getenv("UNCORE_EVENTS");
	int rank, job_rank, length;

	if (job.began) /* MPI's Fortran functions may call those of C */
		return;
	job.began = 1;
	split_names(list && *list ? list : "UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES");
	PMPI_Comm_rank(MPI_COMM_WORLD, &job_rank);
	PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &job.ranks);
	PMPI_Comm_rank(job.ranks, &rank);
	PMPI_Comm_size(job.ranks, &job.node.ranks);
	PMPI_Get_processor_name(job.node.name, &length);
	PMPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, job_rank, &job.readers);
	if (rank == 0)
		note_failure(start_set());
	if (rank == 0 && !*job.node.why)
		describe_events();
	PMPI_Barrier(job.ranks); /* start counting before any rank continues */
	job.start = PMPI_Wtime();
}

static void take_counts(void)
{
	if (*job.node.why)
		return;
	note_failure(uncore_set_stop(job.set));
	job.node.seconds = PMPI_Wtime() - job.start;
	if (!*job.node.why)
		note_failure(uncore_set_read(job.set, job.node.counts));
}

/* ---- the table ---- */

static void print_count(FILE *out, const char *name, const struct node *node, int i)
{
	fprintf(out, "  %-24s %5d ranks %10.3f s  ", name, node->ranks, node->seconds);
	if (node->real[i])
		fprintf(out, "%20.6g\n", uncore_real(node->counts[i]));
	else
		fprintf(out, "%20" PRId64 " %12.0f per second\n", node->counts[i],
			node->seconds > 0 ? (double)node->counts[i] / node->seconds : 0);
}

/* The row of the job has the sum of the counts and the longest time of a node. */
static void print_event(FILE *out, const struct node *nodes, int n, int i)
{
	struct node sum = {.ranks = 0};
	char name[64];
	int counted = 0;

	fprintf(out, "%s\n", job.names[i]);
	for (int k = 0; k < n; k++) {
		if (*nodes[k].why)
			continue;
		print_count(out, nodes[k].name, &nodes[k], i);
		counted++;
		sum.ranks += nodes[k].ranks;
		sum.real[i] |= nodes[k].real[i];
		sum.counts[i] += nodes[k].real[i] ? 0 : nodes[k].counts[i];
		if (nodes[k].seconds > sum.seconds)
			sum.seconds = nodes[k].seconds;
	}
	snprintf(name, sizeof(name), "job, %d of %d nodes", counted, n);
	if (counted && !sum.real[i])
		print_count(out, name, &sum, i);
}

static void print_nodes(FILE *out, const struct node *nodes, int n)
{
	if (nodes[0].simulated)
		fprintf(out, "SIMULATED: counts do not describe a real machine\n");
	for (int k = 0; k < n; k++)
		if (*nodes[k].why)
			fprintf(out, "%s, %d ranks, is not counted: %s\n", nodes[k].name,
				nodes[k].ranks, nodes[k].why);
	for (int i = 0; i < job.n; i++)
		print_event(out, nodes, n, i);
}

static void write_table(const struct node *nodes, int n)
{
	const char *file = getenv("UNCORE_MPI_SUMMARY");
	FILE *out = file && *file ? fopen(file, "w") : stderr;
	int failed = !out;

	if (out)
		print_nodes(out, nodes, n);
	if (out)
		failed |= ferror(out);
	if (out && out != stderr)
		failed |= fclose(out) != 0;
	if (failed && file)
		perror(file);
}

static void gather(void)
{
	const int bytes = (int)sizeof(job.node);
	struct node *nodes = NULL;
	int n, reader, ready = 1;

	PMPI_Comm_rank(job.readers, &reader);
	PMPI_Comm_size(job.readers, &n);
	if (reader == 0) {
		nodes = malloc((size_t)n * sizeof(*nodes));
		ready = nodes != NULL;
	}
	PMPI_Bcast(&ready, 1, MPI_INT, 0, job.readers);
	if (ready)
		PMPI_Gather(&job.node, bytes, MPI_BYTE, nodes, bytes, MPI_BYTE, 0, job.readers);
	if (nodes)
		write_table(nodes, n);
	free(nodes);
}

static void end(void)
{
	if (!job.began || job.ended)
		return;
	job.ended = 1;
	PMPI_Barrier(job.ranks); /* wait for all ranks of the node */
	if (job.readers != MPI_COMM_NULL) {
		take_counts();
		gather();
		uncore_close(job.u);
		PMPI_Comm_free(&job.readers);
	}
	PMPI_Comm_free(&job.ranks);
	free(job.list);
}

/* ---- wrappers of MPI functions: C and C++ ---- */

int MPI_Init(int *argc, char ***argv)
{
	const int code = PMPI_Init(argc, argv);

	if (code == MPI_SUCCESS)
		begin();
	return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	const int code = PMPI_Init_thread(argc, argv, required, provided);

	if (code == MPI_SUCCESS)
		begin();
	return code;
}

int MPI_Finalize(void)
{
	end();
	return PMPI_Finalize();
}

/* ---- Fortran: mpif.h and module mpi; with mpi_f08 the names end in _f08_ ---- */

static void *next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function) {
		fprintf(stderr, "mpi_node: %s is missing in the MPI library\n", name);
		abort();
	}
	return function;
}

#define FORTRAN(suffix)                                                        \
	void mpi_init##suffix(int *code);                                      \
	void mpi_init##suffix(int *code)                                       \
	{                                                                      \
		void (*call)(int *);                                           \
                                                                               \
		*(void **)&call = next("mpi_init" #suffix);                    \
		call(code);                                                    \
		if (!code || *code == MPI_SUCCESS)                             \
			begin();                                               \
	}                                                                      \
	void mpi_init_thread##suffix(int *required, int *provided, int *code); \
	void mpi_init_thread##suffix(int *required, int *provided, int *code)  \
	{                                                                      \
		void (*call)(int *, int *, int *);                             \
                                                                               \
		*(void **)&call = next("mpi_init_thread" #suffix);             \
		call(required, provided, code);                                \
		if (!code || *code == MPI_SUCCESS)                             \
			begin();                                               \
	}                                                                      \
	void mpi_finalize##suffix(int *code);                                  \
	void mpi_finalize##suffix(int *code)                                   \
	{                                                                      \
		void (*call)(int *);                                           \
                                                                               \
		*(void **)&call = next("mpi_finalize" #suffix);                \
		end();                                                         \
		call(code);                                                    \
	}

FORTRAN(_)
FORTRAN(_f08_)
