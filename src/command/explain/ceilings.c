/* SPDX-License-Identifier: BSD-3-Clause */
/* ceilings.c - the file of ceilings, and limits computed from them. */
#include "command/explain/ceilings.h"
#include "command/emit/emit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/caller.h"
#include "command/base/text.h"
#include "command/explain/saved_file.h"
#include "uncore_inspect.h"

#define FILE_NAME     "ceilings.json"
#define MOST_PACKAGES 64

const char *const ceiling_names[CEILINGS] = {
	[CEILING_READ] = "read",
	[CEILING_WRITE] = "write",
	[CEILING_COPY] = "copy",
	[CEILING_TRIAD] = "triad",
	[CEILING_REMOTE] = "remote",
	[CEILING_LATENCY] = "latency_ns",
	[CEILING_REMOTE_LATENCY] = "remote_latency_ns",
	[CEILING_LOADED_LATENCY] = "loaded_latency_ns",
	[CEILING_CACHE] = "cache",
	[CEILING_OPERATIONS] = "double_scalar",
	"double_128",
	"double_256",
	"double_512",
	"single_scalar",
	"single_128",
	"single_256",
	"single_512",
};

/* "model name : Intel(R) Xeon(R) ..." of the first CPU; "" if unknown. */
static void processor_name(char *name, size_t len)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];

	*name = 0;
	while (file && !*name && fgets(line, sizeof(line), file))
		if (strncmp(line, "model name", strlen("model name")) == 0 && strchr(line, ':'))
			snprintf(name, len, ", %.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
				 strchr(line, ':') + 2);
	if (file)
		fclose(file);
}

char *ceilings_identity(struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	char name[256] = "";

	uncore_machine(u, &m);
	if (!m.simulated && !m.recorded)
		processor_name(name, sizeof(name));
	return text_of("%s%s, %u packages, %u CPUs%s", m.title, name, m.packages, m.cpus,
		       m.simulated  ? ", simulated"
		       : m.recorded ? ", recorded"
				    : "");
}

/* ---- the file ---- */

static void take_steps(struct package_ceilings *p, struct json_object *steps)
{
	const size_t n =
		json_object_is_type(steps, json_type_array) ? json_object_array_length(steps) : 0;

	for (size_t i = 0; i < n && p->n_steps < CEILING_STEPS; i++) {
		struct json_object *step = json_object_array_get_idx(steps, i), *cores, *read;

		if (json_object_object_get_ex(step, "cores", &cores) &&
		    json_object_object_get_ex(step, "read", &read))
			p->step[p->n_steps++] =
				(struct ceiling_step){(unsigned)json_object_get_int64(cores),
						      json_object_get_double(read)};
	}
}

static void take_package(struct package_ceilings *p, struct json_object *o)
{
	struct json_object *value;

	for (size_t i = 0; i < CEILINGS; i++) {
		const bool is = json_object_object_get_ex(o, ceiling_names[i], &value);
		const double number = is ? json_object_get_double(value) : 0;

		p->of[i] = number > 0 && isfinite(number) ? number : (double)NAN;
	}
	if (json_object_object_get_ex(o, "steps", &value))
		take_steps(p, value);
}

static bool is_of(struct json_object *root, const char *identity)
{
	struct json_object *machine;

	return json_object_object_get_ex(root, "machine", &machine) &&
	       strcmp(json_object_get_string(machine), identity) == 0;
}

static bool take_file(struct ceilings *c, const char *path, const char *identity)
{
	struct json_object *root = json_object_from_file(path), *list, *when;
	size_t n = 0;

	if (json_object_is_type(root, json_type_object) && is_of(root, identity) &&
	    json_object_object_get_ex(root, "packages", &list) &&
	    json_object_is_type(list, json_type_array))
		n = json_object_array_length(list);
	if (n > 0 && n <= MOST_PACKAGES) {
		c->packages = (unsigned)n;
		c->at = need_memory(n, sizeof(*c->at));
		for (size_t i = 0; i < n; i++)
			take_package(&c->at[i], json_object_array_get_idx(list, i));
		if (json_object_object_get_ex(root, "measured", &when))
			snprintf(c->measured, sizeof(c->measured), "%s",
				 json_object_get_string(when));
	}
	json_object_put(root);
	return c->packages > 0;
}

void ceilings_load(struct ceilings *c, const char *identity)
{
	char *directory = user_cache_directory(), *path = text_of("%s/" FILE_NAME, directory);
	struct caller before;

	*c = (struct ceilings){.packages = 0};
	if (!take_file(c, SAVED_DIRECTORY "/" FILE_NAME, identity)) {
		caller_begin(&before);
		take_file(c, path, identity);
		caller_end(&before);
	}
	free(path);
	free(directory);
}

static struct json_object *json_of_package(const struct package_ceilings *p)
{
	struct json_object *o = json_object_new_object(), *steps = json_object_new_array();

	for (size_t i = 0; i < CEILINGS; i++)
		if (p->of[i] > 0)
			add_json_number(o, ceiling_names[i], p->of[i]);
	for (size_t i = 0; i < p->n_steps; i++) {
		struct json_object *step = json_object_new_object();

		add_json_integer(step, "cores", p->step[i].cores);
		add_json_number(step, "read", p->step[i].read);
		json_object_array_add(steps, step);
	}
	json_object_object_add(o, "steps", steps);
	return o;
}

struct json_object *ceilings_json(const struct ceilings *c, const char *identity)
{
	struct json_object *root = json_object_new_object(), *list = json_object_new_array();

	add_json_text(root, "machine", identity);
	add_json_text(root, "measured", c->measured);
	for (unsigned p = 0; p < c->packages; p++)
		json_object_array_add(list, json_of_package(&c->at[p]));
	json_object_object_add(root, "packages", list);
	return root;
}

bool ceilings_save(const struct ceilings *c, const char *identity, char *where, size_t len)
{
	struct json_object *root = ceilings_json(c, identity);
	const bool written = save_result(
		FILE_NAME, json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY), where,
		len);

	json_object_put(root);
	return written;
}

void ceilings_free(struct ceilings *c)
{
	free(c->at);
	*c = (struct ceilings){.packages = 0};
}

/* ---- limits ---- */

/* 64 bits twice a clock of the DRAM, in each channel: docs/metrics.md. */
#define BYTES_PER_CLOCK 16

/* Linear between writes only, a copy with half of its traffic written, and reads only. */
double ceiling_of_mix(const struct ceilings *c, unsigned package, double reads)
{
	const double *of = package < c->packages ? c->at[package].of : NULL;

	if (!of || !(of[CEILING_READ] > 0))
		return (double)NAN;
	if (!(of[CEILING_COPY] > 0) || !(of[CEILING_WRITE] > 0))
		return of[CEILING_READ];
	return reads < 0.5
		       ? of[CEILING_WRITE] + (of[CEILING_COPY] - of[CEILING_WRITE]) * 2 * reads
		       : of[CEILING_COPY] + (of[CEILING_READ] - of[CEILING_COPY]) * (2 * reads - 1);
}

double memory_peak(double clock)
{
	return BYTES_PER_CLOCK * clock;
}

struct limit memory_limit(const struct ceilings *c, const struct facts *f, unsigned package)
{
	const struct package_facts *p = &f->at[package];
	struct limit limit = {ceiling_of_mix(c, package, p->rate[Q_READ] / memory_traffic(p)),
			      false};

	limit.measured = limit.bytes > 0;
	if (!limit.measured)
		limit.bytes = memory_peak(p->rate[Q_DCLK]);
	return limit;
}
