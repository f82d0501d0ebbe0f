/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * name_space.c - the table of a machine's events: first the listed ones, then every name that
 * was used.  The number and name of an entry never change.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/name_space.h"
#include "event/pfm.h"

/* ---- table ---- */

static int make_room(struct unc_names *n)
{
	const unsigned room = n->room ? 2 * n->room : 256;
	struct unc_entry **entries;

	if (n->n_entries < n->room)
		return 0;
	entries = realloc(n->entries, room * sizeof(*entries));
	if (!entries)
		return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for %u event names", room);
	n->entries = entries;
	n->room = room;
	return 0;
}

/* The entry of that name; created from the template if missing. */
int unc_entry_intern(struct unc_names *n, const struct unc_entry *template, struct unc_entry **out)
{
	struct unc_entry *const *found = tfind(template, &n->tree, unc_entry_compare);
	struct unc_entry *e;

	if (found) {
		*out = *found;
		return 0;
	}
	if (n->most && n->n_entries >= n->most)
		return unc_fail(
			n->err, UNCORE_ENOMEM,
			"cannot add event %s: the limit of %u names is reached; use events that "
			"were counted before",
			template->name, n->most - n->n_known);
	if (make_room(n) < 0)
		return UNCORE_ENOMEM;
	e = malloc(sizeof(*e));
	if (!e)
		return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for event %s",
				template->name);
	*e = *template;
	e->id = n->n_entries;
	if (!tsearch(e, &n->tree, unc_entry_compare)) {
		free(e);
		return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for event %s",
				template->name);
	}
	n->entries[n->n_entries++] = e;
	*out = e;
	return 0;
}

static struct unc_entry *entry(struct unc_names *n, unsigned id)
{
	struct unc_entry *e;

	unc_mutex_lock(&n->lock);
	e = id < n->n_entries ? n->entries[id] : NULL;
	unc_mutex_unlock(&n->lock);
	return e;
}

/* ---- filling ---- */

/* Haswell-EP has events of the same name in the C-Box and in the S-Box. */
static bool is_others(const struct unc_names *n, const struct unc_entry *e)
{
	struct unc_entry *const *found = tfind(e, &n->tree, unc_entry_compare);

	return found && (*found)->pmu != e->pmu;
}

static int no_memory(struct unc_names *n, const struct unc_pmu *pmu)
{
	return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for the events of %s", pmu->name);
}

static int list_event(struct unc_names *n, const struct unc_pmu *pmu, const char *name, int pfm,
		      const struct unc_row *row)
{
	struct unc_entry e = {.pmu = pmu, .pfm = pfm, .walk = -1, .row = row}, *got;
	int r;

	if (strlen(pmu->name) + 2 + strlen(name) > UNCORE_NAME_MAX)
		return 0;
	snprintf(e.name, sizeof(e.name), "%s", name);
	e.qualified = pmu->type->pmu || is_others(n, &e);
	if (e.qualified)
		snprintf(e.name, sizeof(e.name), "%s::%s", pmu->name, name);
	r = unc_entry_intern(n, &e, &got);
	if (r == 0)
		got->base = got;
	return r;
}

static void describe_qualifiers(struct unc_names *n, struct unc_pmu *pmu)
{
	size_t begin, end = unc_boxes_of(n->machine, pmu->type, &begin);
	unsigned last = 0;

	for (size_t i = begin; i < end; i++)
		last = n->machine->boxes[i].number > last ? n->machine->boxes[i].number : last;
	snprintf(pmu->box_text, sizeof(pmu->box_text), "count on this %s only [0-%u]",
		 pmu->type->arch ? "CPU" : pmu->type->name, last);
	snprintf(n->package_text, sizeof(n->package_text), "count on this package only [0-%u]",
		 n->machine->n_sockets - 1);
	snprintf(n->die_text, sizeof(n->die_text), "count on this die of a package only [0-%u]",
		 n->machine->n_dies - 1);
}

/* libpfm4's events do not change; a list or a table adds missing umasks. */
static int list_row(struct unc_names *n, const struct unc_pmu *pmu, const struct unc_row *row)
{
	struct unc_entry e = {.pfm = -1}, *const * found, *known;

	snprintf(e.name, sizeof(e.name), "%s", row->name);
	found = tfind(&e, &n->tree, unc_entry_compare);
	known = found ? *found : NULL;
	if (known && known->pmu == pmu && known->pfm >= 0 &&
	    unc_event_code(known) == (row->bits & 0xff) &&
	    !unc_has_void_umasks(n->machine->platform, row->name))
		known->more = known->more ? known->more : row; /* a file takes precedence */
	return known ? 0 : list_event(n, pmu, row->name, -1, row);
}

