/* SPDX-License-Identifier: BSD-3-Clause */
/* counted_names.c - see counted_names.h. */
#include "claim/counted_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

void unc_counted_names_free(struct unc_counted_names *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->at[i].names);
	free(all->at);
	*all = (struct unc_counted_names){.n = 0};
}

bool unc_counted_names_add(struct unc_counted_names *all, const void *by, const char *const *names,
			   size_t n)
{
	struct unc_named one = {.by = by};
	char *p;

	for (size_t i = 0; i < n; i++)
		one.bytes += strlen(names[i]) + 1;
	one.names = p = malloc(one.bytes + 1);
	if (!p || !unc_room_for_one((void **)&all->at, all->n, &all->room, sizeof(*all->at))) {
		free(p);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, names[i]) + 1;
	all->at[all->n++] = one;
	all->changed = true;
	return true;
}

void unc_counted_names_remove(struct unc_counted_names *all, const void *by)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->at[i].by != by)
			continue;
		free(all->at[i].names);
		all->at[i] = all->at[--all->n];
		all->changed = true;
		return;
	}
}

size_t unc_counted_names_bytes(const struct unc_counted_names *all)
{
	size_t bytes = 0;

	for (size_t i = 0; i < all->n; i++)
		bytes += all->at[i].bytes;
	return bytes;
}

void unc_counted_names_copy(const struct unc_counted_names *all, char *to)
{
	for (size_t i = 0; i < all->n; i++) {
		memcpy(to, all->at[i].names, all->at[i].bytes);
		to += all->at[i].bytes;
	}
}
