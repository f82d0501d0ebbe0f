/* show.c - `uncore show`: the machine, its boxes and their registers, discovery tables. */
#include <inttypes.h>
#include <string.h>

#include "tools.h"

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

static void print_machine(const struct uncore_machine_info *m)
{
	printf("%s%s (platform %s)\n", m->simulated ? "SIMULATED " : "", m->title, m->platform);
	if (m->simulated)
		printf("Nothing below is this computer; what is counted on it is not real.\n");
	printf("%u package%s", m->packages, plural(m->packages));
	if (m->dies > 1)
		printf(" of %u dies", m->dies);
	printf(", %u CPU%s, %u boxes of which %u can be used\n", m->cpus, plural(m->cpus), m->boxes,
	       m->boxes_present);
}

static void print_register(const char *before, const struct uncore_op *op)
{
	printf("%s%#" PRIx64, before, op->address);
}

/* Addresses of one kind; the fixed counter's is last. */
static void print_registers(struct uncore *u, unsigned box, const struct uncore_box_info *b,
			    enum uncore_register which, const char *title)
{
	struct uncore_op op;

	if (uncore_register(u, box, which, 0, &op) != 0)
		return;
	printf("    %-9s", title);
	for (unsigned i = 0; i < b->counters && uncore_register(u, box, which, i, &op) == 0; i++)
		print_register(" ", &op);
	if (uncore_register(u, box, which, b->counters, &op) == 0)
		print_register(b->counters ? ", fixed " : " fixed ", &op);
	printf("\n");
}

static void print_filters(struct uncore *u, unsigned box)
{
	struct uncore_op op;

	for (unsigned i = 0; uncore_register(u, box, UNCORE_FILTER, i, &op) == 0; i++)
		print_register(i ? " " : "    filters   ", &op);
	if (uncore_register(u, box, UNCORE_FILTER, 0, &op) == 0)
		printf("\n");
}

static void print_box(struct uncore *u, unsigned i, const struct uncore_box_info *b, bool brief)
{
	char name[BOX_NAME];

	printf("  %-8s %-18s", box_name(name, b->kind, b->index), *b->location ? b->location : "-");
	if (b->absent) {
		printf(" %s: %s\n", b->unreached ? "not reached" : "absent", b->absent);
		return;
	}
	printf(" %u counter%s of %u bits%s\n", b->counters, plural(b->counters), b->width,
	       b->fixed ? " and a fixed one" : "");
	if (brief)
		return;
	print_registers(u, i, b, UNCORE_CONTROL, "controls");
	print_registers(u, i, b, UNCORE_COUNTER, "counters");
	print_filters(u, i);
}

static void print_packages(struct uncore *u, const struct uncore_machine_info *m, bool brief)
{
	struct uncore_box_info box;

	for (unsigned p = 0; p < m->packages * m->dies; p++) {
		printf("\npackage %u", p / m->dies);
		printf(m->dies > 1 ? ", die %u\n" : "\n", p % m->dies);
		for (unsigned i = 0; i < m->boxes && uncore_box(u, i, &box) == 0; i++)
			if (box.package * m->dies + box.die == p)
				print_box(u, i, &box, brief);
	}
}

/* How many of a kind the package has that the box is the first of, and what tells so. */
static void print_number(struct uncore *u, unsigned first, const struct uncore_box_info *b)
{
	struct uncore_box_info box;
	unsigned n = 0;

	while (uncore_box(u, first + n, &box) == 0 && box.package == b->package &&
	       strcmp(box.kind, b->kind) == 0)
		n++;
	printf("           package %u: %u, told by %s\n", b->package, n, b->basis);
}

/* Boxes of a kind follow each other, those of a package, too. */
static void print_kinds(struct uncore *u, const struct uncore_machine_info *m)
{
	struct uncore_box_info box, last = {.kind = ""};

	printf("\nkinds of boxes\n");
	for (unsigned i = 0; i < m->boxes && uncore_box(u, i, &box) == 0; i++) {
		const bool next = strcmp(box.kind, last.kind) != 0;

		if (next)
			printf("  %-8s %s\n", box.kind, box.title);
		if (box.basis && (next || box.package != last.package))
			print_number(u, i, &box);
		last = box;
	}
}

