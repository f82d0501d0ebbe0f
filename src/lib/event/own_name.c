/* SPDX-License-Identifier: BSD-3-Clause */
/* own_name.c - from the config words of a perf event to its name here. */
#include "event/foreign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UMASK_OF(control) ((control) >> 8 & 0xff)

void unc_box_of_index(const struct unc_machine *m, const struct unc_box_type *type, long index,
		      char text[UNC_NUMBERS_TEXT + 8])
{
	size_t i, end = unc_boxes_of(m, type, &i);
	struct unc_numbers numbers = {.n = 0};
	char list[UNC_NUMBERS_TEXT];

	text[0] = '\0';
	if (index < 0)
		return;
	for (; i < end; i++) /* boxes of several dies have numbers of their own */
		if (m->boxes[i].index == index)
			unc_numbers_add(&numbers, m->boxes[i].number, m->boxes[i].number);
	if (numbers.n == 0)
		snprintf(text, UNC_NUMBERS_TEXT + 8, ":box=%ld", index);
	else
		snprintf(text, UNC_NUMBERS_TEXT + 8, ":box=%s", unc_numbers_text(&numbers, list));
}

/* ---- listed events of an encoding ---- */

static bool encode(struct unc_names *names, const char *text, struct unc_event *ev)
{
	struct unc_parsed p;

	return unc_parse(names, text, &p) == 0 && !(p.base && p.base->metric) &&
	       unc_encode(names, &p, ev) == 0;
}

/* Event, with umasks or without ("" for NULL). */
static bool is_wanted(struct unc_search *w, const struct unc_entry *e, const char *umask,
		      const char *value)
{
	char name[UNC_OWN_NAME];
	struct unc_event ev;

	snprintf(name, sizeof(name), "%s%s%s%s%s%s", e->name, *umask ? ":" : "", umask,
		 *value ? ":" : "", value, w->modifiers);
	if (!encode(w->names, name, &ev) || !w->is(w, &ev))
		return false;
	w->any = true;
	w->found(w, name);
	return w->first;
}

static bool is_listed_umask(const struct unc_attr *attr)
{
	return attr->umask && !attr->unlisted;
}

/* Umasks of libpfm4 that only set a filter value have no code. */
static bool is_value(const struct unc_attr *attr)
{
	return is_listed_umask(attr) && !attr->row && !(attr->code & 0xff);
}

static bool with_value(struct unc_search *w, const struct unc_entry *e, const char *umask)
{
	const struct unc_attr *attr;

	for (int a = 0; w->filtered && (attr = unc_attr(e, a)); a++)
		if (is_value(attr) && is_wanted(w, e, umask, attr->name))
			return true;
	return false;
}

static bool with_umask(struct unc_search *w, const struct unc_entry *e)
{
	const struct unc_attr *attr;

	for (int a = 0; (attr = unc_attr(e, a)); a++) {
		if (!is_listed_umask(attr))
			continue;
		if (is_wanted(w, e, attr->name, ""))
			return true;
		if (!attr->row && (attr->code & 0xff) == UMASK_OF(w->control) &&
		    with_value(w, e, attr->name))
			return true;
	}
	return is_wanted(w, e, "", "");
}

/* The control bits that a umask adds to its event; 0: it cannot be alone. */
static uint64_t bits_of(struct unc_search *w, const struct unc_entry *e, const char *umask)
{
	char name[UNC_OWN_NAME];
	struct unc_event ev;

	if (snprintf(name, sizeof(name), "%s:%s", e->name, umask) >= (int)sizeof(name))
		return 0;
	return encode(w->names, name, &ev) ? ev.control & ~(uint64_t)unc_event_code(e) : 0;
}

/* All umasks whose bits are wanted, without those that add none. */
static bool with_several(struct unc_search *w, const struct unc_entry *e)
{
	char umasks[UNC_OWN_NAME] = "";
	const struct unc_attr *attr;
	uint64_t have = 0;
	size_t n = 0;

	for (int a = 0; (attr = unc_attr(e, a)); a++) {
		const uint64_t bits = is_listed_umask(attr) ? bits_of(w, e, attr->name) : 0;

		if (!(bits & ~have) || bits & ~w->control)
			continue;
		n += (size_t)snprintf(umasks + n, sizeof(umasks) - n, "%s%s", n ? ":" : "",
				      attr->name);
		if (n >= UNCORE_NAME_MAX)
			return false;
		have |= bits;
	}
	return strchr(umasks, ':') && is_wanted(w, e, umasks, "");
}

