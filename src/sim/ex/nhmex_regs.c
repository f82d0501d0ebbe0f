/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_regs.c - Xeon 7500 and E7: decoding of MSR numbers, and the effects of
 * reading and writing registers (docs/hardware/nhmex.md).
 */
#include <errno.h>

#include "sim/ex/nhmex.h"
#include "sim/ex/nhmex_events.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define ALL_BITS UINT64_MAX
#define LOW(n)   ((UINT64_C(1) << (n)) - 1)

enum reg { REG_BOX_CTL, REG_STATUS, REG_OVF_CTL, REG_CONTROL, REG_COUNTER, REG_SUB };

struct ref {
	struct sim_box *box;
	enum reg reg;
	unsigned index;
	uint64_t bits; /* writable bits */
};

static const uint16_t none[] = {0};
static const uint16_t by_0x20[] = {0, 0x20};
static const uint16_t by_0x40[] = {0, 0x40};
static const uint16_t by_0x80[] = {0, 0x80};
static const uint16_t cbox_offsets[] = {0x00, 0x80, 0x40, 0xc0,  0x20,
					0xa0, 0x60, 0xe0, 0x240, 0x2c0};

static const struct nhmex_bank b_banks[] = {
	{0xe45, 0x08, 2, 1, B_MATCH, ALL_BITS},
};

static const struct nhmex_bank s_banks[] = {
	{0xe48, 0x10, 1, 1, S_MM_CFG, NHMEX_MM_EN},
	{0xe49, 0x10, 2, 1, S_MATCH, ALL_BITS},
};

static const struct nhmex_bank m_banks[] = {
	{0xca4, 0x40, 7, 1, M_TIMESTAMP, LOW(32)},  {0xcab, 0x40, 1, 1, M_FVC, 0},
	{0xe54, 0x08, 1, 1, M_MM_CFG, NHMEX_MM_EN}, {0xe55, 0x08, 1, 1, M_ADDR_MATCH, LOW(34)},
	{0xe56, 0x08, 1, 1, M_ADDR_MASK, LOW(27)},
};

static const struct nhmex_bank r_banks[] = {
	{0xe04, 0x04, 4, 1, R_IPERF0, LOW(32)},  {0xe24, 0x04, 4, 1, R_IPERF1, LOW(32)},
	{0xe0c, 0x20, 4, 1, R_QLX, LOW(16)},     {0xe60, 0x20, 4, 4, R_MM_CFG1, LOW(32)},
	{0xe61, 0x20, 4, 4, R_MATCH1, ALL_BITS}, {0xe62, 0x20, 4, 4, R_MASK1, ALL_BITS},
	{0xe70, 0x20, 4, 4, R_MM_CFG2, LOW(32)}, {0xe71, 0x20, 4, 4, R_MATCH2, ALL_BITS},
	{0xe72, 0x20, 4, 4, R_MASK2, ALL_BITS},
};

static const struct nhmex_layout layouts[NHMEX_TYPES] = {
	[NHMEX_U] = {none, NULL, 0, 1, 1 << 22, 1 << 20},
	[NHMEX_C] = {cbox_offsets, NULL, 0, 6, 1 << 22, 1 << 20},
	[NHMEX_B] = {by_0x40, b_banks, N_OF(b_banks), 4, 1 << 0, 1 << 20},
	[NHMEX_S] = {by_0x80, s_banks, N_OF(s_banks), 4, 1 << 22, 1 << 20},
	[NHMEX_M] = {by_0x40, m_banks, N_OF(m_banks), 6, 1 << 0, 1 << 1},
	[NHMEX_R] = {by_0x20, r_banks, N_OF(r_banks), 8, 1 << 0, 1 << 6},
	[NHMEX_W] = {none, NULL, 0, NHMEX_FIXED + 1, 1 << 22, 1 << 20},
};

const struct nhmex_layout *sim_nhmex_layout(const struct sim_box *box)
{
	return &layouts[sim_nhmex_type(box)];
}

struct nhmex_package *sim_nhmex_package(const struct sim *sim, unsigned package)
{
	return (struct nhmex_package *)sim->space + package;
}

struct nhmex_box *sim_nhmex_box(const struct sim_box *box)
{
	const struct sim *sim = box->sim;
	const struct sim_box *first = &sim->boxes[box->package * sim->n_boxes];

