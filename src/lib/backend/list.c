/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - the memory of a list of events. */
#include <stdlib.h>

#include "backend/backend.h"
#include "backend/daemon/page.h"
#include "backend/ranks.h"

static bool alloc(struct unc_list *list)
{
	const size_t room = list->counted.n + 1; /* and the time */

	for (int i = 0; i < 2; i++) {
		list->base[i] = calloc(room, sizeof(*list->base[i]));
		list->last[i] = calloc(room, sizeof(*list->last[i]));
	}
	list->zero = calloc(room, sizeof(*list->zero));
	list->zero_time = calloc(room, sizeof(*list->zero_time));
	list->noise = calloc(room, sizeof(*list->noise));
	list->scratch = calloc(room, sizeof(*list->scratch));
	list->spare = calloc(room, sizeof(*list->spare));
	return list->zero && list->zero_time && list->noise && list->base[0] && list->base[1] &&
	       list->last[0] && list->last[1] && list->scratch && list->spare;
}

int unc_list_new(struct uncore *u, const struct unc_list *before, const unsigned *ids,
		 const unsigned *groups, size_t n, struct unc_list **out)
{
	struct unc_list *list = calloc(1, sizeof(*list));
	int r = UNCORE_ENOMEM;

	*out = list;
	if (list) {
		atomic_flag_clear(&list->spare_busy);
		r = unc_counted_make(&list->counted, u->names, before ? &before->counted : NULL,
				     ids, groups, n, &u->err);
	}
	if (r == 0) {
		list->n_sums = list->counted.n + 1;
		r = alloc(list) ? 0 : UNCORE_ENOMEM;
	}
	if (r == UNCORE_ENOMEM)
		unc_fail(&u->err, r, "out of memory for %zu events", n);
	if (r < 0) {
		unc_list_free(list);
		*out = NULL;
	}
	return r;
}

void unc_list_free(struct unc_list *list)
{
	struct unc_ranks *ranks;
	struct unc_mux *mux;

	if (!list)
		return;
	ranks = atomic_load(&list->ranks);
	mux = list->mux;
	if (mux)
		unc_mux_put(mux);
	if (ranks)
		ranks->free(ranks);
	unc_counted_free(&list->counted);
	for (int i = 0; i < 2; i++) {
		free((void *)list->base[i]);
		free((void *)list->last[i]);
	}
	free((void *)list->zero);
	free((void *)list->zero_time);
	free((void *)list->noise);
	free(list->windows);
	unc_page_unmap(atomic_load(&list->page));
	free(list->scratch);
	free(list->spare);
	free(list);
}
