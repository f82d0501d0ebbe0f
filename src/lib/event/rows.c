/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c - events of a .def table: their umasks and modifiers, encoded as control value and
 * filter bits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

/* ---- umasks and modifiers ---- */

static bool is_flag(const struct unc_modifier *m)
{
	return __builtin_popcountll(m->mask) == 1;
}

const char *unc_row_text(const struct unc_row *row)
{
	return row->long_text ? row->long_text : row->text;
}

bool unc_row_umask(const struct unc_row *row, struct unc_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	if (!*row->name || !row->umask)
		return false;
	attr->name = row->name;
	attr->text = unc_row_text(row);
	attr->umask = true;
	attr->unlisted = row->unlisted;
	attr->row = row;
	return true;
}

static bool has_modifier(const struct unc_modifier *m, unsigned event)
{
	const uint8_t *e = m->events;

	while (e && *e && *e != event)
		e++;
	return !e || *e;
}

bool unc_row_modifier(const struct unc_entry *base, int i, struct unc_attr *attr)
{
	const struct unc_modifier *m = base->pmu->type->modifiers;
	const unsigned event = unc_event_code(base);

	while (m && *m->name && (!has_modifier(m, event) || i-- > 0))
		m++;
	memset(attr, 0, sizeof(*attr));
	if (!m || !*m->name)
		return false;
	attr->name = m->name;
	attr->text = m->text;
	attr->flag = is_flag(m);
	attr->modifier = m;
	return true;
}

/* ---- defaults ---- */

/* Groups of umasks that the event has. */
static unsigned groups_of(const struct unc_row *event)
{
	unsigned groups = 0;

	for (const struct unc_row *r = event + 1; *r->name && r->umask; r++)
		groups |= 1u << r->group;
	return groups;
}

static unsigned groups_given(const struct unc_parsed *p)
{
	unsigned groups = 0;

	for (unsigned i = 0; i < p->n_parts; i++)
		if (p->parts[i].row)
			groups |= 1u << p->parts[i].row->group;
	return groups;
}

static bool in_box(const struct unc_row *umask, const struct unc_numbers *boxes)
{
	return !umask->box || unc_numbers_have(boxes, umask->box - 1u);
}

bool unc_row_is_regular(const struct unc_platform *platform, const struct unc_row *event,
			const struct unc_row *umask)
{
	const uint8_t list = platform->desc->regular_rows;

	if (platform->desc->regular)
		return unc_name_is_regular(platform, event->name, umask ? umask->name : NULL);
	return (event->regular & list) && (!umask || (umask->regular & list));
}

/*
 * The row marked as default, else ALL, else ANY, else the first one of the regular list, or of
 * all.
 */
static const struct unc_row *common_umask(const struct unc_platform *platform,
					  const struct unc_parsed *p, unsigned group)
{
	const struct unc_row *first = NULL, *regular = NULL, *any = NULL, *all = NULL;

	for (const struct unc_row *r = p->row + 1; *r->name && r->umask; r++) {
		if (r->group != group || !in_box(r, &p->where.boxes))
			continue;
		if (r->first)
			return r;
		if (strcmp(r->name, "ALL") == 0)
			all = r;
		if (strcmp(r->name, "ANY") == 0)
			any = r;
		if (!first || (first->unlisted && !r->unlisted))
			first = r;
		if (!regular && unc_row_is_regular(platform, p->row, r))
			regular = r;
	}
	if (all || any)
		return all ? all : any;
	return regular ? regular : first;
}

