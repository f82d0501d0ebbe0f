/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events behind what `uncore top` shows. */
#ifndef TOP_EVENTS_H
#define TOP_EVENTS_H

#include "command/base/basket.h"
#include "command/top/view.h"

/* The value of the view that an event makes. */
struct top_event {
	unsigned package;
	size_t section, metric;
	int box; /* index into the metric's boxes; -1: it is the whole package's */
};

/*
 * The units of the basket are packages; the part of a section in a package is the section times
 * their number, plus the package.
 */
struct top_events {
	struct basket basket;
	struct top_event *list; /* of the basket's events */
};

/* Fill the sections of a view with what the machine has, and the basket with its events. */
void top_find_events(struct uncore *u, struct top_view *view, struct top_events *events);

/* Another note, of which the view has no two that are the same. */
void top_note(struct top_view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
