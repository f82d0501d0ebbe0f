/* SPDX-License-Identifier: BSD-3-Clause */
/* selftest.c - `uncore selftest`: check that the counters of this machine count correctly. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "command/selftest/selftest.h"
#include "tools.h"
#include "traffic.h"

static const char *const states[] = {[SELFTEST_PASS] = "PASS",
				     [SELFTEST_WARN] = "WARN",
				     [SELFTEST_FAIL] = "FAIL",
				     [SELFTEST_SKIP] = "SKIP",
				     [SELFTEST_BUSY] = "BUSY"};

static unsigned count(const struct selftest_report *r, enum selftest_state state)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->at[i].state == state;
	return n;
}

static void sleep_us(void *none, unsigned us)
{
	const struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};

	(void)none;
	nanosleep(&t, NULL);
}

#define NOISE_WINDOWS 5
#define NOISE_NS      20000000 /* the duration of a check */
#define LOST_NS       20000    /* between two clock reads; shorter gaps are not preemption */

/* The fraction of a window in which another process had this CPU. */
static double lost_in_window(void)
{
	const uint64_t begin = now_ns();
	uint64_t last = begin, lost = 0;

	while (last - begin < NOISE_NS) {
		const uint64_t now = now_ns();

		lost += now - last > LOST_NS ? now - last : 0;
		last = now;
	}
	return (double)lost / (double)(last - begin);
}

static double lost_share(void *none)
{
	double most = 0;

	(void)none;
	for (int i = 0; i < NOISE_WINDOWS; i++)
		most = fmax(most, lost_in_window());
	return most;
}

#define WHAT_COLUMN     6
#define EXPECTED_COLUMN 42

static void print_check(const struct screen *s, const struct selftest_check *c)
{
	char *what = text_with_places(c->what), *expected = text_with_places(c->expected);
	char *seen = text_with_places(c->seen);

	print_name(s, 0, states[c->state], WHAT_COLUMN);
	print_name(s, 0, what, EXPECTED_COLUMN - WHAT_COLUMN);
	print_folded(s, EXPECTED_COLUMN, EXPECTED_COLUMN, expected);
	print_paragraph(s, EXPECTED_COLUMN, "%s: %s",
			c->state == SELFTEST_SKIP ? "skipped" : "seen", seen);
	free(what);
	free(expected);
	free(seen);
}

/* Flush whole lines, so that a reader of a pipe sees each check when it is done. */
static void print_done(void *none, const struct selftest_check *c)
{
	const struct screen s = screen_of(stdout);

	(void)none;
	print_check(&s, c);
	fflush(s.out);
}

/* The result of all checks on a machine. */
struct selftest_result {
	const struct uncore_machine_info *machine;
	const struct selftest_report *report;
};

/* Below the checks, which have been printed. */
static void print_sums(const void *of, const struct screen *s)
{
	const struct selftest_report *r = ((const struct selftest_result *)of)->report;
	const unsigned busy = count(r, SELFTEST_BUSY);

	fputc('\n', s->out);
	if (busy)
		print_paragraph(s, 0,
				"this computer is too busy for %u of %zu checks: repeat the "
				"self-test with less load",
				busy, r->n);
	print_paragraph(s, 0, "%u passed, %u warned, %u failed, %u skipped",
			count(r, SELFTEST_PASS), count(r, SELFTEST_WARN), count(r, SELFTEST_FAIL),
			count(r, SELFTEST_SKIP));
}

static struct json_object *result_object(const void *of)
{
	const struct uncore_machine_info *m = ((const struct selftest_result *)of)->machine;
	const struct selftest_report *r = ((const struct selftest_result *)of)->report;
	struct json_object *all = json_object_new_object(), *list = json_object_new_array();

	add_json_text(all, "platform", m->platform);
	add_json_flag(all, "simulated", m->simulated);
	add_json_integer(all, "failed", count(r, SELFTEST_FAIL));
	for (size_t i = 0; i < r->n; i++) {
		struct json_object *o = json_object_new_object();

		add_json_text(o, "check", r->at[i].what);
		add_json_text(o, "state", states[r->at[i].state]);
		add_json_text(o, "expected", r->at[i].expected);
		add_json_text(o, "seen", r->at[i].seen);
		json_object_array_add(list, o);
	}
	json_object_object_add(all, "checks", list);
	add_json_integer(all, "too_busy", count(r, SELFTEST_BUSY));
	return all;
}

static const struct rows_class result_rows = {.object = result_object, .text = print_sums};

/* Options of the report. */
struct report_options {
	bool json;
	const char *file; /* NULL: none */
	int fd;
	const char *const *kinds; /* box kinds, NULL-terminated; empty: all */
};

/* ---- the command ---- */

