/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - the names in the directory run/uncore of a mounted machine.
 *
 * The kernel serializes changes of names and checks permissions (default_permissions).  The mutex
 * protects concurrent operations on several files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_inside.h"

#define FIRST_INODE (1U << 24) /* the files of the tree have smaller numbers */

/* ---- entries ---- */

/* The pointer that refers to an entry; it is NULL if no entry has this name. */
static struct entry **find(struct run *run, const char *name)
{
	struct entry **at = &run->entries;

	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	return at;
}

static void free_file(struct file *f)
{
	free(f->data);
	free(f);
}

static void free_unused(struct run *run, struct file *f)
{
	struct file **at = &run->files;

	if (f->links || f->opens || f->references)
		return;
	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	free_file(f);
}

struct run *run_new(uint64_t limit)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	pthread_mutex_init(&run->lock, NULL);
	run->attributes = (struct attributes){S_IFDIR | 0755, geteuid(), getegid(),
					      run_now(),      run_now(), run_now()};
	run->inodes = FIRST_INODE;
	run->limit = limit;
	return run;
}

void run_free(struct run *run)
{
	while (run && run->entries) {
		struct entry *next = run->entries->next;

		free(run->entries->name);
		free(run->entries);
		run->entries = next;
	}
	while (run && run->files) {
		struct file *next = run->files->next;

		free_file(run->files);
		run->files = next;
	}
	if (run)
		pthread_mutex_destroy(&run->lock);
	free(run);
}

void run_limit(struct run *run, uint64_t limit)
{
	pthread_mutex_lock(&run->lock);
	run->limit = limit;
	pthread_mutex_unlock(&run->lock);
}

/* ---- names ---- */

static int add_entry(struct run *run, const char *name, struct file *file)
{
	struct entry **at = find(run, name);

	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	if (*at)
		return -EEXIST;
	*at = calloc(1, sizeof(**at));
	if (!*at)
		return -ENOMEM;
	(*at)->name = strdup(name);
	if (!(*at)->name) {
		free(*at);
		*at = NULL;
		return -ENOMEM;
	}
	(*at)->file = file;
	(*at)->place = ++run->places;
	file->links++;
	run_modified(&run->attributes);
	file->attributes.changed = run_now();
	return 0;
}

static void remove_entry(struct run *run, struct entry **at)
{
	struct entry *e = *at;

	*at = e->next;
	e->file->links--;
	e->file->attributes.changed = run_now();
	run_modified(&run->attributes);
	free_unused(run, e->file);
	free(e->name);
	free(e);
}

int run_lookup(struct run *run, const char *name, struct node **out)
{
	const struct entry *e;

	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	pthread_mutex_lock(&run->lock);
	e = *find(run, name);
	if (e) {
		e->file->references++;
		*out = &e->file->node;
	}
	pthread_mutex_unlock(&run->lock);
	return e ? 0 : -ENOENT;
}

static int create(struct run *run, const char *name, const struct run_new_file *as,
		  struct node **out)
{
	const bool inherited = run->attributes.mode & S_ISGID;
	struct file *f = calloc(1, sizeof(*f));
	int r;

	if (!f)
		return -ENOMEM;
	r = add_entry(run, name, f);
	if (r < 0) {
		free(f);
		return r;
	}
	f->node.kind = NODE_FILE;
	f->node.ino = run->inodes++;
	f->attributes = (struct attributes){
		(as->mode & 07777) | S_IFREG,
		as->uid,
		inherited ? run->attributes.gid : as->gid,
		run_now(),
		run_now(),
		run_now(),
	};
	f->opens = 1;
	f->references = 1;
	f->next = run->files;
	run->files = f;
	*out = &f->node;
	return 0;
}

int run_create(struct run *run, const char *name, const struct run_new_file *as, struct node **out)
{
	int r;

	pthread_mutex_lock(&run->lock);
	r = create(run, name, as, out);
	pthread_mutex_unlock(&run->lock);
	return r;
}

int run_link(struct run *run, struct node *node, const char *name)
{
	struct file *f = run_file_of(node);
	int r;

	pthread_mutex_lock(&run->lock);
	/* Removed: the file has no name any more. */
	r = f->links ? add_entry(run, name, f) : -ENOENT;
	if (r == 0)
		f->references++;
	pthread_mutex_unlock(&run->lock);
	return r;
}

void run_forget(struct run *run, struct node *node, uint64_t n)
{
	struct file *f = run_file_of(node);

	pthread_mutex_lock(&run->lock);
	f->references -= n;
	free_unused(run, f);
	pthread_mutex_unlock(&run->lock);
}

int run_unlink(struct run *run, const char *name)
{
	struct entry **at;
	int r = -ENOENT;

	pthread_mutex_lock(&run->lock);
	at = find(run, name);
	if (*at) {
		remove_entry(run, at);
		r = 0;
	}
	pthread_mutex_unlock(&run->lock);
	return r;
}

/* Keep the entry, so that a process that lists the directory finds the file once. */
static int rename_entry(struct entry *e, const char *to)
{
	char *name = strlen(to) > NAME_MAX ? NULL : strdup(to);

	if (!name)
		return strlen(to) > NAME_MAX ? -ENAMETOOLONG : -ENOMEM;
	free(e->name);
	e->name = name;
	return 0;
}

/* The name keeps its position and gets the other file. */
static void exchange(struct entry *a, struct entry *b)
{
	struct file *f = a->file;

	a->file = b->file;
	b->file = f;
}

static int move(struct run *run, const char *from, const char *to, unsigned flags)
{
	struct entry **source = find(run, from), *target = *find(run, to);
	int r = 0;

	if (flags & ~(unsigned)(RENAME_NOREPLACE | RENAME_EXCHANGE))
		return -EINVAL;
	if (!*source || (flags & RENAME_EXCHANGE && !target))
		return -ENOENT;
	if (target && flags & RENAME_NOREPLACE)
		return -EEXIST;
	if (target && target->file == (*source)->file)
		return 0;
	(*source)->file->attributes.changed = run_now();
	if (!target)
		r = rename_entry(*source, to);
	else
		exchange(target, *source);
	run_modified(&run->attributes);
	/* The previous target now has the source's name. */
	if (target && !(flags & RENAME_EXCHANGE))
		remove_entry(run, source);
	return r;
}

int run_rename(struct run *run, const char *from, const char *to, unsigned flags)
{
	int r;

	pthread_mutex_lock(&run->lock);
	r = move(run, from, to, flags);
	pthread_mutex_unlock(&run->lock);
	return r;
}

bool run_list(struct run *run, uint64_t place, struct run_entry *entry)
{
	const struct entry *e;

	pthread_mutex_lock(&run->lock);
	for (e = run->entries; e && e->place <= place;)
		e = e->next;
	if (e) {
		snprintf(entry->name, sizeof(entry->name), "%s", e->name);
		entry->ino = e->file->node.ino;
		entry->place = e->place;
	}
	pthread_mutex_unlock(&run->lock);
	return e != NULL;
}
