/* terms.c - metrics of a list of events become the events that they are made of. */
#include "session/terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unc_terms_free(struct unc_terms *t)
{
	free(t->list);
	free(t->owner);
	free(t->ids);
	free(t->groups);
	free(t->events);
	free(t->names);
	free(t->values);
	memset(t, 0, sizeof(*t));
}

static bool alloc_list(struct unc_terms *t, const unsigned *ids, size_t n)
{
	const size_t room = n ? n : 1;

	t->n_values = n;
	t->list = calloc(room, sizeof(*t->list));
	t->values = calloc(room, sizeof(*t->values));
	if (t->list && n)
		memcpy(t->list, ids, n * sizeof(*ids));
	return t->list && t->values;
}

static bool alloc_terms(struct unc_terms *t)
{
	const size_t room = t->n ? t->n : 1;

	t->owner = calloc(room, sizeof(*t->owner));
	t->ids = calloc(room, sizeof(*t->ids));
	t->groups = calloc(room, sizeof(*t->groups));
	t->events = calloc(room, sizeof(*t->events));
	t->names = calloc(room, sizeof(*t->names));
	return t->owner && t->ids && t->groups && t->events && t->names;
}

static size_t n_terms(const struct unc_value *v)
{
	return v->formula ? v->formula->n : 1;
}

static int find_formulas(struct unc_terms *t, struct unc_names *names, struct unc_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < t->n_values; i++) {
		r = unc_names_formula(names, t->list[i], &t->values[i].formula);
		t->values[i].first = (unsigned)t->n;
		t->n += n_terms(&t->values[i]);
		t->derived |= t->values[i].formula != NULL;
	}
	if (r == 0 && t->derived && t->n > UNC_MAX_READ)
		return unc_fail(err, UNCORE_EINVAL,
				"the metrics of the list are made of %zu events; %d are allowed "
				"at once: use several event sets, or pkg=",
				t->n, UNC_MAX_READ);
	return r;
}

static int fill(struct unc_terms *t, struct unc_names *names)
{
	int r = 0;

	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		for (unsigned k = 0; r == 0 && k < n_terms(v); k++) {
			const unsigned term = v->first + k;
			const unsigned id = v->formula ? v->formula->terms[k].id : t->list[i];

			t->owner[term] = (unsigned)i;
			t->ids[term] = id;
			t->groups[term] = v->formula ? (unsigned)i + 1 : 0;
			t->events[term] = unc_names_event(names, id, &r);
			t->names[term] = unc_names_name(names, id);
		}
	}
	return r;
}

int unc_terms_make(struct unc_terms *t, struct unc_names *names, const unsigned *ids, size_t n,
		   struct unc_err *err)
{
	int r = 0;

	memset(t, 0, sizeof(*t));
	if (!alloc_list(t, ids, n))
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	r = find_formulas(t, names, err);
	if (r == 0 && !alloc_terms(t))
		r = unc_fail(err, UNCORE_ENOMEM, "out of memory for %zu events", t->n);
	return r < 0 ? r : fill(t, names);
}

void unc_terms_values(const struct unc_terms *t, const int64_t *counts, int64_t *values)
{
	const double seconds = (double)counts[t->n] * 1e-9;

	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		values[i] = v->formula ? unc_formula_value(v->formula, counts + v->first, seconds)
				       : counts[v->first];
	}
}

void unc_terms_conflict(const struct unc_terms *t, const unsigned *conflict, size_t n,
			const char *reason, char *text, size_t len)
{
	const struct unc_formula *f;

	snprintf(text, len, "%s", reason);
	if (n == 0)
		return;
	f = t->values[t->owner[conflict[0]]].formula;
	for (size_t i = 1; i < n; i++)
		if (t->owner[conflict[i]] != t->owner[conflict[0]])
			return;
	if (!f || !f->recipe->instead)
		return; /* others are in the way, not its own terms */
	snprintf(text, len, "%s cannot be measured in one window: %s%s%s%s",
		 f->recipe->metric->name, reason, *f->recipe->instead ? "; " UNC_METRIC_PREFIX : "",
		 f->recipe->instead, *f->recipe->instead ? " counts them in different boxes" : "");
}
