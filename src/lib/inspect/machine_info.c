/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_info.c - public functions that show the machine, its boxes and their registers. */
#include <inttypes.h>
#include <stdio.h>

#include "backend/kernel/perf.h"
#include "base/sized.h"
#include "event/event.h"
#include "event/lists.h"
#include "machine/timeline.h"
#include "set/set.h"

/* Energy counters and cores come last. */
static unsigned n_uncore_boxes(const struct unc_machine *m)
{
	size_t n = m->n_boxes;

	while (n > 0 && !unc_is_uncore(m->boxes[n - 1].type))
		n--;
	return (unsigned)n;
}

int uncore_machine(struct uncore *u, struct uncore_machine_info *info)
{
	const struct unc_machine *m = &u->machine;
	struct uncore_machine_info is = {
		.platform = m->platform ? m->platform->name : "",
		.title = m->platform ? m->platform->title : "",
		.packages = m->n_sockets,
		.dies = m->n_dies,
		.cpus = (unsigned)m->topo.n_cpus,
		.boxes = n_uncore_boxes(m),
		.events = u->names ? unc_names_count(u->names) : 0,
		.partial = m->partial && m->incomplete,
		.simulated = u->hw && unc_is_simulated(u->hw),
		.recorded = u->hw && u->hw->where == UNC_RECORDED,
		.replayed = u->hw && unc_replayed_timeline(u->hw),
		.daemon = u->hw && unc_is_served(u->hw),
		.kernel = u->hw && u->hw->where == UNC_CLOSED,
		.wrap_interval_ms = u->wrap_poller.interval_ms,
	};

	for (size_t i = 0; i < is.boxes; i++) {
		is.boxes_present += !m->boxes[i].absent;
		is.boxes_unreached += m->boxes[i].unreached != 0;
	}
	return unc_give(&u->err, info, &is, UNC_SIZED(uncore_machine_info), 0);
}

/* The first warning is about variables; its text belongs to the handle. */
static struct unc_warning find_warning(struct uncore *u, unsigned i)
{
	const struct unc_warning *list = NULL;
	unsigned lists = 0;

	if (*u->ignored && i-- == 0)
		return (struct unc_warning){UNCORE_WARNING_ENVIRONMENT, u->ignored};
	while (lists <= i && (list = unc_lists_warning(u->lists, lists)))
		lists++;
	list = lists > i ? list : unc_warning(&u->machine.warnings, i - lists);
	return list ? *list : (struct unc_warning){.text = NULL};
}

/* A start may add a warning. */
static struct unc_warning look_for_warning(struct uncore *u, unsigned i)
{
	struct unc_warning found;
	sigset_t before;

	unc_lock(u, &before);
	found = find_warning(u, i);
	unc_unlock(u, &before);
	return found;
}

int uncore_warning(struct uncore *u, unsigned i, const char **text)
{
	*text = look_for_warning(u, i).text;
	return *text != NULL;
}

int uncore_warning_code(struct uncore *u, unsigned i)
{
	return (int)look_for_warning(u, i).code;
}

/* ---- boxes ---- */

/* pci: the function of its registers, or "". */
static void name_location(const struct uncore *u, const struct unc_box *b, const char *pci,
			  char *text, size_t len)
{
	const struct unc_machine *m = &u->machine;
	struct unc_perf_event e;

	if (m->listed && !b->absent && unc_perf_pmu(m, u->root, b, &e, NULL) == 0)
		snprintf(text, len, "%s", e.pmu);
	else if (m->listed)
		*text = '\0';
	else if (b->type->space != UNC_IN_PCI)
		snprintf(text, len, "%s %#" PRIx64, b->type->space == UNC_IN_MSR ? "msr" : "mmio",
			 unc_box_address(b));
	else if (*pci)
		snprintf(text, len, "pci %s", pci);
}

int uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info)
{
	const struct unc_machine *m = &u->machine;
	struct uncore_box_info is;
	const struct unc_box *b;

	if (i >= n_uncore_boxes(m))
		return 0;
	b = &m->boxes[i];
	is = (struct uncore_box_info){
		.kind = b->type->name,
		.title = b->type->title,
		.index = b->number,
		.package = b->socket,
		.die = b->die,
		.counters = b->type->n_counters,
		.fixed = b->type->fixed.coded,
		.width = b->type->width,
		.absent = b->absent,
		.absence = b->absence,
		.unreached = b->unreached != 0,
		.basis = b->basis,
		.instead = b->type->instead,
		.line_share = unc_line_share(m, b),
		.pmu = u->names ? unc_names_pmu(u->names, b->type) : NULL,
	};
	_Static_assert(sizeof(is.pci_function) == UNC_PCI_NAME, "the names of PCI functions");
	if (!m->listed && b->type->space == UNC_IN_PCI && b->pci >= 0)
		unc_pci_name(is.pci_function, &m->topo.pci[b->pci]);
	name_location(u, b, is.pci_function, is.location, sizeof(is.location));
	return unc_give(&u->err, info, &is, UNC_SIZED(uncore_box_info), 1);
}

/* Number i of the box's registers of this kind. */
static bool find_register(const struct unc_machine *m, const struct unc_box *b,
			  enum uncore_register which, unsigned i, struct unc_op *op, bool *fixed)
{
	const struct unc_box_type *t = b->type;
	const unsigned last = which == UNCORE_FILTER ? t->n_filters : t->n_counters;

	for (unsigned n = 0; n <= last; n++) {
		if (!unc_register_op(m, b, which, n, op) || i-- > 0)
			continue;
		*fixed = (which == UNCORE_CONTROL || which == UNCORE_COUNTER) && n == t->n_counters;
		return true;
	}
	return false;
}

/* 1, 0: no such register; or an error. */
static int look_up(struct uncore *u, unsigned box, enum uncore_register which, unsigned i,
		   struct unc_op *op, bool *fixed)
{
	const struct unc_machine *m = &u->machine;
	const struct unc_box *b;

	if (box >= n_uncore_boxes(m))
		return unc_fail(&u->err, UNCORE_EINVAL, "invalid box number: %u", box);
	if ((unsigned)which > UNCORE_FILTER)
		return unc_fail(&u->err, UNCORE_EINVAL, "invalid register kind: %d", (int)which);
	b = &m->boxes[box];
	if (m->listed)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"cannot show registers while counting through the kernel's driver: "
				"use UNCORE_ACCESS=direct");
	if (b->absent)
		return unc_fail(&u->err, UNCORE_ENODEV, "%s%s%u of package %u: %s", b->type->name,
				unc_gap(b->type), b->number, b->socket, b->absent);
	return find_register(m, b, which, i, op, fixed);
}

int uncore_register(struct uncore *u, unsigned box, enum uncore_register which, unsigned i,
		    struct uncore_op_info *op)
{
	struct uncore_op_info is;
	struct unc_op read;
	bool fixed;
	int r = unc_unopened(u);

	if (r < 0)
		return r;
	r = look_up(u, box, which, i, &read, &fixed);
	if (r != 1)
		return r;
	unc_op_describe(&u->machine, &read, &is);
	is.fixed = fixed;
	return unc_give(&u->err, op, &is, UNC_SIZED(uncore_op_info), 1);
}

int uncore_register_value(struct uncore *u, unsigned box, enum uncore_register which, unsigned i,
			  uint64_t *value)
{
	struct unc_op read;
	sigset_t before;
	bool fixed;
	int r = unc_refuse_child(u);

	if (r == 0)
		r = look_up(u, box, which, i, &read, &fixed);
	if (r != 1)
		return r;
	if (unc_is_served(u->hw))
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"cannot show registers while counting through a daemon or driver: "
				"direct register access is required (UNCORE_ACCESS=direct)");
	unc_lock(u, &before);
	r = unc_read_register(u->hw, &read, value);
	if (r < 0)
		r = unc_op_failed(u->hw, &read, r, &u->err);
	unc_unlock(u, &before);
	return r < 0 ? r : 1;
}
