/* SPDX-License-Identifier: BSD-3-Clause */
// published_counts.h - a simulated machine of a platform, and made-up counts for its events,
// with which the library's and the published formulas are evaluated. An event is identified by
// its encoding, so two names of one encoding have the same count.
#ifndef TESTS_PUBLISHED_COUNTS_H
#define TESTS_PUBLISHED_COUNTS_H

#include <map>
#include <random>

#include "support/intel_lists.h"
#include "support/published_pairs.h"
#include "support/sim_machine.h"
#include "support/simulated.h"

namespace support::pairs
{

constexpr double kSeconds = 0.75; // of the made-up window

// A machine of a platform, and the counts of its events in a trial.
class Counts
{
      public:
	explicit Counts(const Platform &platform);
	unsigned trial = 0;
	// Packages whose counts a published formula adds up, all alike.
	unsigned packages = 1;

	// The formula that the library prints; "" if the platform does not support the metric.
	std::string printed(const std::string &metric);
	double ours(const std::string &formula);
	double theirs(const std::string &formula);

      private:
	static bool ends_in(const std::string &text, const std::string &end);
	bool fits(unsigned id);
	std::string slice() const;
	// The box type, control and filters: the encoding of the event.
	std::string key_of(const std::string &name);
	std::string kind_of(const std::string &name);
	std::mt19937_64 random(const std::string &of) const;
	double boxes(const std::string &kind) const;
	double of_one_package(const std::string &formula);
	// The sum over the boxes of a package. An event that is known to be a sum of others has the
	// sum of their values.
	double value(const std::string &key);
	double counted(const std::string &name);
	std::string pmu(const std::string &unit) const;
	// "UNC_C_TOR_INSERTS.OPCODE:opc=0x1c8:tid=0x3e", or "UNIT:0x135:opc=0x19e", as RAW.
	std::string raw(const std::string &event) const;
	// "Filter1=0x40433" of a list
	static uint64_t own_filter(const std::string &text);
	// Positions: docs/hardware, "Filters".
	void qualify(const std::string &part, uint64_t *control, uint64_t *filters) const;

	const Platform &platform_;
	const std::string spec_;
	Simulated sim_;
	support::Handle handle_;
	std::map<std::string, support::IntelEvent> list_;
};

} // namespace support::pairs

#endif
