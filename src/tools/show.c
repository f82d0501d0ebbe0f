/* show.c - `uncore show`: the machine and its boxes. */
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
	printf("%u package%s, %u CPU%s, %u boxes of which %u can be used\n", m->packages,
	       plural(m->packages), m->cpus, plural(m->cpus), m->boxes, m->boxes_present);
}

static void print_box(const struct uncore_box_info *b)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%u", b->kind, b->index);
	printf("  %-8s %-18s", name, *b->location ? b->location : "-");
	if (b->absent)
		printf(" absent: %s\n", b->absent);
	else
		printf(" %u counters of %u bits%s\n", b->counters, b->width,
		       b->fixed ? " and a fixed one" : "");
}

static void print_packages(struct uncore *u, const struct uncore_machine_info *m)
{
	struct uncore_box_info box;

	for (unsigned p = 0; p < m->packages; p++) {
		printf("\npackage %u\n", p);
		for (unsigned i = 0; i < m->boxes && uncore_box(u, i, &box) == 0; i++)
			if (box.package == p)
				print_box(&box);
	}
}

/* Boxes of a kind follow each other. */
static void print_kinds(struct uncore *u, const struct uncore_machine_info *m)
{
	struct uncore_box_info box;
	const char *last = "";

	printf("\nkinds of boxes\n");
	for (unsigned i = 0; i < m->boxes && uncore_box(u, i, &box) == 0; i++) {
		if (strcmp(box.kind, last) != 0)
			printf("  %-8s %s\n", box.kind, box.title);
		last = box.kind;
	}
}

static void print_left_out(struct uncore *u)
{
	const char *warning;

	for (unsigned i = 0; (warning = uncore_warning(u, i)); i++)
		printf("%s  %s\n", i ? "" : "\nlists of events that were left out\n", warning);
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS, {NULL, 0, NULL, 0}};
	struct uncore_machine_info info;
	struct uncore *u;

	while (next_option(argc, argv, "h", options, &show_command, &machine) != -1)
		;
	if (optind < argc)
		return wrong_usage(&show_command, "show takes no argument %s", argv[optind]);
	u = open_machine(machine);
	if (!u)
		return TOOL_FAILED;
	uncore_machine(u, &info);
	print_machine(&info);
	print_packages(u, &info);
	print_kinds(u, &info);
	print_left_out(u);
	uncore_close(u);
	return TOOL_OK;
}

const struct command show_command = {
	.name = "show",
	.run = run,
	.usage = "",
	.help = "Show the machine: its packages and, for each, the boxes with their place and\n"
		"counters.  A box that cannot be used is shown with the reason, likewise an\n"
		"installed list of events.\n\n"
		"  --machine MACHINE  native or sim:NAME\n",
};
