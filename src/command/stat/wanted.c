/* SPDX-License-Identifier: BSD-3-Clause */
/* wanted.c - see wanted.h. */
#include "wanted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/base/channel.h"
#include "command/base/device_places.h"
#include "command/base/metric_table.h"
#include "command/base/node_list.h"
#include "command/base/window.h"
#include "command/stat/system_row.h"

/* State while requests are resolved to events. */
struct search {
	struct uncore *u;
	const struct request *request;
	struct wanted *wanted;
	struct device_labels devices;
	unsigned group;        /* group of the current events, 0: none; may exceed a window */
	unsigned groups;       /* their number so far */
	struct node_list numa; /* for rows by node */
	bool by_group;         /* the event was not named */
};

/* ---- events and rows ---- */

static unsigned add_event(struct search *s, unsigned id)
{
	struct basket *b = &s->wanted->basket;
	size_t i = 0;

	while (i < b->n_events && b->events[i].id != id)
		i++;
	if (i == b->n_events)
		basket_add_event(b, 0, id, 0);
	if (!b->events[i].window)
		b->events[i].window = s->group;
	return (unsigned)i;
}

static struct row *add_row(struct wanted *w)
{
	w->rows = need_more(w->rows, w->n_rows + 1, sizeof(*w->rows));
	w->rows[w->n_rows] = (struct row){.rate_divisor = 1};
	return &w->rows[w->n_rows++];
}

static char *label_of(const char *name, const struct uncore_sum *sum)
{
	return sum->of_packages ? text_of("%s of %u packages", name, sum->of_packages) : NULL;
}

const char *row_label(const struct row *row)
{
	return row->label ? row->label : row->name;
}

/* The row that shows the event; the number of rows if none does. */
static size_t row_of(const struct wanted *w, unsigned event)
{
	size_t i = 0;

	while (i < w->n_rows && (w->rows[i].formula || w->rows[i].event != event))
		i++;
	return i;
}

/* An event that is requested twice is shown once. */
static unsigned show_event(struct search *s, unsigned id)
{
	struct wanted *w = s->wanted;
	struct uncore_event_info info = {.size = sizeof(info)};
	struct uncore_sum sum = {.size = sizeof(sum)};
	const unsigned event = add_event(s, id);
	struct row *row;

	if (row_of(w, event) < w->n_rows)
		return event;
	row = add_row(w);
	row->event = event;
	row->name = uncore_event_name(s->u, id);
	if (uncore_event_info(s->u, id, &info) == 0) {
		row->real = info.real;
		if (info.erratum) {
			row->erratum = need_memory(1, sizeof(*row->erratum));
			*row->erratum = info;
		}
		snprintf(row->units, sizeof(row->units), "%s", info.units);
	}
	if (uncore_event_sum(s->u, id, &sum) == 0) {
		row->label = label_of(row->name, &sum);
		row->counters = sum.added;
		row->rate_divisor = sum.rate_divisor;
	}
	row->devices = label_of_event(&s->devices, s->u, id);
	if (row->devices && !row->label)
		row->label = text_of("%s (%s)", row->name, row->devices);
	return event;
}

/* ---- boxes and packages ---- */

/*
 * Expand the name to single boxes and packages, if requested and not selected by the name itself.
 * Only canonical names can be extended.  A metric of several box kinds does not accept box=.
 */
static char *spread(const struct search *s, const char *name, enum per per)
{
	const bool boxes = per == PER_BOX && !strcasestr(name, "box="),
		   packages = per != PER_MACHINE && !strcasestr(name, "pkg=");
	unsigned id;
	char *text;

	if (!boxes && !packages)
		return text_of("%s", name);
	if (!strcasestr(name, "box=") && !strcasestr(name, "pkg=") &&
	    uncore_event(s->u, name, &id) == 0)
		name = uncore_event_name(s->u, id);
	for (unsigned without = 0; without < 3; without++) {
		const bool b = boxes && without < 1 && !strcasestr(name, "box="),
			   p = packages && without < 2 && !strcasestr(name, "pkg=");

		text = text_of("%s%s%s", name, b ? ":box=*" : "", p ? ":pkg=*" : "");
		if (without == 2 || uncore_event(s->u, text, &id) == 0)
			break;
		free(text);
	}
	return text;
}

