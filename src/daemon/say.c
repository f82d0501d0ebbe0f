/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c - see say.h. */
#include "daemon/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MOST 2048 /* characters of a message */

/* "device:inode" of the stream: systemd.exec(5). */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(fileno(stderr), &st) == 0 && (unsigned long long)st.st_dev == device &&
	       (unsigned long long)st.st_ino == inode;
}

void daemon_say(enum daemon_level level, const char *format, ...)
{
	const int saved = errno;
	char text[MOST];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (is_journal())
		fprintf(stderr, "<%d>uncored: %s\n", (int)level, text);
	else
		fprintf(stderr, "uncored: %s\n", text);
	errno = saved;
}
