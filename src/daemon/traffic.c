/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - see traffic.h. */
#include "daemon/traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "daemon/say.h"

#define PREFIX      "uncored-" /* of the groups: uncored-NAMESPACE-PID-START-NUMBER */
#define USERS_SHARE 4          /* a user gets at most a quarter of the monitoring IDs */

struct traffic {
	int directory; /* of resctrl */
	struct unc_process self;
	unsigned most;   /* groups of a user */
	unsigned number; /* of the last group */
};

struct traffic_group {
	struct traffic_group *next;
	char path[]; /* below the directory */
};

/* ---- directories ---- */

static int open_resctrl(const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/fs/resctrl", root);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A control group: "" for the default one, or the name of a directory that is no other thing. */
static bool is_control(const char *name)
{
	return *name != '.' && !strchr(name, '/') && strlen(name) <= NAME_MAX &&
	       strcmp(name, "info") != 0 && strcmp(name, "mon_data") != 0 &&
	       strcmp(name, "mon_groups") != 0;
}

/* Call each() with "mon_groups" of each control group. */
static void for_each_control(int directory,
			     void (*each)(int directory, const char *path, const void *),
			     const void *context)
{
	DIR *list = daemon_list(directory, ".");
	const struct dirent *e;
	char path[NAME_MAX + 16];

	each(directory, "mon_groups", context);
	while (list && (e = readdir(list)))
		if (e->d_type != DT_REG && is_control(e->d_name)) {
			snprintf(path, sizeof(path), "%s/mon_groups", e->d_name);
			each(directory, path, context);
		}
	if (list)
		closedir(list);
}

static void give(int directory, const char *path, const void *context)
{
	const struct identity *who = context;

	if (fchownat(directory, path, who->uid, (gid_t)-1, AT_SYMLINK_NOFOLLOW) != 0 &&
	    errno != ENOENT && errno != ENOTDIR)
		daemon_say(SAY_WARNING,
			   "cannot let user %s make monitoring groups in /sys/fs/resctrl/%s: %s",
			   who->name, path, strerror(errno));
}

static bool allows_traffic(const struct policy *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->rules[i].may & UNC_MAY_TRAFFIC)
			return true;
	return false;
}

void traffic_let_make(const char *root, const struct policy *policy, const struct identity *who)
{
	const int directory = who->becomes && allows_traffic(policy) ? open_resctrl(root) : -1;

	if (directory < 0)
		return;
	for_each_control(directory, give, who);
	close(directory);
}

/* Of a daemon that was killed.  Names without a start time are of earlier versions. */
static bool is_left(const char *name)
{
	struct unc_process maker;
	unsigned number, pid;
	int end = 0;

	if (sscanf(name, PREFIX "%" SCNu64 "-%d-%" SCNu64 "-%u%n", &maker.space, &maker.pid,
		   &maker.began, &number, &end) == 4 &&
	    !name[end])
		return unc_process_is_gone(&maker);
	return sscanf(name, PREFIX "%u-%u%n", &pid, &number, &end) == 2 && !name[end];
}

static void remove_left(int directory, const char *path, const void *context)
{
	DIR *list = daemon_list(directory, path);
	const struct dirent *e;

	(void)context;
	while (list && (e = readdir(list)))
		if (is_left(e->d_name))
			unlinkat(dirfd(list), e->d_name, AT_REMOVEDIR);
	if (list)
		closedir(list);
}

static unsigned monitoring_ids(int directory)
{
	const int fd = openat(directory, "info/L3_MON/num_rmids", O_RDONLY | O_CLOEXEC);
	char text[32] = "";

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) < 0)
			*text = '\0';
		close(fd);
	}
	return (unsigned)strtoul(text, NULL, 10);
}

struct traffic *traffic_open(const char *root)
{
	const int directory = open_resctrl(root);
	const unsigned ids = directory < 0 ? 0 : monitoring_ids(directory);
	struct traffic *t = ids ? calloc(1, sizeof(*t)) : NULL;

	if (!t || unc_this_process(&t->self) < 0) {
		if (directory >= 0)
			close(directory);
		free(t);
		return NULL;
	}
	t->directory = directory;
	t->most = ids / USERS_SHARE ? ids / USERS_SHARE : 1;
	for_each_control(directory, remove_left, NULL);
	return t;
}

