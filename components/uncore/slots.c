/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    slots.c
 * @ingroup papi_components
 * @brief   Where in an event set PAPI finds the count of an event.
 */
#include <stdbool.h>

/* In this order: PAPI's headers do not include what they need. */
#include "papi.h"

#include "papi_internal.h"

#include "slots.h"

static bool placed(const struct slot *slot, const NativeInfo_t *native)
{
	int p = native->ni_position;

	return p >= 0 && p < MAX_EVENTS && slot[p].used && slot[p].id == native->ni_event;
}

/*
 * Give each event a position, which it keeps as long as it is in the event set:
 * after PAPI_remove_event() PAPI goes on reading the old ones.  Removal also
 * moves entries without their ni_papi_code, which is repaired from our copy;
 * otherwise the moved event could never be removed.
 */
void slots_fill(struct slot *slot, NativeInfo_t *native, unsigned n)
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
