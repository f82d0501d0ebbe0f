/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - text for the terminal, wrapped to its width. */
#include "screen.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command/base/encode.h"
#include "tools.h"

/* ---- width ---- */

#define WIDTH     80 /* if unknown */
#define MIN_WIDTH 20 /* smaller values are ignored */
#define MAX_WIDTH 10000

/* 0: COLUMNS is unset or invalid. */
static unsigned columns_wanted(void)
{
	const char *text = getenv("COLUMNS");
	char *end = NULL;
	const unsigned long n = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;

	return end && !*end && n >= MIN_WIDTH && n <= MAX_WIDTH ? (unsigned)n : 0;
}

/* 0: not a terminal, or unknown width. */
static unsigned columns_of_terminal(FILE *out)
{
	struct winsize size = {.ws_col = 0};
	const int fd = fileno(out);

	if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col >= MIN_WIDTH ? size.ws_col : 0;
}

struct screen screen_of(FILE *out)
{
	const unsigned wanted = columns_wanted(), terminal = columns_of_terminal(out);
	unsigned width = wanted ? wanted : terminal;

	if (wanted && terminal && wanted > terminal)
		width = terminal;
	return (struct screen){out, width ? width : WIDTH, !width};
}

/* ---- folding ---- */

#define SPACES   " \t\n"
#define BRACKETS 40 /* longest text in brackets that is kept together */

/* The end of the word that closes the brackets, if that is near. */
static size_t word_length(const char *text)
{
	const size_t word = strcspn(text, SPACES);
	int depth = 0;

	for (size_t n = 0; n <= BRACKETS && text[n]; n++) {
		depth += (text[n] == '[') - (text[n] == ']');
		if (n + 1 >= word && depth <= 0 && strchr(SPACES, text[n + 1]))
			return n + 1;
	}
	return word;
}

static unsigned columns_of(const char *text, size_t len)
{
	char *word = text_of("%.*s", (int)len, text);
	const unsigned columns = terminal_columns(word);

	free(word);
	return columns;
}

/* A word that is too long for its column begins in front of it, where that makes it fit. */
static unsigned indent_of(const struct screen *s, unsigned indent, unsigned columns)
{
	return indent + columns <= s->width ? indent : s->width > columns ? s->width - columns : 0;
}

/* Words of a text that can be shown. */
static void fold(const struct screen *s, unsigned at, unsigned hang, const char *text)
{
	const char *gap = "";

	for (text += strspn(text, SPACES); *text; text += strspn(text, SPACES)) {
		const size_t len = word_length(text);
		const unsigned columns = columns_of(text, len);

		if ((*gap || at > hang) && at + strlen(gap) + columns > s->width) {
			at = indent_of(s, hang, columns);
			fprintf(s->out, "\n%*s", (int)at, "");
			gap = "";
		}
		fprintf(s->out, "%s%.*s", gap, (int)len, text);
		at += (unsigned)strlen(gap) + columns;
		gap = " ";
		text += len;
	}
	fputc('\n', s->out);
}

void print_folded(const struct screen *s, unsigned at, unsigned hang, const char *text)
{
	char *shown = terminal_lines(text);

	fold(s, at, hang, shown);
	free(shown);
}

void print_item(const struct screen *s, const char *text)
{
	fprintf(s->out, "  ");
	print_folded(s, 2, 6, text);
}

void print_name(const struct screen *s, unsigned indent, const char *name, unsigned column)
{
	char *shown = terminal_text(name);
	const unsigned end = indent + terminal_columns(shown);

	fprintf(s->out, "%*s%s", (int)indent, "", shown);
	free(shown);
	if (end < column)
		fprintf(s->out, "%*s", (int)(column - end), "");
	else if (s->width == SCREEN_WIDE)
		fputc(' ', s->out);
	else
		fprintf(s->out, "\n%*s", (int)column, "");
}

void print_row(const struct screen *s, unsigned indent, const char *name, unsigned column,
	       const char *text)
{
	print_name(s, indent, name, column);
	print_folded(s, column, column, text);
}

/* ---- formatted text ---- */

void print_paragraph(const struct screen *s, unsigned indent, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	fprintf(s->out, "%*s", (int)indent, "");
	print_folded(s, indent, indent, text);
	free(text);
}

/* Print one line for logs and programs. */
void say(const char *format, ...)
{
	const struct screen terminal = screen_of(stderr);
	va_list args;
	char *text, *shown;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	shown = terminal_lines(text);
	if (isatty(STDERR_FILENO)) {
		fputs("uncore: ", stderr);
		fold(&terminal, 8, 8, shown);
	} else {
		fprintf(stderr, "uncore: %s\n", shown);
	}
	free(shown);
	free(text);
}
