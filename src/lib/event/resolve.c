/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolve.c - encode a parsed name through libpfm4, a .def row or RAW; or explain why it cannot
 * be encoded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"
#include "event/pfm.h"

#define PFM_TEXT (2 * UNC_PFM_NAME + 2 * UNCORE_NAME_MAX)

/* A modifier that libpfm4 lacks, or has with another range. */
static bool is_own(const struct unc_parsed *p, const struct unc_part *part)
{
	return part->attr >= UNC_OURS_ATTR || unc_attr(p->base, part->attr)->modifier;
}

/* "pmu::EVENT:parts" for libpfm4, without part number skip, and with extra appended. */
static void pfm_text(const struct unc_parsed *p, unsigned skip, const char *extra,
		     char out[PFM_TEXT])
{
	int used = snprintf(out, PFM_TEXT, "%s::%s", p->pmu->pfm, p->event);

	for (unsigned i = 0; i < p->n_parts && used < PFM_TEXT; i++) {
		const struct unc_part *part = &p->parts[i];
		const size_t room = (size_t)(PFM_TEXT - used);

		if (i == skip || is_own(p, part) || unc_is_noop_part(part))
			continue;
		if (part->umask)
			used += snprintf(out + used, room, ":%s", part->name);
		else
			used += snprintf(out + used, room, ":%s=%" PRIu64, part->name, part->value);
	}
	if (*extra && used < PFM_TEXT)
		snprintf(out + used, (size_t)(PFM_TEXT - used), ":%s", extra);
}

static int try_pfm(const struct unc_parsed *p, unsigned skip, const char *extra,
		   struct unc_pfm_code *code)
{
	char text[PFM_TEXT];

	pfm_text(p, skip, extra, text);
	return unc_pfm_encode(text, code);
}

/* ---- defaults ---- */

/* ALL, else ANY, else the first one; NULL: no memory. */
static const char *common_umask(int event)
{
	const char *first = "", *any = NULL;
	struct unc_attr attr;
	int r;

	for (int a = 0; (r = unc_pfm_attr(event, a, &attr)) > 0; a++) {
		if (!attr.umask)
			continue;
		if (strcmp(attr.name, "ALL") == 0)
			return attr.name;
		if (strcmp(attr.name, "ANY") == 0)
			any = attr.name;
		if (!*first)
			first = attr.name;
	}
	if (r < 0)
		return NULL;
	return any ? any : first;
}

bool unc_default_parts(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		       size_t len)
{
	const char *parts;
	struct unc_pfm_code code;
	int r = UNC_PFM_OK;

	out[0] = '\0';
	if (p->row)
		unc_row_defaults(platform, p, out, len);
	if (p->pfm >= 0 && !unc_has_umask(p))
		r = try_pfm(p, UINT32_MAX, "", &code);
	if (r == UNC_PFM_OK || r == UNC_PFM_NO_MEMORY)
		return r == UNC_PFM_OK;
	parts = unc_platform_default(platform, p->event);
	if (!parts)
		parts = common_umask(p->pfm);
	r = parts ? try_pfm(p, UINT32_MAX, parts, &code) : UNC_PFM_NO_MEMORY;
	if (r == UNC_PFM_OK)
		snprintf(out, len, "%s", parts);
	return r != UNC_PFM_NO_MEMORY;
}

/* ---- refusals ---- */

/* A part that libpfm4 rejects: without it, or with another number, the rest is accepted. */
static const struct unc_part *culprit(const struct unc_parsed *p)
{
	struct unc_pfm_code code;
	char one[UNC_PFM_NAME];

	for (unsigned i = 0; i < p->n_parts; i++) {
		snprintf(one, sizeof(one), "%s=1", p->parts[i].name);
		if (!is_own(p, &p->parts[i]) &&
		    (try_pfm(p, i, "", &code) == UNC_PFM_OK ||
		     (!p->parts[i].umask && try_pfm(p, i, one, &code) == UNC_PFM_OK)))
			return &p->parts[i];
	}
	return NULL;
}

/* Does the description of a given part mention another one? */
static bool mentioned(const struct unc_parsed *p, const char *name)
{
	for (unsigned i = 0; i < p->n_parts; i++) {
		const struct unc_attr *given =
			p->parts[i].umask ? unc_attr(p->base, p->parts[i].attr) : NULL;

		if (given && strstr(given->text, name))
			return true;
	}
	return false;
}

