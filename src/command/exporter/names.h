/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - event names in Prometheus: families and labels. */
#ifndef EXPORTER_NAMES_H
#define EXPORTER_NAMES_H

#include <stdbool.h>

#include "command/base/event_name.h"

/* Whether the name has pkg=, die= or cpu=. */
bool name_has_package(const char *name);

/* "uncore_m_cas_count_rd" of "UNC_M_CAS_COUNT:RD"; returns family. */
const char *family_of_event(char family[NAME_TEXT], const char *base);

/*
 * `event="UNC_M_CAS_COUNT:RD",package="0",box="1"`: a label with a value (NULL: omitted), and the
 * locations in the name; to be freed.
 */
char *labels_of(const struct event_name *n, const char *label, const char *value);

#endif