/*
 * The events of a table that this machine has; with several tables, only those of the box type.
 */
static int list_table(struct unc_names *n, const struct unc_pmu *pmu, const struct unc_row *row,
		      bool unlisted)
{
	int r = 0;

	for (; r == 0 && row && *row->name; row++)
		if (!row->umask && row->unlisted == unlisted &&
		    row->stepping <= n->machine->topo.stepping &&
		    (!*row->kind || strcmp(row->kind, pmu->type->name) == 0))
			r = list_row(n, pmu, row);
	return r;
}

static int list_rows(struct unc_names *n, const struct unc_pmu *pmu, bool unlisted)
{
	int r = list_table(n, pmu, unc_lists_rows(n->lists, pmu->type), unlisted);

	return r < 0 ? r : list_table(n, pmu, n->machine->platform->desc->more, unlisted);
}

/*
 * libpfm4's table of ix86arch is that of the CPU it runs on; the machine's own events are in
 * its rows, with the same names.
 */
static void name_pmu(struct unc_pmu *pmu, const struct unc_platform_desc *desc)
{
	const struct unc_box_type *type = pmu->type;
	const char *prefix = type->prefix ? type->prefix : desc->pfm_prefix;

	pmu->first = -1;
	if (type->pmu) {
		snprintf(pmu->name, sizeof(pmu->name), "%s", type->pmu);
		return;
	}
	snprintf(pmu->name, sizeof(pmu->name), "%s%s", prefix, type->name);
	snprintf(pmu->pfm, sizeof(pmu->pfm), "%s%s", prefix, type->name);
	if (desc->rows_only || unc_pfm_pmu(pmu->pfm, &pmu->first))
		return;
	snprintf(pmu->pfm, sizeof(pmu->pfm), "%s%s0", prefix, type->name);
	if (!unc_pfm_pmu(pmu->pfm, &pmu->first))
		pmu->first = -1;
}

static int list_pmu(struct unc_names *n, const struct unc_box_type *type)
{
	struct unc_pmu *pmu = &n->pmus[n->n_pmus++];
	int r = 0;

	pmu->type = type;
	name_pmu(pmu, n->machine->platform->desc);
	unc_modifiers_fill(n->machine->platform, pmu);
	describe_qualifiers(n, pmu);
	for (int e = pmu->first; r == 0 && e >= 0; e = unc_pfm_event_next(e)) {
		const char *name = unc_pfm_event_name(e);

		r = name ? list_event(n, pmu, name, e, NULL) : no_memory(n, pmu);
	}
	return r < 0 ? r : list_rows(n, pmu, false);
}

static bool any_present(const struct unc_machine *m, const struct unc_box_type *type)
{
	size_t begin, end = unc_boxes_of(m, type, &begin);

	while (begin < end && m->boxes[begin].absent)
		begin++;
	return begin < end;
}

int unc_names_new(struct unc_names **out, const struct unc_machine *machine,
		  const struct unc_lists *lists, struct unc_err *err)
{
	const struct unc_platform *platform = machine->platform;
	struct unc_names *n = calloc(1, sizeof(*n));
	char first[UNC_PFM_NAME];
	int r;

	*out = n;
	if (!n)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for the event table");
	pthread_mutex_init(&n->lock.mutex, NULL);
	n->machine = machine;
	n->lists = lists;
	n->err = err;
	snprintf(first, sizeof(first), "%s%s0", platform->desc->pfm_prefix,
		 machine->types[0] ? machine->types[0]->name : "");
	r = unc_pfm_start(first, err);
	for (unsigned i = 0; r == 0 && machine->types[i] && i < UNC_MAX_TYPES; i++)
		if (any_present(machine, machine->types[i]))
			r = list_pmu(n, machine->types[i]);
	if (r == 0)
		r = unc_metrics_list(n, true);
	n->n_listed = n->n_entries;
	for (unsigned i = 0; r == 0 && machine->types[i] && i < UNC_MAX_TYPES; i++)
		if (!any_present(machine, machine->types[i]))
			r = list_pmu(n, machine->types[i]);
	for (unsigned i = 0; r == 0 && i < n->n_pmus; i++)
		r = list_rows(n, &n->pmus[i], true);
	if (r == 0)
		r = unc_metrics_list(n, false);
	n->n_known = n->n_entries;
	unc_words_fill(n);
	return r;
}

