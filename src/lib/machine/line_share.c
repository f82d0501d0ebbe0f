/* SPDX-License-Identifier: BSD-3-Clause */
/* line_share.c - the share of memory that belongs to a slice of the last-level cache. */
#include "machine/machine.h"

/* 0: a slice is missing, so their number is not that of the hash. */
static unsigned slices_of_package(const struct unc_machine *m, const struct unc_box *slice)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (b->type != slice->type || b->socket != slice->socket)
			continue;
		if (b->absent)
			return 0;
		n++;
	}
	return n;
}

static const struct unc_slice_lines *find_lines(const struct unc_machine *m,
						const struct unc_box *slice)
{
	const struct unc_slice_lines *l = unc_slice_lines;
	const unsigned n = m->n_dies > 1 ? 0 : slices_of_package(m, slice);

	while (l->platform && (l->platform != m->platform || l->slices != n ||
			       strcmp(l->kind, slice->type->name) != 0))
		l++;
	return l->platform ? l : NULL;
}

double unc_line_share(const struct unc_machine *m, const struct unc_box *slice)
{
	const struct unc_slice_lines *l = find_lines(m, slice);
	unsigned first = 0, all = 0, own = 0;

	for (size_t i = 0; l && l->runs[i].slices; i++) {
		const unsigned n = l->runs[i].slices, lines = l->runs[i].lines;

		if (slice->number >= first && slice->number < first + n)
			own = lines;
		all += n * lines;
		first += n;
	}
	return own ? (double)own / all : 0;
}
