/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - the named regions of a set. */
#include "set/regions.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a of the name, folded. */
static unsigned chain_of(const char *name)
{
	uint32_t h = UINT32_C(2166136261);

	while (*name)
		h = (h ^ (unsigned char)*name++) * UINT32_C(16777619);
	return (h ^ h >> 16) % UNC_REGION_CHAINS;
}

struct unc_regions *unc_regions_new(size_t n_sums, const bool *level)
{
	struct unc_regions *regions = calloc(1, sizeof(*regions));

	if (!regions)
		return NULL;
	regions->n_sums = n_sums;
	if (!level)
		return regions;
	regions->level = calloc(n_sums, sizeof(*level));
	if (regions->level) {
		memcpy(regions->level, level, n_sums * sizeof(*level));
		return regions;
	}
	free(regions);
	return NULL;
}

static void free_region(struct unc_named_region *region)
{
	unc_interval_free(region->interval);
	free(region->zero_sums);
	free(region);
}

void unc_regions_free(struct unc_regions *regions)
{
	if (!regions)
		return;
	for (unsigned i = 0; i < regions->n; i++)
		free_region(regions->at[i]);
	free(regions->level);
	free(regions);
}

struct unc_named_region *unc_region_named(struct unc_regions *regions, const char *name)
{
	struct unc_named_region *region =
		atomic_load_explicit(&regions->chain[chain_of(name)], memory_order_acquire);

	while (region && strcmp(region->name, name) != 0)
		region = region->next;
	return region;
}

struct unc_named_region *unc_region_at(struct unc_regions *regions, unsigned number)
{
	return number < UNC_REGIONS_MAX
		       ? atomic_load_explicit(&regions->at[number], memory_order_acquire)
		       : NULL;
}

static struct unc_named_region *make(const struct unc_regions *regions, const char *name)
{
	const size_t bytes = strlen(name) + 1;
	struct unc_named_region *region = calloc(1, sizeof(*region) + bytes);

	if (!region)
		return NULL;
	memcpy(region->name, name, bytes);
	region->number = regions->n;
	region->zero_sums = calloc(regions->n_sums, sizeof(*region->zero_sums));
	region->interval = unc_interval_new(regions->n_sums, regions->level);
	if (region->zero_sums && region->interval)
		return region;
	free_region(region);
	return NULL;
}

struct unc_named_region *unc_region_add(struct unc_regions *regions, const char *name)
{
	_Atomic(struct unc_named_region *) *chain = &regions->chain[chain_of(name)];
	struct unc_named_region *region = regions->n < UNC_REGIONS_MAX ? make(regions, name) : NULL;

	if (!region)
		return NULL;
	region->next = atomic_load(chain);
	atomic_store_explicit(&regions->at[regions->n++], region, memory_order_release);
	atomic_store_explicit(chain, region, memory_order_release);
	return region;
}
