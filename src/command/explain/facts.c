/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - see facts.h. */
#include "command/explain/facts.h"

#include <math.h>
#include <stdlib.h>

double memory_traffic(const struct package_facts *p)
{
	return p->rate[Q_READ] + p->rate[Q_WRITE];
}

/* Both are of the same time, so that their errors add up. */
double memory_error(const struct package_facts *p)
{
	return p->error[Q_READ] + p->error[Q_WRITE];
}

double program_traffic(const struct package_facts *p, double *error)
{
	*error = p->has_own ? p->own_error : memory_error(p) + p->before_error;
	if (p->has_own)
		return p->own;
	return memory_traffic(p) > p->before ? memory_traffic(p) - p->before : 0 * p->before;
}

const char *topic_of(enum quantity q)
{
	static const char *const topics[QUANTITIES] = {
#define QUANTITY(name, part, topic, event, alternative) topic,
#include "command/explain/quantities.def"
#undef QUANTITY
	};

	return topics[q];
}

const char *quantity_name(const struct facts *f, enum quantity q)
{
	for (unsigned p = 0; p < f->packages; p++)
		if (f->at[p].name[q])
			return f->at[p].name[q];
	return NULL;
}

bool is_unanswered(const struct facts *f, enum quantity q)
{
	for (unsigned p = 0; p < f->packages; p++)
		if (f->at[p].name[q] && isnan(f->at[p].rate[q]))
			return true;
	return false;
}

double ratio_of(const struct package_facts *p, enum quantity a, enum quantity b)
{
	return p->rate[b] > 0 ? p->rate[a] / p->rate[b] : (double)NAN;
}

void facts_free(struct facts *facts)
{
	for (unsigned p = 0; p < facts->packages; p++) {
		free(facts->at[p].channels.at);
		free(facts->at[p].slices.at);
		free(facts->at[p].stacks.at);
	}
	free(facts->at);
	*facts = (struct facts){.packages = 0};
}
