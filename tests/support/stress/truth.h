/* SPDX-License-Identifier: BSD-3-Clause */
// truth.h - the events of a stress run and their rates: measured by a single process without
// interference, and compared with the simulated machine's arithmetic.
#ifndef SUPPORT_STRESS_TRUTH_H
#define SUPPORT_STRESS_TRUTH_H

#include <random>
#include <vector>

#include "support/mounted.h"
#include "support/stress/shared.h"

namespace support::stress
{

// Events of SNB-EP whose control and filter were taken from the manual by hand.
struct Known {
	const char *name, *kind;
	uint64_t control, filter;
};
constexpr Known kKnown[] = {
	{"UNC_C_CLOCKTICKS", "cbox", 0, 0},
	{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, UINT64_C(0x182) << 23},
	{"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO", "cbox", 0x0135, UINT64_C(0x180) << 23},
	{"UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD", "cbox", 0x0136, UINT64_C(0x182) << 23},
	{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0},
	{"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0},
	{"UNC_H_CLOCKTICKS", "ha", 0, 0},
	{"UNC_H_REQUESTS:READS", "ha", 0x0301, 0},
	{"UNC_P_CLOCKTICKS", "pcu", 0, 0},
};

// The event may also be on counter 1, which adds at most 1 per cycle (docs/hardware/snbep.md).
// There its count is wrong even in a single process.
constexpr const char *kNeedsCounter0 = "UNC_C_ISMQ_DRD_MISS_OCC";

class Truth
{
      public:
	Truth(const Plan &plan, const Mounted &files, Shared &shared);
	// Chooses the events, and measures their rates.
	void find();

      private:
	static constexpr uint64_t kLong = 10000000000;

	// The number of a box from its place in a plan.
	unsigned number_of(const uncore_assignment_info &a) const;
	// Two units of one device share a control, so they have the same owner.
	void add_box(Boxes &to, unsigned b) const;
	void add_package(Boxes &to, unsigned package) const;
	// The position of their bits in the global status is unknown, so these bits are never
	// cleared.
	bool leaves_status(const char *kind) const;
	bool find_boxes(unsigned id, Counted &c) const;
	// Returns -1 if the event cannot be counted.
	double count_for(const std::string &name, uint64_t ns);
	// Whether the event has a constant rate; also measures how much single counts deviate
	// from it.
	bool measure(Counted &c);
	bool add(const std::string &name, unsigned group);

	// ---- boxes of any process ----

	std::string somewhere(const std::string &name, const char *kind);
	// The simulated machine's arithmetic, if control and filter are known.
	void compare(const Known &known);
	void choose_from_all();

	// ---- boxes of one process ----

	// Events that can all be counted at the same time.
	std::vector<std::string> next_to_each_other(const char *kind, size_t most) const;
	void choose_disjoint();

	const Plan &plan;
	const Mounted &files;
	Shared &shared;
	const Handle handle;
	std::mt19937 random;
	std::vector<uncore_box_info> boxes;
};

} // namespace support::stress

#endif