static int find_event_per(struct search *s, const char *name, enum per per)
{
	char *full_name = spread(s, name, per);
	size_t *rows = NULL, n = 0;
	unsigned id;
	int code;

	while ((code = uncore_event_part(s->u, full_name, (unsigned)n, &id)) == 1) {
		rows = need_more(rows, n + 1, sizeof(*rows));
		rows[n++] = row_of(s->wanted, show_event(s, id));
	}
	add_system_row(s->u, s->wanted, full_name, rows, n);
	free(full_name);
	return code < 0 ? report_name(s->u, code) : TOOL_OK;
}

/* ---- NUMA nodes ---- */

static int read_nodes(struct search *s)
{
	const int code = s->numa.n ? 0 : node_list_read(s->u, &s->numa);

	return code < 0 ? report(s->u, code) : TOOL_OK;
}

static void label_node(struct row *row, const char *name, const struct uncore_node_info *node)
{
	if (*row->node)
		return;
	snprintf(row->node, sizeof(row->node), "%s", node->name);
	free(row->label);
	row->label = text_of("%s:node=%s", name, node_label(node));
}

/* A name with node=, whose boxes are not shown one by one. */
static int find_event_of_node(struct search *s, const char *name)
{
	unsigned id;
	size_t row;
	const int code = uncore_event(s->u, name, &id);

	if (code < 0)
		return report_name(s->u, code);
	row = row_of(s->wanted, show_event(s, id));
	free(s->wanted->rows[row].label);
	s->wanted->rows[row].label = text_of("%s", name);
	return TOOL_OK;
}

/* The rows of all nodes for whose memory the event can be counted; *n: their number. */
static int add_node_rows(struct search *s, const char *name, size_t *n)
{
	for (size_t i = *n = 0; i < s->numa.n; i++) {
		const struct uncore_node_info *node = &s->numa.nodes[i];
		size_t row;
		unsigned id;
		const int code = node_event(s->u, name, node, &id);

		if (code < 0 && code != UNCORE_ENOSUPP)
			return report_name(s->u, code);
		if (code < 0)
			continue;
		row = row_of(s->wanted, show_event(s, id));
		label_node(&s->wanted->rows[row], name, node);
		++*n;
	}
	return TOOL_OK;
}

/* Why the event cannot be counted for the first node with CPUs; false: its boxes are unknown. */
static bool say_why_not(const struct search *s, const char *name)
{
	char why[UNCORE_ERRMSG_MAX];
	size_t i = 0;
	unsigned id;

	while (i + 1 < s->numa.n && s->numa.nodes[i].kind != UNCORE_NODE_CPUS)
		i++;
	node_event(s->u, name, &s->numa.nodes[i], &id);
	uncore_errmsg(s->u, why, sizeof(why));
	if (s->numa.nodes[i].basis == UNCORE_NODE_UNKNOWN)
		say("%s", why);
	else if (!s->by_group)
		say("%s is counted by package: %s", name, why);
	return s->numa.nodes[i].basis != UNCORE_NODE_UNKNOWN;
}

/* A row for each node, or else for each package. */
static int find_event_per_node(struct search *s, const char *name)
{
	size_t n = 0;
	int status = read_nodes(s);

	if (strcasestr(name, "box=") || strcasestr(name, "pkg="))
		return find_event_per(s, name, PER_MACHINE);
	if (status == TOOL_OK)
		status = add_node_rows(s, name, &n);
	if (status != TOOL_OK || n)
		return status;
	return say_why_not(s, name) ? find_event_per(s, name, PER_PACKAGE) : TOOL_WRONG;
}

/* The channels of each package, if the event has them, and then the packages. */
static int find_event(struct search *s, const char *name)
{
	const enum per per = s->request->per;
	unsigned id;
	int status = TOOL_OK;

	if (strcasestr(name, ":node="))
		return find_event_of_node(s, name);
	if (per == PER_NODE)
		return find_event_per_node(s, name);
	if (per != PER_CHANNEL)
		return find_event_per(s, name, per);
	if (uncore_event(s->u, name, &id) == 0 && counts_channels(s->u, id))
		status = find_event_per(s, name, PER_BOX);
	return status == TOOL_OK ? find_event_per(s, name, PER_PACKAGE) : status;
}

/* The event of --until must be a single event. */
static int find_stop_after(struct search *s, const char *name, struct uncore_stop_after *stop)
{
	unsigned id;
	const int code = uncore_event(s->u, name, &id);

	if (code < 0)
		return report_name(s->u, code);
	stop->event = show_event(s, id);
	return TOOL_OK;
}

/* ---- metrics ---- */

