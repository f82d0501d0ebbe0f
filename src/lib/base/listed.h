/* SPDX-License-Identifier: BSD-3-Clause */
/* listed.h - whether a list of names, separated by blanks, has a name. */
#ifndef UNC_LISTED_H
#define UNC_LISTED_H

#include <stdbool.h>
#include <string.h>

static inline bool unc_is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (; *list; list += strcspn(list, " "), list += *list == ' ')
		if (strncmp(list, name, length) == 0 && (list[length] == ' ' || !list[length]))
			return true;
	return false;
}

#endif