static int print_report(struct uncore *u, const struct report_options *how,
			const struct uncore_machine_info *m, const struct selftest_report *r)
{
	const struct screen screen = screen_of(stdout);
	const struct selftest_result result = {m, r};
	const struct rows rows = {&result_rows, &result};

	emit_json_or_text(how->json, &screen, &rows);
	if (how->file &&
	    !write_recording(u, how->file, how->fd, "selftest", result_object(&result)))
		return TOOL_FAILED;
	if (count(r, SELFTEST_FAIL))
		return TOOL_NO_FIT;
	return count(r, SELFTEST_BUSY) ? TOOL_BUSY : TOOL_OK;
}

static bool has_kind(struct uncore *u, const char *kind)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned b = 0; uncore_box(u, b, &box) == 1; b++)
		if (strcmp(box.kind, kind) == 0)
			return true;
	return false;
}

/* "cbo, ha, imc" */
static char *kinds_of(struct uncore *u)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	const char *last = "";
	char *all = text_of("%s", "");

	for (unsigned b = 0; uncore_box(u, b, &box) == 1; b++) {
		char *before = all;

		if (strcmp(box.kind, last) == 0)
			continue;
		all = text_of("%s%s%s", before, *before ? ", " : "", box.kind);
		free(before);
		last = box.kind;
	}
	return all;
}

static bool has_kinds(struct uncore *u, const char *const *kinds)
{
	char *all;

	while (*kinds && has_kind(u, *kinds))
		kinds++;
	if (!*kinds)
		return true;
	all = kinds_of(u);
	say("unknown kind of box \"%s\": this machine has %s", *kinds, all);
	free(all);
	return false;
}

static int test(struct uncore *u, const struct report_options *how)
{
	struct traffic_maker maker = {.u = u};
	const struct selftest_traffic traffic = traffic_by(&maker);
	const struct selftest_time time = {sleep_us, NULL, &traffic, lost_share,
					   how->json ? NULL : print_done};
	const struct screen screen = screen_of(stdout);
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct selftest_report report;
	int status;

	uncore_machine(u, &m);
	if (m.recorded) {
		say("cannot test a recorded machine: its counters do not count");
		return TOOL_FAILED;
	}
	if (m.kernel) {
		say("the self-test requires access to the registers: set UNCORE_ACCESS=direct "
		    "and run with the permissions it needs");
		return TOOL_FAILED;
	}
	if (!has_kinds(u, how->kinds))
		return TOOL_WRONG;
	maker.simulated = m.simulated;
	if (!how->json) {
		print_machine(&screen, &m);
		fputc('\n', stdout);
		fflush(stdout);
	}
	selftest_run(&report, u, &time, how->kinds);
	status = print_report(u, how, &m, &report);
	selftest_free(&report);
	return status;
}

static int open_and_test(const char *machine, const struct report_options *how)
{
	const struct uncore_options o = {.size = sizeof(o),
					 .machine = machine,
					 .share = share_option(),
					 .record = how->file != NULL};
	struct uncore *u;
	int code, status = TOOL_FAILED;

	give_up_rights_unless_native(machine);
	code = uncore_open(&u, &o);
	if (code == 0)
		status = test(u, how);
	else
		report_machine(u, code, &selftest_command);
	/* A recording contains the reason if the machine could not be opened. */
	if (code != 0 && u && how->file)
		uncore_record(u, how->fd, 0);
	uncore_close(u);
	return status;
}

/* Open the file first: the self-test takes a minute. */
static int with_file(const char *machine, struct report_options *how)
{
	int status;

	if (!how->file)
		return open_and_test(machine, how);
	how->fd = create_file(how->file);
	if (how->fd < 0) {
		say_file(how->file, errno);
		return TOOL_FAILED;
	}
	status = open_and_test(machine, how);
	if (close(how->fd) == 0)
		return status;
	say("%s: %s", how->file, strerror(errno));
	return TOOL_FAILED;
}

static int run(int argc, char **argv, const char *machine)
{
	struct report_options how = {.json = false};
	const int status = read_options(&selftest_command, argc, argv, &how, &machine);

	if (status != TOOL_OK)
		return status;
	how.kinds = (const char *const *)&argv[optind];
	return with_file(machine, &how);
}

static const struct unc_option options[] = {
	{.names = "--json",
	 .help = "print one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct report_options, json)},
	{.names = "--report",
	 .arg = "FILE",
	 .help = "also write a file to attach to a bug report, with the checks and the output of "
		 "`uncore record`",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct report_options, file)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command selftest_command = {
	.name = "selftest",
	.summary = "test whether the counters count correctly",
	.run = run,
	.usage = "[KIND...]",
	.help = "Test whether the counters of this machine count correctly: each counter of each "
		"box counts its clock, under conditions with a known result, and up to an "
		"overflow; partial counts add up to their sum; traffic of known size is counted "
		"in the right place; and if the kernel driver is loaded, it writes identical "
		"registers and counts identical. Takes about a minute. Only unused counters are "
		"written, and all registers are restored. The exit status is 1 if a check "
		"failed, and 4 if none failed but this computer was too busy for some (BUSY).\n"
		"\n"
		"With KIND, a kind of box as shown by `uncore show`, only these boxes are "
		"tested, without traffic, which takes less time.",
	.options = options,
	.example = "selftest",
};
