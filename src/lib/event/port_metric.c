/* SPDX-License-Identifier: BSD-3-Clause */
/* port_metric.c - metrics by port (part=), docs/devices.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/name_space.h"
#include "shared/stacks.h"

static const struct unc_port_metric *find(const struct unc_names *n, const struct unc_parsed *p)
{
	for (const struct unc_port_metric *m = unc_port_metrics; m->platform; m++)
		if (m->platform == n->machine->platform &&
		    strcmp(m->metric, p->base->metric->name) == 0)
			return m;
	return NULL;
}

bool unc_is_by_port(const struct unc_names *n, const struct unc_parsed *p)
{
	return find(n, p) != NULL;
}

struct unc_recipe *unc_port_recipe(struct unc_names *n, const struct unc_parsed *p, int *code)
{
	const struct unc_port_metric *m = find(n, p);
	struct unc_recipe *r = calloc(1, sizeof(*r));

	if (!r || !m) {
		*code = unc_fail(n->err, UNCORE_ENOMEM, "out of memory for %s", p->event);
		free(r);
		return NULL;
	}
	r->metric = p->base->recipe->metric;
	r->events[0].above = m->bytes;
	snprintf(r->events[0].event, sizeof(r->events[0].event), "%.*s%u%s",
		 (int)(strstr(m->event, "%u") - m->event), m->event, p->port - 1,
		 strstr(m->event, "%u") + 2);
	return r;
}
