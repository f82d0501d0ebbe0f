/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - the part of the channel mask that belongs to a port
 * (docs/hardware/stacks.md, "From a port to a part").
 */
#include <stdio.h>
#include <string.h>

#include "device/device.h"

static bool applies(const struct unc_port *p, const struct unc_stack_found *stack,
		    const struct unc_at *at)
{
	return (p->kinds & stack->stack->kind) && p->above == stack->above &&
	       at->slot >= p->first && at->slot <= p->last && (p->any || at->function == 0);
}

static const struct unc_port *rule_of(const struct unc_stack_map *map,
				      const struct unc_stack_found *stack, const struct unc_at *at)
{
	for (const struct unc_port *p = map->ports; p->kinds; p++)
		if (applies(p, stack, at))
			return p;
	return NULL;
}

/* ---- ports with devices ---- */

struct scan {
	const struct unc_devices *d;
	const struct unc_stack_map *map;
	const struct unc_stack_found *stack;
	unsigned populated;
	bool failed;
};

static bool has_devices(const struct scan *s, const char *dir)
{
	struct unc_kernel_names names;
	struct unc_at at;
	bool any = false;

	if (unc_kernel_list(&s->d->files, dir, &names) < 0)
		return true; /* not known to be empty */
	for (size_t i = 0; i < names.n; i++)
		any |= unc_at_parse(names.name[i], &at) != NULL;
	unc_kernel_names_free(&names);
	return any;
}

/* Count the ports in a directory that have devices behind them, also behind VMD. */
static void count_ports(struct scan *s, const char *dir, bool inside)
{
	struct unc_kernel_names names;
	char path[UNC_PATH_TEXT];
	struct unc_at at;

	if (unc_kernel_list(&s->d->files, dir, &names) < 0) {
		s->failed = true;
		return;
	}
	for (size_t i = 0; i < names.n; i++) {
		const bool is_domain = strncmp(names.name[i], "pci1", 4) == 0;
		const bool is_device = unc_at_parse(names.name[i], &at) != NULL;

		snprintf(path, sizeof(path), "%.300s/%.100s", dir, names.name[i]);
		if (is_device && rule_of(s->map, s->stack, &at))
			s->populated += has_devices(s, path);
		else if ((is_device || is_domain) && !inside) /* VMD, or its domain */
			count_ports(s, path, is_domain);
	}
	unc_kernel_names_free(&names);
}

static bool is_only_port(const struct unc_devices *d, const struct unc_stack_map *map,
			 const struct unc_stack_found *stack, const struct unc_chain *chain)
{
	struct scan s = {d, map, stack, 0, false};
	char dir[64];

	snprintf(dir, sizeof(dir), "sys/devices/pci%04x:%02x", chain->root.segment,
		 chain->root.bus);
	count_ports(&s, dir, false);
	return !s.failed && s.populated <= 1;
}

/* ---- part ---- */

int unc_device_parts(const struct unc_devices *d, const struct unc_stack_map *map,
		     const struct unc_stack_found *stack, const struct unc_chain *chain,
		     uint32_t *parts, struct unc_err *err)
{
	const struct unc_port *rule = rule_of(map, stack, &chain->port);
	char at[UNC_AT_TEXT];

	unc_at_text(&chain->port, at);
	if (!rule || rule->refused)
		return unc_fail(err, UNCORE_ENOSUPP,
				"the part of %s in stack %s (box=%u) is not known: %s", at,
				stack->stack->name, stack->stack->box,
				rule ? rule->refused
				     : "it is neither a port nor an accelerator with a known part; "
				       "count the whole box");
	if (!rule->disputed)
		*parts = rule->parts ? rule->parts
				     : 1u << (rule->part + chain->port.slot - rule->first);
	else if (is_only_port(d, map, stack, chain))
		*parts = UNC_ALL_PARTS;
	else
		return unc_fail(
			err, UNCORE_ENOSUPP,
			"the part of %s in stack %s (box=%u) is not known: sources "
			"disagree, and other ports of the stack have devices, too; measure it "
			"with `uncore show --devices --measure DEVICE -- COMMAND`",
			at, stack->stack->name, stack->stack->box);
	return 0;
}
