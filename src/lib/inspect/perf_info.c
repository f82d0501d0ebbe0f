/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_info.c - the public functions that show how the kernel driver would count an event. */
#include "backend/kernel/perf.h"

#include <string.h>

#include "base/sized.h"
#include "set/set.h"

static int describe(struct uncore *u, const char *root, const struct unc_counted *t, size_t counted,
		    unsigned box, struct uncore_perf_info *is)
{
	struct unc_perf_event e;
	const int r = unc_perf_event(&u->machine, root, t->events[counted], &u->machine.boxes[box],
				     &e, &u->err);

	*is = (struct uncore_perf_info){
		.counted = t->ids[counted],
		.box = box,
		.type = e.type,
		.cpu = e.cpu,
		.config = e.config[0],
		.config1 = e.config[1],
		.config2 = e.config[2],
	};
	memcpy(is->pmu, e.pmu, sizeof(is->pmu));
	return r < 0 ? r : 1;
}

/* Number i of the boxes in which the events are counted. */
static int find(struct uncore *u, const char *root, const struct unc_counted *t, unsigned i,
		struct uncore_perf_info *is)
{
	for (size_t k = 0; k < t->n; k++)
		for (unsigned b = 0; b < u->machine.n_boxes; b++)
			if (unc_box_counts(&u->machine.boxes[b], t->events[k]) && i-- == 0)
				return describe(u, root, t, k, b, is);
	return 0;
}

static int give(struct uncore *u, const char *root, unsigned id, unsigned i,
		struct uncore_perf_info *info)
{
	struct uncore_perf_info is;
	struct unc_counted t;
	int r = unc_counted_make(&t, u->names, NULL, &id, NULL, 1, &u->err);

	if (r == 0)
		r = find(u, root, &t, i, &is);
	unc_counted_free(&t);
	return r == 1 ? unc_give(&u->err, info, &is, UNC_SIZED(uncore_perf_info), 1) : r;
}

int uncore_perf_event(struct uncore *u, unsigned id, unsigned i, struct uncore_perf_info *info)
{
	const int r = unc_unopened(u);

	if (r < 0)
		return r;
	if (unc_is_simulated(u->hw) || u->hw->where == UNC_RECORDED)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"the kernel's driver cannot count on a simulated or recorded "
				"machine");
	return give(u, u->root, id, i, info);
}

int uncore_perf_syntax(struct uncore *u, unsigned id, unsigned i, struct uncore_perf_info *info)
{
	const int r = unc_unopened(u);

	return r < 0 ? r : give(u, NULL, id, i, info);
}

/* ---- the events that the values of registers select ---- */

int uncore_decode(struct uncore *u, unsigned box, int counter, uint64_t control,
		  const uint64_t *filters, size_t n_filters, char (*names)[UNCORE_NAME_MAX + 1],
		  size_t most, bool *enabled)
{
	const struct unc_machine *m;
	const struct unc_box_type *t;
	const int r = unc_unopened(u);

	if (r < 0)
		return r;
	m = &u->machine;
	if (box >= m->n_boxes)
		return unc_fail(&u->err, UNCORE_EINVAL, "invalid box number: %u", box);
	t = m->boxes[box].type;
	if (enabled)
		*enabled = (control & unc_busy_bits(m, t, 0)) != 0;
	return (int)unc_names_decode(u->names, t, counter, control, filters, (unsigned)n_filters,
				     names, (unsigned)most);
}
