/* SPDX-License-Identifier: BSD-3-Clause */
/* fair.c - see fair.h. */
#include "daemon/fair.h"

#include <stdbool.h>

/* A flow does not accumulate the time in which it had no work. */
static int64_t start_of(const struct fair *f, int64_t flow)
{
	return flow > f->now ? flow : f->now;
}

/* If two may start at the same time, the flow that was idle comes first. */
static bool is_before(const struct fair *f, int64_t a, int64_t b)
{
	const int64_t start_a = start_of(f, a), start_b = start_of(f, b);

	return start_a != start_b ? start_a < start_b : a < b;
}

size_t fair_next(const struct fair *f, int64_t *const *flows, size_t n)
{
	size_t next = 0;

	for (size_t i = 1; i < n; i++)
		if (is_before(f, *flows[i], *flows[next]))
			next = i;
	return next;
}

void fair_charge(struct fair *f, int64_t *flow, int64_t ns)
{
	f->now = start_of(f, *flow);
	*flow = f->now + ns;
}
