/* SPDX-License-Identifier: BSD-3-Clause */
/* attrs.c - umasks and modifiers of a listed event: from libpfm4, a .def or an event list. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sysfs.h"
#include "event/foreign.h"
#include "event/name_space.h"

/* The range of a threshold is that of the register: libpfm4 has 8 bits for all boxes. */
static void take_threshold(const struct unc_pmu *pmu, struct unc_attr *attr)
{
	const struct unc_modifier *m =
		attr->umask || strcmp(attr->name, "t") != 0 ? NULL : unc_own_modifier(pmu, "t");

	if (!m)
		return;
	attr->modifier = m;
	attr->text = m->text;
}

static bool add_attr(struct unc_entry *base, const struct unc_attr *attr)
{
	const size_t n = (size_t)base->n_attrs;
	struct unc_attr *attrs = realloc(base->attrs, (n + 1) * sizeof(*attrs));

	if (!attrs)
		return false;
	attrs[n] = *attr;
	base->attrs = attrs;
	base->n_attrs++;
	return true;
}

/* Among the first n, those of libpfm4: a list has no umask twice. */
static bool has_attr(const struct unc_entry *base, int n, const char *name)
{
	for (int a = 0; a < n; a++)
		if (strcasecmp(base->attrs[a].name, name) == 0)
			return true;
	return false;
}

/* The umasks of a row, which follow it. */
static bool add_umasks(struct unc_entry *base, const struct unc_row *event, unsigned stepping)
{
	const int n = base->n_attrs;
	struct unc_attr attr;

	for (const struct unc_row *row = event + 1; unc_row_umask(row, &attr); row++)
		if (row->stepping <= stepping && !has_attr(base, n, attr.name) &&
		    !add_attr(base, &attr))
			return false;
	return true;
}

static bool add_modifiers(struct unc_entry *base)
{
	struct unc_attr attr;

	for (int i = 0; unc_row_modifier(base, i, &attr); i++)
		if (!add_attr(base, &attr))
			return false;
	return true;
}

static bool has_modifier(const struct unc_entry *base, const char *name)
{
	for (int a = 0; a < base->n_attrs; a++)
		if (!base->attrs[a].umask && strcmp(base->attrs[a].name, name) == 0)
			return true;
	return false;
}

/* Modifiers that libpfm4, or a table without modifiers, lacks; the fixed counter has none. */
static bool add_missing(struct unc_entry *base)
{
	const struct unc_fixed *fixed = &base->pmu->type->fixed;

	if ((base->row && base->pmu->type->modifiers) ||
	    (fixed->coded && unc_event_code(base) == fixed->code))
		return true;
	for (unsigned i = 0; i < base->pmu->n_own; i++) {
		const struct unc_modifier *m = unc_own_modifier(base->pmu, base->pmu->own[i].name);
		const struct unc_attr attr = {
			.name = m->name,
			.text = m->text,
			.flag = !(m->mask & (m->mask - 1)),
			.modifier = m,
		};

		if (!has_modifier(base, m->name) && !add_attr(base, &attr))
			return false;
	}
	return true;
}

/* Umasks of a list follow the umasks of libpfm4; modifiers are last. */
static bool add_libpfm4(struct unc_entry *base, unsigned stepping)
{
	struct unc_attr attr;
	bool umasks = true;
	int r;

	for (int a = 0; (r = unc_pfm_attr(base->pfm, a, &attr)) > 0; a++) {
		if (umasks && !attr.umask && base->more && !add_umasks(base, base->more, stepping))
			return false;
		umasks &= attr.umask;
		take_threshold(base->pmu, &attr);
		if (!add_attr(base, &attr))
			return false;
	}
	return r == 0 && (!umasks || !base->more || add_umasks(base, base->more, stepping));
}

/* The umasks of a row are those of every stepping; unlike those that are added to libpfm4's. */
static bool add_all(struct unc_entry *base, unsigned stepping)
{
	if (base->row)
		return add_umasks(base, base->row, UINT_MAX) && add_modifiers(base) &&
		       add_missing(base);
	return base->pfm < 0 || (add_libpfm4(base, stepping) && add_missing(base));
}

int unc_attrs_load(struct unc_names *n, struct unc_entry *base)
{
	if (base->attrs || add_all(base, n->machine->topo.stepping))
		return 0;
	free(base->attrs);
	base->attrs = NULL;
	base->n_attrs = 0;
	return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for the umasks of %s", base->name);
}

const struct unc_attr *unc_attr(const struct unc_entry *base, int a)
{
	return a < base->n_attrs ? &base->attrs[a] : NULL;
}

unsigned unc_event_code(const struct unc_entry *base)
{
	return base->row ? base->row->bits & 0xff : unc_pfm_event_code(base->pfm);
}

/*
 * Edge detect, inversion and threshold of the events of libpfm4: it lacks them for some boxes,
 * and has other ranges than the register.
 */

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
