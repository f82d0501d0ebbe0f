// SPDX-License-Identifier: BSD-3-Clause
#include "support/intel_lists.h"

#include <algorithm>
#include <sstream>

#include "support/data.h"

namespace support
{

bool IntelEvent::counted() const
{
	return counters != "free" && counters != "fixed";
}

uint32_t IntelEvent::counter_mask() const
{
	uint32_t mask = 0;

	for (char c : counters)
		mask |= 1u << (c - '0');
	return mask;
}

IntelEvent intel_event(const std::string &unit, const std::string &line)
{
	const std::string kFilter = "filter:";
	std::istringstream words(line);
	IntelEvent e;

	e.unit = unit;
	words >> e.name >> std::hex >> e.control >> e.counters;
	for (std::string word; words >> word;) {
		e.experimental |= word == "x";
		e.deprecated |= word == "d";
		if (word.rfind(kFilter, 0) == 0)
			e.filter = word.substr(kFilter.size());
	}
	return e;
}

void drop_intel_event(std::vector<IntelEvent> &all, const std::string &name)
{
	all.erase(std::remove_if(all.begin(), all.end(),
				 [&](const IntelEvent &e) { return e.name == name; }),
		  all.end());
}

std::vector<IntelEvent> intel_events(const std::string &file)
{
	std::istringstream in(data_text("event/intel/" + file + ".gz"));
	std::vector<IntelEvent> all;
	std::string unit;
	bool based = false;

	for (std::string line; std::getline(in, line);) {
		if (line.rfind("base ", 0) == 0) {
			all = intel_events(line.substr(5));
			based = true;
		} else if (line.rfind("- ", 0) == 0) {
			drop_intel_event(all, line.substr(2));
		} else if (line[0] == '[') {
			unit = line.substr(1, line.size() - 2);
		} else {
			const IntelEvent e = intel_event(unit, line);

			if (based)
				drop_intel_event(all, e.name);
			all.push_back(e);
		}
	}
	return all;
}

} // namespace support