static void print_warnings(struct uncore *u)
{
	const char *warning;

	for (unsigned i = 0; (warning = uncore_warning(u, i)); i++)
		printf("%s  %s\n", i ? "" : "\nwarnings\n", warning);
}

/* ---- discovery tables ---- */

static void print_table(const struct uncore_table_info *t, unsigned number)
{
	printf("\ndiscovery table %u: package %u, PCI device %s, BAR %u at %#" PRIx64 "\n", number,
	       t->package, t->device, t->bar, t->address);
	printf("  %u records of %u bytes, %u of them empty; global control %s, %u global status "
	       "registers at offset %u\n",
	       t->slots, t->stride, t->empty, *t->control ? t->control : "none", t->n_status,
	       t->status_offset);
	if (t->damage)
		printf("  DAMAGED: %s\n", t->damage);
}

static void print_unit(struct uncore *u, const struct uncore_unit_info *r)
{
	struct uncore_box_info box;
	char name[BOX_NAME] = "no box";

	if (r->box >= 0 && uncore_box(u, (unsigned)r->box, &box) == 0)
		box_name(name, box.kind, box.index);
	printf("  record %u: type %u, id %u, %s, width %u, %u registers, control offset %u, "
	       "counter offset %u, status offset %u, position %u: %s%s%s\n",
	       r->slot, r->type, r->id, r->location, r->width, r->counters, r->control_offset,
	       r->counter_offset, r->status_offset, r->position, name,
	       r->refused ? ", because " : "", r->refused ? r->refused : "");
}

static void print_tables(struct uncore *u)
{
	struct uncore_table_info t;
	struct uncore_unit_info r;

	for (unsigned i = 0; uncore_table(u, i, &t) == 0; i++) {
		print_table(&t, i);
		for (unsigned k = 0; uncore_unit(u, k, &r) == 0; k++)
			if (r.table == i)
				print_unit(u, &r);
	}
}

static void print_all(struct uncore *u, bool brief)
{
	struct uncore_machine_info info;

	uncore_machine(u, &info);
	print_machine(&info);
	print_packages(u, &info, brief);
	print_kinds(u, &info);
	print_warnings(u);
	if (!brief)
		print_tables(u);
}

static int print_cpus(struct uncore *u)
{
	struct uncore_machine_info info;

	uncore_machine(u, &info);
	print_machine(&info);
	return print_cores(stdout, u);
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"brief", no_argument, NULL, 'b'},
						{"core", no_argument, NULL, 'c'},
						{"json", no_argument, NULL, 'j'},
						{NULL, 0, NULL, 0}};
	bool brief = false, core = false, json = false;
	int c, status = TOOL_OK;
	struct uncore *u;

	while ((c = next_option(argc, argv, "bh", options, &show_command, &machine)) != -1) {
		brief |= c == 'b';
		core |= c == 'c';
		json |= c == 'j';
	}
	if (core && json)
		return wrong_usage(&show_command, "there is no JSON of --core");
	if (optind < argc)
		return wrong_usage(&show_command, "show takes no argument %s", argv[optind]);
	u = open_machine(machine);
	if (!u)
		return TOOL_FAILED;
	if (core)
		status = print_cpus(u);
	else if (json)
		print_machine_json(stdout, u);
	else
		print_all(u, brief);
	uncore_close(u);
	return status;
}

const struct command show_command = {
	.name = "show",
	.run = run,
	.usage = " [-b] [--core] [--json]",
	.help = "Show the machine: its packages and, for each, the boxes with their place,\n"
		"counters and registers.  A box that cannot be used is shown with the reason,\n"
		"likewise an installed list of events; the list of kinds says what their number\n"
		"rests on.\n"
		"Of a machine with discovery tables, show all of their records, too.\n\n"
		"  -b, --brief        no registers and no tables\n"
		"  --core             the CPUs' own counters instead, and what their global\n"
		"                     registers say at this moment\n"
		"  --json             all of it as JSON, in one line; not of --core\n"
		"  --machine MACHINE  native or sim:NAME\n",
};
