// SPDX-License-Identifier: BSD-3-Clause
// faults_test.cc - every access of a set's life fails once, in every way: the call says so with
// the right code and the register, or counts are right; registers are given back; other sets
// count on; the next start counts.
//
// FAULTS=all in the environment: no fault is left out (tests/slow/faults_test.sh).
#include "support/fault_life.h"

#include <cstdlib>

#include "support/ex.h"

using support::Interposer;

// Of the unit tests' program only, which is linked with --wrap for these: backends with an
// interposer before them, if one waits.
extern "C" {
struct unc_hw *__real_unc_hw_simulated(const char *spec, struct unc_topology *topo,
				       struct unc_err *err, int *code);
struct unc_hw *__real_unc_hw_native(const char *root, const struct unc_topology *topo);

struct unc_hw *__wrap_unc_hw_simulated(const char *spec, struct unc_topology *topo,
				       struct unc_err *err, int *code)
{
	return Interposer::opened(__real_unc_hw_simulated(spec, topo, err, code));
}

struct unc_hw *__wrap_unc_hw_native(const char *root, const struct unc_topology *topo)
{
	return Interposer::opened(__real_unc_hw_native(root, topo));
}
}

namespace
{

namespace ex = support::ex;

using support::Fault;
using support::kWays;
using support::Way;
using support::life::Event;
using support::life::Life;
using support::life::Machine;

struct Platform {
	const char *name;
	std::vector<Event> first;  // of many kinds of boxes and registers
	std::vector<Event> beside; // in the same boxes
	std::vector<Event> others; // in none of those boxes
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

constexpr uint64_t kDrd = UINT64_C(0x182) << 23;

const Platform kPlatforms[] = {
	{"snbep",
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, kDrd, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0},
	  {"UNC_H_CLOCKTICKS", "ha", 0, 0, 0},
	  {"UNC_H_REQUESTS:READS", "ha", 0x0301, 0, 0},
	  {"ix86arch::INSTRUCTION_RETIRED", "core", 0x300c0, 0, 1}},
	 {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 0},
	  {"UNC_H_CLOCKTICKS", "ha", 0, 0, 0},
	  {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 0}},
	 {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 1}}},
	{"nhmex",
	 {{"UNC_C_LLC_MISSES", "cbox", 0x0714, 0, 0},
	  {"UNC_S_TO_R_PROG_EV:match=0x12:mask=0x1f", "sbox", 0, UINT64_C(0x1f00000012), 0},
	  {"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", ex::on(2, 4), UINT64_C(0xc000000040),
	   0},
	  {"UNC_M_DRAM_CMD:CAS_RD_OPN", "mbox", ex::inc(0x0a), UINT64_C(0x300) << 32, 0},
	  {"UNC_R_FLITS_SENT:PORT3", "rbox", ex::port(3, 0), 0x80000000, 0}},
	 {{"UNC_C_TRANS_MAF", "cbox", 0x1f, 0, 0},
	  {"UNC_M_DRAM_CMD:CAS_RD_OPN", "mbox", ex::inc(0x0a), UINT64_C(0x300) << 32, 0},
	  {"UNC_M_PAGE_MISS", "mbox", ex::inc(0x13), 0, 0}},
	 {{"UNC_C_TRANS_MAF", "cbox", 0x1f, 0, 1},
	  {"UNC_M_CLOCKTICKS", "mbox", ex::inc(0x1b), 0, 1}}},
	{"skx",
	 {{"UNC_C_TOR_INSERTS:IRQ", "cha", 0x3135, UINT64_C(0x3b) << 32, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0},
	  {"UNC_IO_CLOCKTICKS", "iio", 1, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0},
	  {"UNC_UPI_CLOCKTICKS", "upi", 1, 0, 0},
	  {"UNC_UPI_TXL_FLITS:ALL_DATA", "upi", 0x0f02, 0, 0}},
	 {{"UNC_C_CLOCKTICKS", "cha", 0, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0},
	  {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 0}},
	 {{"UNC_C_CLOCKTICKS", "cha", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 1}}},
	{"icx",
	 {{"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8", "cha", 0xc001fe00080135, 8, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0},
	  {"UNC_IIO_CLOCKTICKS", "iio", 1, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0f04, 0, 0},
	  {"UNC_M2M_CLOCKTICKS", "m2m", 0, 0, 0},
	  {"UNC_UPI_CLOCKTICKS", "upi", 1, 0, 0}},
	 {{"UNC_CHA_CLOCKTICKS", "cha", 0, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0f04, 0, 0},
	  {"UNC_M_CAS_COUNT:WR", "imc", 0x3004, 0, 0}},
	 {{"UNC_CHA_CLOCKTICKS", "cha", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x3004, 0, 1}}},
	{"spr",
	 {{"spr_unc_cha::RAW:config=0x01", "cha", 0x01, 0, 0},
	  {"spr_unc_pcu::RAW:config=0x01", "pcu", 0x01, 0, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0},
	  {"spr_unc_m2m::RAW:config=0x01", "m2m", 0x01, 0, 0},
	  {"spr_unc_upi::RAW:config=0x01", "upi", 0x01, 0, 0},
	  {"spr_unc_mdf::RAW:config=0x0147", "mdf", 0x0147, 0, 0}},
	 {{"spr_unc_cha::RAW:config=0x1000001", "cha", 0x1000001, 0, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0},
	  {"spr_unc_upi::RAW:config=0x1000001", "upi", 0x1000001, 0, 0}},
	 {{"spr_unc_cha::RAW:config=0x01", "cha", 0x01, 0, 1},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 1}}},
};

