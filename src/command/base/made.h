/* SPDX-License-Identifier: BSD-3-Clause */
/* made.h - where, when and by which command line a picture or a page was made. */
#ifndef COMMAND_MADE_H
#define COMMAND_MADE_H

/*
 * "node7, 2026-11-22 12:03:17, uncore 0.2: uncore stat -d 1 --svg x.svg"; to be freed. arguments:
 * all of the command line after the command, NULL at the end.
 */
char *made_by(const char *command, char *const *arguments);

#endif