/* A part with which libpfm4 accepts the rest; preferably one that the others mention. */
static bool missing(const struct unc_parsed *p, struct unc_attr *found)
{
	const struct unc_attr *attr;
	struct unc_pfm_code code;
	char extra[UNC_PFM_NAME];
	bool any = false;

	for (int a = 0; (attr = unc_attr(p->base, a)); a++) {
		snprintf(extra, sizeof(extra), "%s%s", attr->name, attr->umask ? "" : "=1");
		if (try_pfm(p, UINT32_MAX, extra, &code) != UNC_PFM_OK)
			continue;
		if (!any || mentioned(p, attr->name))
			*found = *attr;
		if (mentioned(p, attr->name))
			return true;
		any = true;
	}
	return any;
}

/* An opcode and a node, or two other parts that are only accepted together. */
static bool missing_two(const struct unc_parsed *p, char *two, size_t len)
{
	const struct unc_attr *umask, *qualifier;
	struct unc_pfm_code code;
	bool any = false;

	for (int a = 0; !any && (umask = unc_attr(p->base, a)); a++)
		for (int b = 0; !any && umask->umask && (qualifier = unc_attr(p->base, b)); b++) {
			snprintf(two, len, "%s:%s=1", umask->name, qualifier->name);
			any = !qualifier->umask && !qualifier->flag &&
			      try_pfm(p, UINT32_MAX, two, &code) == UNC_PFM_OK;
		}
	return any;
}

/* Whether b is the better umask in place of `given`: of the shorter names that contain it, else the
 * first. */
static bool is_better(const char *given, const struct unc_attr *a, const struct unc_attr *b)
{
	const bool alike = strstr(a->name, given), too = strstr(b->name, given);

	return too && (!alike || strlen(b->name) < strlen(a->name));
}

/* A given umask, in place of which libpfm4 accepts another one. */
static const struct unc_part *replaceable(const struct unc_parsed *p, struct unc_attr *by)
{
	const struct unc_part *found = NULL;
	const struct unc_attr *attr;
	struct unc_pfm_code code;

	for (unsigned i = 0; !found && i < p->n_parts; i++)
		for (int a = 0; p->parts[i].umask && (attr = unc_attr(p->base, a)); a++) {
			if (!attr->umask || (found && !is_better(found->name, by, attr)) ||
			    try_pfm(p, i, attr->name, &code) != UNC_PFM_OK)
				continue;
			*by = *attr;
			found = &p->parts[i];
		}
	return found;
}

static int refuse_missing(struct unc_names *names, int code, const struct unc_parsed *p,
			  const struct unc_attr *attr)
{
	char name[UNCORE_NAME_MAX + 1];

	if (!unc_format_name(p, name))
		name[0] = '\0';
	return unc_fail(names->err, code, "%s requires a %s, for example %s%s (%s)", name,
			attr->umask ? "umask" : "qualifier", attr->name, attr->umask ? "" : "=1",
			attr->text);
}

static int refuse_qualifier(struct unc_names *names, const struct unc_parsed *p,
			    const struct unc_part *part)
{
	const char *text = unc_attr(p->base, part->attr)->text;
	const struct unc_part *other;
	struct unc_pfm_code code;
	char one[UNC_PFM_NAME];
	struct unc_attr by;

	snprintf(one, sizeof(one), "%s=1", part->name);
	if (try_pfm(p, (unsigned)(part - p->parts), one, &code) == UNC_PFM_OK)
		return unc_fail(names->err, UNCORE_EATTR,
				"%s=%" PRIu64 " in %s is out of range (%s: %s)", part->name,
				part->value, p->event, part->name, text);
	other = replaceable(p, &by);
	if (other)
		return unc_fail(names->err, UNCORE_EATTR,
				"%s=%" PRIu64 " in %s requires umask %s instead of %s (%s: %s)",
				part->name, part->value, p->event, by.name, other->name, by.name,
				by.text);
	return unc_fail(names->err, UNCORE_EATTR,
			"%s=%" PRIu64 " in %s cannot be combined with these umasks: remove it "
			"(%s: %s)",
			part->name, part->value, p->event, part->name, text);
}

