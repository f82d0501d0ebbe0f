/* SPDX-License-Identifier: BSD-3-Clause */
/* assignments.c - `uncore plan` as a table: the box and counter of each event. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- events ---- */

/* Placements of one event, or of one of its parts, on the same counter. */
static bool share_row(const struct uncore_assignment_info *a,
		      const struct uncore_assignment_info *b)
{
	return a->event == b->event && a->counted == b->counted && a->fixed == b->fixed &&
	       (a->fixed || a->counter == b->counter) && strcmp(a->kind, b->kind) == 0;
}

static bool starts_row(const struct uncore_plan *plan, unsigned i,
		       const struct uncore_assignment_info *a)
{
	struct uncore_assignment_info before = {.size = sizeof(before)};

	for (unsigned k = 0; k < i && uncore_plan_assignment(plan, k, &before) == 1; k++)
		if (share_row(&before, a))
			return false;
	return true;
}

static char *row_boxes(const struct uncore_plan *plan, unsigned first,
		       const struct uncore_assignment_info *row)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct numbered_box *list = NULL;
	size_t n = 0;
	char *text;

	for (unsigned i = first; uncore_plan_assignment(plan, i, &a) == 1; i++) {
		if (!share_row(row, &a))
			continue;
		list = need_more(list, n + 1, sizeof(*list));
		list[n++] = (struct numbered_box){a.kind, a.box, a.package};
	}
	text = boxes_text(list, n);
	free(list);
	return text;
}

static void print_row_of(const struct screen *s, const struct uncore_assignment_info *row,
			 const char *boxes, unsigned indent, const char *name, unsigned column)
{
	char *counter = row->fixed ? text_of("fixed") : text_of("%u", row->counter);

	print_name(s, indent, name, column);
	fprintf(s->out, "%-9s", counter);
	print_folded(s, column + 9, column + 9, boxes);
	free(counter);
}

static bool is_made_of_others(const struct uncore_plan *plan, unsigned event, unsigned id)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};

	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++)
		if (a.event == event && a.counted != id)
			return true;
	return false;
}

/*
 * A row per counter of an event, with the event's name in the first row.  The events of a metric
 * follow below the metric's name.
 */
static void print_event(const struct screen *s, struct uncore *u, const struct uncore_plan *plan,
			unsigned event, unsigned id, unsigned column)
{
	const unsigned indent = is_made_of_others(plan, event, id) ? 2 : 0;
	struct uncore_assignment_info a = {.size = sizeof(a)};
	const char *last = NULL;

	if (indent)
		print_folded(s, 0, 0, uncore_event_name(u, id));
	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++) {
		const char *name = uncore_event_name(u, a.counted);
		char *boxes;

		if (a.event != event || !starts_row(plan, i, &a))
			continue;
		boxes = row_boxes(plan, i, &a);
		print_row_of(s, &a, boxes, indent, name == last ? "" : name, column);
		free(boxes);
		last = name;
	}
}

/* The column of the counters: names longer than half a line are on a separate line. */
static unsigned counter_column(const struct screen *s, struct uncore *u, const unsigned *ids,
			       size_t n, const struct uncore_plan *plan)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	const size_t most = s->width / 2;
	size_t widest = strlen("event");

	for (size_t i = 0; i < n; i++)
		widest = strlen(uncore_event_name(u, ids[i])) > widest
				 ? strlen(uncore_event_name(u, ids[i]))
				 : widest;
	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++) {
		const size_t len = strlen(uncore_event_name(u, a.counted)) + 2;

		widest = len > widest && len <= most ? len : widest;
	}
	return (unsigned)(widest < most ? widest : most) + 2;
}

/* ---- filters ---- */

static bool is_used(const struct uncore_plan *plan, const struct uncore_box_info *box)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};

	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++)
		if (a.box == box->index && a.package == box->package &&
		    strcmp(a.kind, box->kind) == 0)
			return true;
	return false;
}

static bool is_same_register(const struct uncore_op_info *a, const struct uncore_op_info *b)
{
	return a->space == b->space && a->package == b->package && a->die == b->die &&
	       a->cpu == b->cpu && a->segment == b->segment && a->bus == b->bus &&
	       a->device == b->device && a->function == b->function && a->address == b->address;
}

