/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marked.c - a program with marks by LIKWID's names, in two files (-DOTHER is the second one), for
 * marker_test.sh.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <uncore_marker.h>

void in_other_file(void);
void work(void);

#ifdef OTHER

void in_other_file(void)
{
	LIKWID_MARKER_START("other file");
	work();
	LIKWID_MARKER_STOP("other file");
}

#else

void work(void)
{
	const struct timespec moment = {.tv_nsec = 5000000};

	nanosleep(&moment, NULL);
}

static void *thread(void *arg)
{
	(void)arg;
	LIKWID_MARKER_THREADINIT;
	LIKWID_MARKER_START("threads");
	work();
	LIKWID_MARKER_STOP("threads");
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A child neither counts nor writes a file. */
static void fork_a_child(void)
{
	pid_t child;

	fflush(NULL); /* or both would print it */
	child = fork();
	if (child == 0) {
		LIKWID_MARKER_START("child");
		LIKWID_MARKER_STOP("child");
		LIKWID_MARKER_CLOSE;
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static void print_region(const char *name)
{
	double events[2] = {-1, -1}, seconds = -1;
	int n = 2, calls = -1;

	LIKWID_MARKER_GET(name, &n, events, &seconds, &calls);
	printf("%s: %d events, first %.6f, second %.6f, %.6f s, %d calls\n", name, n, events[0],
	       events[1], seconds, calls);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	double began, middle;

	LIKWID_MARKER_INIT;
	LIKWID_MARKER_REGISTER("registered");
	began = now();
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	middle = now();
	in_other_file();
	printf("threads took %.6f s\nother file took %.6f s\n", middle - began, now() - middle);
	LIKWID_MARKER_START("reset");
	LIKWID_MARKER_STOP("reset");
	LIKWID_MARKER_RESET("reset");
	print_region("threads");
	print_region("reset");
	if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
		LIKWID_MARKER_STOP("never begun");
		LIKWID_MARKER_START("never ended");
		LIKWID_MARKER_START("bad\nname");
	}
	if (argc > 1 && strcmp(argv[1], "switch") == 0) {
		LIKWID_MARKER_SWITCH;
		in_other_file();
		print_region("other file");
	}
	if (argc > 2 && strcmp(argv[1], "write") == 0)
		LIKWID_MARKER_WRITE_FILE(argv[2]);
	fork_a_child();
	if (argc > 1 && strcmp(argv[1], "exit") == 0)
		exit(0);
	LIKWID_MARKER_CLOSE;
	LIKWID_MARKER_CLOSE;
	return 0;
}

#endif
