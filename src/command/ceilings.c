/* SPDX-License-Identifier: BSD-3-Clause */
/* ceilings.c - `uncore ceilings`: measure what the memory of this machine can do. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/explain/ceilings_measure.h"
#include "command/explain/nodes_measure.h"
#include "command/explain/saved_file.h"
#include "tools.h"

#define SECONDS 1.0 /* of each measurement */

/* ---- cores ---- */

/* The first CPU of its core, which /sys lists first; also if that is not known. */
static bool is_first_of_core(unsigned cpu)
{
	char path[128];
	unsigned first = cpu;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
		 cpu);
	file = fopen(path, "re");
	if (file) {
		if (fscanf(file, "%u", &first) != 1)
			first = cpu;
		fclose(file);
	}
	return first == cpu;
}

static void find_cores(struct uncore *u, struct core_list *packages, unsigned n)
{
	struct uncore_cpu_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_cpu(u, i, &info) == 1; i++) {
		struct core_list *list = &packages[info.package];

		if (info.package >= n || !is_first_of_core(info.cpu))
			continue;
		list->cpus = need_more(list->cpus, list->n + 1, sizeof(*list->cpus));
		list->cpus[list->n++] = (int)info.cpu;
	}
}

/* ---- output ---- */

enum unit { UNIT_BYTES, UNIT_NS, UNIT_OPERATIONS };

static void print_value(const struct screen *s, const char *what, double value, enum unit unit)
{
	char rate[RATE_TEXT];

	if (!(value > 0))
		return;
	if (unit == UNIT_NS)
		fprintf(s->out, "  %-34s %9.1f ns\n", what, value);
	else if (unit == UNIT_OPERATIONS)
		fprintf(s->out, "  %-34s %12.1f GFLOP/s\n", what, 1e-9 * value);
	else
		fprintf(s->out, "  %-34s %12s\n", what, rate_text(rate, "bytes", value, 1));
}

static const char *const labels[CEILINGS] = {
	[CEILING_READ] = "reads",
	[CEILING_WRITE] = "non-temporal stores",
	[CEILING_COPY] = "copy (non-temporal stores)",
	[CEILING_TRIAD] = "triad, as STREAM counts it",
	[CEILING_REMOTE] = "reads from another socket",
	[CEILING_LATENCY] = "latency",
	[CEILING_REMOTE_LATENCY] = "latency of another socket",
	[CEILING_LOADED_LATENCY] = "latency while the others read",
	[CEILING_CACHE] = "reads from the last-level cache",
	[CEILING_OPERATIONS] = "double precision, scalar",
	"double precision, 128 bits",
	"double precision, 256 bits",
	"double precision, 512 bits",
	"single precision, scalar",
	"single precision, 128 bits",
	"single precision, 256 bits",
	"single precision, 512 bits",
};

static enum unit unit_of(size_t ceiling)
{
	if (ceiling >= CEILING_OPERATIONS)
		return UNIT_OPERATIONS;
	return ceiling == CEILING_LATENCY || ceiling == CEILING_REMOTE_LATENCY ||
			       ceiling == CEILING_LOADED_LATENCY
		       ? UNIT_NS
		       : UNIT_BYTES;
}

static void print_ceilings(const struct screen *s, const struct ceilings *c)
{
	for (unsigned p = 0; p < c->packages; p++) {
		const struct package_ceilings *at = &c->at[p];

		fprintf(s->out, "Socket %u\n", p);
		for (size_t i = 0; i < CEILINGS; i++)
			print_value(s, labels[i], at->of[i], unit_of(i));
		for (size_t i = 0; i < at->n_steps; i++) {
			char *what = text_of("reads of %u core%s", at->step[i].cores,
					     plural(at->step[i].cores));

			print_value(s, what, at->step[i].read, UNIT_BYTES);
			free(what);
		}
	}
}

struct measured {
	const struct ceilings *ceilings;
	const char *identity; /* of the machine */
};

static struct json_object *ceilings_object(const void *of)
{
	const struct measured *m = of;

	return ceilings_json(m->ceilings, m->identity);
}

static void ceilings_text(const void *of, const struct screen *screen)
{
	print_ceilings(screen, ((const struct measured *)of)->ceilings);
}

