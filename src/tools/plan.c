/* plan.c - `uncore plan`: how events would be counted, as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- placements ---- */

static bool same_row(const struct uncore_placement *a, const struct uncore_placement *b)
{
	return a->event == b->event && a->package == b->package && a->counter == b->counter &&
	       strcmp(a->kind, b->kind) == 0;
}

/* "package 0  cbo0-7  counter 3": boxes that follow each other share a line. */
static void print_row(FILE *out, const struct uncore_placement *p, unsigned last)
{
	char name[BOX_NAME], boxes[BOX_NAME + 16], counter[32];

	box_name(name, p->kind, p->box);
	if (last == p->box)
		snprintf(boxes, sizeof(boxes), "%s", name);
	else
		snprintf(boxes, sizeof(boxes), "%s-%u", name, last);
	snprintf(counter, sizeof(counter), p->fixed ? "fixed counter" : "counter %u", p->counter);
	fprintf(out, "  package %u  %-10s %-14s control %#" PRIx64 "\n", p->package, boxes, counter,
		p->control);
}

static bool is_of(const struct uncore_placement *p, unsigned event, unsigned term)
{
	return p->event == event && p->term == term;
}

static void print_term(FILE *out, const struct uncore_plan *plan, unsigned event, unsigned term)
{
	const struct uncore_placement *row = NULL;
	unsigned last = 0;

	for (size_t i = 0; i < plan->n_placements; i++) {
		const struct uncore_placement *p = &plan->placements[i];

		if (!is_of(p, event, term))
			continue;
		if (row && (!same_row(row, p) || p->box != last + 1)) {
			print_row(out, row, last);
			row = NULL;
		}
		row = row ? row : p;
		last = p->box;
	}
	if (row)
		print_row(out, row, last);
}

/* Has a placement before number i the same term of the same event? */
static bool shown(const struct uncore_plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_of(&plan->placements[k], plan->placements[i].event,
			  plan->placements[i].term))
			return true;
	return false;
}

static void print_placements(FILE *out, struct uncore *u, const struct uncore_plan *plan,
			     unsigned event, unsigned id)
{
	for (size_t i = 0; i < plan->n_placements; i++) {
		const struct uncore_placement *p = &plan->placements[i];

		if (p->event != event || shown(plan, i))
			continue;
		if (p->term != id)
			fprintf(out, " of %s\n", uncore_event_name(u, p->term));
		print_term(out, plan, event, p->term);
	}
}

/* ---- operations ---- */

static void print_place(FILE *out, const struct uncore_op *op, bool dies)
{
	const bool cpu = op->space == UNCORE_CPU;
	char where[40];

	switch (op->space) {
	case UNCORE_PCI:
		snprintf(where, sizeof(where), "pci %02x.%x+%#" PRIx64, op->devfn >> 3,
			 op->devfn & 7u, op->address);
		break;
	case UNCORE_MSR:
	case UNCORE_CPU:
		snprintf(where, sizeof(where), "msr %#" PRIx64, op->address);
		break;
	default:
		snprintf(where, sizeof(where), "mmio %#" PRIx64, op->address);
	}
	fprintf(out, "%s %u", cpu ? "cpu" : "package", cpu ? op->unit : op->package);
	if (dies && !cpu)
		fprintf(out, " die %u", op->die);
	fprintf(out, "  %-16s %2u bits", where, op->width);
}

static void print_op(FILE *out, const struct uncore_op *op, bool dies)
{
	static const char *const verbs[] = {"read", "write", "change"};
	const bool check = op->kind == UNCORE_READ && op->mask && !op->saved;

	fprintf(out, "  %-7s", check ? "check" : verbs[op->kind]);
	print_place(out, op, dies);
	if (op->saved && op->kind == UNCORE_READ)
		fprintf(out, "  of which mask %#" PRIx64 "\n", op->mask);
	else if (op->saved && op->mask)
		fprintf(out, "  the value that setup read under mask %#" PRIx64 "\n", op->mask);
	else if (op->saved)
		fprintf(out, "  the value that setup read\n");
	else if (op->mask)
		fprintf(out, "  %#" PRIx64 " under mask %#" PRIx64 "\n", op->value, op->mask);
	else if (op->kind == UNCORE_WRITE)
		fprintf(out, "  %#" PRIx64 "\n", op->value);
	else
		fprintf(out, "\n");
}

