/*
 * box.c - one PMON box: controls, counters, fixed counter, freeze and reset
 * (facts snbep sections 3 and 4).
 *
 * A counter that runs from t0 to t1 gains floor(rate * t1) - floor(rate * t0),
 * with t on the machine's clock.  So fractions are never lost, it does not
 * matter how often a counter is looked at, and counters of the same event over
 * the same time agree exactly.
 */
#include "model.h"

#define BOX_RST_CTRL (UINT64_C(1) << 0)
#define BOX_RST_CTRS (UINT64_C(1) << 1)
#define BOX_FRZ      (UINT64_C(1) << 8)
#define BOX_FRZ_EN   (UINT64_C(1) << 16)
#define FIXED_RST    (UINT64_C(1) << 19)

#define RATE_SHIFT 20 /* rates are kept in 2^-20 per second */
#define NS_PER_S   UINT64_C(1000000000)

/* rate * time does not fit 64 bits */
__extension__ typedef unsigned __int128 wide;

static uint64_t ones(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static uint64_t count_until(double rate, uint64_t ns)
{
	wide fixed = (wide)(rate * (1 << RATE_SHIFT) + 0.5);

	return (uint64_t)(fixed * ns / ((wide)NS_PER_S << RATE_SHIFT));
}

static uint64_t gain(double rate, uint64_t since, uint64_t now)
{
	return rate > 0 ? count_until(rate, now) - count_until(rate, since) : 0;
}

static bool frozen(const struct sim_box *box)
{
	return (box->box_ctl & BOX_FRZ) != 0 && (box->box_ctl & BOX_FRZ_EN) != 0;
}

/* The companion event sees counter 0's queue, whatever counter 0 makes of it. */
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

static double counter_rate(const struct sim_box *box, unsigned i)
{
	const struct sim_kind *kind = box->kind;
	struct sim_signal signal;

	if ((box->control[i] & SIM_CTL_EN) == 0)
		return 0;
	if (!kind->signal(box, box->control[i], box->filter, &signal))
		return 0;
	if ((signal.allowed >> i & 1) == 0)
		return 0;
	if (signal.companion && !companion(box, &signal))
		return 0;
	return sim_signal_rate(&signal, kind, box->control[i], kind->narrow && i > 0);
}

/* Bring every counter up to `now`. */
static void catch_up(struct sim_box *box, uint64_t now)
{
	const struct sim_kind *kind = box->kind;
	uint64_t since = box->since;

	box->since = now;
	if (now <= since || frozen(box))
		return;
	for (unsigned i = 0; i < kind->n_counters; i++) {
		uint64_t more = gain(counter_rate(box, i), since, now);

		box->counter[i] = (box->counter[i] + more) & ones(kind->width);
	}
	if (kind->fixed_width != 0 && (box->fixed_ctl & SIM_CTL_EN) != 0) {
		uint64_t more = gain(kind->clock_hz(box), since, now);

		box->fixed_ctr = (box->fixed_ctr + more) & ones(kind->fixed_width);
	}
}

/* The reset bits act once and read back 0; frz and frz_en stay. */
static void write_box_ctl(struct sim_box *box, uint64_t value)
{
	for (unsigned i = 0; i < box->kind->n_counters; i++) {
		if ((value & BOX_RST_CTRL) != 0)
			box->control[i] = 0;
		if ((value & BOX_RST_CTRS) != 0)
			box->counter[i] = 0;
	}
	if ((value & BOX_RST_CTRL) != 0)
		box->fixed_ctl = 0;
	if ((value & BOX_RST_CTRS) != 0)
		box->fixed_ctr = 0;
	box->box_ctl = value & (BOX_FRZ | BOX_FRZ_EN);
}

static void write_control(struct sim_box *box, unsigned i, uint64_t value)
{
	if ((value & SIM_CTL_RST) != 0)
		box->counter[i] = 0;
	box->control[i] = value & ~SIM_CTL_RST;
}

static void write_fixed_ctl(struct sim_box *box, uint64_t value)
{
	if ((value & FIXED_RST) != 0)
		box->fixed_ctr = 0;
	box->fixed_ctl = value & ~FIXED_RST;
}

uint64_t sim_box_bits(const struct sim_box *box, enum sim_reg reg)
{
	const struct sim_kind *kind = box->kind;

	switch (reg) {
	case SIM_REG_BOX_CTL:
		return kind->box_bits;
	case SIM_REG_CONTROL:
		return kind->control_bits | SIM_CTL_EN | SIM_CTL_RST;
	case SIM_REG_FILTER:
		return kind->filter_bits;
	case SIM_REG_FIXED_CTL:
		return kind->fixed_bits;
	default:
		/* A counter takes any value; what does not fit its width is lost. */
		return UINT64_MAX;
	}
}

uint64_t sim_box_read(struct sim_box *box, struct sim_ref ref, uint64_t now)
{
	catch_up(box, now);
	switch (ref.reg) {
	case SIM_REG_BOX_CTL:
		return box->box_ctl;
	case SIM_REG_CONTROL:
		return box->control[ref.index];
	case SIM_REG_COUNTER:
		return box->counter[ref.index];
	case SIM_REG_FILTER:
		return box->filter;
	case SIM_REG_FIXED_CTL:
		return box->fixed_ctl;
	case SIM_REG_FIXED_CTR:
		return box->fixed_ctr;
	case SIM_REG_EXTRA:
		return box->extra[ref.index];
	case SIM_REG_NONE:
		break;
	}
	return 0;
}

void sim_box_write(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now)
{
	catch_up(box, now);
	switch (ref.reg) {
	case SIM_REG_BOX_CTL:
		write_box_ctl(box, value);
		break;
	case SIM_REG_CONTROL:
		write_control(box, ref.index, value);
		break;
	case SIM_REG_COUNTER:
		box->counter[ref.index] = value & ones(box->kind->width);
		break;
	case SIM_REG_FILTER:
		box->filter = value;
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
	case SIM_REG_NONE:
		break;
	}
}
