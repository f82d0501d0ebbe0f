/* SPDX-License-Identifier: BSD-3-Clause */
/* busy.c - the message of a counter that another process or tool uses, and what to do about it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "claim/others.h"

/* ---- by its control: the kernel's driver, or another tool ---- */

static int busy_counter(struct uncore *u, const struct unc_box *b, unsigned counter, uint64_t value)
{
	const bool fixed = counter == b->type->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"%s%s%u of package %u: %s %u is enabled by %s (control %#" PRIx64
			"); stop it, or set UNCORE_FORCE=1 to take the counter over",
			b->type->name, unc_gap(b->type), b->number, b->socket,
			fixed ? "fixed counter" : "counter", fixed ? 0 : counter,
			unc_share_suspect(u->share), value);
}

static int busy_cpu(struct uncore *u, const struct unc_box *b, unsigned counter,
		    const struct unc_op *op, uint64_t value)
{
	const unsigned own = b->type->arch->n_counters;

	return unc_fail(&u->err, UNCORE_EBUSY,
			"CPU %u: %s counter %u is in use by the kernel or by another program "
			"(MSR %#" PRIx64 " holds %#" PRIx64 "); stop perf, PCM or LIKWID, switch "
			"the NMI watchdog off (sysctl kernel.nmi_watchdog=0), or set "
			"UNCORE_FORCE=1 to take it over",
			b->index, counter < own ? "programmable" : "fixed",
			counter < own ? counter : counter - own, op->address, value);
}

/* The counter of a core that is busy: one of those that the run claims there. */
static int find_busy_cpu(const struct unc_run *run, unsigned box, const struct unc_op *op,
			 uint64_t value)
{
	for (size_t i = 0; i < run->n_claimed; i++) {
		const struct unc_claimed *h = &run->claimed[i];
		const struct unc_job job = {&run->u->machine,
					    &run->u->machine.boxes[box],
					    NULL,
					    NULL,
					    &h->assignment,
					    1};

		if (h->box == box && unc_arch_busy(&job, op, value) >= 0)
			return h->assignment.counter;
	}
	return 0;
}

int unc_busy_counter(const struct unc_run *run, unsigned box, const struct unc_op *op,
		     uint64_t value)
{
	struct uncore *u = run->u;
	const struct unc_box *b = &u->machine.boxes[box];
	int counter;

	if (b->type->arch) {
		counter = find_busy_cpu(run, box, op, value & op->value);
		return busy_cpu(u, b, (unsigned)counter, op, value);
	}
	counter = unc_counter_of_control(b, op);
	if (counter < 0) { /* of the other unit of the device */
		b = unc_other_unit(b);
		counter = unc_counter_of_control(b, op);
	}
	return busy_counter(u, b, (unsigned)counter, value);
}

/* ---- by a journal: another process ---- */

/* uncored shares its counters with its clients. */
static const char *instead(const struct uncore *u, const struct unc_journal_head *owner)
{
	if (strcmp(owner->name, "uncored") == 0)
		return "count through it (UNCORE_ACCESS=daemon; uncore clients lists its clients), "
		       "or count other boxes";
	if (u->owner_counts)
		return "wait until it ends, or count other boxes: with UNCORE_SHARE=owner, only "
		       "the same events can be shared";
	return "wait until it ends, or count other boxes (with UNCORE_SHARE=owner, processes of a "
	       "job share the same events)";
}

int unc_busy_box(const struct unc_run *run, unsigned box, const struct unc_owner *who)
{
	struct uncore *u = run->u;
	const struct unc_box *b = &u->machine.boxes[box];
	char where[64], name[UNC_OWNER_NAME], since[32];

	if (b->type->arch)
		snprintf(where, sizeof(where), "CPU %u", b->index);
	else
		snprintf(where, sizeof(where), "%s%s%u of package %u", b->type->name,
			 unc_gap(b->type), b->number, b->socket);
	return unc_fail(&u->err, UNCORE_EBUSY, "%s is in use by %s since %s; %s", where,
			unc_owner_name(name, who->head), unc_since(since, who->since),
			instead(u, who->head));
}
