/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - which machine it is, and which of its boxes can be used. */
#include <stdlib.h>
#include <string.h>

#include "base/documents.h"
#include "command/base/box.h"
#include "command/base/node_list.h"
#include "command/doctor/patient.h"

/* ---- variables ---- */

static const struct variable {
	const char *name, *means;
} variables[] = {
	{"UNCORE_SYSROOT", "the files of another directory are used instead of /"},
	{"UNCORE_FORCE", "counters enabled by other programs are overwritten"},
	{"UNCORE_PARTIAL", "sums do not include boxes that are not accessible"},
	{"UNCORE_EVENT_FILES_FORCE", "event lists for other CPUs are accepted"},
	{"LIBPFM_FORCE_PMU", "libpfm4 assumes another CPU"},
	{"LIBPFM_DISABLED_PMUS", "libpfm4 disables some events"},
};

static bool is_off(const char *value)
{
	return !value || !*value || strcmp(value, "0") == 0;
}

void check_environment(struct patient *p)
{
	bool any = false;

	if (p->info.simulated && p->info.daemon)
		found_note(p, "machine",
			   text_of("uncored is running on a simulated machine: its counts do not "
				   "describe this computer"),
			   text_of("start uncored without --machine and --sysroot, or set "
				   "UNCORE_ACCESS=direct"));
	else if (p->info.simulated)
		found_note(p, "machine",
			   text_of("%s: all counts are simulated and do not describe this "
				   "computer",
				   p->machine ? p->machine : p->root),
			   text_of("to examine this computer, remove --machine, UNCORE_MACHINE "
				   "and UNCORE_SYSROOT"));
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const struct variable *v = &variables[i];
		const char *value = secure_getenv(v->name);

		if (is_off(value))
			continue;
		any = true;
		found_note(p, "environment", text_of("%s=%s: %s", v->name, value, v->means),
			   text_of("unset it unless this is intended"));
	}
	if (!any)
		found_fine(p, "environment", "no environment variable affects counts");
}

/* ---- the CPU ---- */

void check_cpu(struct patient *p)
{
	if (is_supported(p))
		found_fine(p, "cpu", "%s: %u package%s, %u CPUs", p->info.title, p->info.packages,
			   plural(p->info.packages), p->info.cpus);
	else if (*p->info.platform || p->code == UNCORE_ENOSUPP)
		found_problem(p, "cpu",
			      text_of("%s", p->code == UNCORE_ENOSUPP
						    ? p->why
						    : "no uncore counters are known for this CPU"),
			      text_of("use a CPU listed in the README, or try a simulated machine "
				      "(uncore --machine sim:icx show)"));
	else
		found_problem(p, "cpu", text_of("%s", p->why),
			      text_of("follow the message above; see also " UNC_DOC_PERMISSIONS));
}

/* ---- boxes ---- */

/* Boxes that cannot be used for the same reason. */
struct reason {
	struct uncore_box_info first;
	unsigned boxes;
};

static struct reason *reason_of(struct reason *list, size_t *n, const struct uncore_box_info *box)
{
	for (size_t i = 0; i < *n; i++)
		if (is_same_absence(&list[i].first, box))
			return &list[i];
	list[*n] = (struct reason){.first = *box};
	return &list[(*n)++];
}

static char *found_text(const struct reason *r)
{
	const struct uncore_box_info *b = &r->first;
	char name[BOX_NAME];

	box_name(name, b->kind, b->index);
	return r->boxes == 1 ? text_of("%s of package %u: %s", name, b->package, b->absent)
			     : text_of("%u boxes, for example %s of package %u: %s", r->boxes, name,
				       b->package, b->absent);
}

/* The box may exist anyway.  Boxes that a processor lacks by design need no note. */
static bool is_hidden(enum uncore_absence absence)
{
	return absence == UNCORE_ABSENT_HIDDEN || absence == UNCORE_ABSENT_LOCATOR_HIDDEN ||
	       absence == UNCORE_ABSENT_DEAD;
}

static void report_reason(struct patient *p, const struct reason *r)
{
	char *found = found_text(r);

	if (r->first.unreached) {
		found_problem(p, "boxes", found,
			      text_of("events of these boxes are disabled until this is fixed "
				      "(to count on the other boxes, set UNCORE_PARTIAL=1)"));
	} else if (!is_hidden(r->first.absence)) {
		found_fine(p, "boxes", "%s", found);
		free(found);
	} else {
		found_note(p, "boxes", found,
			   r->first.instead
				   ? text_of("firmware usually hides this device: enable \"Perfmon "
					     "and DFX devices\" in the firmware setup, or %s",
					     r->first.instead)
				   : text_of("enable performance counters or uncore devices in the "
					     "firmware setup, unless this processor lacks them"));
	}
}

