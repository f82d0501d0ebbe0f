// SPDX-License-Identifier: BSD-3-Clause
// core_program_test.cc - counters assigned to the CPUs' own events, and the exact order of
// register accesses, on version 3 and version 4.
#include "plan/complete.h"
#include "sim/sim.h"
#include "support/core_machine.h"
#include "support/interposer.h"
#include "support/plan.h"

namespace
{

using support::Interposer;
using support::Set;
using support::core::kBoth;
using support::core::Machine;
using support::core::mentions;

struct Plan {
	Plan(const Machine &m, const std::vector<std::string> &names)
	{
		const std::vector<unsigned> ids = m.events(names);

		EXPECT_EQ(0, uncore_plan(m.u, ids.data(), ids.size(), nullptr, &p)) << m.message();
	}
	~Plan()
	{
		uncore_plan_free(p);
	}
	Plan(const Plan &) = delete;
	Plan &operator=(const Plan &) = delete;

	unsigned counter(unsigned event) const
	{
		for (size_t i = 0; i < p->layout.n; i++)
			if (support::assignment(p, i).event == event)
				return p->layout.at[i].assignment.counter;
		ADD_FAILURE() << "no place";
		return 99;
	}

	struct uncore_plan *p = nullptr;
};

std::string text(const unc_op &op)
{
	static const char *const kinds[] = {"read", "write", "rmw"};
	char line[120];

	EXPECT_EQ(UNCORE_CPU, op.space);
	EXPECT_EQ(64, op.width);
	snprintf(line, sizeof(line), "%s%s %u:%llx %llx/%llx", kinds[op.kind], op.saved ? "*" : "",
		 op.unit, static_cast<unsigned long long>(op.address),
		 static_cast<unsigned long long>(op.value),
		 static_cast<unsigned long long>(op.mask));
	return line;
}

using Lines = std::vector<std::string>;

Lines texts(const unc_op *op, size_t n)
{
	Lines all;

	for (size_t i = 0; i < n; i++)
		all.push_back(text(op[i]));
	return all;
}

const std::vector<std::string> two = {"ix86arch::INSTRUCTION_RETIRED:u:cpu=5",
				      "ix86arch::LLC_MISSES:cpu=5"};

TEST(CoreProgram, Version4)
{
	Machine m("skx");
	const Plan plan(m, two);

	EXPECT_EQ((Lines{
			  "read* 5:38f 0/100000080",
			  "read* 5:38d 0/f",
			  "read 5:392 0/100000080",
			  "read 5:18d 0/0",
			  "rmw 5:38f 0/100000080",
			  "write 5:18d 0/0",
			  "rmw 5:38d 0/f",
			  "write 5:c8 0/0",
			  "write 5:309 0/0",
			  "write 5:390 1800000100000080/0",
			  "write 5:18d 43412e/0",
			  "rmw 5:38d 2/f",
		  }),
		  texts(plan.p->setup.op, plan.p->setup.n));
	EXPECT_EQ((Lines{"rmw 5:38f 100000080/100000080"}),
		  texts(plan.p->start.op, plan.p->start.n));
	EXPECT_EQ((Lines{"read 5:c8 0/0", "read 5:309 0/0"}),
		  texts(plan.p->read.op, plan.p->read.n));
	EXPECT_EQ((Lines{
			  "read 5:38e 0/1800000000000000",
			  "read 5:38f 100000080/100000080",
			  "rmw 5:38f 0/100000080",
			  "read 5:18d 43412e/ffe7ffff",
			  "read 5:38d 2/f",
		  }),
		  texts(plan.p->stop.op, plan.p->stop.n));
	EXPECT_EQ((Lines{
			  "write* 5:18d 0/0",
			  "rmw* 5:38d 0/f",
			  "rmw* 5:38f 0/100000080",
		  }),
		  texts(plan.p->restore.op, plan.p->restore.n));
}

// No INUSE, CTR_FRZ or ASCI. The write that clears the status has only counter bits.
TEST(CoreProgram, Version3)
{
	Machine m("snbep");
	const Plan plan(m, two);

	EXPECT_EQ((Lines{
			  "read* 5:38f 0/100000080",
			  "read* 5:38d 0/f",
			  "read 5:18d 0/0",
			  "rmw 5:38f 0/100000080",
			  "write 5:18d 0/0",
			  "rmw 5:38d 0/f",
			  "write 5:c8 0/0",
			  "write 5:309 0/0",
			  "write 5:390 100000080/0",
			  "write 5:18d 43412e/0",
			  "rmw 5:38d 2/f",
		  }),
		  texts(plan.p->setup.op, plan.p->setup.n));
	EXPECT_EQ((Lines{
			  "read 5:38f 100000080/100000080",
			  "rmw 5:38f 0/100000080",
			  "read 5:18d 43412e/ffe7ffff",
			  "read 5:38d 2/f",
		  }),
		  texts(plan.p->stop.op, plan.p->stop.n));
}

// The reads and writes of a whole run match the plan.
TEST(CoreProgram, ARunIsItsPlan)
{
	for (const char *platform : {"snbep", "skx"}) {
		Machine m(platform);
		const Plan plan(m, two);
		Lines planned, done;
		Set set(m, two);

		for (auto list : {std::make_pair(plan.p->setup.op, plan.p->setup.n),
				  std::make_pair(plan.p->start.op, plan.p->start.n)})
			for (size_t i = 0; i < list.second; i++)
				if (list.first[i].kind != UNCORE_READ)
					planned.push_back(text(list.first[i]));
		{
			Interposer between(m);

			between.on_write = [&](const unc_op &op, uint64_t) {
				done.push_back(text(op));
				return 0;
			};
			ASSERT_EQ(0, set.start()) << m.message();
		}
		EXPECT_EQ(planned, done) << platform;
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0u, sim_cpu_faults(m.sim)) << platform;
	}
}

