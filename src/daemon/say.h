/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.h - messages of uncored on standard error.  If that is the journal (JOURNAL_STREAM), each has
 * its level in front, as sd-daemon(3) describes.
 */
#ifndef UNC_SAY_H
#define UNC_SAY_H

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of syslog(3). */
enum daemon_level { SAY_ERROR = 3, SAY_WARNING = 4, SAY_NOTICE = 5, SAY_INFO = 6 };

/* One line, "uncored: ...", in one write. */
void daemon_say(enum daemon_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
