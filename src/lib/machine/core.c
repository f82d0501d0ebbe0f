/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.c - the core PMU: a box type made from CPUID leaf 0xA, and a box per CPU. SDM vol. 3B
 * 18.2; docs/hardware/core.md.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "hw/regs.h"
#include "machine/boxes.h"
#include "machine/machine.h"

#define LEAF    0xa
#define FASTEST 8 /* maximum number of instructions or slots per cycle */

#define FIXED_CTRL_HAS 0xffffu /* fixed counters: four bits each of IA32_FIXED_CTR_CTRL */

struct unc_core {
	struct unc_arch arch;
	struct unc_box_type type;
	struct unc_row rows[UNC_ARCH_EVENTS + 1];
	struct unc_rule rules[2 * UNC_ARCH_EVENTS + 2];
	uint16_t ctls[UNC_MAX_COUNTERS], ctrs[UNC_MAX_COUNTERS];
	const struct unc_box_type **types; /* the machine's own types, and this one */
};

/* ---- CPUID ---- */

static unsigned field(uint32_t reg, unsigned low, unsigned bits)
{
	return reg >> low & ((1u << bits) - 1);
}

/* Up to version 4 a number of fixed counters, from then on also a bit mask. */
static uint32_t fixed_counters(const uint32_t regs[4], unsigned version)
{
	uint32_t fixed = (1u << field(regs[3], 0, 5)) - 1;

	if (version < UNC_ARCH_VERSION_GLOBAL)
		return 0;
	if (version >= UNC_ARCH_VERSION_LIST)
		fixed |= regs[2];
	return fixed;
}

static bool is_width(unsigned bits)
{
	return bits > 0 && bits <= 64;
}

static void decode(const uint32_t regs[4], struct unc_arch *arch, uint8_t *width)
{
	const unsigned version = field(regs[0], 0, 8), n_events = field(regs[0], 24, 8);
	const unsigned n = field(regs[0], 8, 8);
	const unsigned most = UNC_MAX_COUNTERS;

	arch->version = (uint8_t)version;
	arch->n_counters = (uint8_t)(n < most ? n : most);
	*width = (uint8_t)field(regs[0], 16, 8);
	arch->fixed = fixed_counters(regs, version) & FIXED_CTRL_HAS &
		      ((1u << (most - arch->n_counters)) - 1);
	arch->fixed_width = (uint8_t)(arch->fixed ? field(regs[3], 5, 8) : *width);
	if (!is_width(arch->fixed_width)) {
		arch->fixed = 0;
		arch->fixed_width = *width;
	}
	arch->lacking = regs[1] | (n_events < 32 ? UINT32_MAX << n_events : 0);
	arch->any_thread = version >= UNC_ARCH_VERSION_ANY && !field(regs[3], 15, 1);
}

/* ---- box type ---- */

static bool has_fixed(const struct unc_arch *arch, const struct unc_arch_event *ev)
{
	return ev->fixed >= 0 && (arch->fixed & 1u << ev->fixed);
}

static bool has_event(const struct unc_arch *arch, const struct unc_arch_event *ev)
{
	if (ev->lacking == UNC_ARCH_NEVER)
		return has_fixed(arch, ev);
	return !(arch->lacking & 1u << ev->lacking);
}

/* Bits that a fixed counter supports do not keep an event from it; all others do. */
static void fill_events(struct unc_core *c, uint32_t programmable)
{
	struct unc_row *row = c->rows;
	struct unc_rule *rule = c->rules;

	for (unsigned i = 0; i < UNC_ARCH_EVENTS; i++) {
		const struct unc_arch_event *ev = &unc_arch_events[i];
		const uint32_t fixed =
			has_fixed(&c->arch, ev) ? 1u << (c->arch.n_counters + ev->fixed) : 0;

		if (has_event(&c->arch, ev))
			*row++ = ev->row;
		if (fixed)
			*rule++ = (struct unc_rule){
				.lo = (uint32_t)ev->row.bits,
				.hi = (uint32_t)ev->row.bits,
				.cmp = ~(UNC_ARCH_USR | UNC_ARCH_OS),
				.counters = fixed | (ev->only_fixed ? 0 : programmable),
			};
		if (ev->only_fixed)
			*rule++ = (struct unc_rule){.lo = (uint32_t)ev->row.bits,
						    .hi = (uint32_t)ev->row.bits,
						    .cmp = UNC_ARCH_CODE};
	}
	*rule = (struct unc_rule){.hi = UINT32_MAX, .cmp = UINT32_MAX, .counters = programmable};
}

