/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - check that a code fits the registers of its box. */
#include <inttypes.h>
#include <string.h>

#include "event/foreign.h"

/* An 8-bit threshold in a 5-bit field, for example, would count something else. */
int unc_check_control(struct unc_names *names, const struct unc_parsed *p,
		      const struct unc_event *ev)
{
	const struct unc_box_type *t = ev->type;
	const uint64_t bad = ev->control & ~t->event_mask;
	bool low;

	if (t->free && bad == 0 && !unc_allowed_counters(t, ev->control, &low))
		return unc_fail(names->err, UNCORE_EATTR,
				"%s: %s has no counter for %#" PRIx64 "; see uncore list for "
				"its events, each with its own counter",
				p->event, t->name, ev->control);
	if (bad == 0 || (t->fixed.coded && ev->control == t->fixed.code))
		return 0;
	return unc_fail(names->err, UNCORE_EATTR,
			"%s with these values needs control bits %#" PRIx64 ", which are not "
			"available in a %s (it has %#" PRIx64 ")",
			p->event, bad, t->name, t->event_mask);
}

/*
 * A filter bit without a field would be ignored, and the event would count more than requested.
 */
int unc_check_filter(struct unc_names *names, const struct unc_parsed *p,
		     const struct unc_event *ev, uint64_t config1)
{
	for (unsigned i = 0; i < ev->n_bits; i++) {
		const struct unc_filter *f = &ev->type->filters[ev->bits[i].filter];

		if (f->config == 1)
			config1 &= ~(ev->bits[i].value >> f->bit << f->shift);
	}
	if (config1 == 0)
		return 0;
	return unc_fail(names->err, UNCORE_EATTR,
			"%s needs filter bits %#" PRIx64 ", which are not available in a %s",
			p->event, config1, ev->type->name);
}

/* Bits below the lowest one, as in an address within a line, are ignored. */
int unc_check_qualifiers(struct unc_names *names, const struct unc_parsed *p,
			 const struct unc_event *ev)
{
	for (unsigned i = 0; i < p->n_parts; i++) {
		const struct unc_part *part = &p->parts[i];
		uint64_t bits, most;

		if (part->attr < UNC_OURS_ATTR)
			continue;
		bits = unc_compared_bits(ev->type, ev->control,
					 (unsigned)(part->attr - UNC_OURS_ATTR));
		most = bits ? UINT64_MAX >> __builtin_clzll(bits) : 0;
		if (part->value > most)
			return unc_fail(names->err, UNCORE_EATTR,
					"%s=%#" PRIx64 " in %s is out of range: the maximum is "
					"%#" PRIx64,
					part->name, part->value, p->event, most);
	}
	return 0;
}

const char *unc_platform_default(const struct unc_platform *platform, const char *event)
{
	for (const struct unc_default *d = platform->desc->defaults; d && *d->event; d++)
		if (strcmp(d->event, event) == 0)
			return d->parts;
	return NULL;
}
