/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roofline.c - operations per byte of a region with PAPI: the operations of this thread in one
 * event set, the bytes of memory of the machine in another one, started and stopped around the
 * same loop.
 *
 *	cc -O2 roofline.c $(pkg-config --cflags --libs papi-uncore) -o roofline
 *	./roofline                        # PAPI_DP_OPS, operations in double precision
 *	./roofline PAPI_SP_OPS            # or another event of the cores
 *
 * A set has events of one component.  Operations are this thread's, bytes those of all programs.
 */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS (8 * 1024 * 1024)
#define TIMES    4

static void check(const char *what, int code)
{
	const PAPI_component_info_t *uncore =
		PAPI_get_component_info(PAPI_get_component_index("uncore"));
	const int is_uncore = strstr(what, "UNCORE_") != NULL;

	if (code >= PAPI_OK)
		return;
	fprintf(stderr, "%s: %s\n", what,
		is_uncore && uncore && uncore->disabled ? uncore->disabled_reason
							: PAPI_strerror(code));
	exit(1);
}

/* A set with one event.  PAPI 7.2 and later have presets for the memory's bytes. */
static int set_of(const char *name, const char *otherwise)
{
	int set = PAPI_NULL, code;

	check("PAPI_create_eventset", PAPI_create_eventset(&set));
	code = PAPI_add_named_event(set, name);
	if (code != PAPI_OK && otherwise)
		check(otherwise, PAPI_add_named_event(set, otherwise));
	else
		check(name, code);
	return set;
}

/* Two operations for each element, and at least 24 bytes: two are read, one is written. */
static void triad(double *a, const double *b, const double *c)
{
	for (size_t i = 0; i < ELEMENTS; i++)
		a[i] = b[i] + 3 * c[i];
}

int main(int argc, char **argv)
{
	const char *operations = argc > 1 ? argv[1] : "PAPI_DP_OPS";
	double *memory = calloc(3 * (size_t)ELEMENTS, sizeof(*memory));
	long long counted = 0, bytes = 0, begin, ns;
	int core, uncore, version = PAPI_library_init(PAPI_VER_CURRENT);

	if (!memory || version != PAPI_VER_CURRENT) {
		fprintf(stderr, "cannot initialize: %s\n",
			memory ? PAPI_strerror(version) : "out of memory");
		return 1;
	}
	core = set_of(operations, NULL);
	uncore = set_of("PAPI_UNCORE_MEM_BYTES", "uncore:::UNCORE_MEM_BYTES");

	begin = PAPI_get_real_nsec();
	check("uncore:::UNCORE_MEM_BYTES", PAPI_start(uncore));
	check(operations, PAPI_start(core));
	for (int i = 0; i < TIMES; i++)
		triad(memory, memory + ELEMENTS, memory + 2 * (size_t)ELEMENTS);
	check(operations, PAPI_stop(core, &counted));
	check("uncore:::UNCORE_MEM_BYTES", PAPI_stop(uncore, &bytes));
	ns = PAPI_get_real_nsec() - begin;

	printf("%lld operations (%s) of this thread, %lld bytes of the machine\n", counted,
	       operations, bytes);
	printf("%.4g operations per byte, %.4g GFLOP/s\n", (double)counted / (double)bytes,
	       (double)counted / (double)ns);
	free(memory);
	return 0;
}