void unc_names_devices(struct unc_names *n, struct unc_hw *hw, const char *root)
{
	n->devices = (struct unc_devices){n->machine, {hw, root}};
}

const struct unc_devices *unc_names_known_devices(const struct unc_names *n)
{
	return &n->devices;
}

const char *unc_names_pmu(const struct unc_names *n, const struct unc_box_type *type)
{
	for (unsigned i = 0; i < n->n_pmus; i++)
		if (n->pmus[i].type == type)
			return n->pmus[i].name;
	return NULL;
}

void unc_names_free(struct unc_names *n)
{
	if (!n)
		return;
	for (unsigned i = 0; i < n->n_entries; i++) {
		tdelete(n->entries[i], &n->tree, unc_entry_compare);
		free(n->entries[i]->attrs);
		unc_formula_free(n->entries[i]->formula);
		free(n->entries[i]);
	}
	free(n->entries);
	free(n->recipes);
	pthread_mutex_destroy(&n->lock.mutex);
	free(n);
}

/* ---- look-up ---- */

static int single_umask(const struct unc_parsed *p)
{
	int umask = -1;

	if (p->where.boxes.n || p->where.packages.n || p->where.die >= 0)
		return -1;
	for (unsigned i = 0; i < p->n_parts; i++) {
		if (unc_is_noop_part(&p->parts[i]))
			continue;
		if (umask >= 0 || !p->parts[i].umask)
			return -1;
		umask = p->parts[i].attr;
	}
	return umask;
}

/* The formula goes to the entry, or is freed if the entry already has one. */
static int find_metric(struct unc_names *n, const struct unc_parsed *p, struct unc_entry *e,
		       struct unc_entry **got)
{
	struct unc_formula *formula;
	int r = unc_metric_expand(n, p, &formula);

	if (r < 0)
		return r;
	e->metric = p->base->metric;
	e->recipe = formula->recipe;
	r = unc_entry_intern(n, e, got);
	if (r < 0 || (*got)->formula)
		unc_formula_free(formula);
	else
		(*got)->formula = formula;
	return r;
}

int unc_names_find_locked(struct unc_names *n, const char *name, unsigned *id)
{
	struct unc_entry e = {.walk = -1}, *got;
	struct unc_parsed p;
	char own[UNC_OWN_NAME], here[UNC_OWN_NAME];
	int r = unc_without_places(n, name, here);

	name = r > 0 ? here : name;
	if (r >= 0)
		r = unc_foreign(n, name, own);
	if (r >= 0)
		r = unc_parse(n, r ? own : name, &p);
	if (r < 0)
		return r;
	if (!unc_format_name(&p, e.name))
		return unc_fail(n->err, UNCORE_EINVAL,
				"the full name of %s is too long: the maximum is %d characters",
				name, UNCORE_NAME_MAX);
	e.pmu = p.pmu;
	e.pfm = p.base ? p.base->pfm : -1;
	e.row = p.base ? p.base->row : NULL;
	e.base = p.base;
	e.walk = single_umask(&p);
	if (p.base && p.base->metric) {
		r = find_metric(n, &p, &e, &got);
	} else {
		r = unc_encode(n, &p, &e.ev);
		e.encoded = true;
		r = r < 0 ? r : unc_entry_intern(n, &e, &got);
	}
	if (r == 0)
		*id = got->id;
	return r;
}

int unc_names_find(struct unc_names *n, const char *name, unsigned *id, struct unc_notice *notice)
{
	int r;

	unc_mutex_lock(&n->lock);
	n->notice.text[0] = '\0';
	r = unc_names_find_locked(n, name, id);
	if (notice)
		*notice = n->notice;
	unc_mutex_unlock(&n->lock);
	return r;
}

const char *unc_names_name(struct unc_names *n, unsigned id)
{
	const struct unc_entry *e = entry(n, id);

	return e ? e->name : NULL;
}

const struct unc_event *unc_names_event_locked(struct unc_names *n, unsigned id, int *code)
{
	struct unc_entry *e = n->entries[id];
	struct unc_parsed p;

	if (e->metric) {
		*code = unc_fail(n->err, UNCORE_EINVAL, "%s is computed from several events",
				 e->name);
		return NULL;
	}
	if (!e->encoded || e->code < 0) {
		e->code = unc_parse(n, e->name, &p);
		if (e->code == 0)
			e->code = unc_encode(n, &p, &e->ev);
		e->encoded = true;
	}
	*code = e->code;
	return *code == 0 ? &e->ev : NULL;
}

