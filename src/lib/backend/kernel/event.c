/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c - convert an encoded event to the arguments of perf_event_open(). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kernel/perf.h"
#include "base/error.h"
#include "base/files.h"
#include "base/sysfs.h"
#include "event/foreign.h"

#define PMUS     "sys/bus/event_source/devices"
#define CPU_MASK 4096 /* bytes of a CPU list */

/* The event and box, for messages. */
struct subject {
	const struct unc_machine *machine;
	const struct unc_box *box;
	const char *root; /* NULL: without the driver, by what is known about it */
	struct unc_err *err;
};

static int refuse(const struct subject *s, int code, const char *pmu, const char *why)
{
	const struct unc_box_type *t = s->box->type;

	return unc_fail(s->err, code,
			"the kernel's driver cannot count this event in %s%s%u (%s): "
			"%s",
			t->name, unc_gap(t), s->box->number, pmu, why);
}

/* ---- the PMU ---- */

/* 0, -ENODEV, or -errno if that is unknown. */
static int find_type(const struct subject *s, struct unc_perf_event *e)
{
	const long type =
		s->root ? unc_read_number(-1, s->root, PMUS "/%s/type", e->pmu) : UNCORE_NO_PMU;

	if (type < 0 || type > INT_MAX)
		return type < 0 && unc_is_shortage(errno) ? -errno : -ENODEV;
	e->type = (uint32_t)type;
	return 0;
}

static bool is_only_one(const struct subject *s)
{
	const struct unc_box *b = s->box;
	size_t first;
	const size_t end = unc_boxes_of(s->machine, b->type, &first);
	unsigned n = 0;

	for (size_t i = first; i < end; i++)
		n += s->machine->boxes[i].package == b->package && !s->machine->boxes[i].absent;
	return n == 1;
}

/* The PMU of the only box of its kind has no number. */
static int find_pmu(const struct subject *s, struct unc_perf_event *e)
{
	const struct unc_box_type *t = s->box->type;
	const bool alone = is_only_one(s) || (s->root && s->box->index == 0);
	int r = -ENODEV;

	if (!*t->sysfs_name)
		return refuse(s, UNCORE_ENODEV, "none", "it has no PMU for these boxes");
	if (alone) {
		snprintf(e->pmu, sizeof(e->pmu), "uncore_%s", t->sysfs_name);
		r = find_type(s, e);
	}
	if (r == -ENODEV) {
		snprintf(e->pmu, sizeof(e->pmu), "uncore_%s_%u", t->sysfs_name, s->box->index);
		r = find_type(s, e);
	}
	if (r != -ENODEV)
		return r == 0 ? 0 : refuse(s, unc_code_of_errno(r), e->pmu, strerror(-r));
	return refuse(s, UNCORE_ENODEV, e->pmu,
		      "it has no such PMU; load the driver (modprobe intel_uncore), or use a "
		      "kernel that supports these boxes");
}

/* "0,8" or "0-3": the first CPU in the box's package. */
static bool find_cpu(const struct subject *s, const char *list, unsigned *cpu)
{
	unsigned low, high;

	while ((list = unc_next_range(list, &low, &high)))
		for (size_t i = 0; i < s->machine->topo.n_cpus; i++) {
			const unsigned id = s->machine->topo.cpus[i].id;

			if (id >= low && id <= high &&
			    unc_package_of_cpu(&s->machine->topo, id) == s->box->package) {
				*cpu = id;
				return true;
			}
		}
	return false;
}

static int choose_cpu(const struct subject *s, struct unc_perf_event *e)
{
	char list[CPU_MASK], why[128], name[UNC_DIE_NAME];

	if (!s->root)
		snprintf(list, sizeof(list), "0-%u", UINT_MAX - 1);
	else if (!unc_read_word(list, sizeof(list), s->root, PMUS "/%s/cpumask", e->pmu)) {
		if (unc_is_shortage(errno))
			return refuse(s, unc_code_of_errno(-errno), e->pmu, strerror(errno));
		*list = '\0';
	}
	if (find_cpu(s, list, &e->cpu))
		return 0;
	snprintf(why, sizeof(why), "its cpumask has no online CPU of %s",
		 unc_die_name(name, s->machine, s->box->package));
	return refuse(s, UNCORE_ENODEV, e->pmu, why);
}

/* ---- config words ---- */

/* The bits of this filter register that apply to events with the control. */
static uint64_t used_bits(const struct unc_event *ev, unsigned filter)
{
	const struct unc_box_type *t = ev->type;
	const uint64_t needed = unc_fields_needed(t, ev->control);
	uint64_t used = 0;

	for (unsigned f = 0; f < 64 && needed >> f; f++)
		if ((needed >> f & 1) && t->fields[f].filter == filter)
			used |= t->fields[f].mask;
	return used;
}

/* The driver writes a filter only for events that use it. */
static bool is_ignored(const struct subject *s, const struct unc_event *ev, uint64_t config1)
{
	uint64_t written;

	if (unc_perf_filters(s->machine, ev->type, ev->control, &written))
		return (config1 & ~written) != 0;
	for (unsigned i = 0; i < ev->n_bits; i++)
		if (ev->bits[i].value & ~used_bits(ev, ev->bits[i].filter))
			return true;
	return false;
}