#define THRESHOLD (0xffull << 24)

static uint64_t threshold_of(const struct unc_box_type *type)
{
	const struct unc_modifier *m = unc_modifier(type, "t");

	return (m ? m->mask : THRESHOLD) & type->event_mask;
}

static uint64_t modifier_bits(const struct unc_search *w)
{
	return threshold_of(w->pmu->type) | ((1u << 18 | 1u << 23) & w->pmu->type->event_mask);
}

/* Two umasks that change each other's bits, such as "IRQ:MISS". */
static bool with_pair(struct unc_search *w, const struct unc_entry *e)
{
	const struct unc_attr *one, *other;
	char pair[UNC_OWN_NAME];

	for (int a = 0; (one = unc_attr(e, a)); a++)
		for (int b = a + 1;
		     is_listed_umask(one) && !is_value(one) && (other = unc_attr(e, b)); b++) {
			if (!is_listed_umask(other) || is_value(other))
				continue;
			snprintf(pair, sizeof(pair), "%s:%s", one->name, other->name);
			if ((bits_of(w, e, pair) | unc_event_code(e)) !=
			    (w->control & ~modifier_bits(w)))
				continue;
			if (is_wanted(w, e, pair, "") || with_value(w, e, pair))
				return true;
		}
	return false;
}

static bool search(struct unc_search *w,

		   bool (*look)(struct unc_search *w, const struct unc_entry *e))
{
	for (unsigned i = 0; i < w->names->n_known; i++) {
		struct unc_entry *e = w->names->entries[i];

		if (e->pmu != w->pmu || e->metric || (e->row && e->row->unlisted) ||
		    (w->by_code &&
		     (unc_event_code(e) & ~w->pmu->type->unwritten) != (w->control & 0xff)) ||
		    unc_attrs_load(w->names, e) < 0)
			continue;
		if (look(w, e))
			return true;
	}
	return false;
}

static void format_modifiers(struct unc_search *w, uint64_t config)
{
	const uint64_t mask = w->pmu->type->event_mask, bits = threshold_of(w->pmu->type);
	const unsigned threshold = bits ? (unsigned)((config & bits) >> __builtin_ctzll(bits)) : 0;
	int n = snprintf(w->modifiers, sizeof(w->modifiers), "%s%s",
			 config & mask & (1u << 18) ? ":e=1" : "",
			 config & mask & (1u << 23) ? ":i=1" : "");

	if (threshold)
		snprintf(w->modifiers + n, sizeof(w->modifiers) - (size_t)n, ":t=%u", threshold);
}

void unc_search_names(struct unc_search *w)
{
	format_modifiers(w, w->control);
	w->by_code = true;
	search(w, with_umask);
	if (!w->any)
		search(w, with_several);
	if (!w->any)
		search(w, with_pair);
	w->by_code = false; /* some have another one than libpfm4 says */
	if (!w->any)
		search(w, with_umask);
}

/* ---- config words ---- */

bool unc_own_config(struct unc_names *names, const struct unc_pmu *pmu, const char *text,
		    uint64_t config[UNC_CONFIGS])
{
	uint64_t words[UNC_CONFIGS];
	struct unc_event ev;

	if (!encode(names, text, &ev) || ev.type != pmu->type)
		return false;
	unc_event_config(&ev, words);
	for (unsigned w = 0; w < UNC_CONFIGS; w++)
		config[w] |= words[w];
	return true;
}

/* ---- the name of perf's config words ---- */

struct wanted {
	struct unc_search search; /* first */
	struct unc_event ev;
	char *own;
};

static const struct wanted *wanted_of(const struct unc_search *w)
{
	return (const struct wanted *)w;
}

static bool is_same(const struct unc_search *w, const struct unc_event *ev)
{
	return unc_same_event(ev, &wanted_of(w)->ev);
}

static void take(const struct unc_search *w, const char *name)
{
	snprintf(wanted_of(w)->own, UNC_OWN_NAME, "%s", name);
}

void unc_own_name(struct unc_names *names, const struct unc_pmu *pmu,
		  const uint64_t config[UNC_CONFIGS], char own[UNC_OWN_NAME])
{
	struct wanted w = {.search = {.names = names,
				      .pmu = pmu,
				      .filtered = config[1] != 0,
				      .first = true,
				      .is = is_same,
				      .found = take},
			   .own = own};

	unc_raw_name(pmu, config, own);
	if (!encode(names, own, &w.ev))
		return;
	w.search.control = w.ev.control;
	unc_search_names(&w.search);
}
