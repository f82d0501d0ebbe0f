/* SPDX-License-Identifier: BSD-3-Clause */
/* info.c - descriptions of events for listings. */
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

#define MASKS     ", masks:"
#define PART_TEXT 512 /* bytes of a umask's description, and of a part after an event */
#define MORE_TEXT 832

/* Units by the suffix of the name; the last row is the default. */
static const struct {
	char part[16], units[16];
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
	if (e->row && *e->row->unit)
		return e->row->unit;
	while (!strstr(e->name, units[i].part))
		i++;
	return units[i].units;
}

/* Cached, because libpfm4 has to be asked several times. */
static const char *defaults(struct unc_names *n, struct unc_entry *e)
{
	struct unc_parsed p;
	bool known = true;

	if (!e->defaults_known && e->id < n->n_known &&
	    !unc_has_void_umasks(n->machine->platform, e->name) && unc_parse(n, e->name, &p) == 0)
		known = unc_default_parts(n->machine->platform, &p, e->defaults,
					  sizeof(e->defaults));
	e->defaults_known = known;
	return e->defaults;
}

/* The part that a walk entry shows after its event, or "". */
static void part_text(struct unc_names *n, struct unc_entry *e, char *part, size_t len)
{
	const char *name, *text;

	part[0] = '\0';
	if (e->walk >= UNC_WALK_QUALIFIERS) {
		if (unc_qualifier_at(n, e, (unsigned)(e->walk - UNC_WALK_QUALIFIERS), &name, &text))
			snprintf(part, len, "%s", text);
	} else if (e->walk >= 0 && unc_attr(e->base, e->walk)) {
		unc_text(e->base, unc_attr(e->base, e->walk), part, len);
	}
}

static void event_text(const struct unc_entry *e, char *text, size_t len)
{
	if (e->base && !e->metric)
		unc_text(e->base, NULL, text, len);
	else
		snprintf(text, len, "%s",
			 e->metric ? e->metric->text
				   : "Control and filter values given as numbers");
}

static void append(char *text, size_t len, const char *more)
{
	snprintf(text + strlen(text), len - strlen(text), "%s", more);
}

/*
 * PAPI's tools look for ", masks:" (papi_native_avail.c); papi_event_chooser shows the text
 * after the first colon, whatever it is.
 */
static void add_part(struct uncore_event_info *info, const char *part)
{
	for (char *colon = strchr(info->text, ':'); colon; colon = strchr(colon, ':'))
		*colon = ';';
	append(info->text, sizeof(info->text), MASKS);
	info->umasks_at = (unsigned)strlen(info->text);
	append(info->text, sizeof(info->text), part);
}

/* A mean cannot be subtracted, but its events can. */
static void counts_of(const struct unc_metric *m, char *text, size_t len)
{
	const struct unc_metric *above = unc_metric_above(m), *below = unc_metric_below(m);

	if (above)
		snprintf(text, len, " (as counts %s%s%s)", above->name, *below->name ? " / " : "",
			 below->name);
}

/* As many whole words as fit. */
static void copy_words(char *to, size_t len, const char *text)
{
	char *blank;

	snprintf(to, len, "%.*s", (int)len - 1, text);
	blank = text[strlen(to)] && text[strlen(to)] != ' ' ? strrchr(to, ' ') : NULL;
	if (blank)
		*blank = '\0';
}

static void describe(struct unc_names *n, struct unc_entry *e, struct uncore_event_info *info)
{
	char formula[sizeof(info->formula) + 8] = "", counts[2 * UNCORE_NAME_MAX] = "";
	char text[sizeof(info->text)], part[PART_TEXT], more[MORE_TEXT] = "";
	const char *parts = defaults(n, e);

	event_text(e, text, sizeof(text));
	part_text(n, e, part, sizeof(part));
	if (e->recipe) {
		unc_recipe_text(e->recipe, info->formula, sizeof(info->formula));
		snprintf(formula, sizeof(formula), "; = %s", info->formula);
		info->real = e->metric->kind != UNC_TOTAL;
	}
	if (e->metric)
		counts_of(e->metric, counts, sizeof(counts));
	if (*parts)
		snprintf(more, sizeof(more), " (counted with :%s)", parts);
	append(more, sizeof(more), counts);
	append(more, sizeof(more), *part ? "" : formula);
	copy_words(info->text, sizeof(info->text) - strlen(more) - sizeof(MASKS) - strlen(part),
		   text);
	info->description_len = (unsigned)strlen(info->text);
	append(info->text, sizeof(info->text), more);
	if (*formula && !*part)
		info->formula_at = (unsigned)(strlen(info->text) - strlen(formula));
	if (*part)
		add_part(info, part);
	info->exact = !*parts;
}

