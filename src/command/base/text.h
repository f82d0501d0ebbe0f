/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - formatted text and memory for all parts of the command; exits if memory is exhausted. */
#ifndef COMMAND_TEXT_H
#define COMMAND_TEXT_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STATUS_FAILED 3 /* exit status: out of memory, or the machine failed; docs/uncore.1 */

/* printf into memory that has to be freed. */
char *text_of_list(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Append to text, which is freed. */
char *text_and(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A stream into *text, which has to be freed; both are valid after its end. */
FILE *begin_text(char **text, size_t *length);
void end_text(FILE *out);

/* The length of the first line of a text: cut at the last blank that has room, if there is one. */
size_t folded_length(const char *text, size_t room);

/* "2026-11-22 12:03:17" of s since 1970; returns text. */
#define TIME_TEXT 32
const char *text_of_time(char text[TIME_TEXT], int64_t since);

/* The name of this host; returns text. */
#define HOST_TEXT (HOST_NAME_MAX + 1)
const char *text_of_host(char text[HOST_TEXT]);

/* "s" unless the number is 1. */
static inline const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

/* Report that memory is exhausted and exit. */
_Noreturn void end_without_memory(void);
/* calloc() and realloc() for n objects; n may be 0. */
void *need_memory(size_t n, size_t size);
void *need_more(void *memory, size_t n, size_t size);

#endif
