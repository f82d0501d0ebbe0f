/* SPDX-License-Identifier: BSD-3-Clause */
/* record_sample.c - sample what others count, for a recording; docs/recordings.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recording.h"
#include "set/set.h"

static int no_memory(struct uncore *u)
{
	return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a recording");
}

/* ---- the counters that count ---- */

static uint64_t value_or_zero(struct uncore *u, const struct unc_box *b, enum uncore_register which,
			      unsigned n)
{
	struct unc_op op;
	uint64_t value = 0;

	if (!unc_register_op(&u->machine, b, which, n, &op) ||
	    unc_read_register(u->hw, &op, &value) < 0)
		return 0;
	return value;
}

static struct unc_series *add_series(struct unc_timeline *t, const struct unc_box *b)
{
	struct unc_series *more = realloc(t->series, (t->n_series + 1) * sizeof(*more)), *s;

	if (!more)
		return NULL;
	t->series = more;
	s = &more[t->n_series++];
	memset(s, 0, sizeof(*s));
	snprintf(s->kind, sizeof(s->kind), "%s", b->type->name);
	s->number = b->number;
	s->package = b->socket;
	s->die = b->die;
	s->counter = -1;
	return s;
}

/* A counter counts if its control is enabled, or if it has none. */
static bool add_counter(struct uncore *u, uint32_t box, unsigned n)
{
	const struct unc_box *b = &u->machine.boxes[box];
	const struct unc_box_type *t = b->type;
	const uint64_t control = value_or_zero(u, b, UNCORE_CONTROL, n);
	struct unc_series *s;

	if (!t->free && !(control & unc_busy_bits(&u->machine, t, n)))
		return true;
	s = add_series(&u->recording->timeline, b);
	if (!s)
		return false;
	s->box = box;
	s->index = n;
	s->width = (uint8_t)unc_counter_width(t, n);
	s->fixed = !t->free && n == t->n_counters;
	s->counter = t->free ? (int)n : -1;
	s->control = s->fixed ? 0 : control & t->event_mask;
	for (unsigned f = 0; f < UNC_SERIES_FILTERS; f++)
		s->filters[f] = value_or_zero(u, b, UNCORE_FILTER, f);
	return true;
}

static bool find_counters(struct uncore *u)
{
	const struct unc_machine *m = &u->machine;
	bool all = true;

	for (uint32_t i = 0; all && i < m->n_boxes; i++) {
		const struct unc_box_type *t = m->boxes[i].type;
		const unsigned n = t->n_counters + (t->fixed.width ? 1u : 0u);

		for (unsigned c = 0; all && c < n && !m->boxes[i].absent && !t->arch && !t->level;
		     c++)
			all = add_counter(u, i, c);
	}
	return all;
}

/* ---- a sample ---- */

static int read_series(struct uncore *u, struct unc_timeline *t, struct unc_series *s)
{
	const struct unc_box *b = &u->machine.boxes[s->box];
	uint64_t *more = realloc(s->counts, (t->n + 1) * sizeof(*more));
	struct unc_op op;
	int r;

	if (!more)
		return no_memory(u);
	s->counts = more;
	if (!unc_register_op(&u->machine, b, UNCORE_COUNTER, s->index, &op))
		return 0;
	r = unc_read_register(u->hw, &op, &more[t->n]);
	if (r < 0)
		return unc_op_failed(u->hw, &op, r, &u->err);
	if (s->width < 64)
		more[t->n] &= (1ull << s->width) - 1;
	return 0;
}

static int add_sample(struct uncore *u)
{
	struct unc_timeline *t = &u->recording->timeline;
	int64_t *more = realloc(t->ns, (t->n + 1) * sizeof(*more));
	const int64_t begun = unc_clock(u->hw);
	int r = 0;

	if (!more)
		return no_memory(u);
	t->ns = more;
	for (size_t i = 0; r == 0 && i < t->n_series; i++)
		r = read_series(u, t, &t->series[i]);
	if (r < 0)
		return r;
	more[t->n] = begun + (unc_clock(u->hw) - begun) / 2;
	t->n++;
	return 0;
}

static int sample(struct uncore *u)
{
	struct unc_timeline *t = &u->recording->timeline;

	if (!u->hw || unc_is_served(u->hw) || u->hw->where == UNC_RECORDED)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"sampling requires direct register access (UNCORE_ACCESS=direct)");
	if (t->n == 0 && !find_counters(u))
		return no_memory(u);
	if (t->n_series == 0)
		return unc_fail(
			&u->err, UNCORE_ENODEV,
			"nothing is counting: start what is to be recorded first, for example "
			"`uncore stat -e EVENT...`");
	return add_sample(u);
}

int uncore_record_sample(struct uncore *u)
{
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	if (!u->recording)
		return unc_fail(&u->err, UNCORE_ESTATE,
				"recording is not enabled: open the handle with "
				"uncore_options.record = 1");
	unc_lock(u, &before);
	r = sample(u);
	unc_unlock(u, &before);
	return r;
}
