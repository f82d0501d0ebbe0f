/* SPDX-License-Identifier: BSD-3-Clause */
/* own_name.c - from the config words of a perf event to its name here. */
#include "event/foreign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UMASK_OF(control) ((control) >> 8 & 0xff)

bool unc_is_among(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; at && (at = strstr(at, word)); at += n)
		if (at > list && at[-1] == ' ' && at[n] == ' ')
			return true;
	return !list;
}

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

struct wanted {
	struct unc_names *names;
	const struct unc_pmu *pmu;
	struct unc_event ev;
	uint64_t config1;
	char modifiers[64]; /* in the syntax of names: ":e=1:t=2" */
	char *own;
};

static bool encode(struct unc_names *names, const char *text, struct unc_event *ev)
{
	struct unc_parsed p;

	return unc_parse(names, text, &p) == 0 && !(p.base && p.base->metric) &&
	       unc_encode(names, &p, ev) == 0;
}

/* Event, with umasks or without ("" for NULL). */
static bool is_wanted(const struct wanted *w, const struct unc_entry *e, const char *umask,
		      const char *value)
{
	struct unc_event ev;

	snprintf(w->own, UNC_OWN_NAME, "%s%s%s%s%s%s", e->name, *umask ? ":" : "", umask,
		 *value ? ":" : "", value, w->modifiers);
	return encode(w->names, w->own, &ev) && unc_same_event(&ev, &w->ev);
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

static bool with_value(const struct wanted *w, const struct unc_entry *e, const char *umask)
{
	const struct unc_attr *attr;

	for (int a = 0; w->config1 && (attr = unc_attr(e, a)); a++)
		if (is_value(attr) && is_wanted(w, e, umask, attr->name))
			return true;
	return false;
}

static bool with_umask(const struct wanted *w, const struct unc_entry *e)
{
	const struct unc_attr *attr;

	for (int a = 0; (attr = unc_attr(e, a)); a++) {
		if (!is_listed_umask(attr))
			continue;
		if (is_wanted(w, e, attr->name, ""))
			return true;
		if (!attr->row && (attr->code & 0xff) == UMASK_OF(w->ev.control) &&
		    with_value(w, e, attr->name))
			return true;
	}
	return is_wanted(w, e, "", "");
}

static bool find_listed(const struct wanted *w)
{
	for (unsigned i = 0; i < w->names->n_known; i++) {
		struct unc_entry *e = w->names->entries[i];

		if (e->pmu != w->pmu || e->metric || (e->row && e->row->unlisted) ||
		    unc_event_code(e) != (w->ev.control & 0xff) || unc_attrs_load(w->names, e) < 0)
			continue;
		if (with_umask(w, e))
			return true;
	}
	return false;
}

#define THRESHOLD (0xffull << 24)

static uint64_t threshold_of(const struct unc_box_type *type)
{
	const struct unc_modifier *m = unc_modifier(type, "t");

	return (m ? m->mask : THRESHOLD) & type->event_mask;
}

static void format_modifiers(struct wanted *w, uint64_t config)
{
	const uint64_t mask = w->pmu->type->event_mask, bits = threshold_of(w->pmu->type);
	const unsigned threshold = bits ? (unsigned)((config & bits) >> __builtin_ctzll(bits)) : 0;
	int n = snprintf(w->modifiers, sizeof(w->modifiers), "%s%s",
			 config & mask & (1u << 18) ? ":e=1" : "",
			 config & mask & (1u << 23) ? ":i=1" : "");

	if (threshold)
		snprintf(w->modifiers + n, sizeof(w->modifiers) - (size_t)n, ":t=%u", threshold);
}

void unc_own_name(struct unc_names *names, const struct unc_pmu *pmu,
		  const uint64_t config[UNC_CONFIGS], char own[UNC_OWN_NAME])
{
	struct wanted w = {names, pmu, .config1 = config[1], .own = own};
	char raw[UNC_OWN_NAME];

	unc_raw_name(pmu, config, raw);
	format_modifiers(&w, config[0]);
	if (!encode(names, raw, &w.ev) || !find_listed(&w))
		memcpy(own, raw, sizeof(raw));
}
