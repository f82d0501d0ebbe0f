/* SPDX-License-Identifier: BSD-3-Clause */
/* run_inside.h - definitions shared by run.c (names) and run_file.c (contents). */
#ifndef MOUNT_RUN_INSIDE_H
#define MOUNT_RUN_INSIDE_H

#include <pthread.h>
#include <time.h>

#include "run.h"
#include "tree.h"

struct attributes {
	mode_t mode;
	uid_t uid;
	gid_t gid;
	struct timespec accessed, modified, changed;
};

struct file {
	struct node node; /* the first member, for code outside of run*.c */
	struct attributes attributes;
	unsigned links, opens;
	uint64_t references;
	char *data;
	size_t room; /* allocated bytes; node.size are in use */
	struct file *next;
};

/* A name. */
struct entry {
	char *name;
	struct file *file;
	uint64_t place;
	struct entry *next;
};

struct run {
	pthread_mutex_t lock;
	struct attributes attributes;
	struct entry *entries; /* by place */
	struct file *files;    /* including open files without a name */
	uint64_t inodes, places;
	uint64_t limit;
};

static inline struct file *run_file_of(struct node *node)
{
	return (struct file *)node;
}

struct timespec run_now(void);
/* Contents have changed. */
void run_modified(struct attributes *a);

#endif
