/* SPDX-License-Identifier: BSD-3-Clause */
/* decode.c - from the values of registers to the names of events. */
#include <stdio.h>
#include <string.h>

#include "event/foreign.h"

struct decoding {
	struct unc_search search; /* first */
	const uint64_t *filters;
	unsigned n_filters, most;
	int counter; /* -1: any */
	unsigned *n;

	char (*found)[UNCORE_NAME_MAX + 1];
};

static bool is_set(const struct decoding *d, const struct unc_bits *bits)
{
	const uint64_t always = d->search.pmu->type->filters[bits->filter].always;

	if (!d->filters)
		return true;
	return bits->filter < d->n_filters &&
	       (d->filters[bits->filter] & bits->mask) == ((bits->value | always) & bits->mask);
}

static bool is_selected(const struct unc_search *w, const struct unc_event *ev)
{
	const struct decoding *d = (const struct decoding *)w;

	if ((ev->control & ~ev->type->unwritten) != w->control || ev->fixed ||
	    (d->counter >= 0 && !(ev->counters >> d->counter & 1)))
		return false;

	for (unsigned i = 0; i < ev->n_bits; i++)
		if (!is_set(d, &ev->bits[i]))
			return false;
	return true;
}

/* An event without umask after the same one with its default umask is no other event. */
static bool is_repeated(const struct decoding *d, const char *name)
{
	const size_t len = strlen(name);

	for (unsigned i = 0; i < *d->n && i < d->most; i++)
		if (strncmp(d->found[i], name, len) == 0 && strchr(":", d->found[i][len]))
			return true;
	return false;
}

static void add(const struct unc_search *w, const char *name)
{
	const struct decoding *d = (const struct decoding *)w;
	char canonical[UNCORE_NAME_MAX + 1];
	struct unc_parsed p;

	if (unc_parse(w->names, name, &p) < 0 || !unc_format_name(&p, canonical) ||
	    is_repeated(d, canonical))
		return;
	if (*d->n < d->most)
		stpcpy(d->found[*d->n], canonical);
	++*d->n;
}

/* NHM-EX has the enable bit among those of the event. */
static uint64_t without_enable(const struct unc_machine *m, const struct unc_box_type *t,
			       uint64_t control)
{
	const struct unc_style *style = t->style ? t->style : m->platform->desc->style;

	return control & t->event_mask & ~t->unwritten & ~(uint64_t)style->enable;
}

static const struct unc_pmu *pmu_of(const struct unc_names *names, const struct unc_box_type *type)
{
	for (unsigned i = 0; i < names->n_pmus; i++)
		if (names->pmus[i].type == type)
			return &names->pmus[i];
	return NULL;
}

unsigned unc_names_decode(struct unc_names *names, const struct unc_box_type *type, int counter,
			  uint64_t control, const uint64_t *filters, unsigned n_filters,

			  char (*found)[UNCORE_NAME_MAX + 1], unsigned most)
{
	unsigned n = 0;
	struct decoding d = {
		.search = {.names = names,
			   .pmu = pmu_of(names, type),
			   .control = without_enable(names->machine, type, control),
			   .filtered = true,
			   .is = is_selected,
			   .found = add},
		.filters = filters,
		.counter = counter,

		.n_filters = n_filters,
		.most = most,
		.n = &n,
		.found = found,
	};

	if (!d.search.pmu)
		return 0;
	unc_mutex_lock(&names->lock);
	unc_search_names(&d.search);
	unc_mutex_unlock(&names->lock);
	return n;
}
