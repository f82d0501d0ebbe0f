/* SPDX-License-Identifier: BSD-3-Clause */
/* selftest.c - `uncore selftest`: whether the counters of this machine count as they should. */
#include <json-c/json.h>
#include <time.h>

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

static void print_json(FILE *out, const struct uncore_machine_info *m,
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
	fprintf(out, "%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PLAIN));
	json_object_put(all);
}

static int test(struct uncore *u, bool json)
{
	struct traffic_maker maker = {.u = u};
	const struct selftest_traffic traffic = traffic_by(&maker);
	const struct selftest_time time = {sleep_us, NULL, &traffic};
	const struct screen screen = screen_of(stdout);
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct selftest_report report;
	int status;

	uncore_machine(u, &m);
	if (m.recorded) {
		say("this machine is a recording: nothing counts on it that could be tested");
		return TOOL_FAILED;
	}
	maker.simulated = m.simulated;
	selftest_run(&report, u, &time);
	if (json)
		print_json(stdout, &m, &report);
	else
		print_report(&screen, &m, &report);
	status = count(&report, SELFTEST_FAIL) ? TOOL_NO_FIT : TOOL_OK;
	selftest_free(&report);
	return status;
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {
		COMMON_OPTIONS, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
	bool json = false;
	struct uncore *u;
	int c, status;

	while ((c = next_option(argc, argv, "h", options, &selftest_command, &machine)) != -1)
		json |= c == 'j';
	if (optind < argc)
		return wrong_usage(&selftest_command, "selftest takes no argument %s",
				   argv[optind]);
	u = open_machine(machine, &selftest_command);
	if (!u)
		return TOOL_FAILED;
	status = test(u, json);
	uncore_close(u);
	return status;
}

const struct command selftest_command = {
	.name = "selftest",
	.run = run,
	.usage = "[--json]",
	.help = "Test whether the counters of this machine count as they should: each kind of box "
		"counts its clock in all boxes and by all counters, under conditions whose outcome is "
		"known, and up to an overflow; parts add up to what they are parts of; where the "
		"kernel's driver is loaded, it writes and counts the same. Takes about 20 ms a box. "
		"Only counters that nobody uses are written, and all is restored. The exit status is 1 "
		"if something failed.\n\n"
		"--json\tone JSON object\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "selftest",
};
