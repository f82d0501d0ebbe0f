/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - see text.h. */
#include "command/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void end_without_memory(void)
{
	fputs("uncore: out of memory\n", stderr);
	exit(STATUS_FAILED);
}

/* ---- text ---- */

FILE *begin_text(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (!out)
		end_without_memory();
	return out;
}

void end_text(FILE *out)
{
	if (fclose(out) != 0)
		end_without_memory();
}

char *text_of_list(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		end_without_memory();
	return text;
}

char *text_of(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	return text;
}

char *text_and(char *text, const char *format, ...)
{
	va_list args;
	char *more, *both;

	va_start(args, format);
	more = text_of_list(format, args);
	va_end(args);
	both = text_of("%s%s", text, more);
	free(more);
	free(text);
	return both;
}

size_t folded_length(const char *text, size_t room)
{
	size_t cut = room;

	if (strlen(text) <= room)
		return strlen(text);
	while (cut > 0 && text[cut] != ' ')
		cut--;
	return cut ? cut : room;
}

const char *text_of_time(char text[TIME_TEXT], int64_t since)
{
	const time_t then = (time_t)since;
	struct tm t;

	if (!localtime_r(&then, &t) || !strftime(text, TIME_TEXT, "%Y-%m-%d %H:%M:%S", &t))
		snprintf(text, TIME_TEXT, "an unknown time");
	return text;
}

const char *text_of_host(char text[HOST_TEXT])
{
	*text = '\0';
	gethostname(text, HOST_TEXT - 1);
	text[HOST_TEXT - 1] = '\0';
	return text;
}

/* ---- memory ---- */

void *need_memory(size_t n, size_t size)
{
	void *memory = calloc(n ? n : 1, size);

	if (!memory)
		end_without_memory();
	return memory;
}

void *need_more(void *memory, size_t n, size_t size)
{
	void *more = reallocarray(memory, n ? n : 1, size);

	if (!more)
		end_without_memory();
	return more;
}
