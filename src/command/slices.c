/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - `uncore slices`: the share of memory that each slice of the last-level cache owns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "command/load/load.h"
#include "command/slices/owners.h"
#include "tools.h"

#define MEMORY ((size_t)64 << 20) /* in which a contiguous block is searched for */

/* ---- reading lines ---- */

struct reading {
	struct uncore *u;
	bool simulated;
	unsigned cpu; /* of the package */
	struct load *load;
	size_t offset;    /* of the block in the memory of the load */
	uint64_t address; /* physical */
};

/* A simulated machine has memory of its own, from address 0 on. */
#define NS_OF_LINE 100

static bool read_simulated(const struct reading *r, size_t line, size_t times, char *why,
			   size_t len)
{
	const struct uncore_load load = {.size = sizeof(load),
					 .cpu = r->cpu,
					 .memory_cpu = r->cpu,
					 .reads = times,
					 .ns = times * NS_OF_LINE,
					 .address = line * LOAD_LINE,
					 .bytes = LOAD_LINE};

	if (uncore_simulate_load(r->u, &load) == 0)
		return true;
	uncore_errmsg(r->u, why, len);
	return false;
}

static bool read_line(void *arg, size_t line, size_t times, char *why, size_t len)
{
	const struct reading *r = arg;
	struct load_moved moved;

	if (r->simulated)
		return read_simulated(r, line, times, why, len);
	return load_run_line(r->load, r->offset + line * LOAD_LINE, times, &moved, why, len);
}

static bool find_cpu(struct uncore *u, unsigned package, unsigned *cpu)
{
	struct uncore_cpu_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_cpu(u, i, &info) == 1; i++)
		if (info.package == package) {
			*cpu = info.cpu;
			return true;
		}
	return false;
}

/* A block of memory of the package. */
static bool prepare(struct reading *r, char *why, size_t len)
{
	const struct load_wanted wanted = {
		.kind = LOAD_READ, .cpu = (int)r->cpu, .memory_cpu = (int)r->cpu, .bytes = MEMORY};

	if (r->simulated)
		return true;
	r->load = load_new(&wanted, why, len);
	return r->load && load_find_block(r->load, OWNER_BLOCK, &r->offset, &r->address, why, len);
}

/* ---- output ---- */

struct slices_options {
	bool json;
	unsigned package;
	const char *report, *sequence; /* files; NULL: none */
	int report_fd;
};

static double share_of(const struct owners *o, size_t slice)
{
	return (double)o->lines[slice] / (double)(OWNER_LINES - o->unknown);
}

/* A share is exact unless the slices of some lines are unknown. */
static bool is_expected(const struct owners *o, size_t slice)
{
	const double apart = share_of(o, slice) - o->slices[slice].line_share;
	const double error = (0.5 + (double)o->unknown) / OWNER_LINES;

	return apart < error && apart > -error;
}

static void print_verdict(const struct screen *s, const struct owners *o, bool simulated)
{
	unsigned unexpected = 0;

	for (size_t i = 0; i < o->n; i++)
		unexpected += !is_expected(o, i);
	if (!(o->slices[0].line_share > 0))
		print_paragraph(s, 0, "No shares are known for this processor with %zu slices%s.",
				o->n, simulated ? "" : ": please send the file of --report");
	else if (unexpected)
		print_paragraph(s, 0,
				"%u of %zu slices do not have the share expected for this "
				"processor with %zu slices: is sub-NUMA clustering on?",
				unexpected, o->n, o->n);
	else
		print_paragraph(s, 0,
				"These are the shares expected for this processor with %zu slices.",
				o->n);
}

/* The slices that were found, by these reads. */
struct found_slices {
	const struct owners *owners;
	const struct reading *reading;
};

static void print_slices(const void *of, const struct screen *s)
{
	const struct found_slices *found = of;
	const struct owners *o = found->owners;
	const size_t period = owners_period(o);
	char name[BOX_NAME];

	print_paragraph(s, 0, "Socket %u: the slices that own %d lines of memory, by %s",
			o->package, OWNER_LINES, o->event);
	fprintf(s->out, "\n%12s %10s %12s\n", "lines", "share", "of the mean");
	for (size_t i = 0; i < o->n; i++)
		fprintf(s->out, "%-7s %4u %8.3f %% %12.3f\n",
			box_name(name, o->slices[i].kind, o->slices[i].index), o->lines[i],
			100 * share_of(o, i), share_of(o, i) * (double)o->n);
	if (o->unknown)
		fprintf(s->out, "%-7s %4zu\n", "unknown", o->unknown);
	fputc('\n', s->out);
	if (period)
		print_paragraph(s, 0, "All lines are binary permutations of the first %zu.",
				period);
	print_verdict(s, o, found->reading->simulated);
}

static struct json_object *json_of(const struct owners *o)
{
	struct json_object *all = json_object_new_object(), *list = json_object_new_array();
	char name[BOX_NAME];

	add_json_integer(all, "package", o->package);
	add_json_text(all, "event", o->event);
	add_json_integer(all, "lines", OWNER_LINES);
	add_json_integer(all, "unknown", (int64_t)o->unknown);
	add_json_integer(all, "period", (int64_t)owners_period(o));
	for (size_t i = 0; i < o->n; i++) {
		struct json_object *slice = json_object_new_object();

		add_json_text(slice, "box", box_name(name, o->slices[i].kind, o->slices[i].index));
		add_json_integer(slice, "lines", o->lines[i]);
		add_json_number(slice, "share", share_of(o, i));
		if (o->slices[i].line_share > 0)
			add_json_number(slice, "expected", o->slices[i].line_share);
		json_object_array_add(list, slice);
	}
	json_object_object_add(all, "slices", list);
	return all;
}

