// SPDX-License-Identifier: BSD-3-Clause
// allow_test.cc - the list of MSRs that msr-safe must allow: it contains every register that a
// program of any event accesses, and no register that the machine lacks.
#include <cerrno>
#include <map>

#include "plan/complete.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/every_event.h"
#include "support/handle.h"
#include "support/interposer.h"
#include "support/machines.h"
#include "support/plan.h"

namespace
{

using support::Handle;

class Allow : public testing::TestWithParam<const char *>
{
      protected:
	const std::string machine = "sim:" + std::string(GetParam());
};

std::map<uint32_t, uncore_msr_info> list_of(struct uncore *u)
{
	std::map<uint32_t, uncore_msr_info> list;
	auto info = support::sized<uncore_msr_info>();
	uint32_t last = 0;

	for (unsigned i = 0; uncore_msr(u, i, &info) == 1; i++) {
		EXPECT_TRUE(i == 0 || info.msr > last);
		last = info.msr;
		list[info.msr] = info;
	}
	return list;
}

class Checker
{
      public:
	explicit Checker(struct uncore *u) : u(u), list(list_of(u))
	{
	}
	// One event alone on an idle machine.
	void event(unsigned id)
	{
		struct uncore_plan *plan = nullptr;

		if (uncore_plan(u, &id, 1, nullptr, &plan) != 0 || !plan->feasible)
			return;
		n_plans++;
		const std::string name = uncore_event_name(u, id);
		check(plan->setup.op, plan->setup.n, name);
		check(plan->start.op, plan->start.n, name);
		check(plan->read.op, plan->read.n, name);
		check(plan->stop.op, plan->stop.n, name);
		uncore_plan_free(plan);
	}
	unsigned n_plans = 0, n_ops = 0;

      private:
	void check(const struct unc_op *ops, size_t n, const std::string &name)
	{
		for (size_t i = 0; i < n; i++) {
			const struct unc_op &op = ops[i];
			const auto line = list.find(static_cast<uint32_t>(op.address));

			if (op.space != UNCORE_MSR && op.space != UNCORE_CPU)
				continue;
			n_ops++;
			ASSERT_NE(line, list.end()) << name << std::hex << " " << op.address;
			const uint64_t bits = op.kind == UNCORE_RMW     ? op.mask
					      : op.kind == UNCORE_WRITE ? op.value
									: 0;
			ASSERT_EQ(0u, bits & ~line->second.writable)
				<< name << std::hex << " " << op.address;
			if (op.kind == UNCORE_WRITE) {
				ASSERT_NE(0u, line->second.writable)
					<< name << std::hex << " " << op.address;
			}
		}
	}