	return &sim_nhmex_package(sim, box->package)->box[box - first];
}

uint64_t sim_nhmex_bit(const struct sim_box *box, unsigned slot)
{
	bool fixed = sim_nhmex_type(box) == NHMEX_W && slot == NHMEX_FIXED;

	return UINT64_C(1) << (fixed ? 31 : slot);
}

/* Each S-Box receives the reports of half of the C-Boxes: 0-3 and 4-7, or 0-4 and 5-9 (WSM-EX). */
enum nhmex_summary sim_nhmex_summary(const struct sim_box *box)
{
	unsigned half = sim_nhmex_is_wsm(box->sim) ? 5 : 4;

	switch (sim_nhmex_type(box)) {
	case NHMEX_U:
		return NHMEX_OV_U;
	case NHMEX_W:
		return NHMEX_OV_W;
	case NHMEX_C:
		return box->index < half ? NHMEX_OV_S0 : NHMEX_OV_S1;
	default:
		return box->index == 0 ? NHMEX_OV_S0 : NHMEX_OV_S1;
	}
}

static uint64_t all_bits(const struct sim_box *box)
{
	const struct nhmex_layout *layout = sim_nhmex_layout(box);
	uint64_t bits = 0;

	for (unsigned i = 0; i < layout->slots; i++)
		bits |= sim_nhmex_bit(box, i);
	return bits;
}

static uint64_t fvc_bits(const struct sim_box *box)
{
	return sim_nhmex_is_wsm(box->sim) ? LOW(25) : LOW(24);
}

static bool decode_sub(uint32_t msr, struct ref *ref)
{
	const struct nhmex_layout *layout = sim_nhmex_layout(ref->box);

	for (unsigned i = 0; i < layout->n_banks; i++) {
		const struct nhmex_bank *bank = &layout->banks[i];
		uint32_t base = bank->address + bank->box_step * ref->box->index;
		uint32_t entry = (msr - base) / bank->step;

		if (msr < base || (msr - base) % bank->step != 0 || entry >= bank->n)
			continue;
		ref->reg = REG_SUB;
		ref->index = bank->first + entry;
		ref->bits = bank->bits != 0 ? bank->bits : fvc_bits(ref->box);
		return true;
	}
	return false;
}

/* The three registers before the controls; the U-Box's are global. */
static bool decode_head(uint32_t head, struct ref *ref)
{
	const uint64_t global = NHMEX_U_EN | NHMEX_PMI_SEL | NHMEX_EN_ALL | NHMEX_RST_ALL;
	bool ubox = sim_nhmex_type(ref->box) == NHMEX_U;

	switch (head) {
	case 0:
		ref->reg = REG_BOX_CTL;
		ref->bits = ubox ? global | NHMEX_FRZ_ALL : all_bits(ref->box);
		return true;
	case 1:
		ref->reg = REG_STATUS; /* read-only */
		return true;
	case 2:
		ref->reg = REG_OVF_CTL;
		ref->bits = ubox ? LOW(32) : all_bits(ref->box);
		return true;
	default:
		return false;
	}
}

static bool decode_counter(uint32_t msr, uint32_t offset, struct ref *ref)
{
	const struct sim_kind *kind = ref->box->kind;
	uint32_t base = kind->control + offset;
	bool fixed = kind->fixed_width != 0 && (msr == kind->fixed_ctl || msr == kind->fixed_ctr);

	if (!fixed && (msr < base || msr >= base + 2 * kind->n_counters))
		return false;
	ref->index = fixed ? NHMEX_FIXED : (msr - base) / 2;
	ref->reg = (fixed ? msr == kind->fixed_ctl : (msr - base) % 2 == 0) ? REG_CONTROL
									    : REG_COUNTER;
	/* A counter accepts any value; bits beyond its width are dropped. */
	ref->bits = ALL_BITS;
	if (ref->reg == REG_CONTROL)
		ref->bits = fixed ? kind->fixed_bits : kind->control_bits;
	return true;
}

static bool decode(const struct sim *sim, unsigned package, uint32_t msr, struct ref *ref)
{
	for (size_t i = 0; package < sim->packages && i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];
		uint32_t offset = sim_nhmex_layout(box)->offsets[box->index];
		uint32_t head = box->kind->box_ctl + offset;

		*ref = (struct ref){.box = box};
		if (msr >= head && decode_head(msr - head, ref))
			return true;
		if (decode_counter(msr, offset, ref) || decode_sub(msr, ref))
			return true;
	}
	return false;
}

