/* SPDX-License-Identifier: BSD-3-Clause */
/* conflict.c - why events do not fit: the smallest conflicting set, and a message about it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

#define MAX_CHECKS  20000u /* candidate sets to check before giving up on a smaller one */
#define MAX_SUBSETS 12     /* counters of which all subsets are tried */

struct hunt {
	const struct unc_box_type *type;
	const struct unc_use *use;
	const struct unc_event *const *events;
	unsigned n, size, checks;
	unsigned *found;
};

static bool fits(struct hunt *h, const unsigned *indices, unsigned n)
{
	const struct unc_event *pick[UNC_SLOTS + 1];

	h->checks++;
	if (n > UNC_SLOTS)
		return false;
	for (unsigned i = 0; i < n; i++)
		pick[i] = h->events[indices[i]];
	return unc_fits(h->type, h->use, pick, n);
}

/* Sets of h->size events in lexical order, until one does not fit. */
static bool search_size(struct hunt *h, unsigned depth, unsigned from)
{
	if (depth == h->size)
		return !fits(h, h->found, h->size);
	for (unsigned i = from; i < h->n && h->checks < MAX_CHECKS; i++) {
		h->found[depth] = i;
		if (search_size(h, depth + 1, i + 1))
			return true;
	}
	return false;
}

/* Too many sets to try: remove events as long as the rest still conflicts. */
static unsigned shrink(struct hunt *h)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->n && n <= UNC_SLOTS; i++) {
		h->found[n++] = i;
		if (!fits(h, h->found, n))
			break;
	}
	for (unsigned i = 0; i < n;) {
		unsigned rest[UNC_SLOTS + 1], k = 0;

		for (unsigned j = 0; j < n; j++)
			if (j != i)
				rest[k++] = h->found[j];
		if (fits(h, rest, k)) {
			i++;
			continue;
		}
		memcpy(h->found, rest, k * sizeof(*rest));
		n = k;
	}
	return n;
}

/* The first h->size events that need one of these counters; false if there are fewer. */
static bool find_first(const struct hunt *h, uint32_t counters, uint32_t open, unsigned *found)
{
	unsigned k = 0;

	for (unsigned i = 0; i < h->n && k < h->size; i++)
		if (!h->events[i]->fixed && !(h->events[i]->counters & open & ~counters))
			found[k++] = i;
	return k == h->size;
}

static bool is_before(const unsigned *a, const unsigned *b, unsigned n)
{
	unsigned i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i < n && a[i] < b[i];
}

/*
 * Of events that fit in pairs and have one encoding each, those conflict that are more than their
 * counters.  0: no such events.
 */
static unsigned too_many(struct hunt *h)
{
	const uint32_t all = (1u << h->type->n_counters) - 1;
	const uint32_t open = unc_free_counters(h->type, h->use) & all;
	unsigned found[UNC_SLOTS + 1];
	bool any = false;

	for (h->size = 1; !any && h->size <= h->type->n_counters + 1u; h->size++)
		for (uint32_t s = 0; s <= open; s++) {
			if ((s & ~open) || (unsigned)__builtin_popcount(s) + 1 != h->size ||
			    !find_first(h, s, open, found))
				continue;
			if (!any || is_before(found, h->found, h->size))
				memcpy(h->found, found, h->size * sizeof(*found));
			any = true;
		}
	return any ? h->size - 1 : 0;
}

static bool have_one_encoding(const struct hunt *h)
{
	for (unsigned i = 0; i < h->n; i++)
		if (!unc_has_one_encoding(h->events[i]))
			return false;
	return true;
}

static unsigned smallest(struct hunt *h)
{
	unsigned n;

	for (h->size = 1; h->size <= 2; h->size++)
		if (search_size(h, 0, 0))
			return h->size;
	n = h->type->n_counters <= MAX_SUBSETS && have_one_encoding(h) ? too_many(h) : 0;
	if (n)
		return n;
	for (h->size = 3; h->size <= h->n && h->size <= h->type->n_counters + 1u; h->size++)
		if (search_size(h, 0, 0))
			return h->size;
	return shrink(h);
}

/* All of them, with the counters in use. */
static bool all_fit(const struct hunt *h)
{
	return h->n <= UNC_SLOTS && unc_fits(h->type, h->use, h->events, h->n);
}

/* ---- the sentence ---- */

