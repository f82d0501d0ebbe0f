/* SPDX-License-Identifier: BSD-3-Clause */
/* alias.c - Intel's names of events that the tables have under another name; struct unc_alias. */
#include <stdio.h>

#include "event/name_space.h"

bool unc_alias_event(const struct unc_alias *aliases, const char *word, unsigned *next,
		     char out[UNCORE_NAME_MAX + 1])
{
	for (const struct unc_alias *a = aliases ? aliases + *next : NULL; a && *a->event; a++) {
		struct unc_star star = {NULL, 0};

		++*next;
		if (a->of_umask || a->refused || !unc_like(a->event, word, &star))
			continue;
		unc_like_fill(a->is, &star, out, UNCORE_NAME_MAX + 1);
		return true;
	}
	return false;
}

bool unc_alias_umask(const struct unc_alias *aliases, const char *event, const char *umask,
		     char out[UNCORE_NAME_MAX + 1])
{
	for (const struct unc_alias *a = aliases; a && *a->event; a++) {
		struct unc_star star = {NULL, 0}, of_umask = {NULL, 0};

		if (!a->of_umask || a->refused || !unc_like(a->umask, umask, &of_umask) ||
		    !unc_like(a->event, event, &star))
			continue;
		unc_like_fill(a->is, &of_umask, out, UNCORE_NAME_MAX + 1);
		return true;
	}
	return false;
}

const char *unc_alias_refused(const struct unc_alias *aliases, const char *event, const char *umask)
{
	for (const struct unc_alias *a = aliases; a && *a->event; a++) {
		struct unc_star star = {NULL, 0};

		if (a->refused && a->of_umask == (umask != NULL) &&
		    unc_like(a->event, event, &star) &&
		    (!umask || unc_like(a->umask, umask, &star)))
			return a->is;
	}
	return NULL;
}
