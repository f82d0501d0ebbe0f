/* SPDX-License-Identifier: BSD-3-Clause */
/* decode.c - the events that the values of registers select. */
#include "set/set.h"

int uncore_decode(struct uncore *u, unsigned box, int counter, uint64_t control,
		  const uint64_t *filters, size_t n_filters, char (*names)[UNCORE_NAME_MAX + 1],
		  size_t most, bool *enabled)
{
	const struct unc_machine *m;
	const struct unc_box_type *t;
	const int r = unc_unopened(u);

	if (r < 0)
		return r;
	m = &u->machine;
	if (box >= m->n_boxes)
		return unc_fail(&u->err, UNCORE_EINVAL, "invalid box number: %u", box);
	t = m->boxes[box].type;
	if (enabled)
		*enabled = (control & unc_busy_bits(m, t, 0)) != 0;
	return (int)unc_names_decode(u->names, t, counter, control, filters, (unsigned)n_filters,
				     names, (unsigned)most);
}
