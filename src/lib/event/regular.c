/* SPDX-License-Identifier: BSD-3-Clause */
/* regular.c - which events are in the regular list of Intel's lists; unc_platform_desc.regular. */
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

/* The word at w, up to a blank or the end of its line. */
static bool is_word(const char *w, const char *word)
{
	const size_t len = strcspn(w, " \n");

	return len == strlen(word) && strncasecmp(w, word, len) == 0;
}

/* The line of an event. */
static const char *find(const char *lines, const char *event)
{
	while (*lines && !is_word(lines, event))
		lines += strcspn(lines, "\n") + 1;
	return *lines ? lines : NULL;
}

static bool line_has(const char *line, const char *word)
{
	while (*line != '\n' && !is_word(line, word)) {
		line += strcspn(line, " \n");
		line += strspn(line, " ");
	}
	return *line != '\n';
}

bool unc_event_is_regular(const struct unc_platform *platform, const char *event)
{
	return find(platform->desc->regular, event) != NULL;
}

bool unc_umask_is_regular(const struct unc_platform *platform, const char *event, const char *umask)
{
	const char *line = platform->desc->regular ? find(platform->desc->regular, event) : NULL;

	return line && line_has(line + strlen(event), umask);
}
