/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.h - the programs that are compared at counting CBo events; see cost.c. */
#ifndef LAB_COST_H
#define LAB_COST_H

#include <stdbool.h>
#include <stddef.h>

enum { COST_MAX = 64 };

/*
 * One way of counting.  The calls are made in this order, each once but read();
 * they return NULL, or why it does not work here.
 */
struct contestant {
	const char *name;
	const char *title;
	const char *(*init)(unsigned n);  /* the library itself */
	const char *(*setup)(unsigned n); /* from names of n counters to counting */
	const char *(*read)(void);
	const char *(*stop)(void); /* and restore everything */
	unsigned (*list)(void);    /* walk all events and umasks: how many; NULL: cannot list */
};

extern const struct contestant cost_component, cost_library, cost_stock, cost_perf, cost_likwid;

/*
 * The machine: two packages with eight C-Boxes each, four counters a box.  One
 * counter, the four of one box, one in each box, all four in each box.
 */
unsigned cost_boxes(unsigned n);   /* boxes that n counters are spread over */
unsigned cost_per_box(unsigned n); /* counters in each */

/* Four events that fit a C-Box together, as libpfm4 and as likwid call them. */
struct cost_event {
	const char *name, *likwid;
	unsigned config; /* control without the enable bit */
};
extern const struct cost_event cost_events[4];

#endif
