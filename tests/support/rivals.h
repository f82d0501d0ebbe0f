/* SPDX-License-Identifier: BSD-3-Clause */
// rivals.h - two events that must be multiplexed.
#ifndef SUPPORT_RIVALS_H
#define SUPPORT_RIVALS_H

#include <string>
#include <vector>

#include "support/every_event.h"

namespace support
{

/*
 * Two events that cannot be counted at the same time in any box. Metrics come last: they use
 * several counters, and what two windows share is restored where it was changed first.
 */
std::vector<std::string> rivals(const Handle &h);

} // namespace support

#endif
