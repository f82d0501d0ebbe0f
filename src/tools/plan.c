/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - `uncore plan`: how events would be counted. */
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* How to show a plan. */
struct form {
	bool json, operations;
};

static void print(struct uncore *u, const unsigned *ids, size_t n, const struct shown_plan *plan,
		  struct form form)
{
	const struct screen screen = screen_of(stdout);

	if (form.json)
		print_plan_json(stdout, u, ids, n, plan);
	else
		print_plan(&screen, u, ids, n, plan);
	if (form.operations && !form.json && plan->info.feasible)
		print_operations(&screen, u, plan);
}

static int plan(struct uncore *u, char **names, size_t n, const struct stop_after *stop_after,
		struct form form)
{
	unsigned *ids = need_memory(n, sizeof(*ids));
	const struct uncore_plan_options options = {
		.size = sizeof(options),
		.stop_after = stop_after->list,
		.n_stop_after = stop_after->n,
		.cores = stop_after->cores,
	};
	struct uncore_plan *p = NULL;
	struct shown_plan shown;
	int status = find_events(u, (const char *const *)names, n, ids);

	if (status == TOOL_OK) {
		const int code = uncore_plan(u, ids, n, &options, &p);

		if (code < 0)
			status = report(u, code);
	}
	if (p) {
		look_at_plan(&shown, p);
		print(u, ids, n, &shown, form);
		status = shown.info.feasible ? TOOL_OK : TOOL_NO_FIT;
		free_shown_plan(&shown);
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
						{"operations", no_argument, NULL, 'o'},
						{"verbose", no_argument, NULL, 'v'},
						{"until", required_argument, NULL, 'u'},
						{"pmi-core", required_argument, NULL, 'p'},
						{NULL, 0, NULL, 0}};
	struct stop_after stop_after = {.n = 0};
	char **names = need_memory((size_t)argc, sizeof(*names));
	struct uncore *u = NULL;
	struct form form = {.json = false};
	int c, status = TOOL_OK;
	size_t n;

	while (status == TOOL_OK &&
	       (c = next_option(argc, argv, "hv", options, &plan_command, &machine)) != -1) {
		form.json |= c == 'j';
		form.operations |= c == 'o' || c == 'v';
		if (c == 'u') {
			status = add_stop_after(&stop_after, optarg, stop_after.n, &plan_command);
			names[stop_after.n ? stop_after.n - 1 : 0] = optarg;
		} else if (c == 'p') {
			status = add_pmi_core(&stop_after, optarg, &plan_command);
		}
	}
	if (status == TOOL_OK)
		status = check_stop_after(&stop_after, &plan_command);
	n = stop_after.n;
	while (optind < argc)
		names[n++] = argv[optind++];
	if (status == TOOL_OK && n == 0)
		status = wrong_usage(&plan_command, "plan needs the events that are to be planned");
	if (status == TOOL_OK) {
		u = open_machine(machine, &plan_command);
		status = u ? plan(u, names, n, &stop_after, form) : TOOL_FAILED;
	}
	uncore_close(u);
	free(names);
	return status;
}

const struct command plan_command = {
	.name = "plan",
	.run = run,
	.usage = "[-v] [--json] [--until EVENT=N]... [--pmi-core CORE] EVENT...",
	.help = "Show how the events would be counted on this machine while nothing else runs: "
		"which counter of which boxes each gets, and what is written to the filters of "
		"these boxes. Writes no register. If the events do not fit, show the smallest set "
		"of them that conflicts, why, and what to do; exit status 1.\n\n"
		"-v, --operations\tevery register operation, too, in order\n"
		"--json\tall of it as JSON, in one line\n"
		"--until EVENT=N\tof counting that stops after N occurrences of EVENT\n"
		"--pmi-core CORE\t... and interrupts this core of the package\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "plan UNCORE_MEM_READ_BYTES",
};