static const struct unc_row *named_umask(const struct unc_row *event, const char *name)
{
	for (const struct unc_row *r = event + 1; name && *r->name && r->umask; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	return NULL;
}

/* The default of a group that the name omits; NULL: none needed. */
static const struct unc_row *missing_umask(const struct unc_platform *platform,
					   const struct unc_parsed *p, unsigned group)
{
	const unsigned missing = groups_of(p->row) & ~groups_given(p);
	const struct unc_row *wanted;

	/* a umask that covers all groups */
	for (unsigned i = 0; i < p->n_parts; i++)
		if (p->parts[i].row && p->parts[i].row->alone)
			return NULL;
	if (!(missing & (1u << group)))
		return NULL;
	wanted = named_umask(p->row, unc_platform_default(platform, p->row->name));
	return wanted && wanted->group == group ? wanted : common_umask(platform, p, group);
}

void unc_row_defaults(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		      size_t len)
{
	size_t used = 0;

	out[0] = '\0';
	for (unsigned g = 0; groups_of(p->row) >> g; g++) {
		const struct unc_row *r = missing_umask(platform, p, g);

		if (r && used < len)
			used += (size_t)snprintf(out + used, len - used, "%s%s", used ? ":" : "",
						 r->name);
	}
}

/* ---- encoding ---- */

struct sum {
	uint64_t control, config1;
	uint64_t looks_at; /* the bits of config1 in use; 0: all */
	uint32_t counters;
	uint8_t box;                         /* number plus 1; 0: any */
	const struct unc_row *alone, *other; /* a umask that excludes others, and another umask */
	unsigned n_umasks;
};

static void restrict_to(struct sum *s, uint32_t counters)
{
	if (counters)
		s->counters &= counters;
}

static void add_umask(struct sum *s, const struct unc_row *r)
{
	s->control |= r->bits;
	s->config1 |= r->config1;
	s->looks_at |= r->looks_at;
	restrict_to(s, r->counters);
	s->box = r->box ? r->box : s->box;
	if (r->alone && !s->alone)
		s->alone = r;
	else
		s->other = r;
	s->n_umasks++;
}

/* For an event of libpfm4 with umasks of a list: libpfm4's modifier of that name. */
static const struct unc_modifier *modifier_of(const struct unc_parsed *p,
					      const struct unc_part *part)
{
	const struct unc_modifier *m = unc_attr(p->base, part->attr)->modifier;

	return m ? m : unc_own_modifier(p->pmu, part->name);
}

int unc_add_modifier(struct unc_names *names, const struct unc_parsed *p,
		     const struct unc_part *part, uint64_t *control, uint64_t *config1)
{
	const struct unc_modifier *m = modifier_of(p, part);
	const int shift = m ? __builtin_ctzll(m->mask) : 0;
	const uint64_t most = m ? m->mask >> shift : 0;

	if (!m)
		return unc_fail(names->err, UNCORE_ECOMBO,
				"%s= in %s requires a umask of libpfm4, not of an event list",
				part->name, p->event);
	if (part->value > most)
		return unc_fail(names->err, UNCORE_EATTR,
				"%s=%" PRIu64 " in %s is out of range: %s must be 0 to "
				"%" PRIu64 " (%s)",
				m->name, part->value, p->event, m->name, most, m->text);
	*(m->filter ? config1 : control) |= part->value << shift;
	*control |= m->with;
	return 0;
}

/* Codes cannot be ORed like bits. */
static int check_choices(struct unc_names *names, const struct unc_parsed *p)
{
	const struct unc_row *seen[UNC_MAX_PARTS];
	unsigned n = 0;

	for (unsigned i = 0; i < p->n_parts; i++) {
		seen[n] = p->parts[i].row;
		if (!seen[n])
			continue;
		for (unsigned k = 0; k < n; k++)
			if (seen[k]->group == seen[n]->group &&
			    (seen[k]->choice || seen[n]->choice))
				return unc_fail(names->err, UNCORE_ECOMBO,
						"%s counts either %s or %s: remove one of them",
						p->event, seen[k]->name, seen[n]->name);
		n++;
	}
	return 0;
}

static int check_box(struct unc_names *names, const struct unc_parsed *p, const struct sum *s,
		     struct unc_event *ev)
{
	const struct unc_numbers only = unc_numbers_one(s->box - 1u);
	char numbers[UNC_NUMBERS_TEXT];

	if (!s->box)
		return 0;
	if (ev->where.boxes.n && !unc_numbers_same(&ev->where.boxes, &only))
		return unc_fail(names->err, UNCORE_ENODEV,
				"the umasks of %s are those of %s%d, not of box %s", p->event,
				ev->type->name, s->box - 1,
				unc_numbers_text(&ev->where.boxes, numbers));
	ev->where.boxes = only;
	return 0;
}

static int add_parts(struct unc_names *names, const struct unc_parsed *p, struct sum *s)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < p->n_parts; i++) {
		const struct unc_part *part = &p->parts[i];

		if (part->umask && !part->row)
			r = unc_fail(names->err, UNCORE_ECOMBO,
				     "umask %s of %s is from libpfm4 and cannot be combined with "
				     "those of an event list",
				     part->name, p->event);
		else if (part->umask)
			add_umask(s, part->row);
		else if (part->attr < UNC_OURS_ATTR && !unc_is_noop_part(part))
			r = unc_add_modifier(names, p, part, &s->control, &s->config1);
	}
	for (unsigned g = 0; r == 0 && groups_of(p->row) >> g; g++) {
		const struct unc_row *umask = missing_umask(names->machine->platform, p, g);

		if (umask)
			add_umask(s, umask);
	}
	if (r == 0 && s->alone && s->n_umasks > 1)
		return unc_fail(names->err, UNCORE_ECOMBO,
				"umask %s of %s cannot be combined with others such as %s",
				s->alone->name, p->event, s->other->name);
	return r;
}

/* Fields that have no effect on the event are free for others. */
static void disown(struct unc_event *ev, uint64_t looks_at)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ev->n_bits; i++) {
		const struct unc_filter *f = &ev->type->filters[ev->bits[i].filter];
		struct unc_bits b = ev->bits[i];

		if (f->config == 1)
			b.mask &= looks_at >> f->shift << f->bit;
		b.value &= b.mask;
		if (b.mask)
			ev->bits[n++] = b;
	}
	ev->n_bits = (uint8_t)n;
}

int unc_encode_row(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev)
{
	struct sum s = {
		.control = p->row->bits, .config1 = p->row->config1, .counters = UINT32_MAX};
	int r;

	restrict_to(&s, p->row->counters);
	r = check_choices(names, p);
	if (r == 0)
		r = add_parts(names, p, &s);
	if (r == 0)
		r = check_box(names, p, &s, ev);
	if (r < 0)
		return r;
	ev->control = s.control;
	r = unc_check_control(names, p, ev);
	if (r < 0)
		return r;
	unc_event_finish(ev, s.config1 | p->config[1], p->config[2], true);
	if (s.looks_at)
		disown(ev, s.looks_at);
	if (ev->counters && !(ev->counters & s.counters))
		return unc_fail(names->err, UNCORE_ECOMBO,
				"no counter of a %s may count %s with these umasks", ev->type->name,
				p->event);
	ev->counters &= s.counters;
	return p->configs ? unc_check_qualifiers(names, p, ev)
			  : unc_check_filter(names, p, ev, s.config1);
}