static struct json_object *slices_object(const void *of)
{
	const struct found_slices *found = of;

	return json_of(found->owners);
}

static const struct rows_class slices_rows = {.object = slices_object, .text = print_slices};

/* The slice of each line, by its position among the slices; an option of simulated machines. */
static bool write_sequence(const struct owners *o, const char *name)
{
	const size_t period = owners_period(o), n = period ? period : OWNER_LINES;
	const int fd = create_file(name);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool written = file != NULL;

	for (size_t i = 0; file && i < n; i++)
		fprintf(file, "%u\n", o->owner[i]);
	if (file)
		written = fclose(file) == 0;
	if (!written)
		say("%s: %s", name, strerror(errno));
	return written;
}

/* ---- the command ---- */

static int print_result(const struct reading *r, const struct owners *o,
			const struct slices_options *how)
{
	const struct screen screen = screen_of(stdout);
	const struct found_slices found = {o, r};
	const struct rows rows = {&slices_rows, &found};
	bool written = true;

	emit_json_or_text(how->json, &screen, &rows);
	if (how->sequence && o->unknown) {
		say("%s is not written: the slices of %zu lines are unknown", how->sequence,
		    o->unknown);
		return TOOL_BUSY;
	}
	if (how->sequence)
		written = write_sequence(o, how->sequence);
	if (how->report)
		written &= write_recording(r->u, how->report, how->report_fd, "slices", json_of(o));
	return !written ? TOOL_FAILED : o->unknown ? TOOL_BUSY : TOOL_OK;
}

static int find(struct reading *r, const struct slices_options *how)
{
	const struct line_reader reader = {read_line, r};
	struct owners owners = {.n = 0};
	int code = OWNERS_NONE, status;

	if (prepare(r, owners.why, sizeof(owners.why)))
		code = owners_find(&owners, r->u, how->package, &reader);
	if (code == 0)
		status = print_result(r, &owners, how);
	else if (code < 0)
		status = report(r->u, code);
	else {
		say("%s", owners.why);
		status = TOOL_FAILED;
	}
	owners_free(&owners);
	load_free(r->load);
	return status;
}

static int run_on(struct uncore *u, const struct slices_options *how)
{
	const struct screen screen = screen_of(stdout);
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct reading reading = {.u = u};

	uncore_machine(u, &m);
	if (m.recorded) {
		say("cannot find the slices of a recorded machine: its counters do not count");
		return TOOL_FAILED;
	}
	reading.simulated = m.simulated;
	if (how->package >= m.packages || !find_cpu(u, how->package, &reading.cpu))
		return wrong_usage(&slices_command,
				   "invalid package %u: this machine has packages 0 to %u",
				   how->package, m.packages - 1);
	if (!how->json) {
		print_machine(&screen, &m);
		fputc('\n', stdout);
		fflush(stdout);
	}
	return find(&reading, how);
}

static int open_and_run(const char *machine, const struct slices_options *how)
{
	const struct uncore_options o = {.size = sizeof(o),
					 .machine = machine,
					 .share = share_option(),
					 .record = how->report != NULL};
	struct uncore *u;
	int code, status = TOOL_FAILED;

	give_up_rights_unless_native(machine);
	code = uncore_open(&u, &o);
	if (code == 0)
		status = run_on(u, how);
	else
		report_machine(u, code, &slices_command);
	uncore_close(u);
	return status;
}

/* Open or check the files first: finding the slices takes some time. */
static int with_file(const char *machine, struct slices_options *how)
{
	const int error = how->sequence ? check_file(how->sequence) : 0;
	int status;

	if (error) {
		say_file(how->sequence, error);
		return TOOL_FAILED;
	}
	if (!how->report)
		return open_and_run(machine, how);
	how->report_fd = create_file(how->report);
	if (how->report_fd < 0) {
		say_file(how->report, errno);
		return TOOL_FAILED;
	}
	status = open_and_run(machine, how);
	if (close(how->report_fd) == 0)
		return status;
	say("%s: %s", how->report, strerror(errno));
	return TOOL_FAILED;
}

static int take_package(void *into, const char *text)
{
	struct slices_options *how = into;

	return whole_number(text, 0, 1023, &how->package)
		       ? TOOL_OK
		       : wrong_usage(&slices_command,
				     "invalid package \"%s\": use a number such as 0", text);
}

static int run(int argc, char **argv, const char *machine)
{
	struct slices_options how = {.json = false};
	const int status = read_only_options(&slices_command, argc, argv, &how, &machine);

	if (status != TOOL_OK)
		return status;
	return with_file(machine, &how);
}

static const struct unc_option options[] = {
	{.names = "--package",
	 .arg = "N",
	 .help = "of this package; the default is 0",
	 .kind = UNC_OPTION_CALL,
	 .take = take_package},
	{.names = "--json",
	 .help = "print one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct slices_options, json)},
	{.names = "--report",
	 .arg = "FILE",
	 .help = "also write a file to send to this project, with the shares and the output of "
		 "`uncore record`",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct slices_options, report)},
	{.names = "--sequence",
	 .arg = "FILE",
	 .help = "also write the number of the slice of each line, until the sequence repeats; "
		 "simulated machines read it (hash=FILE)",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct slices_options, sequence)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command slices_command = {
	.name = "slices",
	.summary = "find the share of memory of each last-level cache slice",
	.run = run,
	.help = "Find the slice of the last-level cache that owns each line of a block of 1 MiB: "
		"read each line from memory many times while all slices of the package count. "
		"The address hash of most processors gives some slices fewer lines than others, "
		"and has the same shares in every block. Takes some seconds; the machine should "
		"be idle. Requires root on a real machine, for physical addresses. The exit "
		"status is 4 if the slices of some lines were not found.",
	.options = options,
	.example = "slices",
};
