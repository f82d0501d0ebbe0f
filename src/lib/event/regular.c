/* SPDX-License-Identifier: BSD-3-Clause */
/* regular.c - which events are in the regular list of Intel's lists; struct unc_regular. */
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

static const struct unc_regular *find(const struct unc_regular *rows, const char *event)
{
	while (rows->event && strcasecmp(rows->event, event) != 0)
		rows++;
	return rows->event ? rows : NULL;
}

static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);

	for (const char *w = words; *w; w += strspn(w, " ")) {
		const size_t n = strcspn(w, " ");

		if (n == len && strncasecmp(w, word, n) == 0)
			return true;
		w += n;
	}
	return false;
}

bool unc_event_is_regular(const struct unc_platform *platform, const char *event)
{
	return find(platform->desc->regular, event) != NULL;
}

bool unc_umask_is_regular(const struct unc_platform *platform, const char *event, const char *umask)
{
	const struct unc_regular *row =
		platform->desc->regular ? find(platform->desc->regular, event) : NULL;

	return row && has_word(row->umasks, umask);
}
