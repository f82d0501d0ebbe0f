/* SPDX-License-Identifier: BSD-3-Clause */
/* sysfs.h - small text files below a root directory. */
#ifndef UNC_SYSFS_H
#define UNC_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/shared.h"

/* The first len - 1 bytes of root/path...; false with errno if it cannot be read. */
UNC_SHARED bool unc_read_text(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same with one read, for a file of one line. */
UNC_SHARED bool unc_read_line(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same without the end of the line. */
UNC_SHARED bool unc_read_word(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The contents of root/path, to be freed; NULL with errno if it cannot be read. */
UNC_SHARED char *unc_read_all(const char *root, const char *path);

/* The number in a file, or `missing` with errno: ENODATA if the file has none. */
UNC_SHARED long unc_read_number(long missing, const char *root, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The next range of a list such as "0-3,8"; returns the text after it and its comma, or NULL at
 * the end.  Numbers that are too large are UINT_MAX.
 */
const char *unc_next_range(const char *list, unsigned *first, unsigned *last);
/* "0-7,21" as bits; 0 if it is not a list of bits. */
uint64_t unc_bit_list(const char *list);

/*
 * The value of a key in the text of proc/cpuinfo, up to the end of its line, and whether the first
 * CPU has a flag: both of the first CPU only.  NULL: missing.
 */
const char *unc_cpuinfo_value(const char *text, const char *key);
UNC_SHARED bool unc_cpuinfo_has_flag(const char *text, const char *flag);

#endif
