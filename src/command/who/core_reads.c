/* SPDX-License-Identifier: BSD-3-Clause */
/* core_reads.c - see core_reads.h. */
#include "command/who/core_reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/who/proc.h"

struct slices {
	struct uncore_box_info *list;
	size_t n;
};

static unsigned number_of(const char *root, unsigned cpu, const char *file)
{
	char *text = read_text("%s/sys/devices/system/cpu/cpu%u/topology/%s", root, cpu, file);
	const unsigned number = text ? (unsigned)strtoul(text, NULL, 10) : 0;

	free(text);
	return number;
}

/* Threads of a core are numbered by CPU number. */
static unsigned thread_of(const struct core_reads *r, const struct core_read *cpu)
{
	unsigned thread = 0;

	for (size_t i = 0; i < r->n; i++)
		thread += r->cpus[i].package == cpu->package && r->cpus[i].core == cpu->core &&
			  r->cpus[i].cpu < cpu->cpu;
	return thread;
}

static void find_cpus(struct core_reads *r, struct uncore *u, const char *root)
{
	struct uncore_cpu_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_cpu(u, i, &info) == 1; i++) {
		r->cpus = need_more(r->cpus, r->n + 1, sizeof(*r->cpus));
		r->cpus[r->n++] = (struct core_read){.cpu = info.cpu,
						     .package = info.package,
						     .core = number_of(root, info.cpu, "core_id")};
	}
	for (size_t i = 0; i < r->n; i++)
		r->cpus[i].thread = thread_of(r, &r->cpus[i]);
}

static void find_slices(struct slices *s, struct uncore *u)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++) {
		if (box.absent || strcmp(box.kind, "cbo") != 0)
			continue;
		s->list = need_more(s->list, s->n + 1, sizeof(*s->list));
		s->list[s->n++] = box;
	}
}

static unsigned slices_of(const struct slices *s, unsigned package)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->list[i].package == package;
	return n;
}

static const struct uncore_box_info *slice_at(const struct slices *s, unsigned package,
					      unsigned number)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].package == package && number-- == 0)
			return &s->list[i];
	return NULL;
}

/* CPU i of its package is counted by slice i, so that as many as possible are counted at once. */
static int find_event(struct uncore *u, const struct slices *s, struct core_read *cpu,
		      unsigned turn)
{
	const unsigned n = slices_of(s, cpu->package);
	const struct uncore_box_info *slice = n ? slice_at(s, cpu->package, turn % n) : NULL;
	char name[UNCORE_NAME_MAX];

	if (!slice)
		return UNCORE_ENOEVENT;
	cpu->share = slice->line_share > 0 ? slice->line_share : 1.0 / n;
	snprintf(name, sizeof(name), "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I:cf=%u:tf=%u:box=%u:pkg=%u",
		 cpu->core, cpu->thread, slice->index, cpu->package);
	return uncore_event(u, name, &cpu->id);
}

bool cores_have_filters(struct uncore *u)
{
	unsigned id;

	return uncore_event(u, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I:cf=0:tf=0", &id) == 0;
}

int core_reads_find(struct core_reads *r, struct uncore *u, const char *root)
{
	struct slices slices = {NULL, 0};
	unsigned turn = 0;
	int code = 0;

	*r = (struct core_reads){NULL, 0};
	find_cpus(r, u, root);
	find_slices(&slices, u);
	for (size_t i = 0; code == 0 && i < r->n; i++) {
		turn = i && r->cpus[i].package == r->cpus[i - 1].package ? turn + 1 : 0;
		code = find_event(u, &slices, &r->cpus[i], turn);
	}
	free(slices.list);
	return code;
}

void core_reads_free(struct core_reads *r)
{
	free(r->cpus);
	*r = (struct core_reads){NULL, 0};
}
