/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h - the events whose boxes are memory channels. */
#ifndef COMMAND_CHANNEL_H
#define COMMAND_CHANNEL_H

#include "uncore.h"

/* Whether the boxes of an event are memory channels or, where they have no counters, controllers.
 */
bool counts_channels(struct uncore *u, unsigned id);

#endif
