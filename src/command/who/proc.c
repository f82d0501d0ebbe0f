/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.c - see proc.h. */
#include "command/who/proc.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/who/job.h"

#define PF_KTHREAD 0x00200000 /* include/linux/sched.h */

/* ---- files ---- */

char *read_text(const char *format, ...)
{
	va_list args;
	char *name, *text = NULL;
	size_t room = 0;
	FILE *in;
	ssize_t len;

	va_start(args, format);
	name = text_of_list(format, args);
	va_end(args);
	in = fopen(name, "re");
	free(name);
	if (!in)
		return NULL;
	errno = 0;
	len = getdelim(&text, &room, '\0', in);
	if (len < 0 && errno == 0)
		text[0] = '\0'; /* an empty file */
	else if (len < 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

/* The numeric names in a directory, to be freed; NULL and errno if it cannot be read. */
static pid_t *numbers_in(const char *dir, size_t *n)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	pid_t *list = NULL;

	*n = 0;
	if (!d)
		return NULL;
	list = need_memory(1, sizeof(*list));
	while ((entry = readdir(d)) != NULL) {
		char *end;
		const long number = strtol(entry->d_name, &end, 10);

		if (*end || number <= 0)
			continue;
		list = need_more(list, *n + 1, sizeof(*list));
		list[(*n)++] = (pid_t)number;
	}
	closedir(d);
	return list;
}

/* ---- stat ---- */

struct stat_fields {
	int parent;
	unsigned flags, cpu;
	uint64_t ticks, start;
};

/* The name in parentheses may contain anything, so the rest begins after the last one. */
static bool take_stat(const char *text, struct stat_fields *f)
{
	const char *rest = strrchr(text, ')');
	uint64_t user, kernel;

	if (!rest || sscanf(rest + 1,
			    " %*c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
			    " %*d %*d %*d %*d %*d %*d %" SCNu64
			    " %*u %*d %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %u",
			    &f->parent, &f->flags, &user, &kernel, &f->start, &f->cpu) != 6)
		return false;
	f->ticks = user + kernel;
	return true;
}

static bool read_stat(const char *text, struct stat_fields *f)
{
	return text && take_stat(text, f);
}

/* ---- a process ---- */

/* Lines "0::/path" of version 2, or "4:memory:/path"; the longest path says most. */
static char *cgroup_of(const char *text)
{
	const char *best = "/";
	size_t len = 1;

	for (const char *line = text; line && *line;) {
		const size_t whole = strcspn(line, "\n");
		const char *path = memchr(line, '/', whole);

		if (path && (size_t)(line + whole - path) > len) {
			best = path;
			len = (size_t)(line + whole - path);
		}
		line += whole + (line[whole] == '\n');
	}
	return text_of("%.*s", (int)len, best);
}

static uid_t uid_of(const char *status)
{
	const char *line = status ? strstr(status, "\nUid:") : NULL;

	return line ? (uid_t)strtoul(line + 5, NULL, 10) : (uid_t)-1;
}

static char *name_of(const char *stat)
{
	const char *from = strchr(stat, '('), *to = strrchr(stat, ')');

	return from && to > from ? text_of("%.*s", (int)(to - from - 1), from + 1) : text_of("?");
}

static void read_threads(struct proc *p, const char *root)
{
	char *dir = text_of("%s/proc/%d/task", root, (int)p->pid);
	size_t n;
	pid_t *tids = numbers_in(dir, &n);

	p->threads = need_memory(n, sizeof(*p->threads));
	for (size_t i = 0; i < n; i++) {
		char *text = read_text("%s/%d/stat", dir, (int)tids[i]);
		struct stat_fields f;

		if (read_stat(text, &f))
			p->threads[p->n++] = (struct proc_thread){tids[i], f.cpu, f.ticks};
		free(text);
	}
	free(tids);
	free(dir);
}

static bool read_process(struct proc *p, const char *root, pid_t pid)
{
	char *stat = read_text("%s/proc/%d/stat", root, (int)pid), *status, *cgroup;
	struct stat_fields f;

	if (!read_stat(stat, &f) || (f.flags & PF_KTHREAD)) {
		free(stat);
		return false;
	}
	status = read_text("%s/proc/%d/status", root, (int)pid);
	cgroup = read_text("%s/proc/%d/cgroup", root, (int)pid);
	*p = (struct proc){.pid = pid, .parent = f.parent, .start = f.start, .uid = uid_of(status)};
	p->name = name_of(stat);
	p->cgroup = cgroup_of(cgroup);
	p->job = cgroup ? job_of(root, cgroup) : NULL;
	read_threads(p, root);
	free(stat);
	free(status);
	free(cgroup);
	return true;
}

/* ---- all ---- */

static int by_pid(const void *a, const void *b)
{
	const pid_t x = ((const struct proc *)a)->pid, y = ((const struct proc *)b)->pid;

	return (x > y) - (x < y);
}

int procs_read(struct procs *all, const char *root)
{
	char *dir = text_of("%s/proc", root);
	size_t n;
	pid_t *pids = numbers_in(dir, &n);
	const int error = errno;

	*all = (struct procs){NULL, 0};
	free(dir);
	if (!pids)
		return error;
	all->list = need_memory(n, sizeof(*all->list));
	for (size_t i = 0; i < n; i++)
		all->n += read_process(&all->list[all->n], root, pids[i]);
	qsort(all->list, all->n, sizeof(*all->list), by_pid);
	free(pids);
	return 0;
}

void procs_free(struct procs *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->list[i].name);
		free(all->list[i].cgroup);
		free(all->list[i].job);
		free(all->list[i].threads);
	}
	free(all->list);
	*all = (struct procs){NULL, 0};
}

struct proc *procs_find(const struct procs *all, pid_t pid)
{
	const struct proc key = {.pid = pid};

	return all->n ? bsearch(&key, all->list, all->n, sizeof(key), by_pid) : NULL;
}
