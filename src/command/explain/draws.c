/* SPDX-License-Identifier: BSD-3-Clause */
/* draws.c - see draws.h. */
#include "command/explain/draws.h"

#include <math.h>
#include <string.h>

#include "command/base/text.h"

#define TWO_SIGMA  2.0 /* an error is exceeded by 5 of 100 */
#define WINDOWS    ((size_t)2 * QUANTITIES)
#define UNIFORMS   12 /* whose sum has a variance of 1 */
#define MULTIPLIER UINT64_C(6364136223846793005)
#define INCREMENT  UINT64_C(1442695040888963407)

bool has_deviations(const struct facts *f)
{
	for (unsigned p = 0; p < f->packages; p++) {
		for (unsigned q = 0; q < QUANTITIES; q++)
			if (f->at[p].deviation[q] > 0)
				return true;
		if (f->at[p].before_error > 0 || f->at[p].own_error > 0)
			return true;
	}
	return false;
}

/* The same numbers in each run: an answer must not change if it is asked for again. */
static double next_normal(uint64_t *state)
{
	double sum = -UNIFORMS / 2.0;

	for (int i = 0; i < UNIFORMS; i++) {
		*state = *state * MULTIPLIER + INCREMENT;
		sum += ldexp((double)(*state >> 11), -53);
	}
	return sum;
}

static double changed(double rate, double deviation, double by)
{
	return deviation > 0 ? fmax(rate + by * deviation, 0) : rate;
}

static void draw_package(struct package_facts *p, uint64_t *state)
{
	double by[WINDOWS];

	for (size_t i = 0; i < WINDOWS; i++)
		by[i] = next_normal(state);
	for (size_t q = 0; q < QUANTITIES; q++)
		p->rate[q] = changed(p->rate[q], p->deviation[q], by[p->window[q] % WINDOWS]);
	p->before = changed(p->before, p->before_error / TWO_SIGMA, next_normal(state));
	p->own = p->has_own ? changed(p->own, p->own_error / TWO_SIGMA, next_normal(state)) : 0;
}

struct facts draw_facts(const struct facts *f, uint64_t *state)
{
	struct facts draw = *f;

	draw.at = need_memory(f->packages, sizeof(*draw.at));
	memcpy(draw.at, f->at, f->packages * sizeof(*draw.at));
	for (unsigned p = 0; p < f->packages; p++)
		draw_package(&draw.at[p], state);
	return draw;
}
