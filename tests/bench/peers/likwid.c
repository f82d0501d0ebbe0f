/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * likwid.c - LIKWID's work for a set of events: calls of register files by phase.
 *
 *	likwid CALLS-FILE NAME EVENT:COUNTER,...
 */
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>

#include "phases.h"

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
	long at[PHASES];
	double counts[256];

	fail_if(argc != 4, "the command line");
	at[BEGUN] = calls(argv[1]);
	fail_if(topology_init() < 0 || numa_init() < 0, "topology_init");
	affinity_init();
	HPMmode(ACCESSMODE_DIRECT);
	fail_if(perfmon_init(2, cpus) < 0, "perfmon_init");
	at[INIT] = calls(argv[1]);
	group = perfmon_addEventSet(argv[3]);
	fail_if(group < 0 || perfmon_setupCounters(group) < 0, "perfmon_setupCounters");
	at[SETUP] = calls(argv[1]);
	fail_if(perfmon_startCounters() < 0, "perfmon_startCounters");
	at[START] = calls(argv[1]);
	for (int i = 0; i < READS; i++)
		fail_if(perfmon_readCounters() < 0, "perfmon_readCounters");
	at[READ] = calls(argv[1]);
	advance(argv[1]);
	fail_if(perfmon_stopCounters() < 0, "perfmon_stopCounters");
	at[STOP] = calls(argv[1]);
	n = perfmon_getNumberOfEvents(group);
	for (int i = 0; i < n && i < 256; i++)
		counts[i] = perfmon_getResult(group, i, 0) + perfmon_getResult(group, i, 1);
	perfmon_finalize();
	at[END] = calls(argv[1]);
	print_phases(argv[2], "LIKWID", at);
	for (int i = 0; i < n && i < 256; i++)
		printf(" %.0f", counts[i]);
	putchar('\n');
	return 0;
}