static void fill_type(struct unc_core *c, uint8_t width)
{
	const struct unc_arch *arch = &c->arch;
	const unsigned fixed = 32u - (unsigned)(arch->fixed ? __builtin_clz(arch->fixed) : 32);
	const uint32_t programmable = (1u << arch->n_counters) - 1;

	for (unsigned i = 0; i < arch->n_counters + fixed; i++) {
		const unsigned f = i - arch->n_counters;
		const bool own = i < arch->n_counters;

		c->ctls[i] = (uint16_t)(own ? UNC_ARCH_SELECT + i : UNC_ARCH_FIXED_CTRL);
		c->ctrs[i] = (uint16_t)(own ? UNC_ARCH_COUNTER + i : UNC_ARCH_FIXED + f);
	}
	c->type = (struct unc_box_type){
		.name = "core",
		.title = "Core: a logical CPU's own counters",
		.space = UNC_IN_CPU,
		.n_counters = (uint8_t)(arch->n_counters + fixed),
		.width = width,
		.ctl_width = 64,
		.no_box_ctl = true,
		.ctls = c->ctls,
		.ctrs = c->ctrs,
		.event_mask = UNC_ARCH_EVENT | (arch->any_thread ? UNC_ARCH_ANY : 0),
		.max_inc = FASTEST,
		.rules = c->rules,
		.rows = c->rows,
		.modifiers = arch->any_thread ? unc_arch_modifiers : unc_arch_modifiers_own,
		.arch = arch,
		.pmu = "ix86arch",
		.any_of = UNC_ARCH_USR | UNC_ARCH_OS,
	};
	fill_events(c, programmable);
}

/* ---- machine ---- */

static int add_type(struct unc_machine *m, struct unc_core *c)
{
	size_t n = 0;

	while (m->types[n])
		n++;
	c->types = calloc(n + 2, sizeof(*c->types));
	if (!c->types)
		return UNCORE_ENOMEM;
	memcpy(c->types, m->types, n * sizeof(*c->types));
	c->types[n] = &c->type;
	m->types = c->types;
	return 0;
}

int unc_core_find(struct unc_machine *m, struct unc_hw *hw)
{
	struct unc_arch arch;
	uint32_t regs[4];
	uint8_t width;

	if (m->topo.n_cpus == 0 || unc_ask_cpuid(hw, m->topo.cpus[0].id, LEAF, 0, regs) < 0)
		return 0;
	decode(regs, &arch, &width);
	if (arch.version == 0 || arch.n_counters == 0 || !is_width(width))
		return 0;
	m->core = calloc(1, sizeof(*m->core));
	if (!m->core)
		return UNCORE_ENOMEM;
	m->core->arch = arch;
	fill_type(m->core, width);
	return add_type(m, m->core);
}

void unc_core_free(struct unc_machine *m)
{
	if (m->core)
		free(m->core->types);
	free(m->core);
	m->core = NULL;
}

/* One CPU stands for all of its package, since a machine has hundreds. */
void unc_core_probe(struct unc_machine *m, struct unc_hw *hw)
{
	const struct unc_box *first = NULL;

	for (size_t i = 0; i < m->n_boxes; i++) {
		struct unc_box *b = &m->boxes[i];
		const struct unc_op op = {
			.kind = UNCORE_READ,
			.space = UNCORE_CPU,
			.width = 64,
			.package = b->package,
			.unit = b->index,
			.address = UNC_ARCH_SELECT,
		};
		uint64_t value;
		int r;

		if (!b->type->arch)
			continue;
		if (first && first->package == b->package) {
			b->absent = first->absent;
			b->absence = first->absence;
			b->unreached = first->unreached;
			continue;
		}
		first = b;
		r = unc_ask_msr_file(hw, b->package);
		if (r == 0)
			r = unc_read_twice(hw, &op, &value);
		if (r < 0 && m->topo.hypervisor)
			unc_box_mark(b, unc_absence(r));
		else if (r < 0)
			unc_box_lost(b, hw, &op, r);
	}
}
