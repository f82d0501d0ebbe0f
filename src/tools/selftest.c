/* SPDX-License-Identifier: BSD-3-Clause */
/* selftest.c - `uncore selftest`: whether the counters of this machine count as they should. */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/text.h"
#include "selftest/selftest.h"
#include "tools.h"
#include "traffic.h"

static const char *const states[] = {[SELFTEST_PASS] = "PASS",
				     [SELFTEST_WARN] = "WARN",
				     [SELFTEST_FAIL] = "FAIL",
				     [SELFTEST_SKIP] = "SKIP"};

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

#define WHAT_COLUMN     6
#define EXPECTED_COLUMN 42

static void print_check(const struct screen *s, const struct selftest_check *c)
{
	print_name(s, 0, states[c->state], WHAT_COLUMN);
	print_name(s, 0, c->what, EXPECTED_COLUMN - WHAT_COLUMN);
	print_folded(s, EXPECTED_COLUMN, EXPECTED_COLUMN, c->expected);
	print_paragraph(s, EXPECTED_COLUMN, "%s: %s",
			c->state == SELFTEST_SKIP ? "not tried" : "seen", c->seen);
}

static void print_report(const struct screen *s, const struct uncore_machine_info *m,
			 const struct selftest_report *r)
{
	print_machine(s, m);
	fputc('\n', s->out);
	for (size_t i = 0; i < r->n; i++)
		print_check(s, &r->at[i]);
	fputc('\n', s->out);
	print_paragraph(s, 0, "%u passed, %u warned, %u failed, %u not tried",
			count(r, SELFTEST_PASS), count(r, SELFTEST_WARN), count(r, SELFTEST_FAIL),
			count(r, SELFTEST_SKIP));
}

static struct json_object *json_of(const struct uncore_machine_info *m,
				   const struct selftest_report *r)
{
	struct json_object *all = json_object_new_object(), *list = json_object_new_array();

	add_json_text(all, "platform", m->platform);
	json_object_object_add(all, "simulated", json_object_new_boolean(m->simulated));
	json_object_object_add(all, "failed", json_object_new_int64(count(r, SELFTEST_FAIL)));
	for (size_t i = 0; i < r->n; i++) {
		struct json_object *o = json_object_new_object();

		add_json_text(o, "check", r->at[i].what);
		add_json_text(o, "state", states[r->at[i].state]);
		add_json_text(o, "expected", r->at[i].expected);
		add_json_text(o, "seen", r->at[i].seen);
		json_object_array_add(list, o);
	}
	json_object_object_add(all, "checks", list);
	return all;
}

