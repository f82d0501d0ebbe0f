/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the `uncore` command: select the subcommand and its options. */
#include <ctype.h>
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
	{"Look", &list_command},      {NULL, &show_command},      {NULL, &plan_command},
	{"Count", &stat_command},     {NULL, &explain_command},   {NULL, &queue_command},
	{NULL, &clients_command},     {"Watch", &top_command},    {NULL, &memory_command},
	{NULL, &who_command},         {NULL, &exporter_command},  {"Set up", &doctor_command},
	{NULL, &ceilings_command},    {NULL, &allowlist_command}, {NULL, &sim_command},
	{"Check", &selftest_command}, {NULL, &slices_command},    {NULL, &restore_command},
	{NULL, &record_command},      {NULL, &decode_command},
};

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

/* --machine, --help and --version before the command are handled in run_any(). */
static const struct unc_option options[] = {
	{.names = "--machine",
	 .arg = "MACHINE",
	 .help = "native (default), or a simulated machine such as "
		 "sim:snbep:packages=2,cores=8; overrides UNCORE_MACHINE",
	 .kind = UNC_OPTION_PROGRAM},
	{.names = "--version", .help = "print the version and exit", .kind = UNC_OPTION_PROGRAM},
	{.names = "-V", .kind = UNC_OPTION_PROGRAM},
	{.names = "--help", .help = "print this help and exit", .kind = UNC_OPTION_PROGRAM},
	{.names = "-h", .kind = UNC_OPTION_PROGRAM},
	{.names = NULL},
};

/* ---- help ---- */

/* As options are: a name, a tab, a text. */
static char *all_commands(void)
{
	char *lines = text_of("%s", "");

	for (size_t i = 0; i < N_COMMANDS; i++) {
		const struct command *c = commands[i].command;

		if (commands[i].task)
			lines = text_and(lines, "%s%s:\n", i ? "\n" : "", commands[i].task);
		lines = text_and(lines, "uncore %s%c%s\n", c->name, '\t', c->summary);
	}
	return lines;
}

/* The commands that are used most, each with an example below it. */
static char *frequent_commands(void)
{
	static const struct {
		const struct command *command;
		const char *example;
	} frequent[] = {
		{&list_command, "uncore list bandwidth"},
		{&stat_command, "uncore stat -- ./program"},
		{&top_command, "uncore top"},
		{&explain_command, "uncore explain -- ./program"},
		{&who_command, "uncore who --by job"},
		{&doctor_command, "sudo uncore doctor"},
		{&exporter_command, "uncore exporter --listen :19836"},
	};
	char *lines = text_of("%s", "");

	for (size_t i = 0; i < sizeof(frequent) / sizeof(*frequent); i++)
		lines = text_and(lines, "uncore %s%c%s\n%c$ %s\n", frequent[i].command->name, '\t',
				 frequent[i].command->summary, '\t', frequent[i].example);
	return text_and(lines,
			"\nMore: `uncore help -a` lists all %zu commands by purpose, "
			"`uncore help WORD` finds commands and options by word.\n",
			N_COMMANDS);
}

