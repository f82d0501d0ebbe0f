/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - open files so that a register is never standard input, output or error, and so that
 * opening a FIFO does not wait.  For all folders; no other code opens files.
 *
 * A program may run with descriptors 0, 1 or 2 closed.  The next file opened gets the lowest
 * free descriptor, and the output of any thread would be written to a register.
 */
#ifndef UNC_FILES_H
#define UNC_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whether an errno value is the lack of a descriptor or of memory: a file that could not be read is
 * then unknown, not absent, and may be read the next time.
 */
bool unc_is_shortage(int error);

/*
 * As open() with O_CLOEXEC, -1 with errno; flags without O_CREAT. The descriptor is 3 or more;
 * a file that can be written never had a lower one.  A FIFO can be opened, but not read with
 * unc_pread() (ESPIPE).  Any thread; signal-safe.
 */
int unc_open(const char *path, int flags);
/* The same for a file in a directory; O_CREAT is allowed, with mode. */
int unc_openat(int directory, const char *path, int flags, mode_t mode);

/* The same for directories, and for text files read through a stream; NULL with errno. */
UNC_SHARED DIR *unc_opendir(const char *path);
FILE *unc_fopen(const char *path);

/*
 * Move a descriptor that other code has opened to 3 or more.  A lower one is closed; -1 with
 * errno.
 */
int unc_off_standard(int fd);

/* As pread() and pwrite(), repeated after EINTR; signal-safe. */
ssize_t unc_pread(int fd, void *buf, size_t bytes, off_t offset);
ssize_t unc_pwrite(int fd, const void *buf, size_t bytes, off_t offset);

/* Whether a process has ended, by its pidfd; -1: not a valid pidfd. */
UNC_SHARED bool unc_has_ended(int process);

/*
 * For main() of a program: occupies closed standard descriptors for good with a file that can
 * neither be read nor written, and that exec() closes.
 */
UNC_SHARED void unc_occupy_standard(void);

/* For a program: raises its limit of open files to the highest that it may set. */
UNC_SHARED void unc_allow_many_files(void);

#ifdef __cplusplus
}
#endif
#endif
