/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - all checks of a machine, kind by kind. */
#include <stdlib.h>
#include <string.h>

#include "command/selftest/testee.h"

/* The usable boxes of the kind of box number first; *end: the first box of another kind. */
static struct kind kind_at(struct testee *t, unsigned first, unsigned *end)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct kind kind = {.box = need_memory(t->info.boxes, sizeof(*kind.box))};

	for (*end = first; uncore_box(t->u, *end, &box) == 1; ++*end) {
		if (kind.name && strcmp(kind.name, box.kind) != 0)
			break;
		kind.name = box.kind;
		kind.counters = box.counters;
		if (!box.absent)
			kind.box[kind.n++] = box;
	}
	return kind;
}

static void check_kind(struct testee *t, const struct kind *kind)
{
	struct clock clock;

	if (kind->n == 0)
		return;
	find_clock(t, kind, &clock);
	if (!clock.found) {
		report_check(t, SELFTEST_SKIP, text_of("%s", kind->name),
			     text_of("counts its clock"), text_of("%s", clock.why));
		return;
	}
	check_boxes_alike(t, kind, &clock);
	check_counters_alike(t, kind, &clock);
	check_conditions(t, kind, &clock);
	check_overflow(t, kind, &clock);
	compare_with_kernel(t, kind, &clock);
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (name && strcmp(name, *names) == 0)
			return true;
	return false;
}

void selftest_run(struct selftest_report *report, struct uncore *u,
		  const struct selftest_time *time, const char *const *kinds)
{
	struct testee t = {.u = u, .report = report, .time = time};
	const bool all = !kinds || !*kinds;

	*report = (struct selftest_report){.n = 0};
	t.info.size = sizeof(t.info);
	uncore_machine(u, &t.info);
	if (time->noise)
		report->noise = time->noise(time->arg);
	for (unsigned i = 0, end; i < t.info.boxes; i = end) {
		struct kind kind = kind_at(&t, i, &end);

		if (all || is_one_of(kind.name, kinds))
			check_kind(&t, &kind);
		free(kind.box);
	}
	if (!all)
		return;
	check_identities(&t);
	check_traffic(&t);
}

void selftest_free(struct selftest_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		free(report->at[i].what);
		free(report->at[i].expected);
		free(report->at[i].seen);
	}
	free(report->at);
	*report = (struct selftest_report){.n = 0};
}