/* Without its qualifiers, one at a time, a name may still lack a part. */
static bool missing_without(const struct unc_parsed *p, struct unc_parsed *rest,
			    struct unc_attr *attr)
{
	for (unsigned i = 0; i < p->n_parts; i++) {
		if (p->parts[i].umask || is_own(p, &p->parts[i]))
			continue;
		*rest = *p;
		rest->n_parts--;
		memmove(&rest->parts[i], &rest->parts[i + 1],
			(rest->n_parts - i) * sizeof(*rest->parts));
		if (missing(rest, attr))
			return true;
	}
	return false;
}

/* "A or B": each of them, if it is removed, leaves a valid name. */
static void removable(const struct unc_parsed *p, char *list, size_t len)
{
	struct unc_pfm_code code;
	size_t n = 0;

	*list = '\0';
	for (unsigned i = 0; i < p->n_parts && n < len; i++)
		if (!is_own(p, &p->parts[i]) && try_pfm(p, i, "", &code) == UNC_PFM_OK)
			n += (size_t)snprintf(list + n, len - n, "%s%s", n ? " or " : "",
					      p->parts[i].name);
}

static int refuse(struct unc_names *names, const struct unc_parsed *p, int why)
{
	const struct unc_part *part = culprit(p);
	const bool conflict = why == UNC_PFM_COMBO && !(part && !part->umask);
	char name[UNCORE_NAME_MAX + 1], text[2 * UNC_PFM_NAME];
	struct unc_parsed rest;
	struct unc_attr attr;

	if (!unc_format_name(p, name))
		name[0] = '\0';
	if (missing(p, &attr))
		return refuse_missing(names, conflict ? UNCORE_ECOMBO : UNCORE_EATTR, p, &attr);
	if (part && !part->umask)
		return refuse_qualifier(names, p, part);
	if (missing_two(p, text, sizeof(text)))
		return unc_fail(names->err, conflict ? UNCORE_ECOMBO : UNCORE_EATTR,
				"%s requires a umask and a qualifier, for example %s", name, text);
	if (missing_without(p, &rest, &attr))
		return refuse_missing(names, conflict ? UNCORE_ECOMBO : UNCORE_EATTR, &rest, &attr);
	if (conflict) {
		removable(p, text, sizeof(text));
		return unc_fail(names->err, UNCORE_ECOMBO, "conflicting umasks of %s%s%s", name,
				*text ? ": remove " : "", text);
	}
	return unc_fail(names->err, why == UNC_PFM_UMASK ? UNCORE_EATTR : UNCORE_ECOMBO,
			"cannot encode %s: its umasks and qualifiers conflict in libpfm4", name);
}

/* ---- encoding ---- */

#define UMASK_BITS 0xff /* in libpfm4's code of a umask; 0 for filter values */

/* A umask that is only a filter value, such as an opcode. */
static const struct unc_part *filter_umask(const struct unc_parsed *p)
{
	for (unsigned i = 0; i < p->n_parts; i++)
		if (p->parts[i].umask && !(unc_attr(p->base, p->parts[i].attr)->code & UMASK_BITS))
			return &p->parts[i];
	return NULL;
}

/* Bits of filter fields that have no effect on the event with its umasks. */
static bool is_idle(const struct unc_event *ev)
{
	const struct unc_box_type *t = ev->type;
	const uint64_t needed = unc_fields_needed(t, ev->control);
	uint64_t looked_at[UNC_MAX_FILTERS] = {0};

	for (unsigned i = 0; needed >> i; i++)
		if (needed >> i & 1)
			looked_at[t->fields[i].filter] |= t->fields[i].mask;
	for (unsigned i = 0; i < ev->n_bits; i++)
		if (ev->bits[i].value & ~looked_at[ev->bits[i].filter])
			return true;
	return false;
}

/* A umask with which the filter value of the given one has an effect. */
static bool looking(const struct unc_parsed *p, const struct unc_part *value,
		    struct unc_attr *found)
{
	struct unc_parsed alone = *p;
	struct unc_event ev = {.type = p->pmu->type};
	const struct unc_attr *attr;
	struct unc_pfm_code code;

	alone.parts[0] = *value;
	alone.n_parts = 1;
	for (int a = 0; (attr = unc_attr(p->base, a)); a++) {
		if (!attr->umask || !(attr->code & UMASK_BITS) ||
		    try_pfm(&alone, UINT32_MAX, attr->name, &code) != UNC_PFM_OK)
			continue;
		ev.control = code.word[0];
		unc_event_finish(&ev, code.word[1] | code.word[2] << 32, 0, true);
		*found = *attr;
		if (!is_idle(&ev))
			return true;
	}
	return false;
}

