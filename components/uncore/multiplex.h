/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    multiplex.h
 * @ingroup papi_components
 * @brief   Events of a PAPI event set that take turns.
 */
#ifndef UNCORE_MULTIPLEX_H
#define UNCORE_MULTIPLEX_H

#include <stddef.h>

struct uncore;
struct uncore_set;

/* UNCORE_MULTIPLEX, for tools that have no switch of their own: us, 0: off. */
unsigned multiplex_default(void);

/* What PAPI asks for, as a length of windows that there is; us. */
unsigned multiplex_us(unsigned long ns);

/* PAPI has no call for enabled and running times: to standard error, if there are windows. */
void multiplex_show(struct uncore *u, struct uncore_set *set, const unsigned *ids, size_t n);

#endif
