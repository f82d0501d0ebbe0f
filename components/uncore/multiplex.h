/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    multiplex.h
 * @ingroup papi_components
 * @brief   Multiplexing of PAPI event sets.
 */
#ifndef UNCORE_MULTIPLEX_H
#define UNCORE_MULTIPLEX_H

#include <stddef.h>

struct uncore;
struct uncore_set;

/* UNCORE_MULTIPLEX, for tools that do not call PAPI_set_multiplex(): interval in us, 0: off. */
unsigned _uncore_multiplex_default(void);

/* Convert the interval that PAPI requests to a supported one in us. */
unsigned _uncore_multiplex_us(unsigned long ns);

/* PAPI has no call for enabled and running times: print them on standard error if multiplexed. */
void _uncore_multiplex_show(struct uncore *u, struct uncore_set *set, const unsigned *ids,
			    size_t n);

#endif
