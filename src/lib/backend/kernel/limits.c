/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - errors of the Linux driver that its format files do not show.  Read from its
 * sources, 6.1 to 7.2; see docs/reference/differences.md and docs/hardware.
 */
#include <string.h>

#include "backend/kernel/perf.h"

#define ANY       UINT64_MAX
#define HIGH_HALF (ANY << 32)
#define ABOVE_0   (ANY << 8) /* of each byte of a word */

static const struct limit {
	char platforms[32], kinds[32]; /* " a b " */
	unsigned word;                 /* events with one of these bits set in a config word */
	uint64_t bits;
	unsigned from; /* first box number */
	const char *why;
} limits[] = {
	{" hswep bdx skx icx ", " pcu ", 1, ABOVE_0, 0,
	 "it reads frequency bands 1 to 3 from the wrong bits of config1"},
	{" skx icx ", " upi ", 0, HIGH_HALF, 0, "it writes only the lower half of the control"},
	{" icx ", " m2m ", 0, HIGH_HALF, 0, "it writes only the lower half of the control"},
	{" spr emr gnr srf cwf ", " imc hbm cxlcm cxldp b2cxl ", 0, HIGH_HALF, 0,
	 "it writes only the lower half of the control"},
	{" spr emr ", " upi m3upi ", 0, ANY, 1, "it counts link 0 instead of each link"},
};

static bool is_one_of(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

const char *unc_perf_limit(const struct unc_machine *m, const struct unc_box *box,
			   const uint64_t config[UNC_PERF_WORDS])
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const struct limit *l = &limits[i];

		if (is_one_of(l->platforms, m->platform->name) &&
		    is_one_of(l->kinds, box->type->name) && box->index >= l->from &&
		    (config[l->word] & l->bits))
			return l->why;
	}
	return NULL;
}
