/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fix.c - correct events that libpfm4 encodes wrongly: the platform's tables of them, and
 * docs/reference/differences.md.
 */
#include <string.h>

#include "event/name_space.h"

bool unc_has_umask(const struct unc_parsed *p)
{
	for (unsigned i = 0; i < p->n_parts; i++)
		if (p->parts[i].umask)
			return true;
	return false;
}

static bool names_event(const struct unc_fix *f, const char *event)
{
	const size_t len = strlen(f->event);

	if (f->event[len - 1] == '*')
		return strncmp(f->event, event, len - 1) == 0;
	return strcmp(f->event, event) == 0;
}

bool unc_has_void_umasks(const struct unc_platform *platform, const char *event)
{
	for (const struct unc_fix *f = platform->desc->fixes; f && *f->event; f++)
		if (!*f->umask && (f->clear & 0xff00) && names_event(f, event))
			return true;
	return false;
}

static const struct unc_fix *umask_fix(const struct unc_fix *fixes, const struct unc_parsed *p,
				       const char *umask)
{
	for (const struct unc_fix *f = fixes; f && *f->event; f++)
		if (*f->umask && strcmp(f->umask, umask) == 0 && names_event(f, p->event))
			return f;
	return NULL;
}

/* libpfm4's default umask of an event, if its code is wrong. */
static const struct unc_fix *default_fix(const struct unc_fix *fixes, const struct unc_parsed *p,
					 uint64_t control)
{
	const struct unc_attr *attr;

	for (int a = 0; p->base && (attr = unc_attr(p->base, a)); a++)
		if (attr->umask && (attr->code & 0xff) == (control >> 8 & 0xff))
			return umask_fix(fixes, p, attr->name);
	return NULL;
}

#define NONE UINT32_MAX

/* The umask bits that libpfm4 has for all parts but one. */
static uint64_t other_umasks(const struct unc_parsed *p, unsigned skip)
{
	uint64_t umask = 0;

	for (unsigned i = 0; i < p->n_parts; i++)
		if (i != skip && p->parts[i].umask)
			umask |= unc_attr(p->base, p->parts[i].attr)->code & 0xff;
	return umask;
}

/* libpfm4 ORs the codes of all umasks, so build the sum again, with the defaults that it adds. */
static void fix_umasks(const struct unc_fix *fixes, const struct unc_parsed *p,
		       struct unc_event *ev)
{
	const struct unc_fix *bare = unc_has_umask(p) ? NULL : default_fix(fixes, p, ev->control);
	const uint64_t added = (ev->control >> 8 & 0xff) & ~other_umasks(p, NONE);
	uint64_t umask = bare ? bare->code : added;
	bool any = bare != NULL;

	for (unsigned i = 0; i < p->n_parts; i++) {
		const struct unc_part *part = &p->parts[i];
		const struct unc_fix *f = part->umask ? umask_fix(fixes, p, part->name) : NULL;

		if (f && (other_umasks(p, i) & f->unless))
			f = NULL;
		any |= f != NULL;
		ev->control |= f ? f->set : 0;
		if (part->umask)
			umask |= f ? f->code : unc_attr(p->base, part->attr)->code & 0xff;
	}
	if (any)
		ev->control = (ev->control & ~0xff00ull) | umask << 8;
}

void unc_fix_control(const struct unc_fix *fixes, const struct unc_parsed *p, struct unc_event *ev)
{
	for (const struct unc_fix *f = fixes; f && *f->event; f++)
		if (!*f->umask && names_event(f, p->event))
			ev->control = (ev->control | f->set) & ~(uint64_t)f->clear;
	fix_umasks(fixes, p, ev);
}

static bool modified_by(const struct unc_parsed *p, const char *modifier)
{
	for (unsigned i = 0; i < p->n_parts; i++)
		if (!p->parts[i].umask && p->parts[i].value &&
		    strcmp(p->parts[i].name, modifier) == 0)
			return true;
	return false;
}

uint64_t unc_fix_filter(const struct unc_modifier_fix *fixes, const struct unc_parsed *p,
			uint64_t config1)
{
	for (const struct unc_modifier_fix *f = fixes; f && *f->modifier; f++) {
		if (!modified_by(p, f->modifier))
			continue;
		if (!modified_by(p, f->other))
			config1 &= ~f->theirs;
		config1 |= f->bit;
	}
	return config1;
}
