/* SPDX-License-Identifier: BSD-3-Clause */
/* fair.c - see fair.h. */
#include "daemon/fair.h"

#include <stdbool.h>

/* If the table is full, the flow that was added first is replaced. */
size_t fair_flow(struct fair *f, unsigned user, unsigned kind)
{
	size_t i = 0;

	while (i < f->n && (f->flow[i].user != user || f->flow[i].kind != kind))
		i++;
	if (i < f->n)
		return i;
	if (f->n < FAIR_FLOWS)
		f->n++;
	else
		i = f->replaced++ % FAIR_FLOWS;
	f->flow[i] = (struct fair_flow){.user = user, .kind = kind, .at = f->now - 1};
	return i;
}

/* A flow does not accumulate the time in which it had no work. */
static int64_t start_of(const struct fair *f, size_t flow)
{
	return f->flow[flow].at > f->now ? f->flow[flow].at : f->now;
}

/* If two may start at the same time, the flow that was idle comes first. */
static bool is_before(const struct fair *f, size_t a, size_t b)
{
	const int64_t start_a = start_of(f, a), start_b = start_of(f, b);

	return start_a != start_b ? start_a < start_b : f->flow[a].at < f->flow[b].at;
}

size_t fair_next(const struct fair *f, const size_t *flows, size_t n)
{
	size_t next = 0;

	for (size_t i = 1; i < n; i++)
		if (is_before(f, flows[i], flows[next]))
			next = i;
	return next;
}

void fair_charge(struct fair *f, size_t flow, int64_t ns)
{
	f->now = start_of(f, flow);
	f->flow[flow].at = f->now + ns;
}