static void print_json(FILE *out, const struct uncore_machine_info *m,
		       const struct selftest_report *r)
{
	struct json_object *all = json_of(m, r);

	fprintf(out, "%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PLAIN));
	json_object_put(all);
}

/* ---- the file for a bug report ---- */

/* The recording of the machine; NULL: why has been said. */
static struct json_object *recording_of(struct uncore *u)
{
	FILE *file = tmpfile();
	struct json_object *o = NULL;
	int code;

	if (!file) {
		say("no temporary file for the recording: %s", strerror(errno));
		return NULL;
	}
	code = uncore_record(u, fileno(file), 0);
	if (code < 0)
		report(u, code);
	else if (lseek(fileno(file), 0, SEEK_SET) == 0)
		o = json_object_from_fd(fileno(file));
	if (code == 0 && !o)
		say("the recording could not be read back");
	fclose(file);
	return o;
}

/* What is checked, and how it is told. */
struct telling {
	bool json;
	const char *file; /* NULL: none */
	int fd;
	const char *const *kinds; /* of boxes, up to NULL; none: all */
};

/* A recording, as `uncore record` writes it, that has the checks, too. */
static bool write_report(struct uncore *u, const struct telling *how,
			 const struct uncore_machine_info *m, const struct selftest_report *r)
{
	struct json_object *o = recording_of(u);
	int failed;

	if (!o)
		return false;
	json_object_object_add(o, "selftest", json_of(m, r));
	failed = json_object_to_fd(how->fd, o, JSON_C_TO_STRING_PRETTY);
	if (failed)
		say("%s: %s", how->file, strerror(errno));
	json_object_put(o);
	return !failed;
}

/* ---- the command ---- */

static int tell(struct uncore *u, const struct telling *how, const struct uncore_machine_info *m,
		const struct selftest_report *r)
{
	const struct screen screen = screen_of(stdout);

	if (how->json)
		print_json(stdout, m, r);
	else
		print_report(&screen, m, r);
	if (how->file && !write_report(u, how, m, r))
		return TOOL_FAILED;
	return count(r, SELFTEST_FAIL) ? TOOL_NO_FIT : TOOL_OK;
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
	say("no box of this machine is called %s; it has %s", *kinds, all);
	free(all);
	return false;
}

static int test(struct uncore *u, const struct telling *how)
{
	struct traffic_maker maker = {.u = u};
	const struct selftest_traffic traffic = traffic_by(&maker);
	const struct selftest_time time = {sleep_us, NULL, &traffic};
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct selftest_report report;
	int status;

	uncore_machine(u, &m);
	if (m.recorded) {
		say("this machine is a recording: nothing counts on it that could be tested");
		return TOOL_FAILED;
	}
	if (m.kernel) {
		say("the self-test looks at registers, and the kernel's driver has them: "
		    "UNCORE_ACCESS=direct, with the rights that it takes");
		return TOOL_FAILED;
	}
	if (!has_kinds(u, how->kinds))
		return TOOL_WRONG;
	maker.simulated = m.simulated;
	selftest_run(&report, u, &time, how->kinds);
	status = tell(u, how, &m, &report);
	selftest_free(&report);
	return status;
}

static int open_and_test(const char *machine, const struct telling *how)
{
	const struct uncore_options o = {
		.size = sizeof(o), .machine = machine, .record = how->file != NULL};
	struct uncore *u;
	const int code = uncore_open(&u, &o);
	int status = TOOL_FAILED;

	if (code == 0)
		status = test(u, how);
	else
		report_machine(u, code, &selftest_command);
	/* A recording tells why a machine could not be opened. */
	if (code != 0 && u && how->file)
		uncore_record(u, how->fd, 0);
	uncore_close(u);
	return status;
}

/* Who waits for a minute should not learn then that the file cannot be written. */
static int with_file(const char *machine, struct telling *how)
{
	int status;

	if (!how->file)
		return open_and_test(machine, how);
	how->fd = open(how->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (how->fd < 0) {
		say("%s: %s", how->file, strerror(errno));
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
	static const struct option options[] = {COMMON_OPTIONS,
						{"json", no_argument, NULL, 'j'},
						{"report", required_argument, NULL, 'r'},
						{NULL, 0, NULL, 0}};
	struct telling how = {.json = false};
	int c;

	while ((c = next_option(argc, argv, "h", options, &selftest_command, &machine)) != -1) {
		how.json |= c == 'j';
		how.file = c == 'r' ? optarg : how.file;
	}
	how.kinds = (const char *const *)&argv[optind];
	return with_file(machine, &how);
}

const struct command selftest_command = {
	.name = "selftest",
	.run = run,
	.usage = "[--json] [--report FILE] [KIND...]",
	.help = "Test whether the counters of this machine count as they should: each kind of box "
		"counts its clock in all boxes and by all counters, under conditions whose outcome is "
		"known, and up to an overflow; parts add up to what they are parts of; traffic of known "
		"size is seen where it is; where the kernel's driver is loaded, it writes and counts "
		"the same. Takes about a minute. Only counters that nobody uses are written, and all is "
		"restored. The exit status is 1 if something failed.\n\n"
		"With kinds of boxes, as `uncore show` names them: only what they count by themselves and "
		"beside the kernel's driver, which takes less time.\n\n"
		"--json\tone JSON object\n"
		"--report FILE\talso write a file to attach to a bug report: the checks, and what "
		"`uncore record` tells of the machine\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "selftest",
};
