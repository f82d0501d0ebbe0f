/* SPDX-License-Identifier: BSD-3-Clause */
/* resctrl.c - see resctrl.h. */
#include "command/who/resctrl.h"
#include "base/documents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/daemon/clients.h"
#include "base/error.h"
#include "base/process.h"
#include "command/base/text.h"
#include "command/who/proc.h"
#include "uncore_inspect.h"

#define PREFIX "uncore-" /* of our groups: uncore-NAMESPACE-PID-START-NUMBER */

struct resctrl_lent {
	char *group;
	int tasks; /* file for the numbers of its threads */
};

static void return_group(const struct resctrl_lent *lent)
{
	close(lent->tasks);
	free(lent->group);
}

/* ---- lists ---- */

static void add_text(char ***list, size_t *n, char *text)
{
	*list = need_more(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = text;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Add the paths of the directories in one: "mon_groups/a" for prefix "mon_groups/". */
static void add_dirs(const struct resctrl *r, const char *prefix, char ***list, size_t *n)
{
	char *path = text_of("%s/%s", r->top, prefix);
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		char *name = text_of("%s%s", prefix, entry->d_name);
		char *whole = text_of("%s/%s", r->top, name);

		if (entry->d_name[0] != '.' && is_dir(whole))
			add_text(list, n, name);
		else
			free(name);
		free(whole);
	}
	if (dir)
		closedir(dir);
	free(path);
}

static bool is_reserved(const char *name)
{
	return strcmp(name, "info") == 0 || strcmp(name, "mon_data") == 0 ||
	       strcmp(name, "mon_groups") == 0;
}

char **resctrl_groups(const struct resctrl *r, size_t *n)
{
	char **dirs = NULL, **groups = NULL;
	size_t n_dirs = 0;

	*n = 0;
	add_text(&groups, n, text_of("%s", ""));
	add_dirs(r, "mon_groups/", &groups, n);
	add_dirs(r, "", &dirs, &n_dirs);
	for (size_t i = 0; i < n_dirs; i++) {
		char *prefix = text_of("%s/mon_groups/", dirs[i]);

		if (!is_reserved(dirs[i])) {
			add_text(&groups, n, text_of("%s", dirs[i]));
			add_dirs(r, prefix, &groups, n);
		}
		free(prefix);
		free(dirs[i]);
	}
	free(dirs);
	return groups;
}

bool resctrl_is_monitoring(const char *group)
{
	return strncmp(group, "mon_groups/", 11) == 0 || strstr(group, "/mon_groups/");
}

char *resctrl_control(const char *group)
{
	const char *at = strstr(group, "mon_groups/");

	if (!at)
		return text_of("%s", group);
	return text_of("%.*s", at > group ? (int)(at - group - 1) : 0, group);
}

/* ---- domains ---- */

static bool has_line(const char *text, const char *line)
{
	const char *at = text ? strstr(text, line) : NULL;

	return at && (at == text || at[-1] == '\n');
}

/* The package of a last-level cache; its id when the kernel does not say. */
static unsigned package_of(const struct resctrl *r, struct uncore *u, unsigned cache)
{
	struct uncore_cpu_info cpu = {.size = sizeof(cpu)};

	for (unsigned i = 0; uncore_cpu(u, i, &cpu) == 1; i++) {
		char *text = read_text("%s/sys/devices/system/cpu/cpu%u/cache/index3/id", r->root,
				       cpu.cpu);
		const bool here = text && strtoul(text, NULL, 10) == cache;

		free(text);
		if (here)
			return cpu.package;
	}
	return cache;
}

static void add_domain(struct resctrl *r, struct uncore *u, const char *name)
{
	unsigned number, package;

	if (sscanf(name, "mon_L3_%u", &number) == 1)
		package = package_of(r, u, number);
	else if (sscanf(name, "mon_PERF_PKG_%u", &number) == 1)
		package = number;
	else
		return;
	if (package >= WHO_PACKAGES)
		return;
	r->domains = need_more(r->domains, r->n + 1, sizeof(*r->domains));
	r->domains[r->n++] = (struct resctrl_domain){package, text_of("%s", name)};
}

static void find_domains(struct resctrl *r, struct uncore *u)
{
	char **dirs = NULL;
	size_t n = 0;

	add_dirs(r, "mon_data/", &dirs, &n);
	for (size_t i = 0; i < n; i++) {
		add_domain(r, u, dirs[i] + strlen("mon_data/"));
		free(dirs[i]);
	}
	free(dirs);
}

static unsigned number_in(const struct resctrl *r, const char *file)
{
	char *text = read_text("%s/%s", r->top, file);
	const unsigned number = text ? (unsigned)strtoul(text, NULL, 10) : 0;

	free(text);
	return number;
}

/* ---- errata ---- */

/*
 * BDF102 and SKX99: MBM counts too much for high monitoring IDs.  Linux 5.11 and later multiply by
 * a factor (arch/x86/kernel/cpu/resctrl/monitor.c).
 */
static bool is_uncorrected(const struct resctrl *r, struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	char *release = read_text("%s/proc/sys/kernel/osrelease", r->root);
	unsigned major = 0, minor = 0;
	const bool known = release && sscanf(release, "%u.%u", &major, &minor) == 2;

	free(release);
	uncore_machine(u, &m);
	return known && (major < 5 || (major == 5 && minor < 11)) &&
	       (strcmp(m.platform, "bdx") == 0 || strcmp(m.platform, "skx") == 0);
}

/* ---- opening ---- */

static void find_features(struct resctrl *r)
{
	char *l3 = read_text("%s/info/L3_MON/mon_features", r->top);
	char *energy = read_text("%s/info/PERF_PKG_MON/mon_features", r->top);

	r->occupancy = has_line(l3, "llc_occupancy");
	r->bandwidth = has_line(l3, "mbm_total_bytes") && has_line(l3, "mbm_local_bytes");
	r->energy = has_line(energy, "core_energy");
	r->groups = number_in(r, "info/L3_MON/num_rmids");
	free(l3);
	free(energy);
}

static bool explain(const struct resctrl *r, char *why, size_t len)
{
	char *filesystems = read_text("%s/proc/filesystems", r->root);

	if (r->occupancy)
		snprintf(why, len, "the processor monitors no memory bandwidth of processes");
	else if (has_line(filesystems, "nodev\tresctrl"))
		snprintf(why, len,
			 "resctrl is not mounted: mount it (mount -t resctrl resctrl "
			 "/sys/fs/resctrl)");
	else
		snprintf(why, len, "this kernel and processor have no resctrl");
	free(filesystems);
	return false;
}

/* Through uncored, if its policy allows this user to. */
static bool find_uncored(struct resctrl *r)
{
	struct unc_err err;

	unc_err_init(&err);
	unc_remote_visit(&r->uncored, unc_remote_path(), &err);
	unc_err_destroy(&err);
	if (r->uncored && !(unc_remote_rights(r->uncored) & UNC_MAY_TRAFFIC)) {
		unc_remote_close(r->uncored);
		r->uncored = NULL;
	}
	return r->uncored != NULL;
}

static bool may_make_groups(struct resctrl *r)
{
	char *path = text_of("%s/mon_groups", r->top);
	const bool may = access(path, W_OK) == 0;

	free(path);
	return may || find_uncored(r);
}

bool resctrl_open(struct resctrl *r, const char *root, struct uncore *u, char *why, size_t len)
{
	*r = (struct resctrl){.root = text_of("%s", root)};
	r->top = text_of("%s/sys/fs/resctrl", root);
	find_features(r);
	if (!r->bandwidth)
		return explain(r, why, len);
	if (!may_make_groups(r)) {
		snprintf(
			why, len,
			"no permission to make monitoring groups in %s/mon_groups: run as root, or let "
			"uncored make them (" UNC_DOC_WHO ")",
			r->top);
		return false;
	}
	r->uncorrected = is_uncorrected(r, u);
	find_domains(r, u);
	return true;
}

void resctrl_close(struct resctrl *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->domains[i].name);
	for (size_t i = 0; i < r->n_lent; i++)
		return_group(&r->lent[i]);
	free(r->lent);
	unc_remote_close(r->uncored);
	free(r->domains);
	free(r->root);
	free(r->top);
}

