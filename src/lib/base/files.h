/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - open files so that no register is ever standard input, output or error, and
 * that nobody waits for the other end of a FIFO.
 * Shared by all rooms; nothing else in here opens a file.
 *
 * A program may run with descriptors 0, 1 or 2 closed.  The next file that is opened
 * gets the lowest free number, and whatever any thread prints would go to a register.
 */
#ifndef UNC_FILES_H
#define UNC_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * As open() with O_CLOEXEC, -1 with errno; flags without O_CREAT.  The descriptor is 3
 * or more, and a file that can be written never had a lower one.  A FIFO can be opened, but
 * not read with unc_pread() (ESPIPE).  Any thread; safe in a signal handler.
 */
int unc_open(const char *path, int flags);
/* The same of a file in a directory; O_CREAT may be there, and then mode counts. */
int unc_openat(int directory, const char *path, int flags, mode_t mode);

/* The same for directories, and for text that is read through a stream; NULL with errno. */
DIR *unc_opendir(const char *path);
FILE *unc_fopen(const char *path);

/*
 * Of a descriptor that something else has opened: 3 or more.  A lower one is closed; -1 with errno.
 */
int unc_off_standard(int fd);

/* As pread() and pwrite(), once more where a signal has interrupted them; signal-safe. */
ssize_t unc_pread(int fd, void *buf, size_t bytes, off_t offset);
ssize_t unc_pwrite(int fd, const void *buf, size_t bytes, off_t offset);

/* Of a pidfd, which can be read when the process has ended; -1: none has. */
bool unc_has_ended(int process);

/*
 * For a program's main(): closed standard descriptors are occupied for good by something
 * that can neither be read nor written, and is closed again by exec().
 */
void unc_occupy_standard(void);

#ifdef __cplusplus
}
#endif
#endif