void traffic_close(struct traffic *t)
{
	if (t)
		close(t->directory);
	free(t);
}

/* ---- groups ---- */

/* Whether the client may have a group; else the answer has the reason. */
static bool may_make(const struct server *s, const struct client *c, const char *control,
		     struct answer *a)
{
	if (!(c->may & UNC_MAY_TRAFFIC))
		answer_say(a, UNCORE_EACCESS,
			   "uncored makes no monitoring groups for user %u: allow `traffic` in its "
			   "policy",
			   (unsigned)c->user->uid);
	else if (!s->traffic)
		answer_say(a, UNCORE_ENODEV,
			   "uncored found no resctrl: mount it, then restart uncored");
	else if (!control || !is_control(control))
		answer_say(a, UNCORE_EINVAL, "invalid control group of resctrl");
	else if (c->user->groups >= s->traffic->most)
		answer_say(
			a, UNCORE_EBUSY,
			"user %u has %u monitoring groups, a quarter of those of this processor: "
			"use fewer",
			(unsigned)c->user->uid, s->traffic->most);
	else
		return true;
	return false;
}

static struct traffic_group *new_group(struct server *s, const char *control)
{
	const size_t size = sizeof(struct traffic_group) + (size_t)2 * NAME_MAX + 64;
	const struct unc_process *self = &s->traffic->self;
	struct traffic_group *g = calloc(1, size);

	if (g)
		snprintf(g->path, size - sizeof(*g),
			 "%s%smon_groups/" PREFIX "%" PRIu64 "-%d-%" PRIu64 "-%u", control,
			 *control ? "/" : "", self->space, self->pid, self->began,
			 ++s->traffic->number);
	return g;
}

/* The client reads the counts of its group, whatever the daemon's umask is. */
static int let_read(int group)
{
	struct stat st;

	if (fstat(group, &st) != 0)
		return -1;
	return (st.st_mode & 0777) == 0755 ? 0 : fchmod(group, 0755);
}

/* The file for its threads, or -errno. */
static int make(const struct traffic *t, const struct traffic_group *g)
{
	int group, tasks = -1, error;

	if (mkdirat(t->directory, g->path, 0755) != 0)
		return -errno;
	group = openat(t->directory, g->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (group >= 0 && let_read(group) == 0)
		tasks = openat(group, "tasks", O_WRONLY | O_CLOEXEC);
	error = errno;
	if (group >= 0)
		close(group);
	if (tasks >= 0)
		return tasks;
	unlinkat(t->directory, g->path, AT_REMOVEDIR);
	return -error;
}

void traffic_make(struct server *s, struct client *c, const struct message *m, struct answer *a)
{
	struct reader from = {m, 0};
	const char *control = reader_name(&from);
	struct traffic_group *g;
	int fd;

	if (!may_make(s, c, control, a))
		return;
	g = new_group(s, control);
	fd = g ? make(s->traffic, g) : -ENOMEM;
	if (fd < 0) {
		answer_say(a, fd == -ENOSPC ? UNCORE_EBUSY : UNCORE_EIO,
			   "uncored cannot make a monitoring group in /sys/fs/resctrl: %s",
			   fd == -ENOSPC ? "no monitoring ID is left" : strerror(-fd));
		free(g);
		return;
	}
	g->next = c->groups;
	c->groups = g;
	c->user->groups++;
	a->file = fd;
	a->size = strlen(g->path) + 1;
	memcpy(a->is.bytes, g->path, a->size);
}

static void end_group(const struct server *s, struct user *user, struct traffic_group *g)
{
	user->groups--;
	unlinkat(s->traffic->directory, g->path, AT_REMOVEDIR);
	free(g);
}

void traffic_remove(struct server *s, struct client *c, const struct message *m, struct answer *a)
{
	struct reader from = {m, 0};
	const char *path = reader_name(&from);

	for (struct traffic_group **at = &c->groups; path && *at; at = &(*at)->next)
		if (strcmp((*at)->path, path) == 0) {
			struct traffic_group *g = *at;

			*at = g->next;
			end_group(s, c->user, g);
			return;
		}
	answer_say(a, UNCORE_EINVAL, "unknown monitoring group: not made for this connection");
}

void traffic_drop(struct server *s, struct client *c)
{
	while (c->groups) {
		struct traffic_group *g = c->groups;

		c->groups = g->next;
		end_group(s, c->user, g);
	}
}