static void show(const struct ceilings *c, const char *identity, bool json)
{
	static const struct rows_class ceilings = {.object = ceilings_object,
						   .text = ceilings_text};
	const struct measured measured = {c, identity};
	const struct screen screen = screen_of(stdout);
	const struct rows rows = {&ceilings, &measured};

	emit_json_or_text(json, &screen, &rows);
}

/* ---- the command ---- */

static int measure(struct uncore *u, const struct uncore_machine_info *m, bool json)
{
	struct core_list *packages = need_memory(m->packages, sizeof(*packages));
	char *identity = ceilings_identity(u);
	struct ceilings c;
	char why[256] = "", where[PATH_MAX + 128];
	int status = TOOL_FAILED;

	find_cores(u, packages, m->packages);
	say("measuring with all cores; this takes a minute, and the machine should be idle");
	if (ceilings_measure(&c, packages, m->packages, SECONDS, why, sizeof(why))) {
		text_of_time(c.measured, (int64_t)time(NULL));
		show(&c, identity, json);
		if (ceilings_save(&c, identity, where, sizeof(where)))
			status = TOOL_OK;
		say("%s%s", status == TOOL_OK ? "kept in " : "cannot write ", where);
	} else {
		say("%s", why);
	}
	for (unsigned p = 0; p < m->packages; p++)
		free(packages[p].cpus);
	free(packages);
	free(identity);
	ceilings_free(&c);
	return status;
}

static int run_on(struct uncore *u, bool json)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	if (m.simulated || m.recorded) {
		say("a simulated or recorded machine has no memory to measure");
		return TOOL_FAILED;
	}
	return measure(u, &m, json);
}

/* ---- boxes of nodes ---- */

struct nodes_result {
	struct node_list numa;
	struct node_boxes boxes;
	bool *is; /* a row for each node */
};

/* The next box of a node of that kind (NULL: any), from `box` on; the number of boxes: none. */
static size_t next_box(const struct nodes_result *r, size_t node, const char *kind, size_t box)
{
	while (box < r->boxes.n && (!r->is[node * r->boxes.n + box] ||
				    (kind && strcmp(kind, r->boxes.at[box].kind) != 0)))
		box++;
	return box;
}

/* Whether the box is the first of its kind that serves the node. */
static bool is_first(const struct nodes_result *r, size_t node, size_t box)
{
	return next_box(r, node, r->boxes.at[box].kind, 0) == box;
}

static char *list_of(const struct nodes_result *r, size_t node, const char *kind)
{
	char *list = text_of("%s", "");

	for (size_t b = 0; (b = next_box(r, node, kind, b)) < r->boxes.n; b++)
		list = text_and(list, "%s%u", *list ? " " : "", r->boxes.at[b].box);
	return list;
}

static void print_nodes(const void *of, const struct screen *s)
{
	const struct nodes_result *r = of;
	FILE *out = s->out;

	for (size_t i = 0; i < r->numa.n; i++) {
		fprintf(out, "%s, package %d\n", r->numa.nodes[i].name, r->numa.nodes[i].package);
		for (size_t b = 0; b < r->boxes.n; b++) {
			char *list;

			if (!is_first(r, i, b))
				continue;
			list = list_of(r, i, r->boxes.at[b].kind);
			fprintf(out, "  %-6s %s\n", r->boxes.at[b].kind, list);
			free(list);
		}
	}
}

static struct json_object *json_of_boxes(const struct nodes_result *r, size_t node)
{
	struct json_object *o = json_object_new_object(), *list = NULL;

	for (size_t b = 0; (b = next_box(r, node, NULL, b)) < r->boxes.n; b++) {
		if (is_first(r, node, b)) {
			list = json_object_new_array();
			json_object_object_add(o, r->boxes.at[b].kind, list);
		}
		json_object_array_add(list, json_object_new_int64(r->boxes.at[b].box));
	}
	return o;
}

static struct json_object *nodes_object(const void *of)
{
	const struct nodes_result *r = of;
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	for (size_t i = 0; i < r->numa.n; i++) {
		struct json_object *node = json_object_new_object();

		add_json_text(node, "node", r->numa.nodes[i].name);
		json_object_object_add(node, "package",
				       json_object_new_int(r->numa.nodes[i].package));
		json_object_object_add(node, "boxes", json_of_boxes(r, i));
		json_object_array_add(list, node);
	}
	json_object_object_add(o, "nodes", list);
	return o;
}

static const struct rows_class nodes_rows = {.object = nodes_object, .text = print_nodes};

