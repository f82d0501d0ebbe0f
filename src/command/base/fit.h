/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h - whether events can be counted here, before anything is started. */
#ifndef COMMAND_FIT_H
#define COMMAND_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore.h"

/* 0, or why n events cannot be counted in one window, as uncore_set_assign() has it. */
int events_fit(struct uncore *u, const unsigned *ids, size_t n);

/* Not there, or no room: something else may do.  Any other reason is the user's to know. */
bool is_not_here(int code);

#endif
