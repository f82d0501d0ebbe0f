/* SPDX-License-Identifier: BSD-3-Clause */
/* event_name.h - the parts of an event's name, for programs that have separate fields for them. */
#ifndef COMMAND_EVENT_NAME_H
#define COMMAND_EVENT_NAME_H

#include <stdbool.h>

#include "uncore.h"

#define NAME_TEXT (UNCORE_NAME_MAX + 16)

/* The parts of an event's canonical name. */
struct event_name {
	char base[NAME_TEXT]; /* without locations: "UNC_M_CAS_COUNT:RD" */
	char package[16], die[16], box[NAME_TEXT], cpu[16]; /* "" if missing */
};

void take_name_apart(struct event_name *n, const char *canonical);

/* The package of an event, and its box in it; false: it has several, or its name has none. */
bool has_one_package(const struct event_name *n, unsigned *package);
bool has_one_box(const struct event_name *n, unsigned *package, unsigned *box);

/* Cut ":box=3" or ":pkg=1" out of a name; place: ":box=" or ":pkg=". */
void cut_place(char *name, const char *place);

#endif
