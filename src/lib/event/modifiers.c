/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modifiers.c - edge detect, inversion and threshold of the events of libpfm4: it lacks them for
 * some boxes, and has other ranges than the register.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "event/foreign.h"
#include "hw/sysfs.h"

static const struct {
	char field[8], name[4], text[24];
} known[UNC_OWN_MODIFIERS] = {
	{"edge", "e", "edge detect"},
	{"inv", "i", "invert"},
	{"thresh", "t", "threshold in range"},
};

/* The lowest run of bits: above it are bits with another meaning. */
static uint64_t first_run(uint64_t bits)
{
	return bits & ~(bits + (bits & -bits));
}

static void add(struct unc_pmu *pmu, unsigned i, uint64_t mask)
{
	struct unc_modifier *m = &pmu->own[pmu->n_own++];

	memcpy(m->name, known[i].name, sizeof(known[i].name));
	m->mask = mask;
	snprintf(m->text, sizeof(m->text), "%s", known[i].text);
	if (mask & (mask - 1))
		snprintf(m->text, sizeof(m->text), "%s [0-%" PRIu64 "]", known[i].text,
			 mask >> __builtin_ctzll(mask));
}

void unc_modifiers_fill(const struct unc_platform *platform, struct unc_pmu *pmu)
{
	const struct unc_box_type *type = pmu->type;
	struct unc_perf_field f;
	uint64_t mask;

	if (type->arch || !*type->sysfs_name)
		return;
	for (unsigned i = 0; i < UNC_OWN_MODIFIERS; i++) {
		const size_t len = strlen(known[i].field);

		if (!unc_perf_field(platform, type, known[i].field, len, &f) || f.word)
			continue;
		mask = first_run(unc_bit_list(f.ranges) & type->event_mask);
		if (mask)
			add(pmu, i, mask);
	}
}

const struct unc_modifier *unc_modifier(const struct unc_box_type *type, const char *name)
{
	for (const struct unc_modifier *m = type->modifiers; m && *m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

const struct unc_modifier *unc_own_modifier(const struct unc_pmu *pmu, const char *name)
{
	const struct unc_modifier *m = unc_modifier(pmu->type, name);

	for (unsigned i = 0; !m && i < pmu->n_own; i++)
		if (strcmp(pmu->own[i].name, name) == 0)
			m = &pmu->own[i];
	return m;
}
