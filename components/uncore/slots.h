/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    slots.h
 * @ingroup papi_components
 * @brief   Positions of event counts in PAPI event sets; include PAPI's headers first.
 */
#ifndef UNCORE_SLOTS_H
#define UNCORE_SLOTS_H

#include <stdbool.h>

/*
 * Maximum number of events per event set.  PAPI sizes arrays by it, one of them on the signal
 * stack, and PAPI_write() reads that many values from its caller.
 */
#define MAX_EVENTS 256

struct slot {
	bool used;
	int id, papi_code;
};

/* slot is an array of MAX_EVENTS elements. */
void _uncore_slots_fill(struct slot *slot, NativeInfo_t *native, unsigned n);

#endif
