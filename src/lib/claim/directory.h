/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * directory.h - where processes tell each other what they count: /run/uncore, or what
 * UNCORE_JOURNAL names.
 *
 * It belongs to root or to the caller, and the world cannot write to it: whoever may make files
 * there takes part.  Its group may: then files can be read and locked by the group, and may be any
 * member's.  Nothing is followed that is a symbolic link.
 */
#ifndef UNC_DIRECTORY_H
#define UNC_DIRECTORY_H

#include <dirent.h>
#include <limits.h>
#include <sys/types.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_directory {
	int fd; /* -1: there is none */
	bool group;
	gid_t gid;
	char path[PATH_MAX];
	char why[256]; /* a part of a sentence: why there is none */
};

/*
 * Look for it, and make it if that may be.  Without rights, or without the directory, there is
 * none, and `why` tells; UNCORE_EACCESS if it is not fit to be trusted.
 */
int unc_directory_open(struct unc_directory *dir, bool make, struct unc_err *err);
void unc_directory_close(struct unc_directory *dir);

/* A file for writing and locking, made if it is missing; only: it must be.  fd or -errno. */
int unc_directory_file(const struct unc_directory *dir, const char *name, bool only);

/* All of a file, to be freed; NULL with *error: -errno, -EFBIG, or -EPERM if it is not trusted. */
void *unc_directory_read(const struct unc_directory *dir, const char *name, size_t *n, int *error);

/* Write bytes to a file of the name that did not exist, then put it in the place of another. */
int unc_directory_replace(const struct unc_directory *dir, const char *temporary, const char *name,
			  const void *bytes, size_t n);

/* For a walk; NULL with errno. */
DIR *unc_directory_list(const struct unc_directory *dir);

/* Whether the process pid, or any other, holds the lock of a file; its pid goes to *pid. */
bool unc_directory_locked(const struct unc_directory *dir, const char *name, pid_t *pid);

#ifdef __cplusplus
}
#endif
#endif
