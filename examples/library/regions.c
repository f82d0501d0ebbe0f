/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions.c - memory traffic of parts of a program: named regions, which can be nested and
 * entered by several threads.
 *
 *	cc regions.c $(pkg-config --cflags --libs uncore) -pthread -o regions
 *	UNCORE_MACHINE=sim:snbep ./regions
 *
 * With uncore_marker.h, events are selected by environment variables, and the code is shorter.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <uncore.h>

#define THREADS 2
#define ROUNDS  5
#define N       2000000 /* elements per array and thread */

static const char *const names[] = {"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES"};

static struct uncore *u;
static struct uncore_set *set;
static unsigned all, triad, sum; /* regions */

/* Print the error message, which includes cause and remedy, and exit. */
static void check(int code)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code >= 0)
		return;
	fprintf(stderr, "%s\n", u ? uncore_errmsg(u, text, sizeof(text)) : uncore_strerror(code));
	uncore_close(u);
	exit(1);
}

static void start(void)
{
	unsigned events[2];
	int code = uncore_open(&u, NULL);

	check(code);
	for (int i = 0; i < 2; i++)
		check(uncore_event(u, names[i], &events[i]));
	check(uncore_set_create(u, &set));
	check(uncore_set_assign(set, events, 2));
	check(uncore_region(set, "all rounds", &all));
	check(uncore_region(set, "triad", &triad));
	check(uncore_region(set, "sum", &sum));
	check(uncore_set_start(set));
}

/*
 * Both threads are inside at about the same time: the region counts from the first begin to the
 * last end, and each occurrence once.
 */
static void *work(void *arg)
{
	double *a = malloc(N * sizeof(*a)), *b = malloc(N * sizeof(*b)), *total = arg;

	for (int i = 0; a && b && i < N; i++)
		b[i] = 1;
	for (int round = 0; a && b && round < ROUNDS; round++) {
		uncore_region_begin(set, triad);
		for (int i = 0; i < N; i++)
			a[i] = b[i] + 0.5 * b[N - 1 - i];
		uncore_region_end(set, triad);

		uncore_region_begin(set, sum);
		for (int i = 0; i < N; i++)
			*total += a[i];
		uncore_region_end(set, sum);
	}
	free(a);
	free(b);
	return NULL;
}

static void print(void)
{
	const int length = uncore_regions_text(set, UNCORE_REGIONS_TABLE, NULL, 0);
	char *text;

	check(length);
	text = malloc((size_t)length + 1);
	if (text && uncore_regions_text(set, UNCORE_REGIONS_TABLE, text, (size_t)length + 1) >= 0)
		fputs(text, stdout);
	free(text);
}

int main(void)
{
	double totals[THREADS] = {0};
	pthread_t threads[THREADS];

	start();
	uncore_region_begin(set, all);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, &totals[i]) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	uncore_region_end(set, all);
	check(uncore_set_stop(set));
	print();
	uncore_close(u);
	return totals[0] + totals[1] == THREADS * ROUNDS * 1.5 * N ? 0 : 1;
}
