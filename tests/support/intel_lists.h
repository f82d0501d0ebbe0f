/* SPDX-License-Identifier: BSD-3-Clause */
/* intel_lists.h - Intel's event lists as tests/event/intel has them; its README tells the format.
 */
#ifndef TESTS_INTEL_LISTS_H
#define TESTS_INTEL_LISTS_H

#include <string>
#include <vector>

namespace support
{

struct IntelEvent {
	std::string unit, name;
	uint64_t control = 0;
	std::string counters; // "0123"; "fixed"; "free": it has no control
	bool experimental = false, deprecated = false;
	std::string filter; // the filter that it requires, as in the list; "" for none

	bool counted() const;
	uint32_t counter_mask() const;
};

IntelEvent intel_event(const std::string &unit, const std::string &line);

void drop_intel_event(std::vector<IntelEvent> &all, const std::string &name);

// All events of a platform's list, for example "skx.list", with the unchanged events of its
// base list.
std::vector<IntelEvent> intel_events(const std::string &file);

} // namespace support

#endif
