/*
 * likwid.c - what LIKWID does for a set of events: calls of register files by phase.
 *
 *	likwid CALLS-FILE NAME EVENT:COUNTER,...
 */
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READS 9

static const char *calls_file;

static long calls(void)
{
	long n = -1;
	FILE *f = fopen(calls_file, "re");

	if (!f || fscanf(f, "%ld", &n) != 1)
		fprintf(stderr, "%s cannot be read\n", calls_file);
	if (f)
		fclose(f);
	return n;
}

/* A second passes. */
static void advance(void)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s", calls_file);
	memcpy(strrchr(path, '/'), "/advance", sizeof("/advance"));
	f = fopen(path, "we");
	if (!f || fprintf(f, "1000000000") < 0 || fclose(f) != 0)
		fprintf(stderr, "%s cannot be written\n", path);
}

static void fail_if(int bad, const char *what)
{
	if (!bad)
		return;
	fprintf(stderr, "likwid: %s failed\n", what);
	exit(1);
}

int main(int argc, char **argv)
{
	int cpus[2] = {0, 8}, group, n;
	long at[7];
	double counts[256];

	fail_if(argc != 4, "the command line");
	calls_file = argv[1];
	at[0] = calls();
	fail_if(topology_init() < 0 || numa_init() < 0, "topology_init");
	affinity_init();
	HPMmode(ACCESSMODE_DIRECT);
	fail_if(perfmon_init(2, cpus) < 0, "perfmon_init");
	at[1] = calls();
	group = perfmon_addEventSet(argv[3]);
	fail_if(group < 0 || perfmon_setupCounters(group) < 0, "perfmon_setupCounters");
	at[2] = calls();
	fail_if(perfmon_startCounters() < 0, "perfmon_startCounters");
	at[3] = calls();
	for (int i = 0; i < READS; i++)
		fail_if(perfmon_readCounters() < 0, "perfmon_readCounters");
	at[4] = calls();
	advance();
	fail_if(perfmon_stopCounters() < 0, "perfmon_stopCounters");
	at[5] = calls();
	n = perfmon_getNumberOfEvents(group);
	for (int i = 0; i < n && i < 256; i++)
		counts[i] = perfmon_getResult(group, i, 0) + perfmon_getResult(group, i, 1);
	perfmon_finalize();
	at[6] = calls();
	printf("%-8s LIKWID %6ld %6ld %6ld %6ld %6ld %6ld counts", argv[2], at[1] - at[0],
	       at[2] - at[1], at[3] - at[2], (at[4] - at[3]) / READS, at[5] - at[4], at[6] - at[5]);
	for (int i = 0; i < n && i < 256; i++)
		printf(" %.0f", counts[i]);
	putchar('\n');
	return 0;
}
