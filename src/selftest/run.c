/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - all checks of a machine, kind by kind. */
#include <stdlib.h>
#include <string.h>

#include "selftest/testee.h"

/* Those of box number first's kind that can be used; *end: the first of another kind. */
static struct kind kind_at(struct testee *t, unsigned first, unsigned *end)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct kind kind = {.n = 0};

	kind.box = calloc(t->info.boxes + 1, sizeof(*kind.box));
	t->failed |= !kind.box;
	for (*end = first; kind.box && uncore_box(t->u, *end, &box) == 1; ++*end) {
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
		report_check(t, SELFTEST_SKIP, words("%s", kind->name),
			     words("it counts its clock"), words("%s", clock.why));
		return;
	}
	check_boxes_alike(t, kind, &clock);
	check_counters_alike(t, kind, &clock);
	check_conditions(t, kind, &clock);
	check_overflow(t, kind, &clock);
}

bool selftest_run(struct selftest_report *report, struct uncore *u,
		  const struct selftest_time *time)
{
	struct testee t = {.u = u, .report = report, .time = time};

	*report = (struct selftest_report){.n = 0};
	t.info.size = sizeof(t.info);
	uncore_machine(u, &t.info);
	for (unsigned i = 0, end; !t.failed && i < t.info.boxes; i = end) {
		struct kind kind = kind_at(&t, i, &end);

		if (kind.box && end > i)
			check_kind(&t, &kind);
		else
			end = t.info.boxes;
		free(kind.box);
	}
	if (!t.failed)
		check_identities(&t);
	return !t.failed;
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
