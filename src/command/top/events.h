/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the events behind what `uncore top` shows. */
#ifndef TOP_EVENTS_H
#define TOP_EVENTS_H

#include "command/top/view.h"

/* An event, and the value of the view that it makes. */
struct top_event {
	unsigned id, package;
	size_t section, metric;
	int box; /* index into the metric's boxes; -1: it is the whole package's */
};

struct top_events {
	struct top_event *list;
	size_t n;
};

/* Fill the sections of a view with what the machine has, and the list with its events. */
void top_find_events(struct uncore *u, struct top_view *view, struct top_events *events);

/* Another note, of which the view has no two that are the same. */
void top_note(struct top_view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
