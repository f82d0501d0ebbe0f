/* SPDX-License-Identifier: BSD-3-Clause */
/* without_lists.c - replaces lists.c and its parts in builds without event lists (LISTS=no). */
#include <stdlib.h>
#include <unistd.h>

#include "base/warnings.h"
#include "event/lists.h"

#define UNREAD                                                                                    \
	"Intel's event lists were left out when this was built (LISTS=no); build it with json-c " \
	"and without LISTS=no"

struct unc_lists {
	struct unc_warnings warnings;
};

int unc_lists_load(struct unc_lists **out, const struct unc_lists_from *from, struct unc_err *err)
{
	struct unc_lists *l = calloc(1, sizeof(*l));
	int r = l ? 0 : UNCORE_ENOMEM;

	*out = l;
	if (r == 0 && from->paths && *from->paths)
		return unc_fail(err, UNCORE_ENOSUPP, "cannot read %s: " UNREAD, from->paths);
	if (r == 0 && from->directory && access(from->directory, F_OK) == 0)
		r = unc_warnings_add(&l->warnings, UNCORE_WARNING_EVENT_LISTS,
				     "ignoring the lists in %s: " UNREAD, from->directory);
	return r < 0 ? unc_fail(err, r, "out of memory for event lists") : 0;
}

void unc_lists_free(struct unc_lists *l)
{
	if (!l)
		return;
	unc_warnings_free(&l->warnings);
	free(l);
}

const struct unc_row *unc_lists_rows(const struct unc_lists *l, const struct unc_box_type *type)
{
	(void)l;
	return type->rows;
}

const struct unc_warning *unc_lists_warning(const struct unc_lists *l, unsigned i)
{
	return l ? unc_warning(&l->warnings, i) : NULL;
}

const char *unc_lists_skipped(const struct unc_lists *l, const char *event, const char *umask)
{
	(void)l, (void)event, (void)umask;
	return NULL;
}
