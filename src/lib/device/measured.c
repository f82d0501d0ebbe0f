/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured.c - the file of `uncore ceilings --nodes`: lines with the machine, its firmware and its
 * nodes, which must be those of this machine, and a line for each node and kind of box:
 * "boxes 1 imc 2 3".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/sysfs.h"
#include "device/nodes.h"

#define SYSTEM_DIRECTORY "/var/lib"

/* ---- identity ---- */

/* Other firmware may number nodes differently. */
static void print_firmware(const struct unc_devices *d, FILE *out)
{
	static const char *const names[] = {"bios_vendor", "bios_version", "bios_date",
					    "product_name", "board_name"};
	char path[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *text;

		snprintf(path, sizeof(path), "sys/class/dmi/id/%s", names[i]);
		text = unc_kernel_text(&d->files, path);
		fprintf(out, "%s %.*s\n", names[i], text ? (int)strcspn(text, "\n") : 0,
			text ? text : "");
		free(text);
	}
}

/* The boxes that can be used show which memory channels have memory. */
static void print_boxes(const struct unc_devices *d, FILE *out)
{
	const struct unc_machine *m = d->machine;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box *b = &m->boxes[i];

		if (unc_cluster_kind(b->type) && !b->absent)
			fprintf(out, "%s %s %u.%u", i && b[-1].type == b->type ? "" : "\nhas",
				b->type->name, b->package, b->number);
	}
	fprintf(out, "\n");
}

char *unc_nodes_identity(const struct unc_devices *d, const struct unc_nodes *nodes)
{
	const struct unc_topology *topo = &d->machine->topo;
	char *text = NULL, name[UNC_NODE_NAME];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "uncore nodes 1\nprocessor %u %u %u\n", topo->family, topo->model,
		topo->stepping);
	print_firmware(d, out);
	for (size_t i = 0; i < nodes->n; i++)
		fprintf(out, "node %s package %d cluster %d\n",
			unc_node_name(&nodes->node[i], name), nodes->node[i].package,
			nodes->node[i].cluster);
	print_boxes(d, out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- the file ---- */

/* Measured on the machine, or on a simulated one. */
static const char *file_of(const struct unc_devices *d)
{
	return unc_is_simulated(d->files.hw) ? "uncore/nodes-simulated" : "uncore/nodes";
}

static char *user_file(const char *name)
{
	const char *cache = unc_variable("XDG_CACHE_HOME"), *home = unc_variable("HOME");
	char path[512];

	if (cache && *cache == '/')
		snprintf(path, sizeof(path), "%s", cache);
	else if (home && *home == '/')
		snprintf(path, sizeof(path), "%s/.cache", home);
	else
		return NULL;
	return unc_read_all(path, name);
}

/* The text after the identity; NULL: of another machine, or of other firmware. */
static const char *after_identity(const char *text, const char *identity)
{
	const size_t len = identity ? strlen(identity) : 0;

	return text && len && strncmp(text, identity, len) == 0 ? text + len : NULL;
}

static bool take_numbers(const char *text, struct unc_numbers *boxes)
{
	char *end;

	for (; *text == ' '; text = end) {
		const unsigned long number = strtoul(text, &end, 10);

		if (end == text || number > UINT16_MAX ||
		    !unc_numbers_add(boxes, (unsigned)number, (unsigned)number))
			return false;
	}
	return boxes->n && (*text == '\n' || !*text);
}

static bool find_line(const char *text, const struct unc_node *node, const char *kind,
		      struct unc_numbers *boxes)
{
	char begin[64];
	const size_t len =
		(size_t)snprintf(begin, sizeof(begin), "boxes %u %s ", node->number, kind);

	for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
		if (strncmp(text, begin, len) == 0)
			return take_numbers(text + len - 1, boxes);
	return false;
}

int unc_measured_boxes(const struct unc_devices *d, const struct unc_nodes *nodes,
		       const struct unc_node *node, const char *kind, struct unc_numbers *boxes)
{
	char *identity = unc_nodes_identity(d, nodes);
	bool found = false;

	for (int i = 0; i < 2 && !found; i++) {
		char *text = i ? user_file(file_of(d)) : unc_read_all(SYSTEM_DIRECTORY, file_of(d));
		struct unc_numbers here = {.n = 0};

		found = find_line(after_identity(text, identity), node, kind, &here);
		if (found)
			*boxes = here;
		free(text);
	}
	free(identity);
	return found;
}
