/* SPDX-License-Identifier: BSD-3-Clause */
/* ceilings.c - `uncore ceilings`: measure what the memory of this machine can do. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/explain/ceilings_measure.h"
#include "tools.h"

#define SECONDS 1.0 /* of each measurement */

/* ---- cores ---- */

/* The first CPU of its core, which /sys lists first; also if that is not known. */
static bool is_first_of_core(unsigned cpu)
{
	char path[128];
	unsigned first = cpu;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
		 cpu);
	file = fopen(path, "re");
	if (file) {
		if (fscanf(file, "%u", &first) != 1)
			first = cpu;
		fclose(file);
	}
	return first == cpu;
}

static void find_cores(struct uncore *u, struct core_list *packages, unsigned n)
{
	struct uncore_cpu_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_cpu(u, i, &info) == 1; i++) {
		struct core_list *list = &packages[info.package];

		if (info.package >= n || !is_first_of_core(info.cpu))
			continue;
		list->cpus = need_more(list->cpus, list->n + 1, sizeof(*list->cpus));
		list->cpus[list->n++] = (int)info.cpu;
	}
}

/* ---- output ---- */

static void print_value(const struct screen *s, const char *what, double value, bool ns)
{
	char rate[RATE_TEXT];

	if (!(value > 0))
		return;
	if (ns)
		fprintf(s->out, "  %-34s %9.1f ns\n", what, value);
	else
		fprintf(s->out, "  %-34s %12s\n", what, rate_text(rate, "bytes", value, 1));
}

static const char *const labels[CEILINGS] = {
	[CEILING_READ] = "reads",
	[CEILING_WRITE] = "non-temporal stores",
	[CEILING_COPY] = "copy (non-temporal stores)",
	[CEILING_TRIAD] = "triad, as STREAM counts it",
	[CEILING_REMOTE] = "reads from another package",
	[CEILING_LATENCY] = "latency",
	[CEILING_REMOTE_LATENCY] = "latency of another package",
	[CEILING_LOADED_LATENCY] = "latency while the others read",
	[CEILING_CACHE] = "reads from the last-level cache",
};

static bool is_latency(size_t ceiling)
{
	return ceiling == CEILING_LATENCY || ceiling == CEILING_REMOTE_LATENCY ||
	       ceiling == CEILING_LOADED_LATENCY;
}

static void print_ceilings(const struct screen *s, const struct ceilings *c)
{
	for (unsigned p = 0; p < c->packages; p++) {
		const struct package_ceilings *at = &c->at[p];

		fprintf(s->out, "Package %u\n", p);
		for (size_t i = 0; i < CEILINGS; i++)
			print_value(s, labels[i], at->of[i], is_latency(i));
		for (size_t i = 0; i < at->n_steps; i++) {
			char *what = text_of("reads of %u core%s", at->step[i].cores,
					     plural(at->step[i].cores));

			print_value(s, what, at->step[i].read, false);
			free(what);
		}
	}
}

/* ---- the command ---- */

static int measure(struct uncore *u, const struct uncore_machine_info *m, bool json)
{
	struct core_list *packages = need_memory(m->packages, sizeof(*packages));
	const struct screen screen = screen_of(stdout);
	char *identity = ceilings_identity(u);
	struct ceilings c;
	char why[256] = "", where[PATH_MAX + 128];
	int status = TOOL_FAILED;

	find_cores(u, packages, m->packages);
	say("measuring with all cores; this takes a minute, and the machine should be idle");
	if (ceilings_measure(&c, packages, m->packages, SECONDS, why, sizeof(why))) {
		text_of_time(c.measured, (int64_t)time(NULL));
		if (json)
			print_json_object(stdout, ceilings_json(&c, identity));
		else
			print_ceilings(&screen, &c);
		if (ceilings_save(&c, identity, where, sizeof(where)))
			status = TOOL_OK;
		say("%s%s", status == TOOL_OK ? "kept in " : "cannot write ", where);
	} else {
		say("%s", why);
	}
	for (unsigned p = 0; p < m->packages; p++)
		free(packages[p].cpus);
	free(packages);
	free(identity);
	ceilings_free(&c);
	return status;
}

static int run_on(struct uncore *u, bool json)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	if (m.simulated || m.recorded) {
		say("a simulated or recorded machine has no memory to measure");
		return TOOL_FAILED;
	}
	return measure(u, &m, json);
}

struct ceilings_options {
	bool json;
};

static int run(int argc, char **argv, const char *machine)
{
	struct ceilings_options how = {.json = false};
	struct uncore *u;
	int status;

	status = read_only_options(&ceilings_command, argc, argv, &how, &machine);
	if (status != TOOL_OK)
		return status;
	u = open_machine(machine, &ceilings_command);
	status = u ? run_on(u, how.json) : TOOL_FAILED;
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--json",
	 .help = "print one JSON object",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct ceilings_options, json)},
	COMMON_OPTIONS("native"),
};

const struct command ceilings_command = {
	.name = "ceilings",
	.summary = "measure the memory bandwidth and latency of this machine",
	.run = run,
	.help = "Measure what the memory of each package can do: the bandwidth of reads, "
		"non-temporal stores, a copy and a triad, by all cores and, for reads, by fewer; "
		"the latency of a read; the same to another package's memory; the bandwidth of "
		"the last-level cache. `uncore explain` compares with it. The results are kept "
		"in /var/lib/uncore/ceilings.json, or, where that cannot be written, in "
		"~/.cache/uncore/ceilings.json. Takes about a minute, in which all cores are "
		"busy. Accesses no counter.",
	.options = options,
	.example = NULL,
};
