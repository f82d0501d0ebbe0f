/* SPDX-License-Identifier: BSD-3-Clause */
/* assignments.c - `uncore plan` for people: which counter of which box each event gets. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- events ---- */

/* Placements of one event, or of one that it is made of, on the same counter. */
static bool share_row(const struct uncore_assignment *a, const struct uncore_assignment *b)
{
	return a->event == b->event && a->counted == b->counted && a->fixed == b->fixed &&
	       (a->fixed || a->counter == b->counter) && strcmp(a->kind, b->kind) == 0;
}

static bool starts_row(const struct uncore_plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (share_row(&plan->assignments[k], &plan->assignments[i]))
			return false;
	return true;
}

static char *row_boxes(const struct uncore_plan *plan, size_t first)
{
	struct numbered_box *list = need_memory(plan->n_assignments, sizeof(*list));
	size_t n = 0;
	char *text;

	for (size_t i = first; i < plan->n_assignments; i++) {
		const struct uncore_assignment *p = &plan->assignments[i];

		if (share_row(&plan->assignments[first], p))
			list[n++] = (struct numbered_box){p->kind, p->box, p->package};
	}
	text = boxes_text(list, n);
	free(list);
	return text;
}

static void print_row_of(const struct screen *s, const struct uncore_plan *plan, size_t i,
			 unsigned indent, const char *name, unsigned column)
{
	const struct uncore_assignment *p = &plan->assignments[i];
	char *boxes = row_boxes(plan, i);
	char *counter = p->fixed ? text_of("fixed") : text_of("%u", p->counter);

	print_name(s, indent, name, column);
	fprintf(s->out, "%-9s", counter);
	print_folded(s, column + 9, column + 9, boxes);
	free(counter);
	free(boxes);
}

static bool is_made_of_others(const struct uncore_plan *plan, unsigned event, unsigned id)
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
static void print_event(const struct screen *s, struct uncore *u, const struct uncore_plan *plan,
			unsigned event, unsigned id, unsigned column)
{
	const unsigned indent = is_made_of_others(plan, event, id) ? 2 : 0;
	const struct uncore_assignment *last = NULL;

	if (indent)
		fprintf(s->out, "%s\n", uncore_event_name(u, id));
	for (size_t i = 0; i < plan->n_assignments; i++) {
		const struct uncore_assignment *p = &plan->assignments[i];

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
			       size_t n, const struct uncore_plan *plan)
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

static bool is_used(const struct uncore_plan *plan, const struct uncore_box_info *box)
{
	for (size_t i = 0; i < plan->n_assignments; i++) {
		const struct uncore_assignment *p = &plan->assignments[i];

		if (p->box == box->index && p->package == box->package &&
		    strcmp(p->kind, box->kind) == 0)
			return true;
	}
	return false;
}

/* What setup writes to a register; 0: nothing. */
static uint64_t value_written(const struct uncore_plan *plan, const struct uncore_op *reg)
{
	for (size_t i = 0; i < plan->n_setup; i++) {
		const struct uncore_op *op = &plan->setup[i];

		if (op->kind != UNCORE_READ && op->space == reg->space &&
		    op->package == reg->package && op->die == reg->die && op->unit == reg->unit &&
		    op->devfn == reg->devfn && op->address == reg->address)
			return op->value;
	}
	return 0;
}

/* "0xc1000000"; of several "filter 0 0x3b, filter 1 0x40433"; "" without any */
static char *filters_text(struct uncore *u, unsigned box, const struct uncore_plan *plan)
{
	char *text = text_of("%s", "");
	struct uncore_op op, other;
	const bool several = uncore_register(u, box, UNCORE_FILTER, 1, &other) == 0;

	for (unsigned i = 0; uncore_register(u, box, UNCORE_FILTER, i, &op) == 0; i++) {
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
	struct uncore_box_info box;
	size_t discovered = 0;
	char *boxes, *text;

	for (unsigned i = first; i < n && uncore_box(u, i, &box) == 0; i++)
		if (strcmp(filters[i], filters[first]) == 0)
			list[discovered++] =
				(struct numbered_box){box.kind, box.index, box.package};
	boxes = boxes_text(list, discovered);
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
	struct uncore_box_info box;

	for (unsigned i = 0; i < n; i++)
		filters[i] = uncore_box(u, i, &box) == 0 && is_used(plan, &box)
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
			   const struct uncore_plan *plan)
{
	const bool several = plan->n_conflict > 1;

	fprintf(s->out, several ? "These events cannot be counted together:\n"
				: "This event cannot be counted:\n");
	for (size_t i = 0; i < plan->n_conflict; i++)
		fprintf(s->out, "  %s\n", uncore_event_name(u, ids[plan->conflict[i]]));
	fprintf(s->out, "\nWhy: ");
	print_folded(s, 5, 0, plan->reason);
	if (several)
		print_paragraph(
			s, 0,
			"What to do: let them take turns with `uncore stat --multiplex`, or "
			"leave out one of them.");
}

void print_plan(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan *plan)
{
	const unsigned column = counter_column(s, u, ids, n, plan);
	struct uncore_machine_info machine;

	if (!plan->feasible) {
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
