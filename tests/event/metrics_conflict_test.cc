// SPDX-License-Identifier: BSD-3-Clause
// metrics_conflict_test.cc - metrics that cannot be counted together: the message uses the
// names that the user specified, and suggests a remedy.
#include "plan/complete.h"
#include "support/handle.h"
#include "support/plan.h"
#include "support/stepped.h"

namespace
{

using support::Handle;
using support::Set;

class MetricConflicts : public testing::Test
{
      protected:
	// The message, which must be the same for a plan and an event set.
	std::string why(const char *platform, const std::vector<std::string> &names)
	{
		Handle machine(support::sim_options(platform));
		std::vector<unsigned> ids;
		Set set(machine);
		struct uncore_plan *plan = nullptr;

		for (const std::string &name : names)
			ids.push_back(machine.event(name));
		EXPECT_EQ(UNCORE_ECONFLICT, uncore_set_assign(set.set, ids.data(), ids.size()));
		EXPECT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &plan));
		EXPECT_EQ(machine.message(), plan->layout.reason);
		uncore_plan_free(plan);
		const std::string message = machine.message();
		// Verifies that multiplexing helps.
		EXPECT_EQ(0, uncore_set_multiplex(set.set, UNCORE_MULTIPLEX_US));
		is_multiplexed = uncore_set_assign(set.set, ids.data(), ids.size()) == 0;
		refused = machine.message();
		return message;
	}
	bool is_multiplexed = false;
	std::string refused; // with multiplexing
};

constexpr char kWindows[] =
	"; multiplex them with uncore stat --multiplex (PAPI: UNCORE_MULTIPLEX=1)";

TEST_F(MetricConflicts, OfTwoMetricsNameBothAndWhatTheyCount)
{
	EXPECT_EQ("UNCORE_INGRESS_OCCUPANCY_AVG (by UNC_C_RXR_OCCUPANCY:IRQ) and "
		  "UNCORE_TOR_DRD_LATENCY_NS (by UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD:pkg=0) cannot "
		  "be counted together: UNC_C_RXR_OCCUPANCY:IRQ and "
		  "UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD:pkg=0 need counter 0 of cbo: no other "
		  "counter supports them" +
			  std::string(kWindows),
		  why("sim:snbep:packages=1",
		      {"uncore_ingress_occupancy_avg", "UNCORE_TOR_DRD_LATENCY_NS"}));
	EXPECT_TRUE(is_multiplexed);
}

TEST_F(MetricConflicts, OfAMetricAndAnEventNameBoth)
{
	const std::string text = why("sim:snbep:packages=1", {"UNC_C_RXR_OCCUPANCY:IRQ:pkg=0",
							      "UNCORE_TOR_DRD_LATENCY_NS:pkg=0"});

	EXPECT_EQ(0u, text.find("UNC_C_RXR_OCCUPANCY:IRQ:pkg=0 and UNCORE_TOR_DRD_LATENCY_NS:pkg=0 "
				"(by UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD:pkg=0) cannot be counted "
				"together: "))
		<< text;
	EXPECT_NE(std::string::npos, text.find(kWindows)) << text;
	EXPECT_TRUE(is_multiplexed);
}

// Reads and writes are selected by one register of a memory controller.
TEST_F(MetricConflicts, ApproximationsAreOfferedWhereAllHaveOne)
{
	for (const char *platform : {"sim:nhmex", "sim:wsmex"}) {
		const std::string text =
			why(platform, {"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES"});

		EXPECT_EQ(0u, text.find("UNCORE_MEM_READ_BYTES (by "
					"UNC_M_FVC_EV:BBOX_CMDS_READS) and UNCORE_MEM_WRITE_BYTES "
					"(by UNC_M_FVC_EV:BBOX_CMDS_WRITES) cannot be counted "
					"together: "))
			<< text;
		EXPECT_NE(std::string::npos,
			  text.find("; UNCORE_MEM_READ_BYTES_SPLIT and "
				    "UNCORE_MEM_WRITE_BYTES_SPLIT count in different boxes"))
			<< text;
		EXPECT_NE(std::string::npos, text.find(kWindows)) << text;
		EXPECT_TRUE(is_multiplexed);
	}
}

TEST_F(MetricConflicts, OfAMetricWithItselfOfferNoMultiplexing)
{
	const std::string text = why("sim:snbep:packages=2", {"UNCORE_LLC_MISS_RATIO:pkg=1"});

	EXPECT_EQ(0u, text.find("UNCORE_LLC_MISS_RATIO:pkg=1 cannot be measured in one window: "))
		<< text;
	EXPECT_NE(std::string::npos, text.find("; UNCORE_LLC_MISS_RATIO_SPLIT counts them"))
		<< text;
	EXPECT_EQ(std::string::npos, text.find("turns")) << text;
	EXPECT_FALSE(is_multiplexed);
	EXPECT_EQ("multiplexing does not help: " + text, refused);
}

TEST_F(MetricConflicts, WithARunningSetNameTheMetric)
{
	Handle machine(support::sim_options("sim:snbep:packages=1"));
	Set running(machine, {"UNC_C_RXR_OCCUPANCY:IRQ"}), set(machine);
	const unsigned id = machine.event("UNCORE_TOR_DRD_LATENCY_NS");

	ASSERT_EQ(0, running.start());
	EXPECT_EQ(UNCORE_ECONFLICT, uncore_set_assign(set.set, &id, 1));
	EXPECT_EQ(0u, machine.message().find("UNCORE_TOR_DRD_LATENCY_NS (by UNC_C_TOR_OCCUPANCY:"))
		<< machine.message();
	EXPECT_NE(std::string::npos, machine.message().find("already counting"))
		<< machine.message();
	EXPECT_EQ(0, running.stop());
}

} // namespace
