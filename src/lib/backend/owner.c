/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owner.c - UNCORE_SHARE=owner: an event that another process of this user counts is counted by
 * that process only and reads 0 here, so that the sum over the processes of a job is correct.
 */
#include <stdlib.h>

#include "backend/backend.h"
#include "claim/others.h"

/* Only counts can be summed over processes. */
int unc_owner_ready(struct uncore_set *set)
{
	const struct unc_counted *list = &set->list->counted;
	struct uncore *u = set->u;

	for (size_t i = 0; u->owner_counts && i < list->n_values; i++)
		if (list->values[i].formula && unc_formula_is_real(list->values[i].formula))
			return unc_fail(&u->err, UNCORE_ECOMBO,
					"%s is a ratio or a mean and cannot be summed over "
					"processes: with UNCORE_SHARE=owner, count the events it "
					"is computed from",
					list->values[i].name);
	return 0;
}

static const char *name_of(const struct uncore_set *set, size_t i)
{
	return set->list->counted.values[i].name;
}

/* For each value, whether another process counts it; returns how many. */
static unsigned find_remote(const struct uncore_set *set, bool *by_others)
{
	const bool asked = set->u->owner_counts && !set->run->stop_after;
	struct unc_owner who;
	unsigned n = 0;

	for (size_t i = 0; asked && i < set->list->counted.n_values; i++) {
		by_others[i] = unc_share_counts(set->u->share, name_of(set, i), &who);
		n += by_others[i];
	}
	return n;
}

/*
 * Drop the counters of events that another process counts; they are planned again at the next
 * start.
 */
static void leave_out(struct uncore_set *set, const bool *by_others)
{
	const struct unc_counted *list = &set->list->counted;
	struct unc_layout *l = &set->run->layout;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!by_others[unc_owner(list, l->at[i].event)])
			l->at[n++] = l->at[i];
	l->n = n;
	set->run->layout_idle = false;
}

/*
 * Multiplexed events are left to another process only all together: then no event is left to
 * multiplex.
 */
static unsigned leave_windows(struct uncore_set *set, unsigned n)
{
	if (n < set->list->counted.n_values)
		return 0;
	unc_mux_put(set->list->mux);
	set->list->mux = NULL;
	set->backend = set->u->backend;
	set->run->layout.n = 0;
	set->run->layout_idle = false;
	return n;
}

/* A process that cannot see the journals of others would count the same events again. */
static int need_journals(struct uncore *u)
{
	if (!u->owner_counts || unc_share_directory(u->share))
		return 0;
	return unc_fail(&u->err, UNCORE_EACCESS,
			"UNCORE_SHARE=owner requires access to the journals of other processes: %s",
			unc_share_missing(u->share) ? unc_share_missing(u->share)
						    : "their directory is not accessible");
}

static int claim(struct uncore_set *set)
{
	const size_t n_values = set->list->counted.n_values;
	bool *by_others = calloc(n_values + 1, sizeof(*by_others));
	const char **names = calloc(n_values + 1, sizeof(*names));
	int r = UNCORE_ENOMEM;
	size_t n = 0;

	if (by_others && names) {
		set->n_by_others = find_remote(set, by_others);
		if (set->list->mux && set->n_by_others)
			set->n_by_others = leave_windows(set, set->n_by_others);
		else if (set->n_by_others)
			leave_out(set, by_others);
		for (size_t i = 0; i < n_values; i++)
			if (!set->n_by_others || !by_others[i])
				names[n++] = name_of(set, i);
		r = n ? unc_others_claim(set->u, set, names, n) : 0;
	}
	free(by_others);
	free(names);
	return r == UNCORE_ENOMEM ? unc_fail(&set->u->err, r, "out of memory for event names") : r;
}

int unc_owner_claim(struct uncore_set *set)
{
	int r;

	set->n_by_others = 0;
	if (!set->u->share)
		return 0;
	r = need_journals(set->u);
	return r < 0 ? r : claim(set);
}
