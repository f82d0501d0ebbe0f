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

/* ---- events that can be counted here, before anything is started ---- */

/* 0, or why n events cannot be counted in one window, as uncore_set_assign() has it. */
int events_fit(struct uncore *u, const unsigned *ids, size_t n);

/* The event of that name, as uncore_event() finds it; an error, too, if it excludes itself. */
int event_that_fits(struct uncore *u, unsigned *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Not there, or no room: something else may do.  Any other reason is the user's to know. */
bool is_not_here(int code);

/* ---- a basket ---- */

struct basket_event {
	unsigned id;
	size_t part;     /* in the basket's list */
	unsigned window; /* those of one number count in the same windows; 0: it does not matter */
};

/* Events that are counted as a whole or not at all. */
struct basket_part {
	size_t unit;  /* in the basket's list */
	size_t n;     /* events */
	bool apart;   /* before other parts, and in a set of its own if one cannot hold all */
	bool up;      /* it is counted now */
	int code;     /* of the library, why it is not; 0: it is, or was not started yet */
	char *reason; /* the library's message of that code, NULL: none */
};

/* A set, and what was read of it last. */
struct basket_set {
	struct uncore_set *set; /* NULL: nothing is counted */
	size_t *events;         /* of each value, in the basket's list */
	size_t n;
	int64_t *values;
	int64_t ns;                 /* that the values stand for */
	struct uncore_times *times; /* of the last basket_times() */
	bool multiplexed;
};

/*
 * What is started and stopped together, as the events of a package.  Packages have no boxes in
 * common, so none is in the way of another one.
 */
struct basket_unit {
	unsigned window_us;        /* multiplexing window; 0: all events must fit at once */
	bool apart;                /* parts that are apart are in a set of their own, the first */
	struct basket_set sets[2]; /* those apart, the rest */
};

struct basket {
	struct uncore *u;
	struct basket_event *events;
	struct basket_part *parts;
	struct basket_unit *units;
	size_t n_events, n_parts, n_units;
};

/*
 * Empty, for so many units, of which there need not be any; to be freed before the handle.  Without
 * memory the program ends.
 */
void basket_new(struct basket *b, struct uncore *u, size_t units, unsigned window_us);
void basket_free(struct basket *b);

/* One part more, and one event more, of a part; return where they are in the lists. */
size_t basket_add_part(struct basket *b, size_t unit);
size_t basket_add_event(struct basket *b, size_t part, unsigned id, unsigned window);

/* Events of a window that do not fit into it are given further ones, in their order. */
void basket_split_windows(struct basket *b);

/* 0, or why the events cannot all be counted in one window, as uncore_set_assign() has it. */
int basket_fits(const struct basket *b);

/*
 * Assign all events, in their order, to a set of the caller's, which starts it; to be ended either
 * way.  0, or why they cannot be counted together.  window_us: as in a unit.
 */
int basket_assign(const struct basket *b, struct basket_set *s, unsigned window_us);
void basket_end_set(struct basket_set *s);

/*
 * Count all of a unit, or else all parts that can be counted, small ones first: where each one can
 * be counted but not all together, it is for the largest to go.  Each says what became of it.
 */
void basket_start(struct basket *b, size_t unit);
/*
 * Whether a part that is refused could be counted now, without the others: 0, or why not, which it
 * says from now on; UNCORE_ECONFLICT: what counts here already may be in its way.
 */
int basket_try(struct basket *b, size_t part);
/* Give the registers of a unit back; a failure was told by a read or a check before. */
void basket_end(struct basket_unit *unit);

/* As uncore_set_read_timed(), uncore_set_times(), uncore_set_check(); 0 of what does not count. */
int basket_read(struct basket_set *s);
int basket_times(struct basket_set *s);
int basket_check(const struct basket_unit *unit);

#endif
