// SPDX-License-Identifier: BSD-3-Clause
// absent_test.cc - events of other machines are refused with the actual reason, instead of
// suggesting another event.
#include <set>

#include "support/intel_lists.h"
#include "support/machines.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;

std::string refusal(const Handle &machine, const std::string &name)
{
	unsigned id;

	EXPECT_GT(0, uncore_event(machine.u, name.c_str(), &id)) << name;
	return machine.message();
}

void expect_reason(const Handle &machine, const std::string &name, const std::string &reason)
{
	const std::string said = refusal(machine, name);

	EXPECT_NE(std::string::npos, said.find(reason)) << name << ": " << said;
	EXPECT_EQ(std::string::npos, said.find("did you mean")) << name << ": " << said;
}

TEST(AbsentEvents, OfHighBandwidthMemorySayThatItIsMissing)
{
	for (const char *name : support::machines_between("snbep", "cwf", {"knl"})) {
		SCOPED_TRACE(name);
		const Handle machine(sim_options(("sim:" + std::string(name)).c_str()));

		for (const char *name :
		     {"UNC_MCHBM_CAS_COUNT.RD", "UNC_MCHBM_CAS_COUNT:ALL", "UNC_M2HBM_CLOCKTICKS",
		      "UNCORE_HBM_READ_BYTES", "unc_m2hbm_imc_reads"})
			expect_reason(machine, name, "high-bandwidth memory (HBM)");
		expect_reason(machine, "UNCORE_MCDRAM_READ_BYTES", "MCDRAM");
	}
}

// Where the memory is, a wrong name is a typing error.
TEST(AbsentEvents, OfExistingMemoryAreTypingErrors)
{
	const Handle machine(sim_options("sim:spr:hbm=yes"));

	EXPECT_NE(std::string::npos,
		  refusal(machine, "UNC_MCHBM_CAS_CONT").find("did you mean UNC_MCHBM_CAS_COUNT"));
}

// Intel has two lists for model 85: events that are only in the second one require Cascade
// Lake-X.
TEST(AbsentEvents, OfCascadeLakeOnSkylakeSaySo)
{
	const Handle skylake(sim_options("sim:skx:packages=1,stepping=4"));
	std::set<std::string> both;
	unsigned later = 0;

	for (const auto &e : support::intel_events("skx.list"))
		both.insert(e.name);
	for (const auto &e : support::intel_events("clx.list")) {
		if (both.count(e.name))
			continue;
		expect_reason(skylake, e.name,
			      "only supported by Cascade Lake-X and Cooper Lake-X");
		later++;
	}
	EXPECT_EQ(115u, later);
}

} // namespace
