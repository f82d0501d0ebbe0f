/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - names of events as Prometheus has them: families and labels. */
#ifndef EXPORTER_NAMES_H
#define EXPORTER_NAMES_H

#include <stdbool.h>
#include <stdio.h>

#include "uncore.h"

#define NAME_TEXT (UNCORE_NAME_MAX + 16)

/* An event's canonical name, taken apart. */
struct event_name {
	char base[NAME_TEXT]; /* without the places: "UNC_M_CAS_COUNT:RD" */
	char package[16], die[16], box[NAME_TEXT], cpu[16]; /* "" where the name has none */
};

void take_name_apart(struct event_name *n, const char *canonical);

/* Does it say where: pkg=, die= or cpu=? */
bool name_has_package(const char *name);

/* "uncore_m_cas_count_rd" of "UNC_M_CAS_COUNT:RD"; returns family. */
const char *family_of_event(char family[NAME_TEXT], const char *base);

/* Backslashes and line ends as they stand in the output, and quotation marks if these are, too. */
void write_escaped(FILE *out, const char *text, bool quotes);

/*
 * `event="UNC_M_CAS_COUNT:RD",package="0",box="1"`: one label with a value (NULL: without), and the
 * places of the name; to be freed.
 */
char *labels_of(const struct event_name *n, const char *label, const char *value);

#endif
