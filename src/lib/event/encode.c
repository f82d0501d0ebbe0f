/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * encode.c - from a control value and config words to what an event needs: fixed counter,
 * counter restrictions, filter fields.
 */
#include "event/event.h"

#include <string.h>

/*
 * Numbers as in Linux: event 0xff, umask 16 * (1 + group) + number of the counter in the group.
 */
static uint32_t free_counter(const struct unc_free *groups, uint64_t control)
{
	const unsigned group = control >> 12 & 0xf, i = control >> 8 & 0xf;
	unsigned first = 0;

	if ((control & 0xff) != 0xff)
		return 0;
	for (unsigned g = 1; groups->n; g++, first += (groups++)->n)
		if (g == group && i < groups->n)
			return 1u << (first + i);
	return 0;
}

uint32_t unc_allowed_counters(const struct unc_box_type *type, uint64_t control, bool *low)
{
	const uint32_t all = (1u << type->n_counters) - 1;

	*low = false;
	if (type->free)
		return free_counter(type->free, control);
	for (const struct unc_rule *r = type->rules; r && r->cmp; r++) {
		const uint32_t key = (uint32_t)control & r->cmp;

		if (key >= r->lo && key <= r->hi) {
			*low = r->low;
			return r->counters & all;
		}
	}
	return all;
}

uint64_t unc_fields_needed(const struct unc_box_type *type, uint64_t control)
{
	uint64_t fields = 0;

	for (const struct unc_need *n = type->needs; n && n->fields; n++)
		if ((control & n->mask) == n->match)
			fields |= n->fields;
	return fields;
}

/* The value of filter register f for an event's control, config1 and config2. */
static uint64_t filter_value(const struct unc_filter *f, uint64_t control, uint64_t config1,
			     uint64_t config2)
{
	const uint64_t config = f->config == UNC_CONTROL ? control
				: f->config == 2         ? config2
							 : config1;

	return (config >> f->shift << f->bit) & f->mask;
}

static void own(struct unc_event *ev, uint8_t filter, uint64_t mask, uint64_t value)
{
	unsigned i = 0;

	while (i < ev->n_bits && ev->bits[i].filter != filter)
		i++;
	if (i == ev->n_bits)
		ev->bits[ev->n_bits++] = (struct unc_bits){.filter = filter};
	ev->bits[i].mask |= mask;
	ev->bits[i].value |= value & mask;
}

static unsigned n_fields(const struct unc_box_type *type)
{
	uint64_t used = 0;
	unsigned n = 0;

	for (const struct unc_need *need = type->needs; need && need->fields; need++)
		used |= need->fields;
	for (; used; used >>= 1)
		n++;
	return n;
}

static uint64_t whole(const struct unc_box_type *t, uint64_t needed, uint64_t config1)
{
	for (const struct unc_whole *w = t->wholes; w && w->mask; w++)
		if ((needed >> w->field & 1) && !(config1 & w->mask))
			config1 |= w->all;
	return config1;
}

/*
 * keep_all: filter bits that were given are used even if the event's umask does not depend on
 * them. libpfm4 only returns the filter bits that the user gave; Linux ignores the rest of
 * config1, and so does RAW. A filter field that is missing in a name matches everything; in
 * config1 of RAW it is 0.
 */
void unc_event_finish(struct unc_event *ev, uint64_t config1, uint64_t config2, bool keep_all)
{
	const struct unc_box_type *t = ev->type;
	const uint64_t needed = unc_fields_needed(t, ev->control);
	const bool keep = keep_all && !t->filter_by_event;

	if (keep_all)
		config1 = whole(t, needed, config1);
	if (!(ev->control & t->any_of))
		ev->control |= t->any_of;

	ev->n_bits = 0;
	ev->fixed = t->fixed.coded && ev->control == t->fixed.code;
	ev->counters = ev->fixed ? 0 : unc_allowed_counters(t, ev->control, &ev->low);
	for (unsigned i = 0; i < n_fields(t) && !ev->fixed; i++) {
		const struct unc_field *f = &t->fields[i];
		const struct unc_filter *filter = &t->filters[f->filter];
		const uint64_t value = filter_value(filter, ev->control, config1, config2);

		if ((needed >> i & 1) || (keep && (value & f->mask)))
			own(ev, f->filter, f->mask,
			    (value & f->mask ? value : filter->unset) | filter->set);
	}
}

static unsigned word_of(const struct unc_filter *f)
{
	return f->config == 2 ? 2 : 1;
}

void unc_event_config(const struct unc_event *ev, uint64_t config[UNC_CONFIGS])
{
	memset(config, 0, UNC_CONFIGS * sizeof(*config));
	config[0] = ev->control;
	for (unsigned i = 0; i < ev->n_bits; i++) {
		const struct unc_filter *f = &ev->type->filters[ev->bits[i].filter];

		if (f->config != UNC_CONTROL)
			config[word_of(f)] |= (ev->bits[i].value & ~f->set) >> f->bit << f->shift;
	}
}

bool unc_same_event(const struct unc_event *a, const struct unc_event *b)
{
	if (a->type != b->type || a->control != b->control || a->fixed != b->fixed ||
	    a->n_bits != b->n_bits)
		return false;
	for (unsigned i = 0; i < a->n_bits; i++)
		if (a->bits[i].filter != b->bits[i].filter || a->bits[i].mask != b->bits[i].mask ||
		    a->bits[i].value != b->bits[i].value)
			return false;
	return true;
}
