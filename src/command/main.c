/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the `uncore` command: select the subcommand and its options. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/nearest.h"
#include "base/own_library.h"
#include "command/base/caller.h"
#include "command/base/text.h"
#include "tools.h"

/* The prefix of getopt's messages. */
static char program_name[] = "uncore";

/* By task. */
static const struct {
	const char *task; /* NULL: as the previous one's */
	const struct command *command;
} commands[] = {
	{"Look", &list_command},    {NULL, &show_command},       {NULL, &plan_command},
	{"Count", &stat_command},   {NULL, &explain_command},    {NULL, &queue_command},
	{NULL, &clients_command},   {"Watch", &top_command},     {NULL, &who_command},
	{NULL, &exporter_command},  {"Set up", &doctor_command}, {NULL, &ceilings_command},
	{NULL, &allowlist_command}, {NULL, &sim_command},        {"Check", &selftest_command},
	{NULL, &slices_command},    {NULL, &restore_command},    {NULL, &record_command},
	{NULL, &decode_command},
};

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

/* As options are: a name, a tab, a text. */
static void print_commands(const struct screen *s)
{
	char *lines = text_of("%s", "");

	for (size_t i = 0; i < N_COMMANDS; i++) {
		const struct command *c = commands[i].command;

		if (commands[i].task)
			lines = text_and(lines, "%s%s:\n", i ? "\n" : "", commands[i].task);
		lines = text_and(lines, "uncore %s%c%s\n", c->name, '\t', c->summary);
	}
	print_lines(s, lines);
	free(lines);
}

static void print_help(FILE *out)
{
	const struct screen s = screen_of(out);

	fprintf(out, "Usage: ");
	print_folded(&s, 7, 14, "uncore [--machine MACHINE] COMMAND [ARGUMENT...]");
	print_lines(&s, "\n"
			"List, plan and count uncore events of Intel Xeon processors.\n\n");
	print_commands(&s);
	print_lines(&s, "\n"
			"--machine MACHINE\tnative (default), or a simulated machine such as "
			"sim:snbep:packages=2,cores=8; overrides UNCORE_MACHINE\n"
			"--version\tprint the version and exit\n"
			"--help\tprint this help and exit\n\n"
			"Run `uncore help COMMAND` for help on a command. Output is folded to the "
			"width of the terminal, to COLUMNS if set, or to 80 columns.\n");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(name, commands[i].command->name) == 0)
			return commands[i].command;
	return NULL;
}

static int no_command(const char *name)
{
	struct unc_nearest near;
	char hint[64];

	unc_nearest_start(&near, name);
	for (size_t i = 0; i < N_COMMANDS; i++)
		unc_nearest_offer(&near, commands[i].command->name);
	return wrong_usage(NULL, "unknown command \"%s\"%s", name,
			   unc_nearest_hint(&near, hint, sizeof(hint)));
}

static int help(const char *name)
{
	const struct command *c = name ? find_command(name) : NULL;

	if (name && !c)
		return no_command(name);
	if (c)
		print_command_help(c);
	else
		print_help(stdout);
	return TOOL_OK;
}

/* getopt starts at argv[1] and calls the program argv[0]. */
static int run(const struct command *c, int argc, char **argv, const char *machine)
{
	argv[0] = program_name;
	optind = 0;
	if (c->as_caller)
		caller_become();
	return c->run(argc, argv, machine);
}

static int print_version(void)
{
	printf("uncore %s\n", uncore_version());
	return TOOL_OK;
}

static int run_any(int argc, char **argv)
{
	static const struct option options[] = {
		COMMON_OPTIONS, {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};
	const struct command *command;
	const char *machine = NULL;
	int c;

	argv[0] = program_name;
	while ((c = getopt_long(argc, argv, "+hV", options, NULL)) != -1) {
		if (c == OPTION_MACHINE)
			machine = optarg;
		else if (c == 'h')
			return help(NULL);
		else if (c == 'V')
			return print_version();
		else
			return wrong_option(NULL);
	}
	if (optind == argc) {
		print_help(stderr);
		return TOOL_WRONG;
	}
	if (strcmp(argv[optind], "help") == 0)
		return help(argv[optind + 1]);
	command = find_command(argv[optind]);
	if (!command)
		return no_command(argv[optind]);
	return run(command, argc - optind, argv + optind, machine);
}

int main(int argc, char **argv)
{
	if (!unc_is_own_library("uncore"))
		return TOOL_FAILED;
	unc_occupy_standard();
	caller_keep_from_children();
	return end_output(run_any(argc, argv));
}
