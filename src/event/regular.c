/* SPDX-License-Identifier: BSD-3-Clause */
/* regular.c - which events are in the regular one of Intel's lists; struct unc_regular. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

static const struct unc_regular *find(const struct unc_regular *rows, const char *event)
{
	while (rows->event && strcasecmp(rows->event, event) != 0)
		rows++;
	return rows->event ? rows : NULL;
}

static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);

	for (const char *w = words; *w; w += strspn(w, " ")) {
		const size_t n = strcspn(w, " ");

		if (n == len && strncasecmp(w, word, n) == 0)
			return true;
		w += n;
	}
	return false;
}

bool unc_umask_is_regular(const struct unc_platform *platform, const char *event, const char *umask)
{
	const struct unc_regular *row =
		platform->desc->regular ? find(platform->desc->regular, event) : NULL;

	return row && has_word(row->umasks, umask);
}

/* Counters of the CPUs, those that always run, and events of a file are not of these lists. */
static bool is_listed_by_intel(const struct unc_names *n, const struct unc_entry *e)
{
	const struct unc_box_type *t = e->pmu->type;

	return e->base && !e->metric && !t->arch && !t->free && t != &unc_metric_box &&
	       unc_lists_rows(n->lists, t) == t->rows;
}

bool unc_is_experimental(const struct unc_names *n, const struct unc_entry *e)
{
	const struct unc_regular *rows = n->machine->platform->desc->regular;
	const struct unc_attr *umask;

	if (!rows || !is_listed_by_intel(n, e))
		return false;
	rows = find(rows, unc_event_word(e->base));
	if (!rows)
		return true;
	umask = e->walk >= 0 && e->walk < UNC_WALK_QUALIFIERS ? unc_attr(e->base, e->walk) : NULL;
	return umask && !has_word(rows->umasks, umask->name);
}
