/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_registers.c - check that the kernel driver writes the same control and filter
 * registers of a box as the library would for an event.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "command/selftest/kernel.h"

#define MOST_CONTROLS 32

/* A register of a box and its required value while the event counts; mask 0: any value. */
struct demand {
	uint64_t mask, value;
};

static bool is_at(const struct uncore_op_info *a, const struct uncore_op_info *b)
{
	return a->space == b->space && a->address == b->address && a->bus == b->bus &&
	       a->device == b->device && a->function == b->function;
}

/* The bits that the library checks at a stop: the control, and the event's filter bits. */
static struct demand demand_of(struct comparison *s, const struct both *b,
			       enum uncore_register which, unsigned i)
{
	struct uncore_op_info reg = {.size = sizeof(reg)}, op = {.size = sizeof(op)};
	struct demand d = {.mask = 0};
	struct uncore_plan *plan;
	int r = uncore_plan(s->t->u, &b->id, 1, NULL, &plan);

	if (r == 0)
		r = uncore_register(s->t->u, b->perf.box, which, i, &reg);
	for (unsigned k = 0; r == 1 && uncore_plan_op(plan, UNCORE_PHASE_STOP, k, &op) == 1; k++)
		if (op.kind == UNCORE_READ && op.mask && is_at(&op, &reg))
			d = (struct demand){op.mask, op.value};
	uncore_plan_free(plan);
	s->code = r < 0 ? r : 0;
	return d;
}

static unsigned read_controls(struct comparison *s, const struct both *b, uint64_t *values)
{
	unsigned n = 0;
	int r;

	do
		r = uncore_register_value(s->t->u, b->perf.box, UNCORE_CONTROL, n, &values[n]);
	while (r == 1 && ++n < MOST_CONTROLS);
	s->code = r < 0 ? r : 0;
	return n;
}

/* The kernel's counter is the one whose control changed to the value that we would write. */
static void compare_controls(struct comparison *s, struct both *b, const uint64_t *was,
			     const uint64_t *is, unsigned n)
{
	struct demand d, control = {.mask = 0};
	char *seen = text_of("%s", ""), *place = place_text(b);

	for (unsigned i = 0; s->code == 0 && i < n; i++) {
		d = demand_of(s, b, UNCORE_CONTROL, i);
		if (d.mask) {
			b->ours = (int)i;
			control = d;
		}
		seen = text_and(seen, "%s%#" PRIx64, i ? ", " : "", is[i]);
	}
	for (unsigned i = 0; control.mask && i < n; i++)
		if (is[i] != was[i] && (is[i] & control.mask) == control.value)
			b->kernels = (int)i;
	if (control.mask && b->kernels < 0)
		keep_text(&s->wrong, text_of("the kernel has set no control of %s to %#" PRIx64
					     ": they hold %s",
					     place, control.value, seen));
	free(place);
	free(seen);
}

static void compare_filter(struct comparison *s, const struct both *b, unsigned i, struct demand d)
{
	uint64_t is;
	const int r = uncore_register_value(s->t->u, b->perf.box, UNCORE_FILTER, i, &is);
	char *place;

	if (r < 0)
		s->code = r;
	if (r < 0 || (is & d.mask) == d.value)
		return;
	place = place_text(b);
	keep_text(&s->wrong, text_of("the kernel sets filter %u of %s to %#" PRIx64
				     " in bits %#" PRIx64 ", this library writes %#" PRIx64,
				     i, place, is & d.mask, d.mask, d.value));
	free(place);
}

/* Skip filters the event does not use: the kernel may be unable to access them. */
static void compare_filters(struct comparison *s, const struct both *b)
{
	struct uncore_op_info reg = {.size = sizeof(reg)};

	for (unsigned i = 0;
	     s->code == 0 && uncore_register(s->t->u, b->perf.box, UNCORE_FILTER, i, &reg) == 1;
	     i++) {
		const struct demand d = demand_of(s, b, UNCORE_FILTER, i);

		if (s->code == 0 && d.mask)
			compare_filter(s, b, i, d);
	}
}

void compare_registers(struct comparison *s, struct both *b)
{
	uint64_t was[MOST_CONTROLS], is[MOST_CONTROLS];
	const unsigned n = read_controls(s, b, was);
	const int fd = s->code == 0 ? open_in_kernel(s, b) : -1;

	if (fd < 0)
		return;
	read_controls(s, b, is);
	if (s->code == 0)
		compare_controls(s, b, was, is, n);
	if (s->code == 0)
		compare_filters(s, b);
	unc_perf_close(fd);
}
