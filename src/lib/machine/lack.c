/* SPDX-License-Identifier: BSD-3-Clause */
/* lack.c - boxes that sums may lack because a discovery table is missing or unclear. */
#include <stdarg.h>
#include <stdio.h>

#include "machine/discovered.h"

int unc_discovered_lack(struct unc_discovered *f, int error, uint64_t packages, const char *format,
			...)
{
	va_list list;
	int n;

	f->lack_packages |= packages ? packages : UNC_ALL_PACKAGES;
	if (f->lack)
		return 0;
	va_start(list, format);
	n = vasprintf(&f->lack, format, list);
	va_end(list);
	if (n < 0)
		f->lack = NULL;
	f->lack_error = error;
	return n < 0 ? UNCORE_ENOMEM : 0;
}

static bool may_lack_in(const struct unc_machine *m, const struct unc_numbers *packages)
{
	for (unsigned p = 0; p < m->topo.n_packages; p++)
		if (m->discovered->lack_packages >> (p < 64 ? p : 63) & 1 &&
		    unc_numbers_have(packages, m->dies[p].socket))
			return true;
	return false;
}

int unc_discovered_lacks(const struct unc_machine *m, const struct unc_box_type *type,
			 const struct unc_numbers *packages, char *why, size_t len)
{
	const struct unc_discovered *f = m->discovered;
	bool found = false;

	if (!f || !f->lack || !may_lack_in(m, packages))
		return 0;
	for (unsigned t = 0; t < f->n_types; t++)
		found |= &f->types[t].type == type || f->types[t].row->free_type == type;
	if (found)
		snprintf(why, len, "a discovery table that is missing may contain a %s: %s",
			 type->name, f->lack);
	return found ? unc_code_of_errno(f->lack_error) : 0;
}
