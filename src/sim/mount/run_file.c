/* SPDX-License-Identifier: BSD-3-Clause */
/* run_file.c - contents and attributes of the files in run/uncore. */
#define FUSE_USE_VERSION 32

#include <errno.h>
#include <fuse_lowlevel.h>
#include <stdlib.h>
#include <string.h>

#include "run_inside.h"

#define BLOCK 4096

struct timespec run_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts;
}

void run_modified(struct attributes *a)
{
	a->modified = a->changed = run_now();
}

void run_open(struct run *run, struct node *node)
{
	pthread_mutex_lock(&run->lock);
	run_file_of(node)->opens++;
	pthread_mutex_unlock(&run->lock);
}

/* The file is freed when the kernel drops its last reference (run_forget). */
void run_close(struct run *run, struct node *node)
{
	pthread_mutex_lock(&run->lock);
	run_file_of(node)->opens--;
	pthread_mutex_unlock(&run->lock);
}

/* ---- contents ---- */

/* An unlinked file that is not open uses no space, even if the kernel has a reference. */
static uint64_t used(const struct run *run)
{
	uint64_t sum = 0;

	for (const struct file *f = run->files; f; f = f->next)
		sum += f->links || f->opens ? f->node.size : 0;
	return sum;
}

/* The maximum size of a file. */
static uint64_t most(const struct run *run, const struct file *f)
{
	const uint64_t sum = used(run), rest = sum < run->limit ? run->limit - sum : 0;

	return f->node.size + rest;
}

static int need_room(struct file *f, size_t size)
{
	size_t room = f->room ? f->room : BLOCK;
	char *data;

	if (size <= f->room)
		return 0;
	while (room < size)
		room = room < SIZE_MAX / 2 ? 2 * room : size;
	data = realloc(f->data, room);
	if (!data)
		return -ENOMEM;
	f->data = data;
	f->room = room;
	return 0;
}

static int resize(struct run *run, struct file *f, uint64_t size)
{
	int r;

	if (size > f->node.size && size > most(run, f))
		return -ENOSPC;
	r = need_room(f, size);
	if (r < 0)
		return r;
	if (size > f->node.size)
		memset(f->data + f->node.size, 0, size - f->node.size);
	f->node.size = size;
	run_modified(&f->attributes);
	return 0;
}

ssize_t run_read(struct run *run, struct node *node, char *to, size_t len, uint64_t offset)
{
	const struct file *f = run_file_of(node);

	pthread_mutex_lock(&run->lock);
	if (offset >= f->node.size)
		len = 0;
	else if (len > f->node.size - offset)
		len = f->node.size - offset;
	if (len)
		memcpy(to, f->data + offset, len);
	pthread_mutex_unlock(&run->lock);
	return (ssize_t)len;
}

static ssize_t write_at(struct run *run, struct file *f, const char *from, size_t len,
			uint64_t offset)
{
	const uint64_t end = most(run, f);
	int r = 0;

	if (len == 0)
		return 0;
	if (offset >= end)
		return -ENOSPC;
	if (len > end - offset)
		len = end - offset;
	if (offset + len > f->node.size)
		r = resize(run, f, offset + len);
	if (r < 0)
		return r;
	memcpy(f->data + offset, from, len);
	run_modified(&f->attributes);
	return (ssize_t)len;
}

ssize_t run_write(struct run *run, struct node *node, const char *from, size_t len, uint64_t offset,
		  bool append)
{
	struct file *f = run_file_of(node);
	ssize_t r;

	pthread_mutex_lock(&run->lock);
	r = write_at(run, f, from, len, append ? f->node.size : offset);
	pthread_mutex_unlock(&run->lock);
	return r;
}

int run_allocate(struct run *run, struct node *node, uint64_t size)
{
	struct file *f = run_file_of(node);
	int r;

	pthread_mutex_lock(&run->lock);
	r = size > f->node.size ? resize(run, f, size) : 0;
	pthread_mutex_unlock(&run->lock);
	return r;
}

/* ---- attributes ---- */

static struct attributes *attributes_of(struct run *run, struct node *node)
{
	return node->kind == NODE_RUN ? &run->attributes : &run_file_of(node)->attributes;
}

static void fill(struct run *run, struct node *node, struct stat *st)
{
	const struct attributes *a = attributes_of(run, node);

	memset(st, 0, sizeof(*st));
	st->st_ino = node->ino;
	st->st_mode = a->mode;
	st->st_uid = a->uid;
	st->st_gid = a->gid;
	st->st_nlink = node->kind == NODE_RUN ? 2 : run_file_of(node)->links;
	st->st_size = (off_t)node->size;
	st->st_blocks = (blkcnt_t)((node->size + 511) / 512);
	st->st_blksize = BLOCK;
	st->st_atim = a->accessed;
	st->st_mtim = a->modified;
	st->st_ctim = a->changed;
}

void run_stat(struct run *run, struct node *node, struct stat *st)
{
	pthread_mutex_lock(&run->lock);
	fill(run, node, st);
	pthread_mutex_unlock(&run->lock);
}

static void set_times(struct attributes *a, const struct stat *to, int what)
{
	if (what & FUSE_SET_ATTR_ATIME)
		a->accessed = what & FUSE_SET_ATTR_ATIME_NOW ? run_now() : to->st_atim;
	if (what & FUSE_SET_ATTR_MTIME)
		a->modified = what & FUSE_SET_ATTR_MTIME_NOW ? run_now() : to->st_mtim;
}

static int set(struct run *run, struct node *node, const struct stat *to, int what)
{
	struct attributes *a = attributes_of(run, node);
	int r = 0;

	if (what & FUSE_SET_ATTR_SIZE)
		r = node->kind == NODE_RUN ? -EISDIR
					   : resize(run, run_file_of(node), (uint64_t)to->st_size);
	if (r < 0)
		return r;
	if (what & FUSE_SET_ATTR_MODE)
		a->mode = (a->mode & S_IFMT) | (to->st_mode & 07777);
	if (what & FUSE_SET_ATTR_UID)
		a->uid = to->st_uid;
	if (what & FUSE_SET_ATTR_GID)
		a->gid = to->st_gid;
	set_times(a, to, what);
	a->changed = run_now();
	return 0;
}

int run_set(struct run *run, struct node *node, const struct stat *to, int what, struct stat *st)
{
	int r;

	pthread_mutex_lock(&run->lock);
	r = set(run, node, to, what);
	fill(run, node, st);
	pthread_mutex_unlock(&run->lock);
	return r;
}

void run_statfs(struct run *run, struct statvfs *st)
{
	uint64_t sum;

	memset(st, 0, sizeof(*st));
	pthread_mutex_lock(&run->lock);
	sum = used(run);
	st->f_bsize = st->f_frsize = BLOCK;
	st->f_blocks = (run->limit + BLOCK - 1) / BLOCK;
	st->f_bfree = st->f_bavail = sum < run->limit ? (run->limit - sum) / BLOCK : 0;
	for (const struct file *f = run->files; f; f = f->next)
		st->f_files++;
	st->f_namemax = NAME_MAX;
	pthread_mutex_unlock(&run->lock);
}
