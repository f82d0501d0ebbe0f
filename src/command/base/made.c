/* SPDX-License-Identifier: BSD-3-Clause */
/* made.c - see made.h. */
#include "command/base/made.h"

#include <string.h>
#include <time.h>

#include "command/base/text.h"
#include "uncore.h"

/* An argument as it is typed in a shell. */
static char *and_argument(char *text, const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%+=:,./_-";

	if (*argument && argument[strspn(argument, plain)] == '\0')
		return text_and(text, " %s", argument);
	text = text_and(text, " '");
	for (; *argument; argument++)
		text = text_and(text, *argument == '\'' ? "'\\''" : "%c", *argument);
	return text_and(text, "'");
}

char *made_by(const char *command, char *const *arguments)
{
	char host[HOST_TEXT], when[TIME_TEXT], *text;

	text = text_of("%s, %s, uncore %s: uncore %s", text_of_host(host),
		       text_of_time(when, (int64_t)time(NULL)), uncore_version(), command);
	for (; *arguments; arguments++)
		text = and_argument(text, *arguments);
	return text;
}
