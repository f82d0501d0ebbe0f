/* SPDX-License-Identifier: BSD-3-Clause */
/* assignments.c - `uncore plan` for people: which counter of which box each event gets. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- events ---- */

/* Placements of one event, or of one that it is made of, on the same counter. */
static bool share_row(const struct uncore_assignment_info *a,
		      const struct uncore_assignment_info *b)
{
	return a->event == b->event && a->counted == b->counted && a->fixed == b->fixed &&
	       (a->fixed || a->counter == b->counter) && strcmp(a->kind, b->kind) == 0;
}

static bool starts_row(const struct shown_plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (share_row(&plan->assignments[k], &plan->assignments[i]))
			return false;
	return true;
}

static char *row_boxes(const struct shown_plan *plan, size_t first)
{
	struct numbered_box *list = need_memory(plan->n_assignments, sizeof(*list));
	size_t n = 0;
	char *text;

	for (size_t i = first; i < plan->n_assignments; i++) {
		const struct uncore_assignment_info *p = &plan->assignments[i];

		if (share_row(&plan->assignments[first], p))
			list[n++] = (struct numbered_box){p->kind, p->box, p->package};
	}
	text = boxes_text(list, n);
	free(list);
	return text;
}

static void print_row_of(const struct screen *s, const struct shown_plan *plan, size_t i,
			 unsigned indent, const char *name, unsigned column)
{
	const struct uncore_assignment_info *p = &plan->assignments[i];
	char *boxes = row_boxes(plan, i);
	char *counter = p->fixed ? text_of("fixed") : text_of("%u", p->counter);

	print_name(s, indent, name, column);
	fprintf(s->out, "%-9s", counter);
	print_folded(s, column + 9, column + 9, boxes);
	free(counter);
	free(boxes);
}

static bool is_made_of_others(const struct shown_plan *plan, unsigned event, unsigned id)
{
	for (size_t i = 0; i < plan->n_assignments; i++)
		if (plan->assignments[i].event == event && plan->assignments[i].counted != id)
			return true;
	return false;
}

/*
 * A row for each counter that an event gets, with its name in the first; likewise for each of
 * those that a metric is made of, below its own name.
 */
static void print_event(const struct screen *s, struct uncore *u, const struct shown_plan *plan,
			unsigned event, unsigned id, unsigned column)
{
	const unsigned indent = is_made_of_others(plan, event, id) ? 2 : 0;
	const struct uncore_assignment_info *last = NULL;

	if (indent)
		fprintf(s->out, "%s\n", uncore_event_name(u, id));
	for (size_t i = 0; i < plan->n_assignments; i++) {
		const struct uncore_assignment_info *p = &plan->assignments[i];

		if (p->event != event || !starts_row(plan, i))
			continue;
		print_row_of(s, plan, i, indent,
			     last && last->counted == p->counted ? ""
								 : uncore_event_name(u, p->counted),
			     column);
		last = p;
	}
}

/* Where the counters begin: names that are longer than half a line have one of their own. */
static unsigned counter_column(const struct screen *s, struct uncore *u, const unsigned *ids,
			       size_t n, const struct shown_plan *plan)
{
	const size_t most = s->width / 2;
	size_t widest = strlen("event");

	for (size_t i = 0; i < n; i++)
		widest = strlen(uncore_event_name(u, ids[i])) > widest
				 ? strlen(uncore_event_name(u, ids[i]))
				 : widest;
	for (size_t i = 0; i < plan->n_assignments; i++) {
		const size_t len = strlen(uncore_event_name(u, plan->assignments[i].counted)) + 2;

		widest = len > widest && len <= most ? len : widest;
	}
	return (unsigned)(widest < most ? widest : most) + 2;
}

/* ---- filters ---- */

static bool is_used(const struct shown_plan *plan, const struct uncore_box_info *box)
{
	for (size_t i = 0; i < plan->n_assignments; i++) {
		const struct uncore_assignment_info *p = &plan->assignments[i];

		if (p->box == box->index && p->package == box->package &&
		    strcmp(p->kind, box->kind) == 0)
			return true;
	}
	return false;
}

static bool is_same_register(const struct uncore_op_info *a, const struct uncore_op_info *b)
{
	return a->space == b->space && a->package == b->package && a->die == b->die &&
	       a->cpu == b->cpu && a->segment == b->segment && a->bus == b->bus &&
	       a->device == b->device && a->function == b->function && a->address == b->address;
}

/* What setup writes to a register; 0: nothing. */
static uint64_t value_written(const struct shown_plan *plan, const struct uncore_op_info *reg)
{
	const struct shown_phase *setup = &plan->phase[UNCORE_PHASE_SETUP];

	for (size_t i = 0; i < setup->n; i++)
		if (setup->op[i].kind != UNCORE_READ && is_same_register(&setup->op[i], reg))
			return setup->op[i].value;
	return 0;
}

/* "0xc1000000"; of several "filter 0 0x3b, filter 1 0x40433"; "" without any */
static char *filters_text(struct uncore *u, unsigned box, const struct shown_plan *plan)
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

/* Boxes from first on whose filters are the same. */
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
			  const struct shown_plan *plan)
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

/* The library's sentence may name the remedy already. */
static void print_conflict(const struct screen *s, struct uncore *u, const unsigned *ids,
			   const struct shown_plan *plan)
{
	const bool several = plan->n_conflict > 1;

	fprintf(s->out, several ? "These events cannot be counted at the same time:\n"
				: "This event cannot be counted:\n");
	for (size_t i = 0; i < plan->n_conflict; i++)
		fprintf(s->out, "  %s\n", uncore_event_name(u, ids[plan->conflict[i]]));
	fprintf(s->out, "\nWhy: ");
	print_folded(s, 5, 0, plan->info.reason);
	if (several)
		print_paragraph(
			s, 0,
			"What to do: multiplex them with `uncore stat --multiplex`, or leave out "
			"one of them.");
}

void print_plan(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n,
		const struct shown_plan *plan)
{
	const unsigned column = counter_column(s, u, ids, n, plan);
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	if (!plan->info.feasible) {
		print_conflict(s, u, ids, plan);
		return;
	}
	print_name(s, 0, "event", column);
	fprintf(s->out, "%-9s%s\n", "counter", "boxes");
	for (unsigned i = 0; i < n; i++)
		print_event(s, u, plan, i, ids[i], column);
	uncore_machine(u, &machine);
	print_filters(s, u, machine.boxes, plan);
}
