/* SPDX-License-Identifier: BSD-3-Clause */
/* saved_file.h - results of measurements, saved for the system or for the user. */
#ifndef EXPLAIN_SAVED_FILE_H
#define EXPLAIN_SAVED_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define SAVED_DIRECTORY "/var/lib/uncore"

/* ~/.cache/uncore, or in $XDG_CACHE_HOME; to be freed. */
char *user_cache_directory(void);

/*
 * Replace the file of that name in SAVED_DIRECTORY, or where that cannot be written in the user's;
 * where receives its path; false: and why that failed.
 */
bool save_result(const char *name, const char *text, char *where, size_t len);
/* The same in the user's directory only. */
bool save_own_result(const char *name, const char *text, char *where, size_t len);

#endif
