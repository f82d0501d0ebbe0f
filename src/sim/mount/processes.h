/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - the processes of a mounted machine: their files in proc, the traffic that they
 * cause, and how resctrl (Documentation/filesystems/resctrl.rst) counts it in sys/fs/resctrl.  A
 * file describes them (docs/who.md).  Their traffic is counted by the registers in addition to the
 * machine's own, which has no process.
 *
 * A tree without processes has none of these files; all functions accept such a tree.
 */
#ifndef MOUNT_PROCESSES_H
#define MOUNT_PROCESSES_H

#include <sys/stat.h>

#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read a description, and add its files to the tree.  0, or -1 with a message in why. */
int processes_add(struct tree *tree, const char *file, char *why, size_t len);
void processes_free(struct processes *all);

/* Account for the traffic up to now. */
void processes_advance(struct tree *tree);

/* ---- names; a node that has gone stays allocated, because the kernel may still refer to it ----
 */

/* Whether the name of a node may appear or disappear. */
bool processes_own(const struct node *node);
/* A file in a directory whose names change; NULL: no such file. */
struct node *processes_child(struct tree *tree, const struct node *dir, const char *name);

void processes_lock(struct tree *tree);
void processes_unlock(struct tree *tree);
/* The process has not begun or has ended, or the group was removed.  Locked. */
bool processes_hide(const struct tree *tree, const struct node *node);

/* The user that makes a group. */
struct processes_caller {
	uid_t uid;
	gid_t gid;
};

/* The owner and mode of a file below sys/fs/resctrl. */
void processes_stat(const struct tree *tree, const struct node *node, struct stat *st);

/* mkdir() and rmdir(): 0 or -errno, as the kernel returns. */
int processes_make_group(struct tree *tree, struct node *dir, const char *name,
			 const struct processes_caller *by, struct node **made);
int processes_remove_group(struct tree *tree, const struct node *dir, const char *name);

/* ---- files of the kind NODE_MADE ---- */

/* The contents, to be freed; NULL: the process has ended, or the group was removed. */
char *processes_text(struct tree *tree, const struct node *node);
/* The bytes taken, or -errno. */
ssize_t processes_write(struct tree *tree, const struct node *node, uid_t by, const char *from,
			size_t len);

#ifdef __cplusplus
}
#endif
#endif
