/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - see facts.h. */
#include "command/explain/facts.h"

#include <math.h>
#include <stdlib.h>

double memory_traffic(const struct package_facts *p)
{
	return p->rate[Q_READ] + p->rate[Q_WRITE];
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
	}
	free(facts->at);
	*facts = (struct facts){.packages = 0};
}
