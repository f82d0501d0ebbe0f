/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the shares of owners next to the counts of the memory controllers.  All numbers are of
 *an interval, as they were counted: nothing is scaled to make the sum fit.
 *
 *	total = rows + devices + undivided + unexplained
 */
#ifndef WHO_REPORT_H
#define WHO_REPORT_H

#include "command/who/source.h"

#ifdef __cplusplus
extern "C" {
#endif

struct report_row {
	const char *name; /* of the owner; "package 0" by socket */
	double bytes, local, remote;
	double cache;  /* bytes in the last-level cache; NAN: unknown, as all others */
	double joules; /* of the cores */
	double error;  /* relative, of bytes */
};

struct report {
	enum source_kind source;
	enum who_by by;
	double seconds;
	struct report_row *rows; /* the largest first */
	size_t n;
	double read, write;   /* of the memory controllers */
	double devices;       /* bytes that devices moved, at most; NAN: cannot be counted */
	bool misses;          /* ... only those that missed the cache */
	struct report_stack { /* PCIe stacks in which bytes moved; not part of the sum */
		unsigned package, box;
		double read, write; /* bytes from and to memory */
		char *names;        /* of devices; NULL: unknown */
	} * stacks;
	size_t n_stacks;
	double undivided; /* written back: which core did it is not known; NAN: in the rows */
	double unexplained;
	double package_joules, dram_joules;
	unsigned ungrouped, lost, unread; /* struct monitor */
	int error;
	bool uncorrected, occupancy, energy;
	char (*names)[32]; /* of packages */
};

/* From a source that was read; names stay valid until the source is read again. */
void report_new(struct report *r, const struct source *s);
void report_free(struct report *r);

/*
 * The relative error of monitored bandwidth: 2 % for the units of the hardware and the time between
 * two readings, and the share of writes times the share of the other owners, whose misses write
 * lines back. The latter assumes that owners write in proportion to their traffic.
 */
double report_monitoring_error(double bytes, double total, double written, bool uncorrected);

/* Limits of these numbers, a sentence each; NULL after the last.  To be freed. */
char *report_note(const struct report *r, unsigned i);

struct json_object;
struct json_object *report_json(const struct report *r);

#ifdef __cplusplus
}
#endif
#endif
