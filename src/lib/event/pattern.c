/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - match names against patterns of the tables, in which * stands for any letters. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

static bool same_letter(char a, char b)
{
	return toupper((unsigned char)a) == toupper((unsigned char)b);
}

bool unc_like(const char *pattern, const char *name, struct unc_star *star)
{
	for (; *pattern != '*' && same_letter(*pattern, *name); pattern++, name++)
		if (!*pattern)
			return true;
	for (int i = 0; *pattern == '*'; i++) {
		star->at = NULL;
		if (unc_like(pattern + 1, name + i, star)) {
			*star = star->at ? *star : (struct unc_star){name, i};
			return true;
		}
		if (!name[i])
			return false;
	}
	return false;
}

void unc_like_fill(const char *text, const struct unc_star *star, char *out, size_t len)
{
	const char *gap = star->at ? strchr(text, '*') : NULL;

	if (gap)
		snprintf(out, len, "%.*s%.*s%s", (int)(gap - text), text, star->len, star->at,
			 gap + 1);
	else
		snprintf(out, len, "%s", text);
}
