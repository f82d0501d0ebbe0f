/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    slots.h
 * @ingroup papi_components
 * @brief   Where in an event set PAPI finds the count of an event; after PAPI's headers.
 */
#ifndef UNCORE_SLOTS_H
#define UNCORE_SLOTS_H

#include <stdbool.h>

/*
 * Events in one event set.  PAPI sizes arrays by it, keeps one of them on the
 * signal stack, and PAPI_write() reads as many values from its caller.
 */
#define MAX_EVENTS 256

struct slot {
	bool used;
	int id, papi_code;
};

/* slot has MAX_EVENTS of them. */
void slots_fill(struct slot *slot, NativeInfo_t *native, unsigned n);

#endif
