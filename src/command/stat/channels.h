/* SPDX-License-Identifier: BSD-3-Clause */
/* channels.h - `uncore stat --per-channel`: a line for each memory channel, package and the system.
 */
#ifndef UNC_TOOLS_CHANNELS_H
#define UNC_TOOLS_CHANNELS_H

#include "counts.h"

/* Whether a table with a column for each event can show all rows. */
bool channels_fit(const struct counts *c);
void print_channels(const struct counts *c, const struct reading *r, const struct result *results);

#endif