/* ---- values ---- */

/* "Unavailable" and "Error" instead of a number are errors, too. */
static bool read_number(const struct resctrl *r, const char *group, const char *domain,
			const char *file, double *value)
{
	char *text = read_text("%s/%s/mon_data/%s/%s", r->top, group, domain, file), *end;
	bool valid;

	if (!text)
		return false;
	*value = strtod(text, &end);
	valid = end != text && isfinite(*value);
	free(text);
	if (!valid)
		errno = EIO;
	return valid;
}

/* A cache has no directory while all its CPUs are offline. */
static bool has_domain(const struct resctrl *r, const char *group, const char *domain)
{
	char *tasks = text_of("%s/%s/tasks", r->top, group);
	char *data = text_of("%s/%s/mon_data/%s", r->top, group, domain);
	const bool has = access(data, F_OK) == 0 || access(tasks, F_OK) != 0;

	free(tasks);
	free(data);
	return has;
}

bool resctrl_read(const struct resctrl *r, const char *group, struct share_values *v)
{
	bool valid = true;

	memset(v, 0, sizeof(*v));
	for (size_t i = 0; valid && i < r->n; i++) {
		const char *domain = r->domains[i].name;
		const unsigned package = r->domains[i].package;

		if (!has_domain(r, group, domain))
			continue;
		if (domain[4] == 'P') {
			valid = read_number(r, group, domain, "core_energy", &v->joules[package]);
			continue;
		}
		valid = read_number(r, group, domain, "mbm_total_bytes", &v->total[package]) &&
			read_number(r, group, domain, "mbm_local_bytes", &v->local[package]) &&
			(!r->occupancy ||
			 read_number(r, group, domain, "llc_occupancy", &v->occupancy[package]));
	}
	return valid;
}

