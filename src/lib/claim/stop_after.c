/* SPDX-License-Identifier: BSD-3-Clause */
/* stop_after.c - see stop_after.h. */
#include "claim/stop_after.h"

static bool reached(struct uncore *u, const struct unc_stop_after *stop_after)
{
	for (unsigned i = 0; i < stop_after->samples.n; i++)
		if (unc_sample_reached(u, stop_after, i))
			return true;
	return false;
}

void unc_stop_after_armed(struct unc_run *run)
{
	struct unc_stop_after *stop_after = run->stop_after;

	if (!stop_after)
		return;
	for (unsigned i = 0; i < stop_after->samples.n; i++) {
		stop_after->armed[i] =
			atomic_load(&unc_sampled(run->u, &stop_after->samples.at[i])->total);
		stop_after->not_stopped[i] = NULL;
	}
	stop_after->stopped = stop_after->halted = false;
	stop_after->n_sources = 0;
}

/* The previous state matters only in a package that is not running any more. */
bool unc_stop_after_stopped(struct unc_run *run, unsigned package)
{
	struct unc_stop_after *stop_after = run->stop_after;
	struct uncore *u = run->u;

	if (!stop_after || stop_after->stopped || stop_after->halted)
		return stop_after != NULL;
	if (!unc_samples_stop(&stop_after->samples, &u->machine, package))
		return false;
	/* a counter that cannot be read is reported by the next read */
	if (unc_stop_after_fold(u, stop_after) < 0 || reached(u, stop_after))
		return true;
	unc_overflow_sources_read(u, stop_after);
	return stop_after->n_sources > 0;
}

int unc_stop_after_look(struct unc_run *run)
{
	struct unc_stop_after *stop_after = run->stop_after;
	struct uncore *u = run->u;
	int r = unc_stop_after_fold(u, stop_after);

	if (r < 0 || !reached(u, stop_after))
		return r;
	r = unc_freeze_check_look(run, unc_stop_after_stopped);
	if (r == 0)
		r = unc_stop_after_check(run);
	if (r < 0)
		return r;
	unc_overflow_sources_read(u, stop_after);
	stop_after->stopped = true;
	return 1;
}

int unc_stop_after_latch(struct unc_run *run)
{
	struct unc_stop_after *stop_after = run->stop_after;
	struct uncore *u = run->u;
	int r;

	if (stop_after->stopped || !run->counts)
		return 0;
	r = unc_stop_after_fold(u, stop_after);
	if (r == 0)
		r = unc_stop_after_check(run);
	if (r < 0)
		return r;
	stop_after->stopped = reached(u, stop_after);
	unc_overflow_sources_read(u, stop_after); /* another counter may have stopped it */
	return 0;
}

/* ---- resume ---- */

/* The register jumps but the total must not: its new value is the new base. */
static int load(struct uncore *u, struct unc_counter *c, const struct unc_op *op)
{
	const uint64_t total = atomic_load(&c->total);
	uint64_t raw = 0;
	int r;

	atomic_fetch_add(&c->bias_seq, 1);
	r = unc_run_op(u->hw, op, &raw);
	if (r == 0)
		r = unc_run_op(u->hw, &c->read, &raw);
	if (r == 0)
		atomic_store(&c->bias, total - raw);
	atomic_fetch_add(&c->bias_seq, 1);
	return r < 0 ? unc_op_failed(u->hw, op, r, &u->err) : 0;
}

static int load_all(const struct unc_run *run)
{
	const struct unc_samples *samples = &run->stop_after->samples;
	const struct unc_op *op = run->program.phase[UNC_LOAD].op;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < samples->n; i++)
		if (!samples->at[i].polled)
			r = load(run->u, unc_sampled(run->u, &samples->at[i]), op++);
	return r;
}

static int load_again(struct unc_run *run)
{
	int r = unc_stop_after_halt(run, 0);

	if (r == 0)
		r = unc_stop_after_fold(run->u, run->stop_after);
	if (r == 0)
		r = unc_run_phase(run, UNC_CLEAR);
	return r == 0 ? load_all(run) : r;
}

int unc_stop_after_rearm(struct unc_run *run)
{
	int r = unc_freeze_check_look(run, unc_stop_after_stopped);

	if (r < 0)
		return r;
	r = load_again(run);
	if (r == 0) {
		unc_stop_after_armed(run);
		r = unc_run_phase(run, UNC_START);
	}
	if (r < 0) {
		unc_stop_after_halt(run, r);
		run->stop_after->stopped = true;
	}
	return r;
}
