/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handle.c - the lock of a handle, its counters and runs, and the messages of errors noted while
 * counting.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "claim/stop_after.h"

/* ---- lock ---- */

static void note_signals(struct uncore *u, bool blocked)
{
	if (u->hw->ops->signals_blocked)
		u->hw->ops->signals_blocked(u->hw, blocked);
}

bool unc_lock_try(struct uncore *u)
{
	if (!unc_mutex_trylock(&u->lock))
		return false;
	note_signals(u, true);
	return true;
}

void unc_lock_end(struct uncore *u)
{
	note_signals(u, false);
	unc_mutex_unlock(&u->lock);
}

/* The lock may have been held by another thread when a child was forked. */
void unc_lock(struct uncore *u, sigset_t *before)
{
	sigset_t all;

	if (unc_is_child(u))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	unc_mutex_lock(&u->lock);
	note_signals(u, true);
	if (u->ledger.n_failed)
		unc_failed_retry(u);
}

void unc_unlock(struct uncore *u, const sigset_t *before)
{
	if (unc_is_child(u))
		return;
	unc_lock_end(u);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

int unc_refuse_child(struct uncore *u)
{
	const int r = unc_unopened(u);

	if (r < 0 || !unc_is_child(u))
		return r;
	return unc_fail(&u->err, UNCORE_EFORK,
			"this handle belongs to the parent process: open a handle in this process");
}

/* ---- counters ---- */

struct unc_counter *unc_counter_of(struct uncore *u, unsigned box, unsigned counter)
{
	return &u->counters[u->machine.boxes[box].first + counter];
}

/* ---- runs ---- */

struct unc_run *unc_run_new(struct uncore *u, size_t n)
{
	struct unc_run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->u = u;
	run->n = n;
	run->sums = calloc(n + 1, sizeof(*run->sums));
	run->spans = calloc(n + 1, sizeof(*run->spans));
	if (run->sums && run->spans)
		return run;
	free(run->sums);
	free(run->spans);
	free(run);
	return NULL;
}

void unc_run_free(struct unc_run *run)
{
	if (!run || unc_is_child(run->u))
		return;
	unc_reading_free(&run->reading);
	unc_program_free(&run->program);
	free(run->control_values);
	unc_layout_free(&run->layout);
	free(run->claimed);
	free(run->stop_after);
	free(run->sums);
	free(run->spans);
	free(run);
}

struct unc_claims unc_claims_of(const struct unc_run *run)
{
	const struct uncore *u = run->u;

	return (struct unc_claims){
		.machine = &u->machine,
		.uses = u->uses,
		.counting = u->counting,
		.groups = u->groups,
		.shared = u->shared,
		.n = run->n_claimed,
		.claimed = run->claimed,
		.samples = run->stop_after ? &run->stop_after->samples : NULL,
	};
}

int unc_run_phase(const struct unc_run *run, enum unc_phase phase)
{
	const struct unc_ops *ops = &run->program.phase[phase];
	struct uncore *u = run->u;
	size_t done;

	return unc_run_list(u->hw, ops->op, ops->n, NULL, &done, &u->err);
}

void unc_count_change(const struct unc_run *run)
{
	struct uncore *u = run->u;

	for (size_t i = 0; i < run->n_claimed; i++) {
		const unsigned box = run->claimed[i].box;
		const struct unc_box *b = &u->machine.boxes[box];

		if (b->type->units)
			u->uses[unc_other_unit(b) - u->machine.boxes].paired = u->uses[box].n;
	}
	u->changes++;
	if (run->own_changes)
		++*run->own_changes;
}

/* ---- messages ---- */

/* An SGX enclave affects the counts; only the ASCI bit shows it. */
static bool is_enclave(const struct unc_op *op, uint64_t value)
{
	return op->space == UNCORE_CPU && op->address == UNC_ARCH_STATUS &&
	       ((value ^ op->value) & op->mask) == UNC_ARCH_ENCLAVE;
}

int unc_held_other(struct unc_err *err, const struct unc_machine *machine, const struct unc_op *op,
		   uint64_t value, const char *when)
{
	char location[UNC_DIE_NAME];

	unc_op_location(location, machine, op);
	if (is_enclave(op, value))
		return unc_fail(err, UNCORE_ESTOLEN,
				"%s, register %#" PRIx64 ": bit 60 (ASCI) was set %s: an SGX "
				"enclave affected the counters and their counts are invalid; count "
				"while no enclave runs on this CPU",
				location, op->address, when);
	return unc_fail(err, UNCORE_ESTOLEN,
			"%s, register %#" PRIx64 " held %#" PRIx64 " instead of "
			"%#" PRIx64 " %s: another tool reprogrammed%s the counter, its counts "
			"are invalid",
			location, op->address, value & op->mask, op->value, when,
			op->space == UNCORE_CPU ? ", stopped or froze" : "");
}

/* The kernel backend notes a box as the unit of the operation; backend/kernel.c. */
static void not_counted(struct uncore *u, const struct unc_noted *late)
{
	const struct unc_box *b = &u->machine.boxes[late->op.unit];
	char name[UNC_DIE_NAME];

	unc_fail(&u->err, UNCORE_EIO, "the kernel's driver did not count in %s%s%u of %s%s: %s",
		 b->type->name, unc_gap(b->type), b->number,
		 unc_die_name(name, &u->machine, b->package),
		 late->error == -ESTALE ? " for the whole run" : "",
		 late->error == -ESTALE  ? "the counts of this run are invalid"
		 : late->error == -EBUSY ? "no counter is available any more"
					 : strerror(-late->error));
}

static void report(struct uncore *u, const struct unc_noted *late)
{
	if (late->format)
		late->format(late->who, &u->err);
	else if (late->error && u->machine.listed)
		not_counted(u, late);
	else if (late->error)
		unc_op_failed(u->hw, &late->op, late->error, &u->err);
	else
		unc_held_other(&u->err, &u->machine, &late->op, late->value, "while counting");
}

void unc_report_late(struct uncore *u)
{
	struct unc_noted late;

	if (unc_err_take_late(&u->err, &late))
		report(u, &late);
}

char *uncore_errmsg(struct uncore *u, char *buf, size_t len)
{
	struct unc_noted late;

	/* uncore_open() had no memory for a handle */
	if (!u) {
		if (len)
			snprintf(buf, len, "out of memory for a handle");
		return buf;
	}
	if (unc_err_take_late(&u->err, &late) || unc_err_take_others(&u->err, &late))
		report(u, &late);
	unc_err_text(&u->err, buf, len);
	return buf;
}
