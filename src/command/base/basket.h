/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * basket.h - the events that `uncore stat`, `uncore top` or the exporter wants, in the sets that
 * count as many of them as can be counted.
 */
#ifndef COMMAND_BASKET_H
#define COMMAND_BASKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore.h"

/* ---- checks before anything is started ---- */

/* 0, or the error of uncore_set_assign() if n events do not fit into one window. */
int events_fit(struct uncore *u, const unsigned *ids, size_t n);

/* Look up an event as uncore_event() does.  Also an error if the event conflicts with itself. */
int event_that_fits(struct uncore *u, unsigned *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The event is missing or does not fit, so an alternative may work.  Other errors are reported. */
bool is_not_here(int code);

/* ---- a basket ---- */

struct basket_event {
	unsigned id;
	size_t part;     /* index into the basket's list */
	unsigned window; /* events with the same number share their windows; 0: any window */
};

/* Events that are counted all together or not at all. */
struct basket_part {
	size_t unit;  /* index into the basket's list */
	size_t n;     /* number of events */
	bool apart;   /* placed before other parts, in a separate set if one set cannot hold all */
	bool up;      /* currently counted */
	int code;     /* library error; 0: counted, or not started yet */
	char *reason; /* the library's message for that code, NULL: none */
};

/* The clock by which reads are measured, in ns. */
struct basket_clock {
	uint64_t (*now)(void *of);
	void *of;
};

/* A set and the values of its last read. */
struct basket_set {
	struct uncore_set *set; /* NULL: nothing is counted */
	size_t *events;         /* event of each value: index into the basket's list */
	size_t n;
	int64_t *values;
	int64_t ns;                 /* time covered by the values */
	struct uncore_times *times; /* from the last basket_times() */
	bool multiplexed;
	unsigned rounds, window_us; /* of multiplexing */
	/* how long the last basket_read_measured() took, and the shortest one; 0: not called yet */
	int64_t took_ns, shortest_ns;
	int64_t *gained;           /* of each value, between the last two such reads */
	int64_t gained_ns;         /* ... and the time between them */
	struct basket_clock clock; /* of the basket */
};

/*
 * Events that are started and stopped together, such as those of a package.  Packages share no
 * boxes, so their events do not conflict.
 */
struct basket_unit {
	unsigned window_us;        /* multiplexing window; 0: all events must fit at once */
	bool apart;                /* the first set holds the parts marked "apart" */
	struct basket_set sets[2]; /* parts marked "apart", all others */
};

struct basket {
	struct uncore *u;
	struct basket_event *events;
	struct basket_part *parts;
	struct basket_unit *units;
	size_t n_events, n_parts, n_units;
	struct basket_clock clock; /* may be replaced before a start; by default CLOCK_MONOTONIC */
	/* windows are widened for these: */
	double interval_us; /* time between two reads; 0: unknown */
	double accesses;    /* register accesses a second of all units; 0: any number */
};

/*
 * Create an empty basket for a number of units, which may be 0.  Free it before the handle.  Exits
 * if memory is exhausted.
 */
void basket_new(struct basket *b, struct uncore *u, size_t units, unsigned window_us);
void basket_free(struct basket *b);

/* Add a part, and an event to a part; return their index in the lists. */
size_t basket_add_part(struct basket *b, size_t unit);
size_t basket_add_event(struct basket *b, size_t part, unsigned id, unsigned window);

/* Move events that do not fit into their window to additional windows, in order. */
void basket_split_windows(struct basket *b);

/* 0, or the error of uncore_set_assign() if the events do not all fit into one window. */
int basket_fits(const struct basket *b);

/*
 * Assign all events, in order, to a set that the caller starts and ends, also after a failure.
 * Returns 0, or why they cannot be counted together.  window_us: as in struct basket_unit.
 */
int basket_assign(const struct basket *b, struct basket_set *s, unsigned window_us);
void basket_end_set(struct basket_set *s);

/*
 * Count all parts of a unit, or else as many as can be counted, small ones first: if each fits but
 * not all together, the largest ones are dropped.  The code of each part has the result.
 */
void basket_start(struct basket *b, size_t unit);
/*
 * Whether a refused part could be counted now, without the others: 0, or the error, which becomes
 * the part's code.  UNCORE_ECONFLICT: it may conflict with events that are already counted.
 */
int basket_try(struct basket *b, size_t part);
/* Restore the registers of a unit; an earlier read or check has reported any failure. */
void basket_end(struct basket_unit *unit);

/* Like uncore_set_read_timed(), uncore_set_times(), uncore_set_check(); 0 if not running. */
int basket_read(struct basket_set *s);
int basket_times(struct basket_set *s);
/* As basket_read(), with the time that it took. */
int basket_read_measured(struct basket_set *s);
/* Whether the last one took longer than reads of this set do: its counts may be of any moment of
 * it. */
bool basket_was_delayed(const struct basket_set *s);
/* As basket_read_measured(), but at least twice, and a read that was delayed is repeated a few
 * times. */
int basket_read_closely(struct basket_set *s);
/*
 * How far the time between two reads, which took so long, may be from the time between two accesses
 * to the same register: delays are at an unknown place.  In ns.
 */
double basket_doubt(int64_t shortest_ns, int64_t took_ns, int64_t other_ns);
int basket_check(const struct basket_unit *unit);

#endif