static void print_help(FILE *out, bool all)
{
	const struct screen s = screen_of(out);
	char *list = all ? all_commands() : frequent_commands();

	fprintf(out, "Usage: ");
	print_folded(&s, 7, 14, "uncore [--machine MACHINE] COMMAND [ARGUMENT...]");
	print_lines(&s, "\n"
			"List, plan and count uncore events of Intel Xeon processors.\n\n");
	print_lines(&s, list);
	print_lines(&s, "\n");
	print_options(&s, options);
	print_lines(&s,
		    "\nRun `uncore help COMMAND` for help on a command. Output is folded to the "
		    "width of the terminal, to COLUMNS if set, or to 80 columns.\n");
	free(list);
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

static bool has_all(const char *text, char *const *words, int n)
{
	int i = 0;

	while (i < n && strcasestr(text, words[i]))
		i++;
	return i == n;
}

/* Rows "uncore stat --json<tab>text" of the options of a command that match. */
static char *add_options(char *lines, const struct command *c, char *const *words, int n)
{
	for (const struct unc_option *row = c->options; row->names; row++) {
		char *line = row->help ? option_line(row) : NULL;

		if (line && row->kind != UNC_OPTION_PROGRAM && has_all(line, words, n))
			lines = text_and(lines, "uncore %s %s\n", c->name, line);
		free(line);
	}
	return lines;
}

/* ---- for completion and for the manual page ---- */

/* The kind of value in the next argument; "": it is no value. */
static const char *value_of(const struct unc_option *row)
{
	if (!row->arg || *row->arg == '[')
		return "";
	return row->values ? row->values : row->arg;
}

/* Each name of each option, a tab, and what its value is: "FILE", "EVENT", "a b c". */
static void print_option_names(const struct command *c)
{
	const char *name;
	size_t len;

	for (const struct unc_option *row = c ? c->options : options; row->names; row++)
		for (unsigned i = 0;
		     (row->help || row->usage) && (name = unc_option_name(row, i, &len)); i++)
			printf("%.*s\t%s\n", (int)len, name, value_of(row));
}

/* Upper case is a placeholder, in italics; the rest is literal. */
static void put_roff(const char *text)
{
	for (; *text; text++) {
		if (isupper((unsigned char)*text)) {
			size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

			printf("\\fI%.*s\\fR", (int)n, text);
			text += n - 1;
		} else if (*text == '-' || islower((unsigned char)*text)) {
			size_t n = strspn(text, "-abcdefghijklmnopqrstuvwxyz:");

			n += text[n - 1] == '-' && isupper((unsigned char)text[n]); /* -M */
			fputs("\\fB", stdout);
			for (size_t i = 0; i < n; i++)
				printf(text[i] == '-' ? "\\-" : "%c", text[i]);
			fputs("\\fR", stdout);
			text += n - 1;
		} else {
			putchar(*text);
		}
	}
	putchar('\n');
}

/* The synopsis of docs/uncore.1. */
static void print_synopsis(void)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		const struct command *c = commands[i].command;
		char *usage = usage_of(c);

		printf(".SY uncore\n");
		if (c != &clients_command && c != &sim_command)
			printf(".OP \\-\\-machine MACHINE\n");
		printf(".B %s\n", c->name);
		if (*usage)
			put_roff(usage);
		free(usage);
	}
}

static int print_for_programs(char *const *words, int n)
{
	if (strcmp(words[0], "--synopsis") == 0)
		print_synopsis();
	else
		print_option_names(n > 1 ? find_command(words[1]) : NULL);
	return TOOL_OK;
}

/* Commands and options whose names or descriptions have all words. */
static int find_help(char *const *words, int n)
{
	const struct screen s = screen_of(stdout);
	char *found = text_of("%s", ""), *text;
	int status = TOOL_OK;

	for (size_t i = 0; i < N_COMMANDS; i++) {
		const struct command *c = commands[i].command;

		text = text_of("%s %s %s", c->name, c->summary, c->help);
		if (has_all(text, words, n))
			found = text_and(found, "uncore %s%c%s\n", c->name, '\t', c->summary);
		free(text);
	}
	for (size_t i = 0; i < N_COMMANDS; i++)
		found = add_options(found, commands[i].command, words, n);
	if (*found)
		print_lines(&s, found);
	else
		status = no_command(words[0]);
	free(found);
	return status;
}

static bool is_among(const char *word, const char *one, const char *other)
{
	return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static int help(char *const *words, int n)
{
	const struct command *c = n == 1 ? find_command(words[0]) : NULL;

	if (c)
		print_command_help(c);
	else if (n == 0 || is_among(words[0], "-a", "--all"))
		print_help(stdout, n > 0);
	else if (is_among(words[0], "--options", "--synopsis"))
		return print_for_programs(words, n);
	else
		return find_help(words, n);
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
	const struct unc_option *row;
	const struct command *command;
	const char *machine = NULL;
	struct unc_options o;
	bool invalid;

	argv[0] = program_name;
	unc_options_make(&o, options, true);
	while ((row = unc_options_next(&o, argc, argv, &invalid))) {
		if (row->arg)
			machine = optarg;
		else if (strcmp(row->names, "--version") == 0 || strcmp(row->names, "-V") == 0)
			return print_version();
		else
			return help(NULL, 0);
	}
	if (invalid)
		return wrong_option(NULL);
	if (optind == argc) {
		print_help(stderr, false);
		return TOOL_WRONG;
	}
	if (strcmp(argv[optind], "help") == 0)
		return help(argv + optind + 1, argc - optind - 1);
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
