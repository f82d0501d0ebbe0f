/* SPDX-License-Identifier: BSD-3-Clause */
/* takeover.h - count what other ranks have stopped counting; see takeover.c. */
#ifndef UNC_TAKEOVER_H
#define UNC_TAKEOVER_H

#include "backend/backend.h"

void unc_takeover_init(struct uncore *u);
/* Under lock: start the thread, once. 0 or UNCORE_ENOMEM */
int unc_takeover_start(struct uncore *u);
/* Not under lock. */
void unc_takeover_stop(struct uncore *u);
/* At a read: take over what no rank counts.  Signal-safe. */
void unc_takeover_look(struct uncore_set *set);

#endif