static int find_metric(struct search *s, const char *name)
{
	const char *prefix = "UNCORE_";
	const bool whole = strncasecmp(name, prefix, strlen(prefix)) == 0;
	char *full_name = text_of("%s%s", whole ? "" : prefix, name);
	const int status = find_event(s, full_name);

	free(full_name);
	return status;
}

/* qualifiers: from the colon on. */
static int find_group(struct search *s, const struct metric_group *group, const char *qualifiers)
{
	unsigned ids[METRIC_GROUP_MAX];
	const int n = metric_group_events(s->u, group, ids);
	int status = TOOL_OK;

	if (n < 0)
		return report(s->u, n);
	if (n == 0) {
		say("metric group \"%s\" is not supported on this machine", group->name);
		return TOOL_WRONG;
	}
	for (int i = 0; status == TOOL_OK && i < n; i++) {
		char *name = text_of("%s%s", uncore_event_name(s->u, ids[i]), qualifiers);

		s->by_group = true;
		status = find_event(s, name);
		s->by_group = false;
		free(name);
	}
	return status;
}

/*
 * The bytes of devices, port by port, below the rows of the group.  They are in any window: their
 * counters are few, and each port is counted as often as it fits.
 */
static void show_devices(struct search *s)
{
	struct device_places places;

	find_device_places(s->u, &s->devices, false, &places);
	s->group = 0;
	for (size_t i = 0; i < places.n; i++)
		for (size_t k = 0; k < 2; k++)
			show_event(s, places.list[i].ids[k]);
	free_device_places(&places);
}

static void say_groups(void)
{
	char *names = metric_group_names(metric_group);

	say("metric groups are %s; for metrics see `uncore list --metrics`", names);
	free(names);
}

/* "memory", "memory:pkg=0", "mem_read_bytes:pkg=0" */
static int find_metrics(struct search *s, const char *text)
{
	const size_t len = strcspn(text, ":");
	char *word = text_of("%.*s", (int)len, text);
	const struct metric_group *group = metric_group_named(word);
	int status;

	s->group = ++s->groups;
	status = group ? find_group(s, group, text + len) : find_metric(s, text);
	if (status == TOOL_OK && group && strcmp(group->name, "pcie") == 0 && !text[len] &&
	    s->request->per != PER_BOX)
		show_devices(s);
	if (status == TOOL_WRONG && !group)
		say_groups();
	free(word);
	return status;
}

/* ---- formulas ---- */

#define ALL_PACKAGES (-1)

/* Add an operand, in that package unless its name selects one. */
static int find_operand(struct search *s, const char *name, int package, unsigned *id)
{
	char *full_name;
	int code;

	if (package == ALL_PACKAGES || strcasestr(name, "pkg="))
		return uncore_event(s->u, name, id);
	full_name = text_of("%s:pkg=%d", name, package);
	code = uncore_event(s->u, full_name, id);
	free(full_name);
	return code;
}

static int find_operands(struct search *s, struct formula *f, int package)
{
	const struct expression *e = &f->expression;
	struct uncore_event_info info = {.size = sizeof(info)};
	char text[UNCORE_ERRMSG_MAX];
	unsigned id;

	f->operands = need_memory(e->n_names, sizeof(*f->operands));
	for (size_t i = 0; i < e->n_names; i++) {
		if (find_operand(s, e->names[i].text, package, &id) < 0) {
			say("invalid formula \"%s=%.100s\", character %zu: %s", f->label, f->text,
			    strlen(f->label) + e->names[i].at + 2,
			    uncore_errmsg(s->u, text, sizeof(text)));
			return TOOL_WRONG;
		}
		f->operands[i].event = add_event(s, id);
		if (uncore_event_info(s->u, id, &info) == 0)
			f->operands[i].real = info.real;
	}
	return TOOL_OK;
}

/* label: length of the label; package: for events whose name does not select one. */
static int find_formula(struct search *s, const char *text, size_t label, int package)
{
	struct formula *f = need_memory(1, sizeof(*f));
	struct row *row = add_row(s->wanted);
	struct expression_error error;

	f->label = text_of("%.*s", (int)strcspn(text, " \t="), text);
	f->text = text + label + 1;
	*row = (struct row){.real = true, .formula = f};
	s->group = ++s->groups;
	if (!expression_read(&f->expression, f->text, &error)) {
		say("invalid formula \"%.100s\", character %zu: %s", text, label + error.at + 2,
		    error.why);
		return TOOL_WRONG;
	}
	if (find_operands(s, f, package) != TOOL_OK)
		return TOOL_WRONG;
	if (package != ALL_PACKAGES)
		f->label = text_and(f->label, ":pkg=%d", package);
	row->name = f->label;
	return TOOL_OK;
}

