/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events of `uncore top`. */
#ifndef TOP_EVENTS_H
#define TOP_EVENTS_H

#include "command/base/basket.h"
#include "command/base/node_labels.h"
#include "command/top/view.h"

/* The value of the view that an event provides. */
struct top_event {
	unsigned package;
	size_t section, metric;
	int box;                    /* index into the metric's boxes; -1: whole package */
	struct uncore_times before; /* at the last read */
};

/*
 * The units of the basket are packages.  The part of a section in a package has the number section
 * times packages, plus the package.
 */
struct top_events {
	struct basket basket;
	struct top_event *list; /* one per event of the basket */
	struct node_labels nodes;
};

/*
 * Fill the sections of a view with what the machine has, and the basket with its events. interval:
 * time between two screens, s.
 */
void top_find_events(struct uncore *u, double interval, struct top_view *view,
		     struct top_events *events);

/* Add a note unless the view already has it. */
void top_note(struct top_view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
