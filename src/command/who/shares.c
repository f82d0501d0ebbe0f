/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.c - see shares.h. */
#include "command/who/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/rate.h"
#include "command/base/text.h"

struct share *shares_of(struct shares *s, const char *owner)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->list[i].owner, owner) == 0)
			return &s->list[i];
	s->list = need_more(s->list, s->n + 1, sizeof(*s->list));
	s->list[s->n] = (struct share){.owner = text_of("%s", owner)};
	return &s->list[s->n++];
}

void shares_free(struct shares *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].owner);
	free(s->list);
	*s = (struct shares){NULL, 0};
}

struct counted_time time_between(struct looked_at from, struct looked_at to)
{
	return (struct counted_time){
		(to.after + to.before - from.after - from.before) / 2,
		(to.after - to.before + from.after - from.before) / 2,
	};
}

#define UNEVEN 3    /* traffic of bursts that begins or ends with the interval, of the mean */
#define KNOWN  0.25 /* of a time: less than this may be uncertain, or a rate says nothing */

double rate_doubt(double all_bytes, struct counted_time time)
{
	if (!(time.doubt < KNOWN * time.seconds))
		return INFINITY;
	return UNEVEN * (per_second(all_bytes, time.seconds - time.doubt) -
			 per_second(all_bytes, time.seconds));
}

void share_rate(struct share *share, unsigned package, double bytes, double all_bytes,
		struct counted_time time)
{
	if (!(all_bytes > 0))
		return;
	share->rate[package] += per_second(bytes, time.seconds);
	share->doubt[package] += rate_doubt(all_bytes, time);
}

static void add(double *a, const double *b, double sign)
{
	for (unsigned p = 0; p < WHO_PACKAGES; p++)
		a[p] += sign * b[p];
}

static void add_all(struct share_values *a, const struct share_values *b, double sign)
{
	add(a->total, b->total, sign);
	add(a->local, b->local, sign);
	add(a->joules, b->joules, sign);
	add(a->occupancy, b->occupancy, sign);
}

void share_add(struct share_values *a, const struct share_values *b)
{
	add_all(a, b, 1);
}

void share_subtract(struct share_values *a, const struct share_values *b)
{
	add_all(a, b, -1);
}

double sum_of_packages(const double *values)
{
	double sum = 0;

	for (unsigned p = 0; p < WHO_PACKAGES; p++)
		sum += values[p];
	return sum;
}
