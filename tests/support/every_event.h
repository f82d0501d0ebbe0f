/* SPDX-License-Identifier: BSD-3-Clause */
// every_event.h - the events that a machine lists, and each of them counted by itself.
#ifndef SUPPORT_EVERY_EVENT_H
#define SUPPORT_EVERY_EVENT_H

#include <functional>
#include <string>
#include <vector>

#include "support/sim_machine.h"

namespace support
{

std::vector<unsigned> listed(const Handle &h);

std::vector<std::string> listed_names(const Handle &h);

// Counts each event for a millisecond in its own set. The machine's time is virtual. *counting
// is the number of events that counted something; `then` is called after each event.
void count_each(const Handle &h, const std::vector<unsigned> &ids, unsigned *counting,
		const std::function<void()> &then);

} // namespace support

#endif
