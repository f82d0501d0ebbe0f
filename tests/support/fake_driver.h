/* SPDX-License-Identifier: BSD-3-Clause */
// fake_driver.h - replaces the kernel's uncore driver: groups of perf events, counted by the
// boxes of a simulated machine whose time is stepped. fake_driver.cc ends with the functions of
// src/lib/backend/kernel that it replaces. The lab tests the real driver.
#ifndef SUPPORT_FAKE_DRIVER_H
#define SUPPORT_FAKE_DRIVER_H

#include <map>
#include <memory>

#include "support/perf_tree.h"

struct sim;
struct unc_perf_event;
struct unc_perf_group;

namespace support
{

class FakeDriver
{
      public:
	// As many boxes as the machine has; CPUs 0 to 3 are package 0's, as in the trees.
	explicit FakeDriver(const std::string &platform, unsigned packages = 2);
	~FakeDriver();
	FakeDriver(const FakeDriver &) = delete;
	FakeDriver &operator=(const FakeDriver &) = delete;
	static FakeDriver *&current();
	void pass(uint64_t ms) const;

	// ---- system calls ----

	int add(int leader, const struct unc_perf_event &e);
	int enable(int leader, bool on);
	int read(int leader, unsigned n, struct unc_perf_group *out);

	// Faults, by PMU.
	int open_error = 0;
	std::string open_error_in; // PMU whose events fail; "": all
	std::string busy;          // PMU without a free counter
	std::string shared;        // PMU that is multiplexed with other users
	std::string lacks;         // PMU that is missing in a package
	unsigned lacks_in = 0;
	std::string dead; // PMU that counts nothing in a package
	unsigned dead_in = 0;
	unsigned opened = 0; // events
	uint64_t ms_of_a_read = 0;

	const std::string platform;

      private:
	const std::string name;

      public:
	Handle machine;

      private:
	struct Group {
		std::string pmu;
		std::vector<std::string> events;
		std::vector<uint64_t> counts; // of runs before
		std::unique_ptr<Set> set;     // only while counting
		uint64_t began, enabled;
		bool failed, dead;
	};
	static uncore_options options(const std::string &machine);
	bool counts(const struct unc_perf_event &e) const;
	// The box types for which the driver uses other names.
	std::string kind(const std::string &theirs) const;
	// The event with these config words; the PMU is "uncore_cbox_3".
	std::string event(const struct unc_perf_event &e) const;
	// NULL after the caller has closed the descriptor.
	Group *group(int leader);
	void begin(Group &g);
	void end(Group &g);
	static int zero(const Group &g, unsigned n, struct unc_perf_group *out);

	struct sim *sim;
	std::map<int, std::unique_ptr<Group>> groups;
};

} // namespace support

#endif