// No interrupts, no counting of both threads unless requested, no changes to bits of other
// users.
TEST(CoreProgram, WritesNoInterruptBits)
{
	Machine m("skx");
	const Plan plan(m, {"ix86arch::INSTRUCTION_RETIRED", "ix86arch::UNHALTED_CORE_CYCLES",
			    "ix86arch::UNHALTED_TSC_CYCLES", "ix86arch::LLC_MISSES",
			    "ix86arch::BRANCH_INSTRUCTIONS_RETIRED:c=1:e"});
	unsigned seen = 0;

	for (size_t i = 0; i < plan.p->setup.n; i++) {
		const unc_op &op = plan.p->setup.op[i];

		if (op.kind == UNCORE_READ)
			continue;
		if (op.address >= 0x186 && op.address < 0x18e) {
			EXPECT_EQ(0u, op.value & 0x300000) << std::hex << op.value;
			seen++;
		}
		if (op.address == 0x38d) {
			EXPECT_EQ(UNCORE_RMW, op.kind);
			EXPECT_EQ(0xfffu, op.mask);
			EXPECT_EQ(0u, op.value & 0xccc);
			seen++;
		}
	}
	EXPECT_EQ(8u * 6, seen);
}

TEST(CoreProgram, FixedCountersTakeWhatTheyCan)
{
	Machine m("skx");

	EXPECT_EQ(8u, Plan(m, {"ix86arch::INSTRUCTION_RETIRED"}).counter(0));
	EXPECT_EQ(9u, Plan(m, {"ix86arch::UNHALTED_CORE_CYCLES:k"}).counter(0));
	EXPECT_EQ(10u, Plan(m, {"ix86arch::UNHALTED_TSC_CYCLES"}).counter(0));
	EXPECT_EQ(10u, Plan(m, {"ix86arch::RAW:config=0x300"}).counter(0));
	// The bus clock is not the clock of the time stamp counter.
	EXPECT_GT(8u, Plan(m, {"ix86arch::UNHALTED_REFERENCE_CYCLES"}).counter(0));
	for (const char *part : {":c=1", ":i", ":e", ":t"})
		EXPECT_GT(8u,
			  Plan(m, {std::string("ix86arch::INSTRUCTION_RETIRED") + part}).counter(0))
			<< part;
}

