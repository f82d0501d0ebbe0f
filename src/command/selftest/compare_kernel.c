/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare_kernel.c - the same events through the kernel's uncore driver: its registers, its counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/kernel.h"

/* Compared in addition to the clock where supported: events with filters or few counters. */
static const char *const others[] = {
	"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
	"UNC_C_LLC_LOOKUP:DATA_READ",
	"UNC_CHA_TOR_INSERTS:IA_MISS",
	"UNC_M_CAS_COUNT:RD",
	"UNC_H_REQUESTS:READS",
	"UNC_Q_TXL_FLITS_G0:DATA",
	"UNC_P_FREQ_BAND0_CYCLES",
};
#define N_OTHERS ((int)(sizeof(others) / sizeof(*others)))

/* Result for all events of a kind. */
struct verdict {
	int code; /* the library's error, or 0 */
	unsigned compared;
	size_t boxes; /* at most */
	enum selftest_state state;
	char *text;
};

/* ---- the events ---- */

static bool is_absent(int code)
{
	return code == UNCORE_ENODEV || code == UNCORE_ENOSUPP;
}

/* The driver may support fewer boxes than the machine has. */
static void add(struct comparison *s, const struct uncore_box_info *box, unsigned id)
{
	struct both b = {.box = box, .id = id, .ours = -1, .kernels = -1, .fd = -1};

	b.perf.size = sizeof(b.perf);
	s->code = uncore_perf_event(s->t->u, id, 0, &b.perf);
	if (s->code == 1) {
		s->at = need_more(s->at, s->n + 1, sizeof(*s->at));
		s->at[s->n++] = b;
	}
	if (s->code == 1 || (s->n > 0 && is_absent(s->code)))
		s->code = 0;
}

/* Skip events that the machine or the kernel lacks.  The clock shows if all are missing. */
static void add_other(struct comparison *s, const struct uncore_box_info *box, const char *event)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	char name[UNCORE_NAME_MAX];
	unsigned id;

	snprintf(name, sizeof(name), "%s:box=%u:pkg=%u", event, box->index, box->package);
	if (uncore_event(s->t->u, name, &id) == 0 && uncore_event_info(s->t->u, id, &info) == 0 &&
	    strcmp(info.kind, box->kind) == 0)
		add(s, box, id);
	s->code = 0;
}

static void collect(struct comparison *s, const struct clock *clock, int other)
{
	unsigned id;

	for (size_t i = 0; s->code == 0 && i < s->kind->n; i++) {
		const struct uncore_box_info *box = &s->kind->box[i];

		if (other >= 0) {
			add_other(s, box, others[other]);
			continue;
		}
		s->code = raw_event(s->t, box, clock->control, &id);
		if (s->code == 0)
			add(s, box, id);
	}
}

/* ---- verdicts ---- */

/* Keep the worst result; of equal ones the first. */
static void take(struct verdict *v, enum selftest_state state, char *text, size_t boxes)
{
	v->compared++;
	v->boxes = boxes > v->boxes ? boxes : v->boxes;
	if (!v->text || state > v->state) {
		free(v->text);
		v->text = text;
		v->state = state;
	} else {
		free(text);
	}
}

/* Counts with different register contents cannot be compared. */
static void compare(struct comparison *s, struct verdict *registers, struct verdict *counts)
{
	enum selftest_state state;
	char *text;

	for (size_t i = 0; s->code == 0 && !s->skipped && i < s->n; i++)
		compare_registers(s, &s->at[i]);
	registers->code = counts->code = s->code;
	if (s->code < 0 || s->skipped || s->n == 0)
		return;
	take(registers, s->wrong ? SELFTEST_FAIL : SELFTEST_PASS,
	     text_of("%s", s->wrong ? s->wrong : "identical"), s->n);
	if (s->wrong) {
		keep_text(&s->skipped, text_of("the kernel writes different registers"));
		return;
	}
	state = compare_counts(s, &text);
	counts->code = s->code;
	if (text)
		take(counts, state, text, s->n);
}

static void report_verdict(struct comparison *s, struct verdict *v, char *what, char *expected)
{
	if (v->code < 0)
		report_refusal(s->t, v->code, what, expected);
	else if (v->text)
		report_check(s->t, v->state, what, expected,
			     text_of("%s (%u event%s, %zu box%s)", v->text, v->compared,
				     plural(v->compared), v->boxes, v->boxes == 1 ? "" : "es"));
	else
		report_check(s->t, SELFTEST_SKIP, what, expected,
			     text_of("%s", s->skipped ? s->skipped : "no events to compare"));
	free(v->text);
}

/* Whether the kernel driver can be used; if not, report it once. */
static bool has_kernel(struct comparison *s)
{
	char *what = text_of("%s", "kernel driver"), *expected;
	int fd = -1;

	if (s->t->kernel == KERNEL_UNKNOWN && s->code == 0 && s->n > 0)
		fd = open_in_kernel(s, &s->at[0]);
	if (s->t->kernel == KERNEL_UNKNOWN && fd >= 0)
		s->t->kernel = KERNEL_USABLE;
	if (fd >= 0)
		unc_perf_close(fd);
	if (s->t->kernel == KERNEL_USABLE) {
		free(what);
		return true;
	}
	s->t->kernel = KERNEL_UNUSABLE;
	expected = text_of("the kernel driver writes and counts the same");
	report_verdict(s, &(struct verdict){.code = s->code}, what, expected);
	return false;
}

/* Reset for the next event; keep the first reason for skipping one. */
static void forget(struct comparison *s, char **why)
{
	if (s->skipped)
		keep_text(why, s->skipped);
	free(s->wrong);
	s->skipped = s->wrong = NULL;
}

void compare_with_kernel(struct testee *t, const struct kind *kind, const struct clock *clock)
{
	struct verdict registers = {.text = NULL}, counts = {.text = NULL};
	struct comparison s = {.t = t, .kind = kind};
	char *why = NULL;
	bool usable = t->kernel != KERNEL_UNUSABLE;

	for (int i = -1; usable && s.code == 0 && i < N_OTHERS; i++) {
		s.n = 0;
		collect(&s, clock, i);
		usable = has_kernel(&s);
		if (usable)
			compare(&s, &registers, &counts);
		forget(&s, &why);
	}
	s.skipped = why;
	if (usable) {
		report_verdict(&s, &registers,
			       text_of("%s: registers of the kernel driver", kind->name),
			       text_of("it writes the same controls and filters"));
		report_verdict(&s, &counts, text_of("%s: counts of the kernel driver", kind->name),
			       text_of("equal to the counts of this library within 0.1 %%"));
	}
	free(s.at);
	free(s.skipped);
}