static void print_ops(FILE *out, const char *title, const struct uncore_op *ops, size_t n,
		      bool dies)
{
	fprintf(out, "\n%s: %zu operations\n", title, n);
	for (size_t i = 0; i < n; i++)
		print_op(out, &ops[i], dies);
}

/* ---- plan ---- */

static void print_conflict(FILE *out, struct uncore *u, const unsigned *ids,
			   const struct uncore_plan *plan)
{
	fprintf(out, "These events cannot be counted together:\n");
	for (size_t i = 0; i < plan->n_conflict; i++)
		fprintf(out, "  %s\n", uncore_event_name(u, ids[plan->conflict[i]]));
	fprintf(out, "%s\n", plan->reason);
}

void print_plan(FILE *out, struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan *plan)
{
	struct uncore_machine_info machine;
	bool dies;

	if (!plan->feasible) {
		print_conflict(out, u, ids, plan);
		return;
	}
	uncore_machine(u, &machine);
	dies = machine.dies > 1;
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "%s\n", uncore_event_name(u, ids[i]));
		print_placements(out, u, plan, i, ids[i]);
	}
	print_ops(out, "setup", plan->setup, plan->n_setup, dies);
	print_ops(out, "start", plan->start, plan->n_start, dies);
	print_ops(out, "read", plan->read, plan->n_read, dies);
	print_ops(out, "stop", plan->stop, plan->n_stop, dies);
	print_ops(out, "restore", plan->restore, plan->n_restore, dies);
}

static int plan(struct uncore *u, char **names, size_t n, const struct untils *untils, bool json)
{
	unsigned *ids = need_memory(n, sizeof(*ids));
	struct uncore_plan *p = NULL;
	int status = find_events(u, (const char *const *)names, n, ids);

	if (status == TOOL_OK) {
		const int code = untils->n ? uncore_plan_until(u, ids, n, untils->list, untils->n,
							       untils->cores, &p)
					   : uncore_plan(u, ids, n, &p);

		if (code < 0)
			status = report(u, code);
	}
	if (p) {
		(json ? print_plan_json : print_plan)(stdout, u, ids, n, p);
		status = p->feasible ? TOOL_OK : TOOL_NO_FIT;
	}
	uncore_plan_free(p);
	free(ids);
	return status;
}

/* The events that end the counting come first in the list. */
static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"json", no_argument, NULL, 'j'},
						{"until", required_argument, NULL, 'u'},
						{"pmi-core", required_argument, NULL, 'p'},
						{NULL, 0, NULL, 0}};
	struct untils untils = {.n = 0};
	char **names = need_memory((size_t)argc, sizeof(*names));
	struct uncore *u = NULL;
	bool json = false;
	int c, status = TOOL_OK;
	size_t n;

	while (status == TOOL_OK &&
	       (c = next_option(argc, argv, "h", options, &plan_command, &machine)) != -1) {
		json = json || c == 'j';
		if (c == 'u') {
			status = add_until(&untils, optarg, untils.n, &plan_command);
			names[untils.n ? untils.n - 1 : 0] = optarg;
		} else if (c == 'p') {
			status = add_pmi_core(&untils, optarg, &plan_command);
		}
	}
	if (status == TOOL_OK)
		status = check_untils(&untils, &plan_command);
	n = untils.n;
	while (optind < argc)
		names[n++] = argv[optind++];
	if (status == TOOL_OK && n == 0)
		status = wrong_usage(&plan_command, "plan needs the events that are to be planned");
	if (status == TOOL_OK) {
		u = open_machine(machine);
		status = u ? plan(u, names, n, &untils, json) : TOOL_FAILED;
	}
	uncore_close(u);
	free(names);
	return status;
}

const struct command plan_command = {
	.name = "plan",
	.run = run,
	.usage = " [--json] [--until EVENT=N]... [--pmi-core CORE] EVENT...",
	.help = "Show how the events would be counted on this machine while nothing else runs:\n"
		"which counter of which box each gets, and every register operation in order.\n"
		"Writes no register.  If the events do not fit, show the smallest set of them\n"
		"that conflicts, and why; exit status 1.\n\n"
		"  --json             the same as JSON, in one line\n"
		"  --until EVENT=N    of counting that stops after N occurrences of EVENT\n"
		"  --pmi-core CORE    ... and interrupts this core of the package\n"
		"  --machine MACHINE  native or sim:NAME\n",
};
