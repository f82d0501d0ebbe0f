/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmus.c - which boxes the kernel driver has.  Its PMUs are listed in sysfs; whether a package
 * has the box of that number is only known after opening an event there (one that counts
 * nothing).
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kernel/perf.h"
#include "base/files.h"
#include "base/sysfs.h"

#define PREFIX "uncore_"

/* PMUs with the same name and a number, such as "uncore_cbox_0". */
struct kind {
	char name[UNC_PMU_NAME]; /* "cbox" */
	unsigned boxes;          /* the highest number, plus 1 */
};

struct unc_pmus {
	const struct unc_machine *machine;
	const char *root;
	size_t n;
	struct kind *kinds;
	int refused;
};

/* "cbox_3" is number 3 of "cbox", and "ubox" is number 0 of "ubox". */
static unsigned number_in(const char *name, size_t *length)
{
	const char *last = strrchr(name, '_');
	char *end = NULL;
	const unsigned long n = last ? strtoul(last + 1, &end, 10) : 0;

	*length = strlen(name);
	if (!last || end == last + 1 || *end || last[1] == '-' || n >= UINT16_MAX)
		return 0;
	*length = (size_t)(last - name);
	return (unsigned)n;
}

static int note(struct unc_pmus *p, const char *name, size_t length, unsigned number)
{
	struct kind *kinds = p->kinds;
	size_t i = 0;

	while (i < p->n &&
	       (strncmp(kinds[i].name, name, length) != 0 || kinds[i].name[length] != '\0'))
		i++;
	if (i == p->n) {
		kinds = realloc(kinds, (p->n + 1) * sizeof(*kinds));
		if (!kinds)
			return UNCORE_ENOMEM;
		p->kinds = kinds;
		kinds[p->n++] = (struct kind){.boxes = 0};
		snprintf(kinds[i].name, sizeof(kinds[i].name), "%.*s", (int)length, name);
	}
	if (number >= kinds[i].boxes)
		kinds[i].boxes = number + 1;
	return 0;
}

/* A name that ends in a number may also be that of a kind: "type_5" is a kind with one box. */
static int add(struct unc_pmus *p, const char *name)
{
	size_t length;
	const unsigned number = number_in(name, &length);
	int r = 0;

	if (strlen(name) >= UNC_PMU_NAME)
		return 0;
	if (name[length])
		r = note(p, name, strlen(name), 0);
	return r == 0 ? note(p, name, length, number) : r;
}

int unc_pmus_find(struct unc_pmus **out, const struct unc_machine *m, const char *root,
		  struct unc_err *err)
{
	struct unc_pmus *p = calloc(1, sizeof(*p));
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *dir;
	int r = p ? 0 : UNCORE_ENOMEM;

	*out = p;
	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices", root);
	dir = unc_opendir(path);
	while (r == 0 && dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
			r = add(p, entry->d_name + strlen(PREFIX));
	if (dir)
		closedir(dir);
	if (r < 0)
		return unc_fail(err, r,
				"out of memory while listing the PMUs of the kernel's "
				"driver");
	p->machine = m;
	p->root = root;
	if (p->n == 0)
		return unc_fail(err, UNCORE_ENODEV,
				"the kernel has no uncore PMUs (%s): load the driver (modprobe "
				"intel_uncore); virtual machines have no uncore PMUs",
				path);
	return 0;
}

void unc_pmus_free(struct unc_pmus *p)
{
	if (p)
		free(p->kinds);
	free(p);
}

int unc_pmus_refused(const struct unc_pmus *p)
{
	return p->refused;
}

/* ---- a lister's questions ---- */

static unsigned boxes(void *of, const struct unc_box_type *type)
{
	const struct unc_pmus *p = of;

	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->kinds[i].name, type->sysfs_name) == 0)
			return p->kinds[i].boxes;
	return 0;
}

/* perf_event_open(2): the driver has looked for the box. */
static bool is_answer(int error)
{
	return error == ENODEV || error == ENXIO || error == ENOENT || error == EINVAL ||
	       error == EOPNOTSUPP;
}

/* A box that was refused once stays refused: the driver is not asked again. */
static enum uncore_absence absence(void *of, const struct unc_box *box, int *error)
{
	struct unc_pmus *p = of;
	struct unc_perf_event e;
	int fd, r;

	if (p->refused)
		return UNCORE_ABSENT_KERNEL_RIGHTS;
	r = unc_perf_pmu(p->machine, p->root, box, &e, NULL);
	if (r == UNCORE_ENOMEM) {
		*error = -EMFILE;
		return UNCORE_ABSENT_FILES;
	}
	if (r < 0)
		return e.type ? UNCORE_ABSENT_KERNEL_CPU : UNCORE_ABSENT_KERNEL_PMU;
	fd = unc_perf_group_add(-1, &e);
	if (fd >= 0) {
		unc_perf_close(fd);
		return UNCORE_PRESENT;
	}
	if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS)
		p->refused = fd;
	if (!is_answer(-fd))
		*error = fd;
	return fd == -EMFILE || fd == -ENFILE ? UNCORE_ABSENT_FILES : UNCORE_ABSENT_KERNEL_BOX;
}

struct unc_lister unc_pmus_lister(struct unc_pmus *p)
{
	return (struct unc_lister){
		.who = "the kernel's driver",
		.basis = "the PMUs of the kernel's driver",
		.remedy = "it does not support this CPU; a newer kernel might",
		.of = p,
		.boxes = boxes,
		.absence = absence,
	};
}

/* ---- rights ---- */

int unc_perf_no_rights(const char *root, int error, struct unc_err *err)
{
	const long paranoid = unc_read_number(-100, root, "proc/sys/kernel/perf_event_paranoid");

	if (error == -ENOSYS || paranoid == -100)
		return unc_fail(err, UNCORE_EACCESS,
				"perf_event_open() is not available to this program: %s",
				strerror(-error));
	if (paranoid > 0)
		return unc_fail(err, UNCORE_EACCESS,
				"perf_event_open(): %s: kernel.perf_event_paranoid is %ld; as "
				"root, set it to 0 (sysctl kernel.perf_event_paranoid=0), or%s "
				"give the program CAP_PERFMON",
				strerror(-error), paranoid, paranoid > 2 ? " set it to 2 and" : "");
	return unc_fail(err, UNCORE_EACCESS,
			"perf_event_open(): %s, although kernel.perf_event_paranoid is %ld: "
			"blocked by a sandbox or container",
			strerror(-error), paranoid);
}
