/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - see pace.h. */
#include "count/pace.h"

unsigned unc_pace_method(const struct unc_pace *pace)
{
	const unsigned better = pace->ns[1] < pace->ns[0];

	if (pace->n < UNC_PACE_LEARN)
		return 1 - pace->n % 2;
	return pace->n % UNC_PACE_AGAIN < 2 ? 1 - better : better;
}

/*
 * The shortest time at first, since a thread that is new or waits for a CPU takes long; then a
 * step towards each measured time, so that an outlier has little effect.
 */
void unc_pace_note(struct unc_pace *pace, unsigned way, int64_t ns)
{
	int64_t *typical = &pace->ns[way];

	if (*typical == 0 || (pace->n < UNC_PACE_LEARN && ns < *typical))
		*typical = ns;
	else if (pace->n >= UNC_PACE_LEARN)
		*typical += ns > *typical ? *typical / 8 + 1 : -(*typical / 8);
	pace->n++;
}