/* Core counters, free-running counters and events from files are not in these lists. */
static bool is_listed_by_intel(const struct unc_names *n, const struct unc_entry *e)
{
	const struct unc_box_type *t = e->pmu->type;

	return e->base && !e->metric && !t->arch && !t->free && t != &unc_metric_box &&
	       unc_lists_rows(n->lists, t) == t->rows;
}

static bool is_regular(const struct unc_platform *platform, const struct unc_entry *event,
		       const struct unc_attr *umask)
{
	if (event->row)
		return unc_row_is_regular(platform, event->row, umask ? umask->row : NULL);
	return unc_name_is_regular(platform, unc_event_word(event), umask ? umask->name : NULL);
}

static bool is_experimental(const struct unc_names *n, const struct unc_entry *e)
{
	const struct unc_platform_desc *desc = n->machine->platform->desc;
	const struct unc_attr *umask;

	if (!(desc->regular || desc->regular_rows) || !is_listed_by_intel(n, e))
		return false;
	umask = e->walk >= 0 && e->walk < UNC_WALK_QUALIFIERS ? unc_attr(e->base, e->walk) : NULL;
	return !is_regular(n->machine->platform, e->base, umask);
}

static void add_erratum(const struct unc_names *n, struct uncore_event_info *info)
{
	const struct unc_erratum *e = unc_erratum_of(n->machine, info->name, info->formula);

	if (!e)
		return;
	info->verdict = (enum uncore_verdict)e->verdict;
	info->erratum = e->text;
	info->instead = *e->instead ? e->instead : NULL;
	info->source = e->source;
}

int unc_names_info(struct unc_names *n, unsigned id, struct uncore_event_info *info)
{
	struct unc_entry *e;

	memset(info, 0, sizeof(*info));
	unc_mutex_lock(&n->lock);
	e = id < n->n_entries ? n->entries[id] : NULL;
	if (e) {
		info->exact = true;
		info->name = e->name;
		info->kind = e->pmu->type->name;
		info->kind_title = e->pmu->type->title;
		describe(n, e, info);
		copy_words(info->brief, sizeof(info->brief), info->text);
		snprintf(info->units, sizeof(info->units), "%s", units_of(e));
		info->experimental = is_experimental(n, e);
		info->energy = e->recipe ? e->recipe->energy : e->pmu->type->energy != NULL;
		add_erratum(n, info);
	}
	unc_mutex_unlock(&n->lock);
	return e ? 0 : unc_fail(n->err, UNCORE_EINVAL, "invalid event number: %u", id);
}

bool unc_qualifier_at(const struct unc_names *n, const struct unc_entry *e, unsigned k,
		      const char **name, const char **text)
{
	const struct unc_qualifier *q = e->pmu->type->qualifiers;
	const bool cpus = e->pmu->type->arch != NULL, metric = e->metric != NULL;
	const struct unc_pmu *pmu = metric ? unc_recipe_pmu(n, e->recipe) : e->pmu;
	const char *const qualifiers[][2] = {
		{cpus ? "cpu" : "box", pmu ? pmu->box_text : ""},
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
	for (; e->base && q && *q->name; q++)
		if (q->event == unc_event_code(e->base) && k-- == 0) {
			*name = q->name;
			*text = q->text;
			return true;
		}
	k += !pmu; /* events in boxes of several kinds have no box= */
	k += n->machine->n_dies == 1 && k >= 2;
	if (k >= sizeof(qualifiers) / sizeof(*qualifiers) - cpus)
		return false;
	*name = qualifiers[k][0];
	*text = qualifiers[k][1];
	return true;
}

int unc_names_qualifier(struct unc_names *n, unsigned id, unsigned i, const char **name,
			const char **text)
{
	const struct unc_entry *e;
	int r = 0;

	unc_mutex_lock(&n->lock);
	e = id < n->n_entries ? n->entries[id] : NULL;
	if (e && e->base)
		r = unc_attrs_load(n, e->base);
	if (e && r == 0)
		r = unc_qualifier_at(n, e, i, name, text);
	unc_mutex_unlock(&n->lock);
	return e ? r : unc_fail(n->err, UNCORE_EINVAL, "invalid event number: %u", id);
}

unsigned unc_names_limit(struct unc_names *n, unsigned more)
{
	unsigned others;

	unc_mutex_lock(&n->lock);
	n->most = more ? n->n_known + more : 0;
	others = n->n_entries - n->n_known;
	unc_mutex_unlock(&n->lock);
	return others;
}