/* The value that setup writes to a register; 0: none. */
static uint64_t value_written(const struct uncore_plan *plan, const struct uncore_op_info *reg)
{
	struct uncore_op_info op = {.size = sizeof(op)};

	for (unsigned i = 0; uncore_plan_op(plan, UNCORE_PHASE_SETUP, i, &op) == 1; i++)
		if (op.kind != UNCORE_READ && is_same_register(&op, reg))
			return op.value;
	return 0;
}

/* "0xc1000000"; several: "filter 0 0x3b, filter 1 0x40433"; none: "" */
static char *filters_text(struct uncore *u, unsigned box, const struct uncore_plan *plan)
{
	char *text = text_of("%s", "");
	struct uncore_op_info op = {.size = sizeof(op)}, other = {.size = sizeof(other)};
	const bool several = uncore_register(u, box, UNCORE_FILTER, 1, &other) == 1;

	for (unsigned i = 0; uncore_register(u, box, UNCORE_FILTER, i, &op) == 1; i++) {
		const uint64_t value = value_written(plan, &op);

		if (!value)
			continue;
		text = text_and(text, "%s", *text ? ", " : "");
		if (several)
			text = text_and(text, "filter %u ", i);
		text = text_and(text, "%#" PRIx64, value);
	}
	return text;
}

/* Boxes from first on with the same filters. */
static void print_filter(const struct screen *s, struct uncore *u, char *const *filters,
			 unsigned first, unsigned n)
{
	struct numbered_box *list = need_memory(n, sizeof(*list));
	struct uncore_box_info box = {.size = sizeof(box)};
	size_t found = 0;
	char *boxes, *text;

	for (unsigned i = first; i < n && uncore_box(u, i, &box) == 1; i++)
		if (strcmp(filters[i], filters[first]) == 0)
			list[found++] = (struct numbered_box){box.kind, box.index, box.package};
	boxes = boxes_text(list, found);
	text = text_of("%s: %s", boxes, filters[first]);
	print_item(s, text);
	free(text);
	free(boxes);
	free(list);
}

static bool is_first(char *const *filters, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (strcmp(filters[k], filters[i]) == 0)
			return false;
	return *filters[i] != '\0';
}

/* A filter acts on all events of its box. */
static void print_filters(const struct screen *s, struct uncore *u, unsigned n,
			  const struct uncore_plan *plan)
{
	char **filters = need_memory(n, sizeof(*filters));
	const char *title = "\nfilters\n";
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; i < n; i++)
		filters[i] = uncore_box(u, i, &box) == 1 && is_used(plan, &box)
				     ? filters_text(u, i, plan)
				     : text_of("%s", "");
	for (unsigned i = 0; i < n; i++) {
		if (!is_first(filters, i))
			continue;
		fputs(title, s->out);
		title = "";
		print_filter(s, u, filters, i, n);
	}
	for (unsigned i = 0; i < n; i++)
		free(filters[i]);
	free((void *)filters);
}

/* ---- plan ---- */

/* The library's message may already contain the remedy. */
static void print_conflict(const struct screen *s, struct uncore *u, const unsigned *ids,
			   const struct uncore_plan *plan, const char *reason)
{
	unsigned event;
	const bool several = uncore_plan_conflict(plan, 1, &event) == 1;

	fprintf(s->out, several ? "These events cannot be counted at the same time:\n"
				: "This event cannot be counted:\n");
	for (unsigned i = 0; uncore_plan_conflict(plan, i, &event) == 1; i++)
		print_item(s, uncore_event_name(u, ids[event]));
	fprintf(s->out, "\nWhy: ");
	print_folded(s, 5, 0, reason);
	if (several)
		print_paragraph(
			s, 0,
			"Remedy: multiplex them with `uncore stat --multiplex`, or leave out "
			"one of them.");
}

void print_plan(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan *plan, const struct uncore_plan_info *info)
{
	const unsigned column = counter_column(s, u, ids, n, plan);
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	if (!info->feasible) {
		print_conflict(s, u, ids, plan, info->reason);
		return;
	}
	print_name(s, 0, "event", column);
	fprintf(s->out, "%-9s%s\n", "counter", "boxes");
	for (unsigned i = 0; i < n; i++)
		print_event(s, u, plan, i, ids[i], column);
	uncore_machine(u, &machine);
	print_filters(s, u, machine.boxes, plan);
}