static int no_event(struct unc_names *n, unsigned id)
{
	return unc_fail(n->err, UNCORE_EINVAL, "invalid event number: %u", id);
}

const struct unc_event *unc_names_event(struct unc_names *n, unsigned id, int *code)
{
	const struct unc_event *ev;

	if (!entry(n, id)) {
		*code = no_event(n, id);
		return NULL;
	}
	unc_mutex_lock(&n->lock);
	ev = unc_names_event_locked(n, id, code);
	unc_mutex_unlock(&n->lock);
	return ev;
}

int unc_names_formula(struct unc_names *n, unsigned id, const struct unc_formula **formula)
{
	struct unc_entry *e = entry(n, id);
	struct unc_parsed p;
	int r = 0;

	*formula = NULL;
	if (!e)
		return no_event(n, id);
	if (!e->metric)
		return 0;
	unc_mutex_lock(&n->lock);
	if (!e->formula) {
		r = unc_parse(n, e->name, &p);
		if (r == 0)
			r = unc_metric_expand(n, &p, &e->formula);
	}
	*formula = e->formula;
	unc_mutex_unlock(&n->lock);
	return r;
}

unsigned unc_names_count(const struct unc_names *n)
{
	return n->n_listed;
}

/* ---- umasks and qualifiers of a listed event ---- */

/* The next part to show after an event: a umask, then "t=0", "box=0", ... */
static bool next_part(const struct unc_names *n, struct unc_entry *from, int *walk, char *part,
		      size_t len)
{
	const struct unc_attr *attr;
	const bool umasks = !unc_has_void_umasks(n->machine->platform, from->base->name);
	const char *name, *text;

	while (*walk < UNC_WALK_QUALIFIERS && (attr = unc_attr(from->base, ++*walk)))
		if (attr->umask && !attr->unlisted && umasks) {
			snprintf(part, len, "%s", attr->name);
			return true;
		}
	*walk = *walk < UNC_WALK_QUALIFIERS ? UNC_WALK_QUALIFIERS : *walk + 1;
	if (!unc_qualifier_at(n, from, (unsigned)(*walk - UNC_WALK_QUALIFIERS), &name, &text))
		return false;
	snprintf(part, len, "%s=0", name);
	return true;
}

/* Part i of an event, or the part after `walk`. */
static bool find_part(const struct unc_names *n, struct unc_entry *from, unsigned i, int *walk,
		      char *part, size_t len)
{
	const size_t base = strlen(from->base->name);
	unsigned at = 0;

	*walk = from->walk;
	if (i && from->next_part == i) { /* a walk asks for the next one each time */
		*walk = from->next_walk;
		at = i;
	}
	do {
		do {
			if (!next_part(n, from, walk, part, len))
				return false;
		} while (base + 1 + strlen(part) > UNCORE_NAME_MAX);
	} while (at++ < i);
	from->next_part = i + 1;
	from->next_walk = *walk;
	return true;
}

static int find_entry(struct unc_names *n, struct unc_entry *from, unsigned i, unsigned *id)
{
	struct unc_entry e = {.pmu = from->pmu,
			      .pfm = from->pfm,
			      .row = from->row,
			      .base = from->base,
			      .metric = from->metric,
			      .recipe = from->recipe};
	struct unc_entry *got;
	const size_t base = strlen(from->base->name);
	char part[UNC_PFM_NAME];
	int r;

	if (!find_part(n, from, i, &e.walk, part, sizeof(part)))
		return 0;
	snprintf(e.name, sizeof(e.name), "%.*s:%.*s", (int)base, from->name,
		 (int)(UNCORE_NAME_MAX - base - 1), part);
	r = unc_entry_intern(n, &e, &got);
	if (r < 0)
		return r;
	got->walk = e.walk; /* the name may already have been used */
	*id = got->id;
	return 1;
}

int unc_names_umask(struct unc_names *n, unsigned event, unsigned i, unsigned *id)
{
	struct unc_entry *e = entry(n, event);
	int r;

	if (!e)
		return no_event(n, event);
	if (!e->base || (e->walk < 0 && e->id >= n->n_listed))
		return 0;
	unc_mutex_lock(&n->lock);
	r = unc_attrs_load(n, e->base);
	if (r == 0)
		r = find_entry(n, e, i, id);
	unc_mutex_unlock(&n->lock);
	return r;
}
