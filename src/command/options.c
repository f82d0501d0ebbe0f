/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - options common to all subcommands, help, and invalid options. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/base/duration.h"
#include "tools.h"

#define USAGE_INDENT 8 /* of a usage that is too long for the columns next to the name */

/* Where the explanations of options begin: in the left half. */
static unsigned option_column(const struct screen *s, const char *help)
{
	size_t widest = 0;

	for (; *help; help += strcspn(help, "\n"), help += *help == '\n') {
		const size_t n = strcspn(help, "\t\n");

		if (help[n] == '\t' && n > widest)
			widest = n;
	}
	return widest + 4 <= s->width / 2 ? (unsigned)widest + 4 : s->width / 2;
}

static void print_option(const struct screen *s, char *line, unsigned column)
{
	char *text = strchr(line, '\t');

	if (text) {
		*text++ = '\0';
		print_row(s, 2, line, column, text);
	} else {
		print_folded(s, 0, 0, line);
	}
}

void print_lines(const struct screen *s, const char *help)
{
	const unsigned column = option_column(s, help);

	for (; *help; help += strcspn(help, "\n"), help += *help == '\n') {
		char *line = text_of("%.*s", (int)strcspn(help, "\n"), help);

		print_option(s, line, column);
		free(line);
	}
}

/* ---- the table of a command ---- */

static bool is_shown(const struct unc_option *row)
{
	return row->help != NULL;
}

/* "[-i TIME]", by the first of its names. */
static char *usage_of_option(const struct unc_option *row)
{
	size_t len;
	const char *name = unc_option_name(row, 0, &len);
	const bool joined = row->arg && *row->arg == '[';

	return text_of("[%.*s%s%s]", (int)len, name, row->arg && !joined ? " " : "",
		       row->arg ? row->arg : "");
}

char *usage_of(const struct command *c)
{
	char *usage = text_of("%s", ""), *option;

	for (const struct unc_option *row = c->options; row->names; row++) {
		if (row->usage ? !*row->usage : !is_shown(row))
			continue;
		option = row->usage ? text_of("%s", row->usage) : usage_of_option(row);
		usage = text_and(usage, "%s%s", *usage ? " " : "", option);
		free(option);
	}
	return c->usage ? text_and(usage, "%s%s", *usage ? " " : "", c->usage) : usage;
}

static void print_usage(const struct screen *s, const struct command *c)
{
	const int at = fprintf(s->out, "Usage: uncore %s ", c->name);
	char *usage = usage_of(c);

	print_folded(s, (unsigned)at, at <= (int)s->width / 2 ? (unsigned)at : USAGE_INDENT, usage);
	free(usage);
}

char *option_line(const struct unc_option *row)
{
	return text_of("%s%s%s\t%s", row->shown ? row->shown : row->names,
		       row->arg && *row->arg != '[' ? " " : "", row->arg ? row->arg : "",
		       row->help);
}

void print_options(const struct screen *s, const struct unc_option *rows)
{
	char *lines = text_of("%s", ""), *line;

	for (; rows->names; rows++) {
		if (!is_shown(rows))
			continue;
		line = option_line(rows);
		lines = text_and(lines, "%s\n", line);
		free(line);
	}
	print_lines(s, lines);
	free(lines);
}

void print_command_help(const struct command *c)
{
	const struct screen s = screen_of(stdout);
	char *text = text_of("\n%s\n\n", c->help);

	print_usage(&s, c);
	print_lines(&s, text);
	print_options(&s, c->options);
	free(text);
}

/* getopt has already printed the error. */
int wrong_option(const struct command *command)
{
	fprintf(stderr, "Try `uncore help%s%s`.\n", command ? " " : "",
		command ? command->name : "");
	return TOOL_WRONG;
}

int wrong_usage(const struct command *command, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	say("%s", text);
	free(text);
	return wrong_option(command);
}

int unexpected_argument(const struct command *command, const char *argument)
{
	return wrong_usage(command, "unexpected argument: \"%s\"", argument);
}

/* --machine and --help, which all commands have. */
static void take_common(const struct command *command, const struct unc_option *row,
			const char **machine)
{
	if (row->arg) {
		*machine = optarg;
		return;
	}
	print_command_help(command);
	exit(end_output(TOOL_OK));
}

/* ---- numbers without a unit are shown with it ---- */

struct bare_numbers {
	const struct unc_option *rows;
	const char *of[UNC_OPTIONS_MOST]; /* of each row; NULL: not given, or with a unit */
};

static bool is_bare(const char *text)
{
	return text && *text && !text[strspn(text, "0123456789.")];
}

/* Of rows with the same words ("for 2 s", "for 50 ms") the last one counts. */
static void note_number(struct bare_numbers *b, const struct unc_option *row, const char *text)
{
	if (!row->before)
		return;
	for (size_t i = 0; b->rows[i].names; i++)
		if (b->rows[i].before && strcmp(b->rows[i].before, row->before) == 0)
			b->of[i] = NULL;
	b->of[row - b->rows] = is_bare(text) ? text : NULL;
}

/* Intervals are in ms, durations in s, as in perf and in sleep(1): a terminal shows which. */
static void show_numbers(const struct bare_numbers *b)
{
	char *text = text_of("%s", "");

	for (size_t i = 0; b->rows[i].names; i++)
		if (b->of[i])
			text = text_and(text, "%s %s %s %s", *text ? "," : "", b->rows[i].before,
					b->of[i], b->rows[i].unit);
	if (*text && isatty(STDERR_FILENO))
		say("counting%s", text);
	free(text);
}

int read_options(const struct command *command, int argc, char **argv, void *into,
		 const char **machine)
{
	struct unc_options o;
	const struct unc_option *row;
	struct bare_numbers numbers = {.rows = command->options};
	bool invalid = false;
	int status = TOOL_OK;

	unc_options_make(&o, command->options, command->ordered);
	while (status == TOOL_OK && (row = unc_options_next(&o, argc, argv, &invalid)))
		if (row->kind == UNC_OPTION_PROGRAM) {
			take_common(command, row, machine);
		} else {
			status = unc_option_store(row, into, optarg);
			note_number(&numbers, row, optarg);
		}
	if (invalid)
		return wrong_option(command);
	if (status == TOOL_OK)
		show_numbers(&numbers);
	return status;
}

int read_only_options(const struct command *command, int argc, char **argv, void *into,
		      const char **machine)
{
	const int status = read_options(command, argc, argv, into, machine);

	return status == TOOL_OK && optind < argc ? unexpected_argument(command, argv[optind])
						  : status;
}

bool whole_number(const char *text, unsigned long least, unsigned long most, unsigned *value)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	*value = (unsigned)n;
	return *text >= '0' && *text <= '9' && !*end && !errno && n >= least && n <= most;
}

int duration_value(const struct command *command, const char *text, double *seconds)
{
	double ms;

	if (!duration_of(text, 1000, &ms))
		return wrong_usage(command,
				   "invalid duration \"%s\": use seconds or a time, for example "
				   "-d 10 or -d 500ms",
				   text);
	*seconds = ms / 1e3;
	return TOOL_OK;
}

int interval_value(const struct command *command, const char *text, const char *example,
		   double *seconds)
{
	double ms;

	if (!duration_of(text, 1, &ms))
		return wrong_usage(command,
				   "invalid interval \"%s\": use milliseconds or a time, for "
				   "example %s",
				   text, example);
	*seconds = ms / 1e3;
	return TOOL_OK;
}
