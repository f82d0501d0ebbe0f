/* SPDX-License-Identifier: BSD-3-Clause */
// standard_events.h - events of each box type, with the control value and the counters that
// docs/hardware gives for them, and the metrics of each platform according to
// docs/reference/metrics.md.
#ifndef SUPPORT_STANDARD_EVENTS_H
#define SUPPORT_STANDARD_EVENTS_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace support
{

struct StandardEvent {
	const char *name, *kind;
	uint64_t control;
	uint32_t counters; // a bit for each counter that can count it
};

// Fixed counters follow the programmable ones and have no control of their own.
constexpr uint64_t kFixed = UINT64_MAX;

// The same on all four platforms.
std::vector<StandardEvent> e5_events();

std::vector<StandardEvent> own_events(const std::string &platform);

std::vector<StandardEvent> mesh_events(bool skx);

std::vector<StandardEvent> standard_events(const std::string &platform);

// A queue, its inserts and a third event that the box can count at the same time: they fit in
// (almost) one way only. And two events that need the same counter.
struct StandardSets {
	const char *kind;
	std::vector<std::string> fits, conflicts;
};

StandardSets standard_sets(const std::string &platform);

// ---- metrics ----

// Metrics that are available if the box type is present: docs/reference/metrics.md, "Vocabulary".
struct MetricGroup {
	std::set<std::string> platforms, kinds; // one of these kinds
	std::vector<const char *> names;        // without UNCORE_
	bool all = false;                       // requires boxes of all of these types
};

const std::vector<MetricGroup> &metric_groups();

} // namespace support

#endif
