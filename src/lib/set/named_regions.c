/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_regions.c - the counts of a set while threads are inside a region.  Begin and end are
 * signal-safe: no lock, no allocation, no stdio.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/ranks.h"
#include "base/marks.h"
#include "base/sized.h"
#include "set/set.h"

/* ---- begin, end ---- */

static struct unc_named_region *region_of(struct uncore_set *set, unsigned id)
{
	struct unc_regions *regions = atomic_load_explicit(&set->regions, memory_order_acquire);

	return regions ? unc_region_at(regions, id) : NULL;
}

/* Sums of the same run can be subtracted; a stopped set has those of its last run. */
static void look(struct uncore_set *set, struct unc_reader *reader, struct unc_moment *moment)
{
	reader->timed = true;
	moment->code = unc_read_sums(set, reader, moment->sums);
	moment->ns = reader->time;
	if (set->list->counted.derived)
		moment->sums[reader->n] = (uint64_t)reader->time;
	moment->run = (reader->epoch + 1) / 2;
}

/* A region that begins while the set is stopped would have no counts. */
static void look_at_begin(void *arg, struct unc_moment *moment)
{
	struct unc_reader reader;

	look(arg, &reader, moment);
	if (moment->code == 0 && !reader.live)
		moment->code = UNCORE_ESTATE;
}

static void look_at_end(void *arg, struct unc_moment *moment)
{
	struct unc_reader reader;

	look(arg, &reader, moment);
}

int uncore_region_begin(struct uncore_set *set, unsigned id)
{
	struct unc_named_region *region = region_of(set, id);

	if (!region)
		return UNCORE_EINVAL;
	if (unc_is_child(set->u))
		return UNCORE_EFORK;
	unc_mark(&set->u->marks, true, region->name);
	return unc_interval_enter(region->interval, look_at_begin, set);
}

int uncore_region_end(struct uncore_set *set, unsigned id)
{
	struct unc_named_region *region = region_of(set, id);

	if (!region)
		return UNCORE_EINVAL;
	if (unc_is_child(set->u))
		return UNCORE_EFORK;
	unc_mark(&set->u->marks, false, region->name);
	return unc_interval_leave(region->interval, look_at_end, set);
}

/* ---- names ---- */

static bool is_name(const char *name)
{
	size_t n = 0;

	while (n <= UNCORE_REGION_NAME_MAX && name[n] >= ' ' && name[n] <= '~')
		n++;
	return n > 0 && n <= UNCORE_REGION_NAME_MAX && !name[n];
}

/* Number of sums of a region: with metrics the time is one more. */
static size_t count_sums(const struct unc_list *list)
{
	return list->counted.n + list->counted.derived;
}

static int check(struct uncore_set *set, const char *name)
{
	if (!is_name(name))
		return unc_fail(&set->u->err, UNCORE_EINVAL,
				"invalid region name: expected 1 to %d printable ASCII characters",
				UNCORE_REGION_NAME_MAX);
	if (set->list->counted.n == 0)
		return unc_fail(&set->u->err, UNCORE_ESTATE,
				"the event set has no events: assign events before defining "
				"regions");
	if (count_sums(set->list) <= UNC_INTERVAL_SUMS)
		return 0;
	return unc_fail(
		&set->u->err, UNCORE_EINVAL,
		"too many events for a set with regions: the maximum is %d, this set has %zu; use "
		"several sets",
		UNC_INTERVAL_SUMS - 1, set->list->counted.n);
}

static struct unc_regions *make_regions(const struct unc_list *list)
{
	bool level[UNC_INTERVAL_SUMS] = {false};

	for (size_t e = 0; e < list->counted.n; e++)
		level[e] = unc_counted_is_level(&list->counted, e);
	return unc_regions_new(count_sums(list), list->counted.levels ? level : NULL);
}

/* Under lock. */
static int add(struct uncore_set *set, const char *name, unsigned *id)
{
	struct unc_regions *regions = set->regions;
	struct unc_named_region *region;
	int r = check(set, name);

	if (r < 0)
		return r;
	if (!regions) {
		regions = make_regions(set->list);
		atomic_store_explicit(&set->regions, regions, memory_order_release);
	}
	if (!regions)
		return unc_fail(&set->u->err, UNCORE_ENOMEM, "out of memory for regions");
	region = unc_region_named(regions, name); /* another thread may have added it */
	if (!region)
		region = unc_region_add(regions, name);
	if (!region)
		return unc_fail(&set->u->err, UNCORE_ENOMEM,
				"cannot add region %s: out of memory, or the set already has %d",
				name, UNC_REGIONS_MAX);
	*id = region->number;
	return 0;
}

int uncore_region(struct uncore_set *set, const char *name, unsigned *id)
{
	struct unc_regions *regions = atomic_load_explicit(&set->regions, memory_order_acquire);
	const struct unc_named_region *known = regions ? unc_region_named(regions, name) : NULL;
	sigset_t before;
	int r;

	if (known) {
		*id = known->number;
		return 0;
	}
	r = unc_refuse_child(set->u);
	if (r < 0)
		return r;
	unc_lock(set->u, &before);
	r = add(set, name, id);
	unc_unlock(set->u, &before);
	return r;
}

/* ---- results ---- */

/* Counts since the last reset of the region; levels as they are. */
static void read_since(struct uncore_set *set, struct unc_named_region *region,
		       struct unc_interval_totals *totals, uint64_t *sums)
{
	const struct unc_list *list = set->list;
	const struct unc_interval_totals *zero = &region->zero;
	sigset_t before;

	unc_lock(set->u, &before);
	unc_interval_read(region->interval, totals, sums);
	totals->calls -= zero->calls;
	totals->ns -= zero->ns;
	totals->lost -= zero->lost;
	for (size_t e = 0; e < count_sums(list); e++)
		if (!unc_counted_is_level(&list->counted, e))
			sums[e] -= region->zero_sums[e];
	unc_unlock(set->u, &before);
}

int uncore_region_info(struct uncore_set *set, unsigned id, struct uncore_region_info *info,
		       int64_t *values)
{
	struct unc_named_region *region = region_of(set, id);
	uint64_t sums[UNC_INTERVAL_SUMS];
	struct unc_interval_totals totals;
	struct uncore_region_info is;

	if (!region)
		return 0;
	read_since(set, region, &totals, sums);
	if (values && set->list->counted.derived)
		unc_counted_values(&set->list->counted, (const int64_t *)sums, values);
	else if (values)
		memcpy(values, sums, set->list->counted.n * sizeof(*sums));
	if (values)
		unc_ranks_clear(set, values);
	is = (struct uncore_region_info){
		.name = region->name,
		.calls = totals.calls,
		.ns = (int64_t)totals.ns,
		.lost = totals.lost,
		.inside = totals.inside,
	};
	return unc_give(&set->u->err, info, &is, UNC_SIZED(uncore_region_info), 1);
}

int uncore_region_reset(struct uncore_set *set, unsigned id)
{
	struct unc_named_region *region = region_of(set, id);
	sigset_t before;

	if (!region)
		return unc_fail(&set->u->err, UNCORE_EINVAL, "invalid region number: %u", id);
	unc_lock(set->u, &before);
	unc_interval_read(region->interval, &region->zero, region->zero_sums);
	unc_unlock(set->u, &before);
	return 0;
}
