/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frozen.c - while an overflow freezes a package, no counter of a box kind counts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/testee.h"

#define PAUSE_US 100

/* Counter values, in the order of boxes and counters. */
struct counters {
	size_t n;
	uint64_t *value;
	char *moved; /* the first counter that changed, and how */
};

static bool is_held_with(const struct uncore_box_info *box, const struct uncore_box_info *first)
{
	return !box->absent && strcmp(box->kind, first->kind) == 0 &&
	       box->package == first->package && box->die == first->die;
}

/* The first call saves the values, the second compares them. */
static void take(struct counters *c, size_t i, uint64_t value, const struct uncore_box_info *box,
		 unsigned counter)
{
	char name[BOX_NAME];

	if (i == c->n) {
		c->value = need_more(c->value, c->n + 1, sizeof(*c->value));
		c->value[c->n++] = value;
	} else if (c->value[i] != value && !c->moved) {
		c->moved =
			text_of("%s of package %u: counter %u changed from %" PRIu64 " to %" PRIu64,
				box_name(name, box->kind, box->index), box->package, counter,
				c->value[i], value);
	}
}

/* 0, or a code of the library. */
static int look(struct testee *t, const struct uncore_box_info *first, struct counters *c)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	uint64_t value;
	size_t i = 0;
	int r = 0;

	for (unsigned b = 0; r >= 0 && uncore_box(t->u, b, &box) == 1; b++)
		for (unsigned n = 0;
		     is_held_with(&box, first) &&
		     (r = uncore_register_value(t->u, b, UNCORE_COUNTER, n, &value)) == 1;
		     n++)
			take(c, i++, value, &box, n);
	return r < 0 ? r : 0;
}

void check_frozen(struct testee *t, const struct kind *kind)
{
	char *what = text_of("%s: frozen counters", kind->name);
	char *expected = text_of("no counter of the package's boxes changes");
	struct counters c = {.n = 0};
	int r = look(t, &kind->box[0], &c);

	t->time->pass(t->time->arg, PAUSE_US);
	if (r == 0)
		r = look(t, &kind->box[0], &c);
	if (r < 0)
		report_refusal(t, r, what, expected);
	else if (c.moved)
		report_check(t, SELFTEST_FAIL, what, expected, c.moved);
	else
		report_check(t, SELFTEST_PASS, what, expected,
			     text_of("%zu counters unchanged", c.n));
	free(c.value);
}