	struct uncore *u;
	const std::map<uint32_t, uncore_msr_info> list;
};

// Every listed event, umask and qualifier.
TEST_P(Allow, HasWhateverAnEventTouches)
{
	Handle m(support::sim_options(support::machine_with(GetParam(), "packages=1").c_str()));
	ASSERT_EQ(0, m.code) << m.message();
	Checker checker(m.u);

	for (unsigned id : support::listed(m)) {
		unsigned umask = id;

		checker.event(id);
		while (uncore_event_umask(m.u, umask, 0, &umask) == 1)
			checker.event(umask);
	}
	EXPECT_LT(50u, checker.n_plans);
	EXPECT_LT(500u, checker.n_ops);
}

// Linux allows the bit in raw events of this PCU. The manual, and therefore the simulated
// machine, treats it as reserved.
uint64_t not_in_manual(const uncore_msr_info &info)
{
	return info.msr >= 0x711 && info.msr <= 0x714 ? 1u << 21 : 0;
}

// The simulated machine does not use the library's tables, and refuses missing registers and
// bits.
TEST_P(Allow, HasNoRegisterOrBitThatDoesNotExist)
{
	Handle m(support::sim_options(machine.c_str()));
	ASSERT_EQ(0, m.code) << m.message();
	struct sim *sim = unc_hw_sim(unc_hw_of(m.u));
	unsigned n = 0;

	for (const auto &line : list_of(m.u)) {
		const bool core = std::string("core") == line.second.kind;
		uint64_t value = 0;
		const int r = core ? sim_cpu_msr_read(sim, 0, line.first, &value)
				   : sim_msr_read(sim, 0, line.first, &value);

		EXPECT_EQ(0, r) << std::hex << line.first << " " << line.second.what;
		if (core || line.second.writable == 0)
			continue;
		// one bit at a time, as an S-Box requires
		for (unsigned bit = 0; bit < 64; bit++)
			if ((line.second.writable & ~not_in_manual(line.second)) >> bit & 1) {
				EXPECT_EQ(0, sim_msr_write(sim, 0, line.first, UINT64_C(1) << bit))
					<< std::hex << line.first << " " << line.second.what
					<< " bit " << std::dec << bit;
			}
		n++;
	}
	EXPECT_LT(3u, n);
}

INSTANTIATE_TEST_SUITE_P(Platforms, Allow,
			 testing::ValuesIn(support::and_variants(support::machines_with_events())),
			 [](const testing::TestParamInfo<const char *> &info) {
				 return support::machine_label(info.param);
			 });

// The actual accesses from first to last, including those of a set that stops automatically.
class AllowSession : public testing::TestWithParam<std::pair<const char *, const char *>>
{
};

TEST_P(AllowSession, HasWhateverASetThatStopsByItselfTouches)
{
	Handle m(support::sim_options(
		(std::string(GetParam().first) + ":packages=1,cores=4,time=virtual").c_str()));
	ASSERT_EQ(0, m.code) << m.message();
	const auto list = list_of(m.u);
	support::Set set(m, {GetParam().second});
	support::Interposer between(m);
	unsigned beyond = 0;

	between.on_read = [&](const unc_op &op, uint64_t *value) {
		const bool msr = op.space == UNCORE_MSR || op.space == UNCORE_CPU;

		EXPECT_TRUE(!msr || list.count(static_cast<uint32_t>(op.address)))
			<< std::hex << op.address;
		return between.read(op, value);
	};
	between.on_write = [&](const unc_op &op, uint64_t value) {
		const auto line = list.find(static_cast<uint32_t>(op.address));
		uint64_t old = 0;

		if (op.space != UNCORE_MSR && op.space != UNCORE_CPU)
			return 0;
		if (line == list.end()) {
			ADD_FAILURE() << std::hex << op.address;
			return 0;
		}
		EXPECT_EQ(0, between.read(op, &old));
		beyond += ((old ^ value) & ~line->second.writable) != 0;
		EXPECT_EQ(0u, (old ^ value) & ~(line->second.writable | line->second.stop_after))
			<< std::hex << op.address << " " << line->second.what;
		return 0;
	};
	const uncore_stop_after stop_after = {sizeof(stop_after), 0, 1000};
	ASSERT_EQ(0, uncore_set_stop_after(set.set, &stop_after, 1, 0)) << m.message();
	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(unc_hw_sim(between.behind()), 1000000000);
	EXPECT_EQ(1, uncore_set_wait(set.set, 0)) << m.message();
	EXPECT_EQ(0, uncore_set_rearm(set.set)) << m.message();
	EXPECT_EQ(0, set.stop()) << m.message();
	EXPECT_LT(2u, beyond) << "it needs more than other sets";
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, AllowSession,
	testing::Values(std::make_pair("sim:skx", "UNC_C_CLOCKTICKS:box=1:pkg=0"),
			std::make_pair("sim:hswep", "UNC_C_CLOCKTICKS:box=1:pkg=0"),
			std::make_pair("sim:nhmex", "UNC_C_LLC_MISSES:box=1:pkg=0")),
	[](const testing::TestParamInfo<std::pair<const char *, const char *>> &info) {
		return std::string(info.param.first + 4);
	});

// docs/hardware/snbep.md, "PCI functions"
TEST(AllowList, ExactLinesOfSandyBridge)
{
	Handle m(support::sim_options("sim:snbep"));
	const auto list = list_of(m.u);
	const auto line = [&](uint32_t msr) {
		const uncore_msr_info &info = list.at(msr);

		return std::make_pair(std::string(info.what), info.writable);
	};
	using Line = std::pair<std::string, uint64_t>;

	EXPECT_EQ(Line("cbo0 box control", 0x10102), line(0xd04));
	EXPECT_EQ(Line("cbo7 counter 3", 0), line(0xdf9));
	EXPECT_EQ(Line("cbo1 filter 0", 0xfffffc1f), line(0xd34));
	EXPECT_EQ(Line("ubo0 fixed control", 1u << 22), line(0xc08));
	EXPECT_STREQ("pcu", list.at(0xc34).kind);
	EXPECT_EQ(0u, list.count(0xd05));
	EXPECT_EQ(Line("PERFEVTSEL 0", 0xffe7ffff), line(0x186));
	auto info = support::sized<uncore_msr_info>();
	EXPECT_EQ(0, uncore_msr(m.u, static_cast<unsigned>(list.size()), &info));
}

} // namespace