/* The global registers depend on every box, so update all of them. */
static void catch_up(struct sim *sim, unsigned package, const struct ref *ref, uint64_t now)
{
	bool global = ref->reg <= REG_OVF_CTL && sim_nhmex_type(ref->box) == NHMEX_U;

	sim_nhmex_catch_up(sim, package, global ? NULL : ref->box, now);
}

static int read_msr(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now)
{
	struct nhmex_package *own = sim_nhmex_package(sim, package);
	struct ref ref;
	bool ubox;

	if (!decode(sim, package, msr, &ref))
		return -EIO;
	catch_up(sim, package, &ref, now);
	ubox = sim_nhmex_type(ref.box) == NHMEX_U;
	*value = 0;
	if (ref.reg == REG_BOX_CTL)
		*value = ubox ? own->global : ref.box->box_ctl;
	if (ref.reg == REG_STATUS)
		*value = ubox ? own->status : sim_nhmex_box(ref.box)->status;
	if (ref.reg == REG_CONTROL)
		*value = ref.box->control[ref.index];
	if (ref.reg == REG_COUNTER)
		*value = ref.box->counter[ref.index];
	if (ref.reg == REG_SUB)
		*value = sim_nhmex_box(ref.box)->sub[ref.index];
	return 0;
}

static void reset_counters(struct sim *sim, unsigned package)
{
	for (size_t i = 0; i < sim->n_boxes; i++)
		for (unsigned c = 0; c < SIM_COUNTERS; c++)
			sim->boxes[package * sim->n_boxes + i].counter[c] = 0;
}

/* Clearing the last overflow of a group clears the summary bit. */
static void clear_overflow(struct sim_box *box, uint64_t bits)
{
	const struct sim *sim = box->sim;
	struct nhmex_package *own = sim_nhmex_package(sim, box->package);
	enum nhmex_summary summary = sim_nhmex_summary(box);
	uint64_t left = 0;

	sim_nhmex_box(box)->status &= ~bits;
	sim_nhmex_box(box)->signalled &= ~bits;
	for (size_t i = 0; i < sim->n_boxes; i++)
		if (sim_nhmex_summary(&sim->boxes[i]) == summary)
			left |= own->box[i].signalled;
	if (left == 0)
		own->status &= ~(UINT64_C(1) << summary);
}

static void write_head(struct sim *sim, unsigned package, const struct ref *ref, uint64_t value)
{
	struct nhmex_package *own = sim_nhmex_package(sim, package);
	bool ubox = sim_nhmex_type(ref->box) == NHMEX_U;

	if (ref->reg == REG_OVF_CTL && ubox)
		own->status &= ~value;
	else if (ref->reg == REG_OVF_CTL)
		clear_overflow(ref->box, value);
	else if (!ubox)
		ref->box->box_ctl = value;
	else
		own->global = value;
	if (ubox && ref->reg == REG_BOX_CTL)
		own->stop = 0;
	if (ubox && ref->reg == REG_BOX_CTL && (value & NHMEX_RST_ALL) != 0)
		reset_counters(sim, package);
}

static int write_msr(struct sim *sim, unsigned package, uint32_t msr, uint64_t value, uint64_t now)
{
	struct ref ref;

	if (!decode(sim, package, msr, &ref) || ref.reg == REG_STATUS || (value & ~ref.bits) != 0)
		return -EIO;
	catch_up(sim, package, &ref, now);
	if (ref.reg == REG_CONTROL)
		ref.box->control[ref.index] = value;
	else if (ref.reg == REG_COUNTER)
		ref.box->counter[ref.index] = value & LOW(48);
	else if (ref.reg == REG_SUB)
		sim_nhmex_box(ref.box)->sub[ref.index] = value;
	else
		write_head(sim, package, &ref, value);
	return 0;
}

static void catch_up_all(struct sim *sim, unsigned package, uint64_t now)
{
	sim_nhmex_catch_up(sim, package, NULL, now);
}

const struct sim_space sim_nhmex_space = {
	.size = sizeof(struct nhmex_package),
	.read = read_msr,
	.write = write_msr,
	.catch_up = catch_up_all,
	.rate = sim_nhmex_rate,
	.weight = sim_nhmex_weight,
};