/* One row per package if requested.  Rows per box are not possible: boxes have different events. */
static int find_formulas(struct search *s, const char *text, size_t label)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	int status = TOOL_OK;

	if (s->request->per == PER_MACHINE || uncore_machine(s->u, &machine) < 0)
		return find_formula(s, text, label, ALL_PACKAGES);
	for (int package = 0; status == TOOL_OK && package < (int)machine.packages; package++)
		status = find_formula(s, text, label, package);
	return status;
}

/* ---- windows ---- */

/* A run, or its intervals, may be too short for windows of the length that the load requires. */
static void choose_window(struct wanted *w, const struct request *r)
{
	const double seconds = r->interval_ms ? (double)r->interval_ms / 1000 : r->duration;

	w->multiplex_us = r->multiplex_us;
	if (w->multiplex_us)
		return;
	w->multiplex_us =
		window_for_load(load_of_computer(), (double)sysconf(_SC_NPROCESSORS_ONLN), seconds);
	w->widened = w->multiplex_us > UNCORE_MULTIPLEX_US;
}

/*
 * Events that belong together share a window as far as they fit.  The assignment checks again that
 * all events fit, and reports a failure.
 */
static void plan_rounds(struct search *s)
{
	struct wanted *w = s->wanted;
	const struct request *r = s->request;
	const bool conflict =
		(r->multiplex || r->metrics) && basket_fits(&w->basket) == UNCORE_ECONFLICT;

	w->unasked = conflict && !r->multiplex;
	if (conflict || r->multiplex)
		choose_window(w, r);
	if (conflict) {
		basket_split_windows(&w->basket);
		return;
	}
	for (size_t i = 0; i < w->basket.n_events; i++)
		w->basket.events[i].window = 0;
}

/* ---- all requested events ---- */

static struct uncore_stop_after *stop_after_of(struct wanted *w, const struct request *r, size_t i)
{
	for (size_t k = 0; k < r->stop_after.n; k++)
		if (r->stop_after.list[k].event == i)
			return &w->stop_after.list[k];
	return NULL;
}

/* A star outside of box=* multiplies. */
static bool is_formula(const char *text)
{
	for (const char *c = text; *c; c++)
		if (strchr("+()", *c) || (*c == '*' && c > text && !strchr("=,", c[-1])))
			return true;
	return false;
}

/* Events in braces are a group; others are in any window. */
static void choose_group(struct search *s, size_t i)
{
	const struct asked *asked = s->request->asked;

	if (!asked[i].braces)
		s->group = 0;
	else if (i == 0 || asked[i].braces != asked[i - 1].braces)
		s->group = ++s->groups;
}

static int find_asked(struct search *s, size_t i)
{
	const struct asked *asked = &s->request->asked[i];
	struct uncore_stop_after *stop = stop_after_of(s->wanted, s->request, i);
	const size_t label = asked->metric || stop ? 0 : expression_label(asked->text);

	if (label)
		return find_formulas(s, asked->text, label);
	if (asked->metric)
		return find_metrics(s, asked->text);
	if (is_formula(asked->text)) {
		say("\"%s\" is a formula: give it a label, for example value=%s", asked->text,
		    asked->text);
		return TOOL_WRONG;
	}
	choose_group(s, i);
	return stop ? find_stop_after(s, asked->text, stop) : find_event(s, asked->text);
}

int find_wanted(struct uncore *u, const struct request *r, struct wanted *w)
{
	struct search s = {.u = u, .request = r, .wanted = w};
	int status = TOOL_OK;

	*w = (struct wanted){.stop_after = r->stop_after};
	basket_new(&w->basket, u, 0, 0);
	read_device_labels(u, &s.devices);
	for (size_t i = 0; status == TOOL_OK && i < r->n; i++)
		status = find_asked(&s, i);
	if (status == TOOL_OK)
		plan_rounds(&s);
	free_device_labels(&s.devices);
	node_list_free(&s.numa);
	return status;
}

void free_wanted(struct wanted *w)
{
	for (size_t i = 0; i < w->n_rows; i++) {
		struct formula *f = w->rows[i].formula;

		free(w->rows[i].label);
		free(w->rows[i].devices);
		free_system_row(&w->rows[i]);
		free(w->rows[i].erratum);
		if (!f)
			continue;
		expression_free(&f->expression);
		free(f->operands);
		free(f->label);
		free(f);
	}
	free(w->rows);
	basket_free(&w->basket);
}
