/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_name.c - node= in the name of an event, before it is parsed: the node's package and boxes
 * take its place (docs/nodes.md).
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "device/nodes.h"
#include "event/foreign.h"
#include "event/name_space.h"

#define PREFIX    "uncore:::"
#define QUALIFIER ":node="

struct given {
	struct unc_names *names;
	char node[UNC_NODE_NAME];
	char event[UNC_OWN_NAME]; /* the name without node= */
};

/* 1: g has the node and the rest; 0: not found. */
static int cut_node(struct given *g, const char *text)
{
	const char *at = strcasestr(text, QUALIFIER), *value;
	size_t len;

	if (!at)
		return 0;
	value = at + strlen(QUALIFIER);
	len = strcspn(value, ":");
	if (strcasestr(value, QUALIFIER))
		return unc_fail(g->names->err, UNCORE_EATTR,
				"two nodes in %.80s: use an event for each", text);
	if (len >= sizeof(g->node) || strlen(text) >= UNC_OWN_NAME || len == 0)
		return unc_fail(g->names->err, UNCORE_EATTR,
				"invalid node= in %.80s: expected the number of a NUMA node", text);
	snprintf(g->node, sizeof(g->node), "%.*s", (int)len, value);
	snprintf(g->event, sizeof(g->event), "%.*s%s", (int)(at - text), text, value + len);
	return 1;
}

static int check_places(const struct given *g, const struct unc_parsed *p)
{
	const struct unc_places *w = &p->where;

	if (!w->boxes.n && !w->packages.n && w->die < 0 && !p->all_boxes && !p->all_packages)
		return 0;
	return unc_fail(g->names->err, UNCORE_EATTR,
			"node=%s cannot be combined with box=, pkg=, die= and cpu= in %s: the node "
			"determines them",
			g->node, p->event);
}

/* Of all events of a metric; NULL: of several types. */
static const struct unc_box_type *type_of(const struct given *g, const struct unc_parsed *p)
{
	const struct unc_pmu *pmu = p->pmu;

	if (p->base && p->base->metric)
		pmu = unc_recipe_pmu(g->names, p->base->recipe);
	return pmu ? pmu->type : NULL;
}

static int finish(const struct given *g, const struct unc_node_boxes *at, char own[UNC_OWN_NAME])
{
	const struct unc_machine *m = g->names->machine;
	const struct unc_die *die = &m->dies[at->package];
	char boxes[UNC_NUMBERS_TEXT], in_die[24] = "";

	if (m->n_dies > 1)
		snprintf(in_die, sizeof(in_die), ":die=%u", die->die);
	if (snprintf(own, UNC_OWN_NAME, "%s%s%s:pkg=%u%s", g->event, at->boxes.n ? ":box=" : "",
		     at->boxes.n ? unc_numbers_short_text(&at->boxes, boxes) : "", die->socket,
		     in_die) >= (int)UNC_OWN_NAME)
		return unc_fail(g->names->err, UNCORE_EINVAL, "event name is too long: %.40s...",
				g->event);
	return 1;
}

static bool is_unmeasurable(const struct unc_parsed *p)
{
	return p->base && p->base->metric && !p->base->recipe;
}

#define REFUSED_LATER 1 /* whatever the node */

static int find(struct given *g, const struct unc_nodes *nodes, struct unc_node_boxes *at)
{
	const struct unc_node *node = unc_node_named(nodes, g->node);
	struct unc_parsed p = {.pmu = NULL};
	char own[UNC_OWN_NAME], last[UNC_NODE_NAME];
	int r;

	if (!node)
		return unc_fail(g->names->err, UNCORE_ENODEV,
				"no NUMA node %s: the last of the %zu nodes of this machine is %s",
				g->node, nodes->n, unc_node_name(&nodes->node[nodes->n - 1], last));
	r = unc_foreign(g->names, g->event, own);
	if (r >= 0)
		r = unc_parse(g->names, r ? own : g->event, &p);
	if (r == 0 && is_unmeasurable(&p))
		return REFUSED_LATER;
	if (r == 0)
		r = check_places(g, &p);
	return r < 0 ? r
		     : unc_node_find_boxes(&g->names->devices, nodes, node, type_of(g, &p), at,
					   g->names->err);
}

static void note_assumed(struct unc_names *names, const struct unc_node_boxes *at)
{
	if (at->basis != UNCORE_NODE_ASSUMED)
		return;
	names->notice.code = UNCORE_WARNING_NODES;
	snprintf(names->notice.text, sizeof(names->notice.text),
		 "the boxes of NUMA nodes are assumed, not measured (%s): measure them with "
		 "\"uncore ceilings --nodes\"",
		 at->source);
}

static int without_node(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	struct given g = {.names = names};
	struct unc_node_boxes at;
	struct unc_nodes nodes;
	int r;

	if (strncasecmp(text, PREFIX, strlen(PREFIX)) == 0)
		text += strlen(PREFIX);
	r = cut_node(&g, text);
	if (r > 0)
		r = unc_nodes_read(&names->devices, &nodes, names->err);
	else
		return r;
	if (r < 0)
		return r;
	r = find(&g, &nodes, &at);
	unc_nodes_free(&nodes);
	if (r == REFUSED_LATER)
		snprintf(own, UNC_OWN_NAME, "%s", g.event);
	if (r != 0)
		return r;
	note_assumed(names, &at);
	return finish(&g, &at, own);
}

int unc_without_places(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	const int r = unc_without_device(names, text, own);

	if (r > 0 && strcasestr(own, QUALIFIER))
		return unc_fail(names->err, UNCORE_EATTR,
				"dev= and node= cannot be combined: use one of them");
	return r ? r : without_node(names, text, own);
}