static int check_format(const struct subject *s, const struct unc_perf_event *e)
{
	static const char words[UNC_PERF_WORDS][8] = {"config", "config1", "config2"};
	uint64_t taken[UNC_PERF_WORDS];
	char why[128];

	if (!s->root)
		unc_perf_known_format(s->machine, s->box->type, taken);
	else if (!unc_perf_format(s->root, e->pmu, taken))
		return refuse(s, UNCORE_ENODEV, e->pmu, "its format files cannot be read");
	for (unsigned w = 0; w < UNC_PERF_WORDS; w++) {
		const uint64_t lacks = e->config[w] & ~taken[w];

		if (lacks == 0)
			continue;
		snprintf(why, sizeof(why), "its format has no field for bits %#" PRIx64 " of %s",
			 lacks, words[w]);
		return refuse(s, UNCORE_ENOSUPP, e->pmu, why);
	}
	return 0;
}

/*
 * The driver takes event 0xff alone for the fixed counter, and with umasks from 0x10 on for
 * free-running ones.
 */
static bool is_pseudo(const struct unc_event *ev)
{
	return !ev->fixed && !ev->type->free && (ev->control & 0xff) == 0xff &&
	       (ev->control == 0xff || (ev->control & 0xff00) >= 0x1000);
}

static int check(const struct subject *s, const struct unc_event *ev,
		 const struct unc_perf_event *e)
{
	const char *limit;
	int r;

	if (is_ignored(s, ev, e->config[1]))
		return refuse(s, UNCORE_ENOSUPP, e->pmu,
			      "it ignores this filter for this event and umask");
	if (is_pseudo(ev))
		return refuse(s, UNCORE_ENOSUPP, e->pmu,
			      "it treats event 0xff as the fixed counter or a free-running one");
	r = check_format(s, e);
	if (r < 0)
		return r;
	limit = unc_perf_limit(s->machine, s->box, e->config);
	return limit ? refuse(s, UNCORE_ENOSUPP, e->pmu, limit) : 0;
}

int unc_perf_pmu(const struct unc_machine *m, const char *root, const struct unc_box *box,
		 struct unc_perf_event *out, struct unc_err *err)
{
	const struct subject s = {m, box, root, err};
	int r;

	*out = (struct unc_perf_event){.type = 0};
	r = find_pmu(&s, out);
	return r == 0 ? choose_cpu(&s, out) : r;
}

int unc_perf_event(const struct unc_machine *m, const char *root, const struct unc_event *ev,
		   const struct unc_box *box, struct unc_perf_event *out, struct unc_err *err)
{
	const struct subject s = {m, box, root, err};
	int r;

	*out = (struct unc_perf_event){.type = 0};
	if (ev->type->arch)
		return refuse(&s, UNCORE_ENOSUPP, "cpu", "core counters are not supported");
	if (ev->type->units)
		return refuse(&s, UNCORE_ENOSUPP, ev->type->sysfs_name,
			      "it treats all units of the device as one box and counts the event "
			      "in any of them");
	r = unc_perf_pmu(m, root, box, out, err);
	unc_event_config(ev, out->config);
	return r == 0 ? check(&s, ev, out) : r;
}

/*
 * The format files of a PMU: "config:0-7,21" is a field of the config words.
 */

#define LINE 128

/* "config", "config1", "config2"; *rest: the text after the colon. -1: another word. */
static int word_of(const char *line, const char **rest)
{
	static const char words[UNC_PERF_WORDS][9] = {"config:", "config1:", "config2:"};

	for (int i = 0; i < UNC_PERF_WORDS; i++) {
		*rest = line + strlen(words[i]);
		if (strncmp(line, words[i], strlen(words[i])) == 0)
			return i;
	}
	return -1;
}

bool unc_perf_format(const char *root, const char *pmu, uint64_t taken[UNC_PERF_WORDS])
{
	char path[PATH_MAX], line[LINE];
	const struct dirent *entry;
	const char *list;
	DIR *dir;
	int word;

	memset(taken, 0, UNC_PERF_WORDS * sizeof(*taken));
	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/format", root, pmu);
	dir = unc_opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' ||
		    !unc_read_word(line, sizeof(line), path, "%s", entry->d_name))
			continue;
		word = word_of(line, &list);
		if (word >= 0)
			taken[word] |= unc_bit_list(list);
	}
	if (dir)
		closedir(dir);
	return dir != NULL;
}

/* "umask=8-15,32-55 filter_nid=1:10-17" */
void unc_perf_known_format(const struct unc_machine *machine, const struct unc_box_type *type,
			   uint64_t taken[UNC_PERF_WORDS])
{
	const char *at = unc_perf_fields(machine->platform, type);

	memset(taken, 0, UNC_PERF_WORDS * sizeof(*taken));
	while ((at = strchr(at, '='))) {
		const bool other = at[1] && at[2] == ':';

		taken[other ? at[1] - '0' : 0] |= unc_bit_list(at + (other ? 3 : 1));
		at++;
	}
}