/* libpfm4 accepts an opcode together with umasks that count every opcode. */
static int check_filter_umask(struct unc_names *names, const struct unc_parsed *p,
			      const struct unc_event *ev)
{
	const struct unc_part *value = filter_umask(p);
	char name[UNCORE_NAME_MAX + 1];
	struct unc_attr attr;

	if (!value || !is_idle(ev))
		return 0;
	if (!unc_format_name(p, name))
		name[0] = '\0';
	if (!looking(p, value, &attr))
		return unc_fail(names->err, UNCORE_ECOMBO,
				"umask %s has no effect on %s: remove it", value->name, name);
	return unc_fail(names->err, UNCORE_ECOMBO,
			"umask %s has no effect on %s by itself: combine it with another umask, "
			"for example %s (%s)",
			value->name, name, attr.name, attr.text);
}

static int add_own(struct unc_names *names, const struct unc_parsed *p, uint64_t *control,
		   uint64_t *config1)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < p->n_parts; i++)
		if (p->parts[i].attr < UNC_OURS_ATTR && is_own(p, &p->parts[i]) &&
		    !unc_is_noop_part(&p->parts[i]))
			r = unc_add_modifier(names, p, &p->parts[i], control, config1);
	return r;
}

static int encode_pfm(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev)
{
	const struct unc_platform *platform = names->machine->platform;
	struct unc_pfm_code code;
	char parts[UNC_PFM_NAME];
	uint64_t config1;
	int r;

	r = UNC_PFM_NO_MEMORY;
	if (unc_default_parts(platform, p, parts, sizeof(parts)))
		r = try_pfm(p, UINT32_MAX, parts, &code);
	if (r == UNC_PFM_NO_MEMORY)
		return unc_fail(names->err, UNCORE_ENOMEM, "out of memory for event %s", p->event);
	if (r != UNC_PFM_OK)
		return refuse(names, p, r);
	config1 = unc_fix_filter(platform->desc->modifier_fixes, p,
				 code.word[1] | code.word[2] << 32);
	ev->control = code.word[0];
	if (ev->type->filter_above) {
		ev->control |= config1 << 32;
		config1 = 0;
	}
	unc_fix_control(platform->desc->fixes, p, ev);
	r = add_own(names, p, &ev->control, &config1);
	if (r == 0)
		r = unc_check_control(names, p, ev);
	if (r < 0)
		return r;
	if (p->configs) {
		unc_event_finish(ev, p->config[1], p->config[2], true);
		return unc_check_qualifiers(names, p, ev);
	}
	unc_event_finish(ev, config1, 0, true);
	r = check_filter_umask(names, p, ev);
	return r < 0 ? r : unc_check_filter(names, p, ev, config1);
}

static int encode_raw(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev)
{
	int r;

	if (!(p->configs & 1))
		return unc_fail(names->err, UNCORE_EATTR,
				"RAW requires config=, for example %s::RAW:config=0x1",
				p->pmu->name);
	ev->control = p->config[0];
	r = unc_check_control(names, p, ev);
	if (r == 0)
		unc_event_finish(ev, p->config[1], p->config[2], false);
	return r;
}

/* An event code that does not exist on any counter, or parts that need different counters. */
static int check_counters(struct unc_names *names, const struct unc_parsed *p,
			  const struct unc_event *ev)
{
	if (ev->fixed || ev->counters)
		return 0;
	if (ev->type->arch)
		return unc_fail(names->err, UNCORE_EATTR,
				"%s is only counted by a fixed counter, which supports no "
				"modifiers other than k and u%s",
				p->event, p->raw ? " (bits 16 and 17)" : "");
	return unc_fail(names->err, UNCORE_EATTR,
			"no counter of a %s counts %s with control %#" PRIx64, ev->type->name,
			p->event, ev->control);
}

int unc_encode(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev)
{
	int r = unc_check_places(names, p);

	if (r < 0)
		return r;
	memset(ev, 0, sizeof(*ev));
	ev->type = p->pmu->type;
	ev->where = p->where;
	if (p->raw)
		r = encode_raw(names, p, ev);
	else
		r = p->pfm >= 0 ? encode_pfm(names, p, ev) : unc_encode_row(names, p, ev);
	return r < 0 ? r : check_counters(names, p, ev);
}
