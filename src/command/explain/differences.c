/* SPDX-License-Identifier: BSD-3-Clause */
/* differences.c - see differences.h. */
#include "command/explain/differences.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/explain/explanation.h"

bool findings_have(const struct findings *list, const struct finding *found)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].diagnosis == found->diagnosis &&
		    list->at[i].package == found->package)
			return true;
	return false;
}

bool is_of_phases(const struct finding *found)
{
	static const char *const others[] = {"none", "background", "other-programs"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(found->diagnosis->id, others[i]) == 0)
			return false;
	return true;
}

char *differences_of(const struct findings *whole, const struct findings *part)
{
	char *text = text_of("%s", "");

	for (size_t i = 0; i < part->n; i++)
		if (!findings_have(whole, &part->at[i]))
			text = text_and(text, "+%s/%u ", part->at[i].diagnosis->id,
					part->at[i].package);
	for (size_t i = 0; i < whole->n; i++)
		if (is_of_phases(&whole->at[i]) && !findings_have(part, &whole->at[i]))
			text = text_and(text, "-%s/%u ", whole->at[i].diagnosis->id,
					whole->at[i].package);
	return text;
}

size_t first_phase_like(const struct explanation *e, size_t i)
{
	const struct findings *whole = &e->whole.findings;
	char *own = differences_of(whole, &e->phases[i].findings);
	size_t first = 0;
	bool same = false;

	while (!same) {
		char *other = differences_of(whole, &e->phases[first].findings);

		same = strcmp(own, other) == 0;
		first += !same;
		free(other);
	}
	free(own);
	return first;
}
