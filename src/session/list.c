/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - the memory of a list of events. */
#include <stdlib.h>

#include "session/session.h"

bool unc_list_alloc(struct uncore_set *list, size_t n)
{
	const size_t room = n + 1; /* for the time */

	list->n = list->n_sums = n;
	list->ids = calloc(room, sizeof(*list->ids));
	list->events = calloc(room, sizeof(*list->events));
	list->names = calloc(room, sizeof(*list->names));
	for (int i = 0; i < 2; i++) {
		list->base[i] = calloc(room, sizeof(*list->base[i]));
		list->last[i] = calloc(room, sizeof(*list->last[i]));
	}
	list->zero = calloc(room, sizeof(*list->zero));
	list->zero_time = calloc(room, sizeof(*list->zero_time));
	list->scratch = calloc(room, sizeof(*list->scratch));
	list->spare = calloc(room, sizeof(*list->spare));
	return list->zero && list->zero_time && list->ids && list->events && list->names &&
	       list->base[0] && list->base[1] && list->last[0] && list->last[1] && list->scratch &&
	       list->spare;
}

void unc_list_free(struct uncore_set *set)
{
	unc_counted_free(&set->counted);
	free(set->ids);
	free(set->groups);
	free(set->events);
	free(set->names);
	free((void *)set->base[0]);
	free((void *)set->base[1]);
	free((void *)set->last[0]);
	free((void *)set->last[1]);
	free((void *)set->zero);
	free((void *)set->zero_time);
	free(set->scratch);
	free(set->spare);
	unc_layout_free(&set->layout);
}
