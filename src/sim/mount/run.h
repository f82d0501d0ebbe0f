/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - the directory run/uncore of a mounted machine, where the library stores data that
 * outlives a process: files in memory that behave as on a tmpfs.
 *
 * A node is the directory itself (NODE_RUN) or one of its files (NODE_FILE).  Any thread may
 * call any of these.  Results are 0 or -errno unless said otherwise.
 */
#ifndef MOUNT_RUN_H
#define MOUNT_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct node;
struct run;

/* Of the caller, with mode 0755 and room for `limit` bytes in all files.  NULL: no memory. */
struct run *run_new(uint64_t limit);
void run_free(struct run *run);
void run_limit(struct run *run, uint64_t limit);

/* ---- names ---- */

/*
 * Attributes of a new file.  As usual, it gets the directory's group if that has the
 * set-group-ID bit.
 */
struct run_new_file {
	mode_t mode;
	uid_t uid;
	gid_t gid;
};

/*
 * Each of these three functions adds a reference to the node, which run_forget() drops.  A file
 * is freed when it has no references, no names, and is not open.
 */
int run_lookup(struct run *run, const char *name, struct node **out);
int run_create(struct run *run, const char *name, const struct run_new_file *as,
	       struct node **out); /* and opened */
int run_link(struct run *run, struct node *file, const char *name);
void run_forget(struct run *run, struct node *file, uint64_t n);

int run_unlink(struct run *run, const char *name);
int run_rename(struct run *run, const char *from, const char *to, unsigned flags);

struct run_entry {
	char name[NAME_MAX + 1];
	uint64_t ino, place; /* place: position of the next entry */
};

/* The first entry after a position, 0: the first of all.  False at the end. */
bool run_list(struct run *run, uint64_t place, struct run_entry *entry);

/* ---- files ---- */

void run_open(struct run *run, struct node *file);
void run_close(struct run *run, struct node *file);

/* Bytes; unwritten parts of a file read as zeros. */
ssize_t run_read(struct run *run, struct node *file, char *to, size_t len, uint64_t offset);
/* Bytes written, limited by the free space; -ENOSPC: no space. */
ssize_t run_write(struct run *run, struct node *file, const char *from, size_t len, uint64_t offset,
		  bool append);
/* Make a file at least as long. */
int run_allocate(struct run *run, struct node *file, uint64_t size);

void run_stat(struct run *run, struct node *node, struct stat *st);
/* what: FUSE_SET_ATTR_... of fuse_lowlevel.h; st: the resulting attributes. */
int run_set(struct run *run, struct node *node, const struct stat *to, int what, struct stat *st);
void run_statfs(struct run *run, struct statvfs *st);

#ifdef __cplusplus
}
#endif
#endif
