/* SPDX-License-Identifier: BSD-3-Clause */
/* sysfs.h - small text files below a root directory. */
#ifndef UNC_SYSFS_H
#define UNC_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First len - 1 bytes of root/path...; false if it cannot be read: errno tells why. */
bool unc_read_text(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same with one read: of a file that has no more than a line. */
bool unc_read_line(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same without the end of the line. */
bool unc_read_word(char *buf, size_t len, const char *root, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* All of root/path, to be freed; NULL if it cannot be read: errno tells why. */
char *unc_read_all(const char *root, const char *path);

/* The number in a file, or missing: errno tells why, ENODATA if there is none in it. */
long unc_read_number(long missing, const char *root, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The next range of a list such as "0-3,8"; returns what is behind it and its comma, NULL: there is
 * none.  Numbers beyond all that a list can have are UINT_MAX.
 */
const char *unc_next_range(const char *list, unsigned *first, unsigned *last);
/* "0-7,21" as bits; what is no list of bits has none. */
uint64_t unc_bit_list(const char *list);

#endif