/* ---- groups ---- */

pid_t *resctrl_tasks(const struct resctrl *r, const char *group, size_t *n)
{
	char *text = read_text("%s/%s/tasks", r->top, group), *at = text, *end;
	pid_t *list = text ? need_memory(1, sizeof(*list)) : NULL;

	*n = 0;
	for (long tid; text && (tid = strtol(at, &end, 10)) > 0 && end != at; at = end) {
		list = need_more(list, *n + 1, sizeof(*list));
		list[(*n)++] = (pid_t)tid;
	}
	free(text);
	return list;
}

/* A group that uncored made, which removes it when the connection is closed. */
static char *borrow(struct resctrl *r, const char *control)
{
	char group[PATH_MAX];
	struct unc_err err;
	int code, tasks;

	unc_err_init(&err);
	code = unc_remote_group(r->uncored, control, group, sizeof(group), &tasks, &err);
	unc_err_destroy(&err);
	errno = code == UNCORE_EBUSY ? ENOSPC : EACCES;
	if (code < 0)
		return NULL;
	r->lent = need_more(r->lent, r->n_lent + 1, sizeof(*r->lent));
	r->lent[r->n_lent++] = (struct resctrl_lent){text_of("%s", group), tasks};
	return text_of("%s", group);
}

static struct resctrl_lent *find_lent(const struct resctrl *r, const char *group)
{
	for (size_t i = 0; i < r->n_lent; i++)
		if (strcmp(r->lent[i].group, group) == 0)
			return &r->lent[i];
	return NULL;
}

static void give_back(struct resctrl *r, struct resctrl_lent *lent)
{
	struct unc_err err;

	unc_err_init(&err);
	unc_remote_ungroup(r->uncored, lent->group, &err);
	unc_err_destroy(&err);
	return_group(lent);
	*lent = r->lent[--r->n_lent];
}

static const char *name_of(const char *group)
{
	const char *slash = strrchr(group, '/');

	return slash ? slash + 1 : group;
}

bool resctrl_is_ours(const char *group)
{
	return resctrl_is_monitoring(group) && strncmp(name_of(group), PREFIX, strlen(PREFIX)) == 0;
}

/* In a simulated machine, too, the process is one of this computer. */
static char *make(const struct resctrl *r, const char *control, unsigned number)
{
	struct unc_process self;
	int error = -unc_this_process(&self);
	char *group = text_of("%s%smon_groups/" PREFIX "%" PRIu64 "-%d-%" PRIu64 "-%u", control,
			      *control ? "/" : "", self.space, self.pid, self.began, number);
	char *path = text_of("%s/%s", r->top, group);

	if (!error && mkdir(path, 0755) != 0)
		error = errno;
	free(path);
	if (!error)
		return group;
	free(group);
	errno = error;
	return NULL;
}

char *resctrl_make(struct resctrl *r, const char *control, unsigned number)
{
	return r->uncored ? borrow(r, control) : make(r, control, number);
}

int resctrl_assign(const struct resctrl *r, const char *group, pid_t thread)
{
	char *path = text_of("%s/%s/tasks", r->top, group), text[32];
	const int len = snprintf(text, sizeof(text), "%d", (int)thread);
	const struct resctrl_lent *lent = find_lent(r, group);
	const int fd = lent ? lent->tasks : open(path, O_WRONLY | O_CLOEXEC);
	int error = fd < 0 ? errno : 0;

	if (fd >= 0 && write(fd, text, (size_t)len) != len)
		error = errno;
	if (fd >= 0 && !lent)
		close(fd);
	free(path);
	return error;
}

void resctrl_remove(struct resctrl *r, const char *group)
{
	struct resctrl_lent *lent = find_lent(r, group);
	char *path = lent ? NULL : text_of("%s/%s", r->top, group);

	if (lent)
		give_back(r, lent);
	else
		rmdir(path);
	free(path);
}

static bool is_left(const char *group)
{
	struct unc_process maker;

	return resctrl_is_ours(group) &&
	       sscanf(name_of(group), PREFIX "%" SCNu64 "-%d-%" SCNu64, &maker.space, &maker.pid,
		      &maker.began) == 3 &&
	       unc_process_is_gone(&maker);
}

unsigned resctrl_recover(struct resctrl *r)
{
	unsigned removed = 0;
	size_t n;
	char **groups = resctrl_groups(r, &n);

	for (size_t i = 0; i < n; i++) {
		if (is_left(groups[i])) {
			resctrl_remove(r, groups[i]);
			removed++;
		}
		free(groups[i]);
	}
	free(groups);
	return removed;
}
