/* SPDX-License-Identifier: BSD-3-Clause */
// replayed_checks.h - checks for each recorded machine opened with "file:FILE": boxes,
// placement of the standard events, metrics, and that counting is refused.
#ifndef SUPPORT_REPLAYED_CHECKS_H
#define SUPPORT_REPLAYED_CHECKS_H

#include <map>
#include <set>

#include "support/recording_file.h"
#include "support/standard_events.h"

namespace support
{

// The number of usable boxes of a type in a package.
using Boxes = std::map<std::pair<unsigned, std::string>, unsigned>;

Boxes usable(const Handle &machine);

unsigned boxes_of_kind(const Boxes &boxes, const std::string &kind);

// A plan made with the public interface.
struct Planned {
	Planned(const Handle &machine, const std::vector<std::string> &names);

	struct uncore_plan_info info = sized<struct uncore_plan_info>();
	std::vector<uncore_assignment_info> assignments;
	std::set<std::string> conflict;
};

// Each box of the type has the event once, on a counter that supports it.
void expect_placed(const Planned &plan, const StandardEvent &event, const Boxes &boxes);

// Why a box type is missing, if its PCI devices are not just hidden.
using Reasons = std::map<std::string, std::string>;

std::string reason_of(const std::string &kind, const Reasons &reasons);

// For a type without boxes: the message names the event, the type and the reason.
void expect_refused(const Handle &machine, const StandardEvent &event, const Reasons &reasons);

void expect_sets(const Handle &machine, const std::string &platform, const Boxes &boxes);

void expect_placements(const Handle &machine, const std::string &platform, const Boxes &boxes,
		       const Reasons &reasons);

std::set<std::string> listed_metrics(const Handle &machine);

// Metrics whose boxes are present are available. The others are refused with a message.
void expect_metrics(const Handle &machine, const std::string &platform, const Boxes &boxes);

void expect_nothing_counts(const Handle &machine);

// All of the checks above.
void expect_machine(const Handle &machine, const std::string &platform, unsigned packages,
		    const Boxes &boxes, const Reasons &reasons = {});

} // namespace support

#endif