bool all()
{
	const char *faults = getenv("FAULTS");

	return faults && std::string(faults) == "all";
}

class Faults : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string spec =
		std::string("sim:") + platform.name + ":packages=2,cores=2,time=virtual";

	// Lives a life for each access of it and each way; f takes the machine and the sets.  The
	// quick tests have all ways of SNB-EP, and one of each access of the others.
	template <typename F> void each(F f, bool lasts = false)
	{
		const size_t step =
			all() || GetParam().name == std::string("snbep") ? 1 : kWays.size();
		bool more = true;

		for (unsigned at = 0; more && !HasFailure(); at++)
			for (size_t w = step == 1 ? 0 : at % step; w < kWays.size(); w += step)
				more = one({{at, &kWays[w], lasts}}, f) && more;
	}
	// False: the life is over before the last of the faults comes about.
	template <typename F> bool one(const std::vector<Fault> &faults, F f)
	{
		Machine machine(spec);
		const std::vector<uint64_t> before = machine.registers();
		Life first(machine, platform.first, 0), others(machine, platform.others, 0);

		others.watched = false;
		others.start();
		const std::vector<uint64_t> beside = machine.registers();
		machine.faults.plan(faults);
		f(machine, first, others);
		const bool over = machine.faults.over();
		SCOPED_TRACE(machine.faults.what());

		machine.faults.clear();
		EXPECT_EQ(0, uncore_restore(machine.handle->u)) << machine.handle->message();
		machine.expect_same(beside);
		again(machine, first);
		others.read();
		others.stop();
		machine.expect_same(before);
		return over;
	}
	static void again(Machine &machine, Life &set)
	{
		set.start();
		EXPECT_TRUE(set.running) << machine.handle->message();
		machine.pass();
		set.read();
		set.stop();
	}
};

TEST_P(Faults, EachAccessOfALife)
{
	each([](Machine &machine, Life &set, Life &others) {
		SCOPED_TRACE(machine.faults.what());
		set.start();
		machine.pass();
		set.read();
		machine.pass();
		set.reset();
		others.read();
		machine.pass();
		set.check();
		set.poll();
		machine.pass();
		set.read();
		set.stop();
		others.read();
	});
}

INSTANTIATE_TEST_SUITE_P(Platforms, Faults, testing::ValuesIn(kPlatforms),
			 [](const auto &info) { return std::string(info.param.name); });

} // namespace
