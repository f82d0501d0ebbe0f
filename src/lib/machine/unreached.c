/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unreached.c - boxes that exist, or may exist, and could not be accessed: warn of what sums
 * lack, and why.
 */
#include <stdarg.h>
#include <stdio.h>

#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/discovered.h"

int unc_unreached(const struct unc_machine *m, const struct unc_box_type *type,
		  const struct unc_places *where, char *why, size_t len)
{
	size_t i, end = unc_boxes_of(m, type, &i);

	for (; i < end; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (!b->unreached || !unc_box_is_at(b, where))
			continue;
		snprintf(why, len, "%s%s%u of package %u cannot be reached: %s", type->name,
			 unc_gap(type), b->number, b->socket, b->absent);
		return unc_code_of_errno(b->unreached);
	}
	return unc_discovered_lacks(m, type, &where->packages, why, len);
}

/* ---- warnings ---- */

static bool any_usable(const struct unc_machine *m, const struct unc_box_type *type)
{
	size_t i, end = unc_boxes_of(m, type, &i);

	while (i < end && m->boxes[i].absent)
		i++;
	return i < end;
}

/* Consecutive boxes with the same error are reported together. */
static size_t end_of_run(const struct unc_machine *m, size_t i, size_t end)
{
	const struct unc_box *first = &m->boxes[i];

	while (i < end && m->boxes[i].unreached == first->unreached &&
	       m->boxes[i].package == first->package)
		i++;
	return i;
}

static int warn_of_run(struct unc_machine *m, size_t i, size_t end)
{
	const struct unc_box *first = &m->boxes[i], *last = &m->boxes[end - 1];
	const char *name = first->type->name, *gap = unc_gap(first->type);
	char to[48] = "";

	m->incomplete = true;
	if (last != first)
		snprintf(to, sizeof(to), " to %s%s%u", name, gap, last->number);
	return unc_warnings_add(&m->warnings, UNCORE_WARNING_BOXES_UNREACHED,
				"%s%s%u%s of package %u cannot be reached, so sums over %s %s: %s",
				name, gap, first->number, to, first->socket, name,
				m->partial ? "do not include them"
					   : "are refused (set UNCORE_PARTIAL=1 to count the rest)",
				first->absent);
}

static int warn_of_type(struct unc_machine *m, const struct unc_box_type *type)
{
	size_t i, end = unc_boxes_of(m, type, &i);
	int r = 0;

	/* if no box can be used the event is refused, so there is no sum */
	while (r == 0 && i < end && any_usable(m, type)) {
		const size_t next = end_of_run(m, i, end);

		r = m->boxes[i].unreached ? warn_of_run(m, i, next) : 0;
		i = next;
	}
	return r;
}

int unc_warn_of_unreached(struct unc_machine *m)
{
	int r = 0;

	for (unsigned t = 0; r == 0 && m->types[t]; t++)
		r = warn_of_type(m, m->types[t]);
	if (!m->discovered || !m->discovered->lack)
		return r;
	m->incomplete |= m->n_boxes > 0;
	if (r == 0)
		r = unc_warnings_add(&m->warnings, UNCORE_WARNING_TABLES,
				     "boxes of a discovery table may be missing, so sums over the "
				     "boxes of such tables %s: %s",
				     m->partial ? "do not include them"
						: "are refused (set UNCORE_PARTIAL=1 to count the "
						  "rest)",
				     m->discovered->lack);
	return r;
}

/*
 * Boxes that sums may lack because a discovery table is missing or unclear.
 */

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
