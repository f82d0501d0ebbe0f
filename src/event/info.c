/* info.c - what an event counts, in words, for listings. */
#include <stdio.h>
#include <string.h>

#include "event/names.h"

/* Units by what the name says; the last row is for all others. */
static const struct {
	const char *part, *units;
} units[] = {
	{"CLOCKTICKS", "cycles"}, {"_CYCLES", "cycles"}, {"OCCUPANCY", "entries*cycles"},
	{"CAS_COUNT", "lines"},   {"FLITS", "flits"},    {"LLC_VICTIMS", "lines"},
	{"", "events"},
};

static const char *units_of(const struct unc_entry *e)
{
	unsigned i = 0;

	if (e->metric)
		return e->metric->unit;
	if (e->row && e->row->unit)
		return e->row->unit;
	while (!strstr(e->name, units[i].part))
		i++;
	return units[i].units;
}

/* Looked up once: libpfm4 has to be asked several times. */
static const char *defaults(struct unc_names *n, struct unc_entry *e)
{
	struct unc_parsed p;

	if (!e->defaults_known && e->id < n->n_known &&
	    !unc_umasks_void(n->machine->platform, e->name) && unc_parse(n, e->name, &p) == 0)
		unc_default_parts(n->machine->platform, &p, e->defaults, sizeof(e->defaults));
	e->defaults_known = true;
	return e->defaults;
}

/* The part that a walk entry shows behind its event. */
static const char *part_text(struct unc_names *n, struct unc_entry *e)
{
	const char *name, *text = NULL;

	if (e->walk >= UNC_WALK_QUALIFIERS)
		unc_qualifier_at(n, e, (unsigned)(e->walk - UNC_WALK_QUALIFIERS), &name, &text);
	else if (e->walk >= 0 && unc_attr(e->base, e->walk))
		text = unc_attr(e->base, e->walk)->text;
	return text;
}

/*
 * PAPI's tools look for ", masks:" (reference/papi-contract.md 2.3); papi_event_chooser
 * shows what is behind the first colon, whatever that one is.
 */
static void add_part(char *text, size_t len, const char *part)
{
	for (char *colon = strchr(text, ':'); colon; colon = strchr(colon, ':'))
		*colon = ';';
	snprintf(text + strlen(text), len - strlen(text), ", masks:%s", part);
}

/* A mean cannot be subtracted, but what it is made of can. */
static void counts_of(const struct unc_metric *m, char *text, size_t len)
{
	const bool two = m->below && m->below->name;

	if (m->above)
		snprintf(text, len, " (as counts %s%s%s)", m->above->name, two ? " / " : "",
			 two ? m->below->name : "");
}

static void describe(struct unc_names *n, struct unc_entry *e, struct uncore_event_info *info)
{
	char formula[sizeof(info->formula) + 8] = "", counts[2 * UNCORE_NAME_MAX] = "";
	const char *parts = defaults(n, e), *part = part_text(n, e);
	const char *text = e->metric     ? e->metric->text
			   : e->row      ? e->row->text
			   : e->pfm >= 0 ? unc_pfm_event_text(e->pfm)
					 : "Control and filter values given as numbers";

	if (e->recipe) {
		unc_recipe_text(e->recipe, info->formula, sizeof(info->formula));
		snprintf(formula, sizeof(formula), "; = %s", info->formula);
		info->real = e->metric->kind != UNC_TOTAL;
	}
	if (e->metric)
		counts_of(e->metric, counts, sizeof(counts));
	snprintf(info->text, sizeof(info->text), "%s%s%s%s%s%s", text,
		 *parts ? " (counted with :" : "", parts, *parts ? ")" : "", counts,
		 part ? "" : formula);
	if (part)
		add_part(info->text, sizeof(info->text), part);
	info->exact = !*parts;
}

int unc_names_info(struct unc_names *n, unsigned id, struct uncore_event_info *info)
{
	struct unc_entry *e;

	memset(info, 0, sizeof(*info));
	pthread_mutex_lock(&n->lock);
	e = id < n->n_entries ? n->entries[id] : NULL;
	if (e) {
		info->exact = true;
		info->name = e->name;
		info->kind = e->pmu->type->name;
		info->kind_title = e->pmu->type->title;
		describe(n, e, info);
		snprintf(info->brief, sizeof(info->brief), "%.*s", (int)sizeof(info->brief) - 1,
			 info->text);
		snprintf(info->units, sizeof(info->units), "%s", units_of(e));
	}
	pthread_mutex_unlock(&n->lock);
	return e ? 0 : unc_fail(n->err, UNCORE_EINVAL, "no event has the number %u", id);
}

bool unc_qualifier_at(const struct unc_names *n, struct unc_entry *e, unsigned k, const char **name,
		      const char **text)
{
	const struct unc_qualifier *q = e->pmu->type->qualifiers;
	const bool cpus = e->pmu->type->arch != NULL, metric = e->pmu->type == &unc_metric_box;
	const char *const places[][2] = {
		{cpus ? "cpu" : "box", e->pmu->box_text},
		{"pkg", n->package_text},
		{"die", n->die_text},
		{"cpu", "count on the package of this CPU only"},
	};
	const struct unc_attr *attr;

	for (int a = 0; e->base && (attr = unc_attr(e->base, a)); a++)
		if (!attr->umask && k-- == 0) {
			*name = attr->name;
			*text = attr->text;
			return true;
		}
	for (; e->base && q && q->name; q++)
		if (q->event == unc_event_code(e->base) && k-- == 0) {
			*name = q->name;
			*text = q->text;
			return true;
		}
	k += metric; /* which has no box= */
	k += n->machine->n_dies == 1 && k >= 2;
	if (k >= sizeof(places) / sizeof(*places) - cpus)
		return false;
	*name = places[k][0];
	*text = places[k][1];
	return true;
}

int unc_names_qualifier(struct unc_names *n, unsigned id, unsigned i, const char **name,
			const char **text)
{
	bool found;

	pthread_mutex_lock(&n->lock);
	found = id < n->n_entries && unc_qualifier_at(n, n->entries[id], i, name, text);
	pthread_mutex_unlock(&n->lock);
	return found ? 0 : UNCORE_ENOEVENT;
}
