/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the shares of owners next to the counts of the memory controllers.  All numbers are of
 * an interval, as they were counted: nothing is scaled to make the sum fit.
 *
 *	total = rows + devices + undivided + unexplained
 *
 * Groups and boxes are read one after the other, so each rate is that of a time of its own.
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
	double rate;   /* bytes a second of the time in which they were counted */
	double error;  /* relative, of bytes: the source's */
	double doubt;  /* ... and of the rate, because the time is not known better */
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
	struct report_stack { /* PCIe stacks and ports in which bytes moved; not part of the sum */
		unsigned package, box;
		int part;                       /* of a port; -1: the whole stack */
		bool estimate;                  /* counted in a part of the time */
		double read, write;             /* bytes from and to memory; NAN: not known yet */
		double read_error, write_error; /* of estimates: bytes, 95 of 100 are smaller */
		double seconds;                 /* the time in which they were counted */
		const char *names;              /* of devices; NULL: unknown */
	} * stacks;
	size_t n_stacks;
	double undivided; /* written back: which core did it is not known; NAN: in the rows */
	double unexplained;
	/* the same a second, and what of it may be wrong because of the times */
	struct memory_rate total_rate, devices_rate, undivided_rate, unexplained_rate;
	double package_joules, dram_joules;
	unsigned ungrouped, lost, unread; /* struct monitor */
	unsigned starved;                 /* struct threads */
	int error;
	bool uncorrected, occupancy, energy;
	char (*names)[32]; /* of packages */
};

/* From a source that was read; names stay valid until the source is read again. */
void report_new(struct report *r, const struct source *s);
void report_free(struct report *r);

/*
 * The relative error of monitored bandwidth: 2 % for the units of the hardware, and all writes in
 * question.  A miss writes back a line of any owner: of the writes that count for an owner, none
 * need be its own, and all that count for others may be.
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
