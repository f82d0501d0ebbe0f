/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    listed.h
 * @ingroup papi_components
 * @brief   The events that PAPI's enumeration shows.
 */
#ifndef UNCORE_LISTED_H
#define UNCORE_LISTED_H

#include <stdbool.h>

#include "library.h"

/* As uncore_event(), but the number of a shown name is that with which it is shown. */
int _uncore_listed_find(struct uncore *u, const char *name, unsigned *id);

/* The first shown event from number FROM on; ALL: also experimental ones.  1, 0 or an error. */
int _uncore_listed_next(struct uncore *u, bool all, unsigned from, unsigned *id);

/* The shown event after *id in the list of a listed event's umasks and qualifiers. */
int _uncore_listed_umask(struct uncore *u, bool all, unsigned *id);

/* How many events _uncore_listed_next() shows. */
unsigned _uncore_listed_count(struct uncore *u, bool all);

#endif
