/* SPDX-License-Identifier: BSD-3-Clause */
/* ledger.c - see ledger.h. */
#include "claim/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "plan/plan.h"

bool unc_ledger_make(struct unc_ledger *l, unsigned n_groups)
{
	*l = (struct unc_ledger){.n_groups = n_groups};
	l->last = calloc(n_groups, sizeof(*l->last));
	return l->last != NULL;
}

void unc_ledger_free(struct unc_ledger *l)
{
	free(l->at);
	free(l->back);
	free(l->last);
	free(l->failed);
	*l = (struct unc_ledger){.n = 0};
}

/* ---- memory ---- */

static void link_entry(struct unc_ledger *l, size_t i)
{
	struct unc_entry *e = &l->at[i];

	e->previous = l->last[e->group];
	l->last[e->group] = i + 1;
}

/* Close the gaps.  Pointers to entries are invalid then. */
static void close_gaps(struct unc_ledger *l)
{
	size_t n = 0;

	memset(l->last, 0, l->n_groups * sizeof(*l->last));
	for (size_t i = 0; i < l->n; i++) {
		if (l->at[i].gone)
			continue;
		l->at[n] = l->at[i];
		link_entry(l, n++);
	}
	l->n = n;
}

bool unc_ledger_reserve(struct unc_ledger *l, size_t n)
{
	struct unc_entry *at;
	struct unc_op *back;

	close_gaps(l);
	n += l->n;
	if (n <= l->room)
		return true;
	at = realloc(l->at, n * sizeof(*at));
	l->at = at ? at : l->at;
	back = realloc(l->back, n * sizeof(*back));
	l->back = back ? back : l->back;
	if (!at || !back)
		return false;
	l->room = n;
	return true;
}

/* ---- entries ---- */

struct unc_entry *unc_ledger_next(struct unc_ledger *l, unsigned group, const struct unc_entry *e)
{
	size_t i = e ? e->previous : l->last[group];

	while (i && l->at[i - 1].gone)
		i = l->at[i - 1].previous;
	return i ? &l->at[i - 1] : NULL;
}

struct unc_entry *unc_ledger_find(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	struct unc_entry *e = unc_ledger_next(l, group, NULL);

	while (e && !unc_same_register(&e->op, op))
		e = unc_ledger_next(l, group, e);
	return e;
}

void unc_ledger_add(struct unc_ledger *l, unsigned group, const struct unc_op *op, uint64_t value)
{
	struct unc_entry *e = unc_ledger_find(l, group, op);

	if (e) {
		e->before |= value & op->mask & ~e->op.mask;
		e->op.mask |= op->mask;
		return;
	}
	l->at[l->n] = (struct unc_entry){
		.op = *op,
		.before = op->mask ? value & op->mask : value,
		.group = group,
	};
	link_entry(l, l->n++);
}

static void give_up(struct unc_entry *e, uint64_t bits)
{
	const uint64_t rest = e->op.mask & ~bits;

	e->op.mask = rest;
	e->before &= rest;
	e->gone = !rest;
}

uint64_t unc_ledger_take(struct unc_ledger *l, unsigned group, const struct unc_op *op)
{
	struct unc_entry *e = unc_ledger_find(l, group, op);
	const uint64_t bits = op->mask ? op->mask : UINT64_MAX;
	uint64_t before;

	if (!e)
		return 0;
	before = e->before & bits;
	give_up(e, bits);
	return before;
}

void unc_ledger_forget(struct unc_ledger *l, unsigned group)
{
	struct unc_entry *e = NULL;

	while ((e = unc_ledger_next(l, group, e)))
		e->gone = true;
}

/* ---- giving back ---- */

size_t unc_ledger_give_back(struct unc_ledger *l, const struct unc_op **ops)
{
	size_t n = 0;

	for (size_t i = l->n; i-- > 0;) {
		struct unc_entry *e = &l->at[i];

		if (e->gone || !e->due)
			continue;
		l->back[n++] = unc_op_giving_back(&e->op, e->before, e->due);
		give_up(e, e->due);
		e->due = 0;
	}
	*ops = l->back;
	return n;
}
