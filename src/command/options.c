/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - options common to all subcommands, help, and invalid options. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void print_usage(const struct screen *s, const char *before, const struct command *c)
{
	const int at = fprintf(s->out, "%suncore %s ", before, c->name);

	print_folded(s, (unsigned)at, at <= (int)s->width / 2 ? (unsigned)at : USAGE_INDENT,
		     c->usage);
}

void print_command_help(const struct command *c)
{
	const struct screen s = screen_of(stdout);

	print_usage(&s, "Usage: ", c);
	fputc('\n', s.out);
	print_lines(&s, c->help);
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

int next_option(int argc, char **argv, const char *letters, const struct option *options,
		const struct command *command, const char **machine)
{
	int c;

	while ((c = getopt_long(argc, argv, letters, options, NULL)) == OPTION_MACHINE)
		*machine = optarg;
	if (c == 'h') {
		print_command_help(command);
		exit(end_output(TOOL_OK));
	}
	if (c == '?')
		exit(wrong_option(command));
	return c;
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
