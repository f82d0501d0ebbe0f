/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unreached.c - boxes that exist, or may exist, and could not be accessed: warn of what sums
 * lack, and why.
 */
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
