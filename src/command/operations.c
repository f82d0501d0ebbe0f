/* SPDX-License-Identifier: BSD-3-Clause */
/* operations.c - `uncore plan --operations`: the register accesses of a plan. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools.h"

const char *const phase_names[N_PHASES] = {
	[UNCORE_PHASE_SETUP] = "setup",     [UNCORE_PHASE_START] = "start",
	[UNCORE_PHASE_READ] = "read",       [UNCORE_PHASE_STOP] = "stop",
	[UNCORE_PHASE_RESTORE] = "restore",
};

static char *register_text(const struct uncore_op_info *op)
{
	switch (op->space) {
	case UNCORE_PCI:
		return text_of("pci %02x.%x+%#" PRIx64, op->device, op->function, op->address);
	case UNCORE_MSR:
	case UNCORE_CPU:
		return text_of("msr %#" PRIx64, op->address);
	default:
		return text_of("mmio %#" PRIx64, op->address);
	}
}

/* Returns the current column. */
static unsigned print_location(const struct screen *s, const char *verb,
			       const struct uncore_op_info *op, bool dies)
{
	const bool cpu = op->space == UNCORE_CPU;
	char *where = register_text(op);
	int at = fprintf(s->out, "  %-7s%s %u", verb, cpu ? "cpu" : "package",
			 cpu ? op->cpu : op->package);

	if (dies && !cpu)
		at += fprintf(s->out, " die %u", op->die);
	at += fprintf(s->out, "  %-16s %2u bits", where, op->width);
	free(where);
	return (unsigned)at;
}

static char *value_text(const struct uncore_op_info *op)
{
	if (op->saved && op->kind == UNCORE_READ)
		return text_of("saved under mask %#" PRIx64, op->mask);
	if (op->saved && op->mask)
		return text_of("saved value under mask %#" PRIx64, op->mask);
	if (op->saved)
		return text_of("saved value");
	if (op->mask)
		return text_of("%#" PRIx64 " under mask %#" PRIx64, op->value, op->mask);
	if (op->kind == UNCORE_WRITE)
		return text_of("%#" PRIx64, op->value);
	return text_of("%s", "");
}

static void print_op(const struct screen *s, const struct uncore_op_info *op, bool dies)
{
	static const char *const verbs[] = {"read", "write", "change"};
	const bool check = op->kind == UNCORE_READ && op->mask && !op->saved;
	const unsigned at = print_location(s, check ? "check" : verbs[op->kind], op, dies);
	char *value = value_text(op);

	if (*value)
		fprintf(s->out, "  ");
	print_folded(s, at + 2, 9, value);
	free(value);
}

static void print_phase(const struct screen *s, const struct uncore_plan *plan,
			enum uncore_phase phase, bool dies)
{
	struct uncore_op_info op = {.size = sizeof(op)};
	unsigned n = 0;

	while (uncore_plan_op(plan, phase, n, &op) == 1)
		n++;
	fprintf(s->out, "\n%s: %u operations\n", phase_names[phase], n);
	for (unsigned i = 0; uncore_plan_op(plan, phase, i, &op) == 1; i++)
		print_op(s, &op, dies);
}

void print_operations(const struct screen *s, struct uncore *u, const struct uncore_plan *plan)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	bool dies;

	uncore_machine(u, &machine);
	dies = machine.dies > 1;
	for (unsigned i = 0; i < N_PHASES; i++)
		print_phase(s, plan, (enum uncore_phase)i, dies);
}
