/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ceilings.h - what the machine can do at most: measured by `uncore ceilings` and kept in a file,
 * or else the theoretical peak of its memory.
 */
#ifndef EXPLAIN_CEILINGS_H
#define EXPLAIN_CEILINGS_H

#include "command/explain/facts.h"
#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CEILING_PRECISIONS 2
#define CEILING_WIDTHS     4

/* A measurement of a package: bytes a second, or ns for a latency. */
enum ceiling {
	CEILING_READ,
	CEILING_WRITE, /* non-temporal stores */
	CEILING_COPY,  /* to non-temporal stores */
	CEILING_TRIAD,
	CEILING_REMOTE, /* reads of the next package's memory */
	CEILING_LATENCY,
	CEILING_REMOTE_LATENCY,
	CEILING_LOADED_LATENCY, /* while all other cores read */
	CEILING_CACHE,          /* reads from the last-level cache */
	/* floating-point operations a second, by precision and width; ceiling_of_operations() */
	CEILING_OPERATIONS,
	CEILINGS = CEILING_OPERATIONS + CEILING_PRECISIONS * CEILING_WIDTHS
};

/* Double or single precision; scalar, or vectors of 128, 256 or 512 bits. */
static inline enum ceiling ceiling_of_operations(unsigned precision, unsigned width)
{
	return (enum ceiling)(CEILING_OPERATIONS + precision * CEILING_WIDTHS + width);
}

#define CEILING_STEPS 16

struct package_ceilings {
	double of[CEILINGS]; /* NAN: not measured */
	/* reads by number of cores */
	size_t n_steps;
	struct ceiling_step {
		unsigned cores;
		double read;
	} step[CEILING_STEPS];
};

struct ceilings {
	unsigned packages;
	struct package_ceilings *at;
	char measured[64]; /* when; "": not measured */
};

struct json_object;

extern const char *const ceiling_names[CEILINGS];

/* Name a machine: its processor and its numbers of packages and CPUs; text to be freed. */
char *ceilings_identity(struct uncore *u);

/*
 * Read the file of the system, or else of the user: 0 packages if both are missing or belong to
 * another machine.
 */
void ceilings_load(struct ceilings *c, const char *identity);
/* As in the file; to be freed. */
struct json_object *ceilings_json(const struct ceilings *c, const char *identity);
/* Write it; where receives its path; false: and why that failed. */
bool ceilings_save(const struct ceilings *c, const char *identity, char *where, size_t len);
void ceilings_free(struct ceilings *c);

/* The measured bytes a second of memory, by the share of reads; NAN: not measured. */
double ceiling_of_mix(const struct ceilings *c, unsigned package, double reads);

/* The theoretical peak, bytes a second, by the sum of the DRAM clocks of all channels in Hz. */
double memory_peak(double clock);

/* The most bytes a second of memory for the mix of reads and writes of a package; NAN: unknown. */
struct limit {
	double bytes;
	bool measured; /* false: the theoretical peak, which is never reached */
};
struct limit memory_limit(const struct ceilings *c, const struct facts *f, unsigned package);

#ifdef __cplusplus
}
#endif
#endif