TEST(CoreProgram, ProgrammableCountersAreTheAlternative)
{
	Machine m("skx");
	std::vector<std::string> names = {"ix86arch::INSTRUCTION_RETIRED:u",
					  "ix86arch::INSTRUCTION_RETIRED:k",
					  "ix86arch::INSTRUCTION_RETIRED"};

	for (unsigned c = 1; c <= 7; c++)
		names.push_back("ix86arch::LLC_MISSES:c=" + std::to_string(c));
	// The misses need seven of the eight programmable counters.
	const Plan full(m, names);

	EXPECT_FALSE(full.p->feasible) << "three for one fixed and one programmable counter";
	EXPECT_TRUE(mentions(full.p->layout.reason, "core")) << full.p->layout.reason;
	names.erase(names.begin());
	const Plan fits(m, names);

	EXPECT_TRUE(fits.p->feasible) << fits.p->layout.reason;
	EXPECT_TRUE((fits.counter(0) == 8) != (fits.counter(1) == 8));
}

TEST(CoreProgram, ElevenCountersAndNoMore)
{
	Machine m("skx");
	std::vector<std::string> names = {"ix86arch::INSTRUCTION_RETIRED",
					  "ix86arch::UNHALTED_CORE_CYCLES",
					  "ix86arch::UNHALTED_TSC_CYCLES"};

	for (unsigned c = 1; c <= 8; c++)
		names.push_back("ix86arch::LLC_MISSES:c=" + std::to_string(c));
	EXPECT_TRUE(Plan(m, names).p->feasible);
	names.push_back("ix86arch::LLC_MISSES:c=9");
	const Plan plan(m, names);

	EXPECT_FALSE(plan.p->feasible);
	EXPECT_EQ(9u, plan.p->layout.n_conflict);
	EXPECT_TRUE(mentions(plan.p->layout.reason, "need counter 0 or 1"))
		<< plan.p->layout.reason;
}

// One box for each CPU. An event without cpu= is counted on all CPUs.
TEST(CoreProgram, OnePlaceForEachCpu)
{
	Machine m("hswep");
	const Plan all(m, {"ix86arch::LLC_MISSES"}), half(m, {"ix86arch::LLC_MISSES:pkg=1"});

	ASSERT_EQ(8u, all.p->layout.n);
	EXPECT_EQ(8u, all.p->read.n);
	for (unsigned i = 0; i < 8; i++) {
		EXPECT_STREQ("core", support::assignment(all.p, i).kind);
		EXPECT_EQ(i, support::assignment(all.p, i).box);
		EXPECT_EQ(i / 4, support::assignment(all.p, i).package);
		EXPECT_EQ(i, all.p->read.op[i].unit);
	}
	ASSERT_EQ(4u, half.p->layout.n);
	EXPECT_EQ(4u, support::assignment(half.p, 0).box);
}

// Only uncore events require a freeze of the package.
TEST(CoreProgram, LeavesTheUncoreAlone)
{
	Machine m("skx");

	for (const char *name : {"ix86arch::LLC_MISSES", "ix86arch::RAW:config=0xc4:cpu=2"}) {
		const Plan plan(m, {name});

		for (size_t i = 0; i < plan.p->start.n; i++)
			EXPECT_EQ(UNCORE_CPU, plan.p->start.op[i].space);
		for (size_t i = 0; i < plan.p->stop.n; i++)
			EXPECT_EQ(UNCORE_CPU, plan.p->stop.op[i].space);
	}
}

} // namespace