static void check_missing(struct patient *p)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct reason *list = need_memory(p->info.boxes, sizeof(*list));
	size_t n = 0;

	for (unsigned i = 0; uncore_box(p->u, i, &box) == 1; i++)
		if (box.absent)
			reason_of(list, &n, &box)->boxes++;
	for (size_t i = 0; i < n; i++)
		report_reason(p, &list[i]);
	free(list);
}

/* Boxes that are not in the list, because their discovery table is missing or unclear. */
static void check_tables(struct patient *p)
{
	const char *text;

	for (unsigned i = 0; uncore_warning(p->u, i, &text) == 1; i++)
		if (uncore_warning_code(p->u, i) == UNCORE_WARNING_TABLES)
			found_problem(p, "boxes", text_of("%s", text),
				      text_of("see " UNC_DOC_PERMISSIONS
					      " for an explanation; sums over "
					      "other boxes and packages are counted"));
}

void check_boxes(struct patient *p)
{
	if (!*p->info.platform)
		return;
	if (p->code < 0) {
		found_problem(p, "boxes", text_of("no box can be used: %s", p->why),
			      text_of("fix the problems above first, then follow this message "
				      "(" UNC_DOC_PERMISSIONS ")"));
		return;
	}
	found_fine(p, "boxes", "%u of %u can be used", p->info.boxes_present, p->info.boxes);
	check_missing(p);
	check_tables(p);
}

/* ---- NUMA nodes ---- */

/* "node0, node1": the nodes whose boxes have the same basis; NULL: none. */
static char *nodes_with(const struct node_list *numa, enum uncore_node_basis basis,
			const char **source)
{
	char *names = NULL;

	for (size_t i = 0; i < numa->n; i++) {
		const struct uncore_node_info *node = &numa->nodes[i];

		if (node->basis != basis)
			continue;
		names = names ? text_and(names, ", %s", node->name) : text_of("%s", node->name);
		*source = node->source;
	}
	return names;
}

static void report_nodes(struct patient *p, const struct node_list *numa,
			 enum uncore_node_basis basis)
{
	const char *source = "", *measure = "uncore ceilings --nodes";
	char *names = nodes_with(numa, basis, &source);

	if (!names)
		return;
	if (basis == UNCORE_NODE_WHOLE)
		found_fine(p, "nodes", "node= of %s: %s", names, source);
	else if (basis == UNCORE_NODE_MEASURED)
		found_fine(p, "nodes", "node= of %s uses the measured map of boxes (%s)", names,
			   measure);
	else if (basis == UNCORE_NODE_ASSUMED)
		found_note(p, "nodes",
			   text_of("node= of %s uses a table, which is assumed: %s", names, source),
			   text_of("measure the boxes: %s", measure));
	else
		found_note(p, "nodes", text_of("node= of %s is refused: %s", names, source),
			   text_of("see " UNC_DOC_NODES));
	free(names);
}

void check_nodes(struct patient *p)
{
	static const enum uncore_node_basis bases[] = {UNCORE_NODE_WHOLE, UNCORE_NODE_MEASURED,
						       UNCORE_NODE_ASSUMED, UNCORE_NODE_UNKNOWN};
	struct node_list numa = {0, NULL};

	if (p->code == 0 && node_list_read(p->u, &numa) == 0)
		for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
			report_nodes(p, &numa, bases[i]);
	node_list_free(&numa);
}

/* ---- warnings ---- */

/* check_boxes() has reported it. */
static bool is_reported(const struct patient *p, unsigned warning)
{
	const int code = uncore_warning_code(p->u, warning);

	return (p->info.boxes_unreached && code == UNCORE_WARNING_BOXES_UNREACHED) ||
	       (p->code == 0 && code == UNCORE_WARNING_TABLES);
}

void check_warnings(struct patient *p)
{
	const char *text;

	/* without a supported CPU, or uncore registers, no discovery table is expected */
	for (unsigned i = 0; uncore_warning(p->u, i, &text) == 1; i++)
		if (!is_reported(p, i) &&
		    ((is_supported(p) && !p->hopeless) ||
		     uncore_warning_code(p->u, i) != UNCORE_WARNING_DISCOVERY))
			found_note(p, "warning", text_of("%s", text),
				   text_of("see " UNC_DOC_PERMISSIONS " for an explanation"));
}
