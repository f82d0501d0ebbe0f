/* SPDX-License-Identifier: BSD-3-Clause */
/* box.c - see box.h. */
#include "command/base/box.h"

#include <stdio.h>
#include <string.h>

const char *box_name(char name[BOX_NAME], const char *kind, unsigned index)
{
	const char last = *kind ? kind[strlen(kind) - 1] : ' ';

	snprintf(name, BOX_NAME, "%s%s%u", kind, last >= '0' && last <= '9' ? "_" : "", index);
	return name;
}

bool is_same_absence(const struct uncore_box_info *a, const struct uncore_box_info *b)
{
	return a->unreached == b->unreached && a->absence == b->absence;
}

const char *box_kind_of(struct uncore *u, unsigned id)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_plan *plan = NULL;
	const char *kind = "box";

	if (uncore_plan(u, &id, 1, NULL, &plan) == 0 && uncore_plan_assignment(plan, 0, &a) == 1)
		kind = a.kind;
	uncore_plan_free(plan);
	return kind;
}
