/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted_names.h - the names of the events that this handle counts, for processes of the same user
 * that count the same ones.  Under the handle's lock.
 */
#ifndef UNC_COUNTED_NAMES_H
#define UNC_COUNTED_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* One owner's, for instance a set's. */
struct unc_named {
	const void *by;
	char *names; /* each ends with 0 */
	size_t bytes;
};

struct unc_counted_names {
	size_t n, room;
	struct unc_named *at;
	bool changed; /* since the journal was written */
};

void unc_counted_names_free(struct unc_counted_names *all);

/* false: no memory */
bool unc_counted_names_add(struct unc_counted_names *all, const void *by, const char *const *names,
			   size_t n);
/* Nothing if the owner has none. */
void unc_counted_names_remove(struct unc_counted_names *all, const void *by);

/* All names, as in a journal: their bytes, and a copy of them. */
size_t unc_counted_names_bytes(const struct unc_counted_names *all);
void unc_counted_names_copy(const struct unc_counted_names *all, char *to);

#endif