static char *text_of_nodes(struct uncore *u, const struct nodes_result *r)
{
	struct uncore_node_box *all = NULL;
	size_t n = 0;
	char *text = NULL;

	for (size_t i = 0; i < r->numa.n; i++)
		for (size_t b = 0; (b = next_box(r, i, NULL, b)) < r->boxes.n; b++) {
			all = need_more(all, n + 1, sizeof(*all));
			all[n++] =
				(struct uncore_node_box){sizeof(*all), r->numa.nodes[i].node,
							 r->boxes.at[b].kind, r->boxes.at[b].box};
		}
	if (uncore_nodes_text(u, all, n, &text) < 0)
		report(u, UNCORE_ENOMEM);
	free(all);
	return text;
}

static int save_nodes(struct uncore *u, const struct nodes_result *r, bool simulated)
{
	char *text = text_of_nodes(u, r), where[PATH_MAX + 128];
	bool saved;

	if (!text)
		return TOOL_FAILED;
	saved = simulated ? save_own_result("nodes-simulated", text, where, sizeof(where))
			  : save_result("nodes", text, where, sizeof(where));
	say("%s%s", saved ? "saved to " : "cannot write ", where);
	free(text);
	return saved ? TOOL_OK : TOOL_FAILED;
}

static int measure_nodes(struct uncore *u, struct nodes_result *r, bool json, bool simulated)
{
	const struct node_traffic traffic = {node_traffic_run, u};
	const struct screen screen = screen_of(stdout);
	const struct rows rows = {&nodes_rows, r};
	char why[UNCORE_ERRMSG_MAX] = "";

	if (!nodes_are_divided(&r->numa)) {
		say("each package has one NUMA node, whose boxes are those of the package: there "
		    "is nothing to measure");
		return TOOL_OK;
	}
	say("reading the memory of %zu NUMA nodes one after another; the machine should be idle",
	    r->numa.n);
	if (!nodes_measure(u, &r->numa, &traffic, &r->boxes, &r->is, why, sizeof(why))) {
		say("%s", why);
		return TOOL_FAILED;
	}
	emit_json_or_text(json, &screen, &rows);
	return save_nodes(u, r, simulated);
}

static int run_nodes(struct uncore *u, bool json)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct nodes_result r = {.is = NULL};
	const int code = node_list_read(u, &r.numa);
	int status;

	uncore_machine(u, &m);
	status = code < 0 ? report(u, code) : measure_nodes(u, &r, json, m.simulated);
	free(r.is);
	free(r.boxes.at);
	node_list_free(&r.numa);
	return status;
}

struct ceilings_options {
	bool json, nodes;
};

static int run(int argc, char **argv, const char *machine)
{
	struct ceilings_options how = {.json = false};
	struct uncore *u;
	int status;

	status = read_only_options(&ceilings_command, argc, argv, &how, &machine);
	if (status != TOOL_OK)
		return status;
	u = open_machine(machine, &ceilings_command);
	status = !u ? TOOL_FAILED : how.nodes ? run_nodes(u, how.json) : run_on(u, how.json);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--nodes",
	 .help = "measure which boxes serve the memory of each NUMA node instead, under SNC and "
		 "COD; node= uses the result",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct ceilings_options, nodes)},
	{.names = "--json",
	 .help = "print one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct ceilings_options, json)},
	COMMON_OPTIONS("native"),
};

const struct command ceilings_command = {
	.name = "ceilings",
	.summary = "measure the memory bandwidth and latency of this machine",
	.run = run,
	.help = "Measure what the memory of each package can do: the bandwidth of reads, "
		"non-temporal stores, a copy and a triad, by all cores and, for reads, by fewer; "
		"the latency of a read; the same to another package's memory; the bandwidth of "
		"the last-level cache; and floating-point operations in registers by vector width, "
		"which tells the number of units that no register tells. `uncore explain` and "
		"`uncore stat -M roofline` compare with it. The results are kept "
		"in /var/lib/uncore/ceilings.json, or, where that cannot be written, in "
		"~/.cache/uncore/ceilings.json. Takes about a minute, in which all cores are "
		"busy, and accesses no counter. With --nodes, it counts while the memory of each node "
		"is read; a box of a node must count 20 times what others do, twice. The result is "
		"saved to the file nodes in the same directories.",
	.options = options,
	.example = NULL,
};
