/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    slots.c
 * @ingroup papi_components
 * @brief   Positions of event counts in PAPI event sets.
 */
#include <stdbool.h>

/* The order matters: PAPI's headers do not include their dependencies. */
#include "papi.h"

#include "papi_internal.h"

#include "slots.h"

static bool placed(const struct slot *slot, const NativeInfo_t *native)
{
	int p = native->ni_position;

	return p >= 0 && p < MAX_EVENTS && slot[p].used && slot[p].id == native->ni_event;
}

/*
 * Assign each event a position that stays the same as long as the event is in the event set:
 * after PAPI_remove_event(), PAPI keeps reading the old positions.  PAPI also moves entries without
 * their ni_papi_code, which is restored from a copy; otherwise a moved event could not be removed.
 */
void _uncore_slots_fill(struct slot *slot, NativeInfo_t *native, unsigned n)
{
	bool seen[MAX_EVENTS] = {false};
	unsigned i, p = 0;

	for (i = 0; i < n; i++)
		if (placed(slot, &native[i]))
			seen[native[i].ni_position] = true;
	for (i = 0; i < MAX_EVENTS; i++)
		slot[i].used = seen[i];
	for (i = 0; i < n; i++) {
		if (placed(slot, &native[i])) {
			native[i].ni_papi_code = slot[native[i].ni_position].papi_code;
			continue;
		}
		while (slot[p].used)
			p++;
		slot[p].used = true;
		slot[p].id = native[i].ni_event;
		slot[p].papi_code = native[i].ni_papi_code;
		native[i].ni_position = (int)p;
	}
}
