/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - see pace.h. */
#include "count/pace.h"

static unsigned better(const struct unc_pace *pace)
{
	return pace->ns[1] < pace->ns[0];
}

static bool is_tried_again(const struct unc_pace *pace)
{
	return pace->n >= UNC_PACE_LEARN && pace->n % UNC_PACE_AGAIN < 2;
}

unsigned unc_pace_way(const struct unc_pace *pace)
{
	if (pace->n < UNC_PACE_LEARN)
		return 1 - pace->n % 2;
	return is_tried_again(pace) ? 1 - better(pace) : better(pace);
}

bool unc_pace_keeps(const struct unc_pace *pace, unsigned way)
{
	if (pace->n < UNC_PACE_LEARN)
		return pace->n > 0;
	return is_tried_again(pace) || better(pace) == way;
}

/*
 * At first the shortest time, since a thread that is new, or waits for a CPU, takes long; then a
 * step towards each time, so that one that took very long is no more than one.
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
