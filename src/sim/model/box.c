/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * box.c - one PMON box: controls, counters, fixed counter, freeze and reset
 * (docs/hardware/).
 *
 * A counter that runs from t0 to t1 advances by floor(rate * t1) - floor(rate * t0),
 * where t is the machine's clock.  So fractions are never lost, the number of reads
 * does not matter, and counters of the same event over the same time are exactly equal.
 */
#include "sim/model/model.h"

#define BOX_RST_CTRL (UINT64_C(1) << 0)
#define BOX_RST_CTRS (UINT64_C(1) << 1)
#define BOX_FRZ      (UINT64_C(1) << 8)
#define BOX_FRZ_EN   (UINT64_C(1) << 16)
#define BOX_KEPT     (BOX_FRZ | BOX_FRZ_EN | UINT64_C(1) << 17)
#define FIXED_RST    (UINT64_C(1) << 19)

/* Style D: other bits, and no enable bit is required for a freeze. */
#define UNIT_FRZ      (UINT64_C(1) << 0)
#define UNIT_RST_CTRL (UINT64_C(1) << 8)
#define UNIT_RST_CTRS (UINT64_C(1) << 9)

/* A box with two units: the part of the events in the first one. */
#define FIRST_HALF 0.5625

static uint64_t ones(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

bool sim_box_frozen(const struct sim_box *box)
{
	if ((box->sim->package[box->package].frozen >> box->table & 1) != 0)
		return true;
	if (box->kind->style == SIM_STYLE_D)
		return (box->box_ctl & UNIT_FRZ) != 0;
	return (box->box_ctl & BOX_FRZ) != 0 &&
	       (!box->kind->frz_en_needed || (box->box_ctl & BOX_FRZ_EN) != 0);
}

/* The companion event counts counter 0's queue, regardless of counter 0's threshold. */
static bool companion(const struct sim_box *box, struct sim_signal *signal)
{
	struct sim_signal queue;

	if ((box->control[0] & SIM_CTL_EN) == 0)
		return false;
	if (!box->kind->signal(box, box->control[0], box->filter, &queue))
		return false;
	if (!queue.occupancy || (queue.allowed & 1) == 0)
		return false;
	queue.allowed = signal->allowed;
	*signal = queue;
	return true;
}

/* Style D needs no enable bit: a control that is not 0 counts. */
static bool enabled(const struct sim_box *box, unsigned i)
{
	if (box->kind->style == SIM_STYLE_D)
		return box->control[i] != 0;
	return (box->control[i] & SIM_CTL_EN) != 0;
}

static double fixed_rate(const struct sim_box *box)
{
	const struct sim_kind *kind = box->kind;
	uint64_t enable = kind->fixed_enable != 0 ? kind->fixed_enable : SIM_CTL_EN;

	if (kind->fixed_width == 0 || (box->fixed_ctl & enable) == 0)
		return 0;
	return kind->clock_hz(box);
}

double sim_box_rate(const struct sim_box *box, unsigned i)
{
	const struct sim_kind *kind = box->kind;
	unsigned in_unit = kind->halves ? i % 2 : i;
	struct sim_signal signal;

	if (i == SIM_FIXED)
		return fixed_rate(box);
	if (!enabled(box, i))
		return 0;
	if (!kind->signal(box, box->control[i], box->filter, &signal))
		return 0;
	if ((signal.allowed >> in_unit & 1) == 0)
		return 0;
	if (signal.companion && !companion(box, &signal))
		return 0;
	if (kind->halves && !signal.clock)
		signal.mean *= i < 2 ? FIRST_HALF : 1 - FIRST_HALF;
	return sim_signal_rate(&signal, kind, box->control[i], kind->narrow && i > 0);
}

/* Add to a counter; true when it wrapped. */
static bool add(uint64_t *counter, uint64_t more, unsigned width)
{
	bool wrapped = more > ones(width) - *counter;

	*counter = (*counter + more) & ones(width);
	return wrapped;
}

static void add_general(struct sim_box *box, unsigned i, uint64_t since, uint64_t now)
{
	uint64_t more = sim_box_gain(box, sim_box_rate(box, i), since, now);

	if (!add(&box->counter[i], more, box->kind->width))
		return;
	box->status |= UINT64_C(1) << (box->kind->fixed_first ? i + 1 : i);
	if ((box->control[i] & SIM_CTL_OVF) != 0)
		box->pending |= UINT64_C(1) << i;
}

static void add_fixed(struct sim_box *box, uint64_t since, uint64_t now)
{
	const struct sim_kind *kind = box->kind;
	uint64_t more = sim_gain(fixed_rate(box), since, now);

	if (!add(&box->fixed_ctr, more, kind->fixed_width))
		return;
	if (kind->fixed_first)
		box->status |= 1;
	if (kind->fixed_reports && (box->fixed_ctl & SIM_CTL_OVF) != 0)
		box->pending |= UINT64_C(1) << SIM_FIXED;
}

void sim_box_catch_up(struct sim_box *box, uint64_t now)
{
	uint64_t since = box->since;

	box->since = now;
	if (box->halt != 0 && box->halt < now)
		now = box->halt;
	if (now <= since || sim_box_frozen(box))
		return;
	for (unsigned i = 0; i < box->kind->n_counters; i++)
		add_general(box, i, since, now);
	add_fixed(box, since, now);
}

/* The package has the number of controls with SIM_CTL_OVF. */
static void set_control(struct sim_box *box, uint64_t *control, uint64_t value)
{
	struct sim_package *package = &box->sim->package[box->package];

	package->armed -= (*control & SIM_CTL_OVF) != 0;
	package->armed += (value & SIM_CTL_OVF) != 0;
	*control = value;
}

static void reset(struct sim_box *box, bool controls, bool counters)
{
	for (unsigned i = 0; i < box->kind->n_counters; i++) {
		if (controls)
			set_control(box, &box->control[i], 0);
		if (counters)
			box->counter[i] = 0;
	}
	if (controls)
		set_control(box, &box->fixed_ctl, 0);
	if (counters)
		box->fixed_ctr = 0;
}

/* The reset bits are self-clearing; the others are stored. */
static void write_box_ctl(struct sim_box *box, uint64_t value)
{
	if (box->kind->style == SIM_STYLE_D) {
		reset(box, (value & UNIT_RST_CTRL) != 0, (value & UNIT_RST_CTRS) != 0);
		box->box_ctl = value & UNIT_FRZ;
		return;
	}
	reset(box, (value & BOX_RST_CTRL) != 0, (value & BOX_RST_CTRS) != 0);
	/* Which writes such a box rejects depends on the previous write. */
	box->box_ctl = value & (box->kind->bitwise ? box->kind->box_bits : BOX_KEPT);
}

static void write_control(struct sim_box *box, unsigned i, uint64_t value)
{
	if ((value & SIM_CTL_RST) != 0)
		box->counter[i] = 0;
	set_control(box, &box->control[i], value & ~SIM_CTL_RST);
}

static void write_fixed_ctl(struct sim_box *box, uint64_t value)
{
	if ((value & FIXED_RST) != 0)
		box->fixed_ctr = 0;
	set_control(box, &box->fixed_ctl, value & ~FIXED_RST);
}

uint64_t sim_box_bits(const struct sim_box *box, enum sim_reg reg)
{
	const struct sim_kind *kind = box->kind;

	switch (reg) {
	case SIM_REG_BOX_CTL:
		return kind->box_bits;
	case SIM_REG_CONTROL:
		if (kind->style == SIM_STYLE_D)
			return kind->control_bits | SIM_CTL_EN;
		return kind->control_bits | SIM_CTL_EN | SIM_CTL_RST;
	case SIM_REG_FILTER:
		return kind->filter_bits & UINT32_MAX;
	case SIM_REG_FILTER_HIGH:
		return kind->filter_bits >> 32;
	case SIM_REG_FIXED_CTL:
		return kind->fixed_bits;
	case SIM_REG_FREE:
		return 0;
	default:
		/* A counter accepts any value; bits beyond its width are dropped. */
		return UINT64_MAX;
	}
}

bool sim_box_refuses(const struct sim_box *box, struct sim_ref ref, uint64_t value)
{
	uint64_t more = value & ~box->box_ctl;

	if (ref.reg == SIM_REG_FREE)
		return true;
	if ((value & ~sim_box_bits(box, ref.reg)) != 0)
		return true;
	/* Resets and frz_en must be written one after the other. */
	more &= BOX_RST_CTRL | BOX_RST_CTRS | BOX_FRZ_EN;
	return ref.reg == SIM_REG_BOX_CTL && box->kind->bitwise && (more & (more - 1)) != 0;
}

static uint64_t read_free(const struct sim_box *box, unsigned index, uint64_t now)
{
	const struct sim_free *group = &box->kind->free[index / SIM_FREE_GROUP];

	double rate = group->rate(box, index % SIM_FREE_GROUP);

	return sim_count_at(rate, sim_box_time(box, rate, now)) & ones(group->width);
}

uint64_t sim_box_read(struct sim_box *box, struct sim_ref ref, uint64_t now)
{
	sim_box_catch_up(box, now);
	switch (ref.reg) {
	case SIM_REG_BOX_CTL:
		return box->kind->style == SIM_STYLE_D ? box->box_ctl : box->box_ctl & BOX_KEPT;
	case SIM_REG_STATUS:
		return box->status;
	case SIM_REG_CONTROL:
		return box->control[ref.index];
	case SIM_REG_COUNTER:
		return box->counter[ref.index];
	case SIM_REG_FILTER:
		return box->filter & UINT32_MAX;
	case SIM_REG_FILTER_HIGH:
		return box->filter >> 32;
	case SIM_REG_FIXED_CTL:
		return box->fixed_ctl;
	case SIM_REG_FIXED_CTR:
		return box->fixed_ctr;
	case SIM_REG_FREE:
		return read_free(box, ref.index, now);
	case SIM_REG_EXTRA:
		return box->extra[ref.index];
	case SIM_REG_NONE:
		break;
	}
	return 0;
}

void sim_box_write(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now)
{
	sim_box_catch_up(box, now);
	switch (ref.reg) {
	case SIM_REG_BOX_CTL:
		write_box_ctl(box, value);
		break;
	case SIM_REG_STATUS:
		box->status &= ~value;
		break;
	case SIM_REG_CONTROL:
		write_control(box, ref.index, value);
		break;
	case SIM_REG_COUNTER:
		box->counter[ref.index] = value & ones(box->kind->width);
		break;
	case SIM_REG_FILTER:
		box->filter = (box->filter & ~(uint64_t)UINT32_MAX) | value;
		break;
	case SIM_REG_FILTER_HIGH:
		box->filter = (box->filter & UINT32_MAX) | value << 32;
		break;
	case SIM_REG_FIXED_CTL:
		write_fixed_ctl(box, value);
		break;
	case SIM_REG_FIXED_CTR:
		box->fixed_ctr = value & ones(box->kind->fixed_width);
		break;
	case SIM_REG_EXTRA:
		box->extra[ref.index] = (uint32_t)value;
		break;
	case SIM_REG_FREE:
	case SIM_REG_NONE:
		break;
	}
}