static void list_names(char *text, size_t len, const char *const *names, const unsigned *indices,
		       unsigned n)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n && used < len; i++) {
		const char *glue = i == 0 ? "" : i + 1 == n ? " and " : ", ";

		used += (size_t)snprintf(text + used, len - used, "%s%s", glue, names[indices[i]]);
	}
}

static uint64_t bits_of(const struct unc_event *ev, unsigned filter, uint64_t mask, bool *owns)
{
	for (unsigned b = 0; b < ev->n_bits; b++)
		if (ev->bits[b].filter == filter && (ev->bits[b].mask & mask)) {
			*owns = true;
			return ev->bits[b].value & mask;
		}
	*owns = false;
	return 0;
}

/* The field for which two events need different values, or NULL. */
static const struct unc_field *disputed(const struct unc_event *a, const struct unc_event *b,
					uint64_t *va, uint64_t *vb)
{
	uint64_t fields = 0;
	bool has_a, has_b;

	for (const struct unc_need *n = a->type->needs; n && n->fields; n++)
		fields |= n->fields;
	for (unsigned i = 0; i < 64 && fields >> i; i++) {
		const struct unc_field *f = &a->type->fields[i];
		const int shift = __builtin_ctzll(f->mask);

		*va = bits_of(a, f->filter, f->mask, &has_a) >> shift;
		*vb = bits_of(b, f->filter, f->mask, &has_b) >> shift;
		if (has_a && has_b && *va != *vb)
			return f;
	}
	return NULL;
}

static unsigned list_counters(uint32_t counters, char *text, size_t len)
{
	size_t used = 0;
	unsigned n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < UNC_MAX_COUNTERS && used < len; i++)
		if (counters & (1u << i))
			used += (size_t)snprintf(text + used, len - used, "%s%u", n++ ? " or " : "",
						 i);
	return n;
}

static void explain_running(const struct unc_box *box, const struct unc_use *use, char *reason,
			    size_t len)
{
	const size_t used = strlen(reason);

	if (use && use->n && used < len)
		snprintf(reason + used, len - used, " (%u counters of %s%s%u are already counting)",
			 use->n, box->type->name, unc_gap(box->type), box->number);
}

static void explain(const struct unc_box *box, const struct unc_event *const *events,
		    const char *const *names, const unsigned *indices, unsigned n, char *reason,
		    size_t len)
{
	const struct unc_box_type *t = box->type;
	char list[900], counters[128];
	uint64_t va, vb;
	uint32_t all = 0;
	const struct unc_field *field =
		n == 2 ? disputed(events[indices[0]], events[indices[1]], &va, &vb) : NULL;
	unsigned k;

	list_names(list, sizeof(list), names, indices, n);
	for (unsigned i = 0; i < n; i++)
		all |= events[indices[i]]->fixed ? 0 : events[indices[i]]->counters;
	k = list_counters(all, counters, sizeof(counters));
	if (field)
		snprintf(reason, len,
			 "%s need different values of the %s filter of %s: %#" PRIx64
			 " and %#" PRIx64,
			 list, field->name, t->name, va, vb);
	else if (all == 0)
		snprintf(reason, len, "%s all need the fixed counter of %s", list, t->name);
	else if (k == t->n_counters && k < n)
		snprintf(reason, len, "%s are %u events, but %s has %u counters", list, n, t->name,
			 k);
	else if (k < n)
		snprintf(reason, len, "%s need counter %s of %s: no other counter supports them",
			 list, counters, t->name);
	else if (n == 1)
		snprintf(reason, len,
			 "%s needs counter %s of %s or a filter value that is already "
			 "in use",
			 list, counters, t->name);
	else
		snprintf(reason, len,
			 "%s do not fit on the %u counters of %s with the filter values they need",
			 list, t->n_counters, t->name);
}

unsigned unc_conflict(const struct unc_box *box, const struct unc_use *use,
		      const struct unc_event *const *events, const char *const *names, unsigned n,
		      unsigned *indices, char *reason, size_t len)
{
	unsigned found[UNC_SLOTS + 2] = {0};
	struct hunt h = {.type = box->type, .events = events, .n = n, .found = found};
	unsigned size;

	if (all_fit(&h)) /* an idle box */
		h.use = use;
	size = smallest(&h);
	memcpy(indices, found, size * sizeof(*found));
	explain(box, events, names, indices, size, reason, len);
	explain_running(box, h.use, reason, len);
	return size;
}
