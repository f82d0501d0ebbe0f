// SPDX-License-Identifier: BSD-3-Clause
// faults_test.cc - each register access in a set's life fails once, in each possible way. The
// call must return the right code and name the register, or counts must be correct. Registers
// are restored, other sets continue to count, and the next start works. FAULTS=all in the
// environment tests all faults (tests/slow/faults_test.sh).
#include "support/fault_life.h"
#include "support/seeds.h"

#include <cstdlib>

#include "support/ex.h"
#include "support/sanitizer.h"

using support::Interposer;

namespace
{

namespace ex = support::ex;

using support::Fault;
using support::Handle;
using support::kWays;
using support::Way;
using support::life::Event;
using support::life::Life;
using support::life::Machine;

struct Platform {
	const char *name;
	std::vector<Event> first;     // many types of boxes and registers
	std::vector<Event> neighbour; // in the same boxes
	std::vector<Event> others;    // in other boxes
	std::vector<Event> turns;     // the first two must be multiplexed
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
	 {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 1}},
	 {{"UNC_C_TOR_OCCUPANCY:ALL", "cbox", 0x0836, 0, 0},
	  {"UNC_C_RXR_OCCUPANCY:IRQ", "cbox", 0x0111, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0}}},
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
	  {"UNC_M_CLOCKTICKS", "mbox", ex::inc(0x1b), 0, 1}},
	 {{"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", ex::on(2, 4), UINT64_C(0xc000000040),
	   0},
	  {"UNC_B_ADDR_IN_MATCH:match=0x80:mask=0xc0", "bbox", ex::on(2, 4), UINT64_C(0xc000000080),
	   0},
	  {"UNC_C_TRANS_MAF", "cbox", 0x1f, 0, 0}}},
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
	 {{"UNC_C_CLOCKTICKS", "cha", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0, 1}},
	 {{"UNC_C_TOR_OCCUPANCY:IRQ", "cha", 0x3136, UINT64_C(0x3b) << 32, 0},
	  {"UNC_C_RXC_OCCUPANCY:IRQ", "cha", 0x0111, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0}}},
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
	 {{"UNC_CHA_CLOCKTICKS", "cha", 0, 0, 1}, {"UNC_M_CAS_COUNT:WR", "imc", 0x3004, 0, 1}},
	 {{"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8", "cha", 0xc001fe00080135, 8, 0},
	  {"UNC_CHA_TOR_INSERTS:IA_MISS:tf=0", "cha", 0xc001fe00080135, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0f04, 0, 0}}},
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
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 1}},
	 {{"spr_unc_m3upi::RAW:config=0x01", "m3upi", 0x01, 0, 0},
	  {"spr_unc_m3upi::RAW:config=0x1000001", "m3upi", 0x1000001, 0, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0}}},
};

bool all()
{
	return support::is_all("FAULTS");
}

// The sets on a machine.
struct Cast {
	// package: that of the other set, which decides whether a start freezes
	// package 0.
	Cast(const Platform &platform, unsigned package)
	    : machine(std::string("sim:") + platform.name + ":packages=2,cores=2,time=virtual"),
	      before(machine.all_registers()), first(machine, platform.first, 0),
	      neighbour(machine, platform.neighbour, 0), turns(machine, platform.turns, 0, true),
	      stops(machine, {platform.neighbour[0], platform.neighbour[1]}, 0),
	      others(machine, platform.others, package)
	{
		others.watched = false;
	}
	~Cast()
	{
		EXPECT_EQ(before, machine.all_registers());
	}
	void begin(const std::vector<Fault> &faults)
	{
		idle = machine.registers();
		others.start();
		with_others = machine.registers();
		machine.faults.plan(faults);
	}
	// Returns false if the life ended before the last fault occurred.
	bool end()
	{
		const bool over = machine.faults.over();
		SCOPED_TRACE(machine.faults.what());

		machine.faults.clear();
		EXPECT_EQ(0, uncore_restore(machine.handle->u)) << machine.handle->message();
		machine.expect_same(with_others);
		first.again();
		turns.again();
		machine.expect_same(with_others);
		others.read();
		others.stop();
		machine.expect_same(idle);
		return over;
	}

	Machine machine;
	const std::vector<uint64_t> before;
	Life first, neighbour, turns, stops, others;
	std::vector<uint64_t> idle, with_others;
};

void live_alone(Cast &c)
{
	c.first.start();
	c.machine.pass();
	c.first.read();
	c.machine.pass();
	c.first.reset();
	c.others.read();
	c.machine.pass();
	c.first.check();
	c.first.poll();
	c.machine.pass();
	c.first.read();
	c.first.stop();
	c.first.restore();
	c.others.read();
}

void live_with_others(Cast &c)
{
	c.first.start();
	c.machine.pass();
	c.neighbour.start();
	c.machine.pass();
	c.first.read();
	c.neighbour.read();
	c.first.stop();
	c.machine.pass();
	c.others.read();
	c.neighbour.check();
	c.neighbour.read();
	c.neighbour.stop();
	c.others.read();
}

void live_multiplexed(Cast &c)
{
	c.turns.start();
	for (int i = 0; i < 4; i++) {
		c.machine.pass();
		c.turns.window();
		if (i > 0) /* each event has been counted */
			c.turns.read();
	}
	c.turns.check();
	c.others.read();
	c.turns.stop();
	c.others.read();
}

// For a set that stopped some time ago: by hardware shortly after the event, with polling at
// this moment.
void expect_sample(const Cast &c, const std::vector<int64_t> &counts, uint64_t since,
		   uint64_t after, bool polled)
{
	for (size_t i = 0; i < counts.size(); i++) {
		const uint64_t end = polled ? c.machine.now() : since + after;

		EXPECT_GE(counts[i] + 4, c.stops.gain(i, since, end)) << "event " << i;
		EXPECT_LE(counts[i] - 4, c.stops.gain(i, since, end + (polled ? 0 : 300)))
			<< "event " << i;
	}
}

// Waits for the set. Returns false if that fails.
bool wait_for(Cast &c)
{
	int code = -1;

	for (int tries = 0; tries < 3 && code < 0; tries++)
		code = c.stops.call("wait", [&] { return uncore_set_wait(c.stops.set.set, 0); });
	EXPECT_NE(0, code);
	return code == 1;
}

void live_and_stop_after(Cast &c)
{
	constexpr uint64_t kAfter = 500000;
	auto stop_after = support::sized<uncore_stop_after>();
	auto info = support::sized<uncore_stop_after_info>();
	std::vector<int64_t> one(2), two(2);
	uint64_t since;

	stop_after.count = static_cast<uint64_t>(c.stops.gain(0, 0, kAfter));
	ASSERT_EQ(0, uncore_set_stop_after(c.stops.set.set, &stop_after, 1, 0))
		<< c.machine.handle->message();
	ASSERT_EQ(1, uncore_set_stop_after_info(c.stops.set.set, 0, &info));
	const bool polled = info.polled;

	since = c.machine.now();
	c.stops.start();
	c.machine.pass();
	if (c.stops.running && wait_for(c)) {
		one = c.stops.set.counts();
		expect_sample(c, one, since, kAfter, polled);
		c.machine.pass();
		EXPECT_EQ(one, c.stops.set.counts()) << "counts after the stop changed";
		since = c.machine.now();
		if (c.stops.call("rearm", [&] { return uncore_set_rearm(c.stops.set.set); }) == 0) {
			c.machine.pass();
			if (wait_for(c)) {
				two = c.stops.set.counts();
				two[0] -= one[0];
				two[1] -= one[1];
				expect_sample(c, two, since, kAfter, polled);
			}
		}
	}
	c.stops.call("stop", [&] { return c.stops.set.stop(); });
	c.stops.running = false;
	c.others.read();
}

// Runs a life with some faults. Returns false if it ended before the last of them occurred.
bool one(Cast &cast, const std::vector<Fault> &faults, void (*live)(Cast &))
{
	cast.begin(faults);
	SCOPED_TRACE(cast.machine.faults.what());
	live(cast);
	return cast.end();
}

// Used machines have already verified their registers and read less, but opening a new one
// takes most of the time.
class Casts
{
      public:
	// apart: the other set is always in another package.
	Casts(const Platform &platform, bool apart, bool anew)
	    : platform(platform), apart(apart), anew(anew)
	{
	}
	Cast &next()
	{
		const unsigned package = apart ? 1 : ++n % 2;
		std::unique_ptr<Cast> &cast = casts[package];

		if (!cast || anew)
			cast = std::make_unique<Cast>(platform, package);
		return *cast;
	}

      private:
	const Platform &platform;
	const bool apart, anew;
	unsigned n = 0;
	std::unique_ptr<Cast> casts[2];
};

// A life for each access, with every n-th kind of fault.
void each_access(Casts &casts, void (*live)(Cast &), bool lasts, size_t step)
{
	bool more = true;

	for (unsigned at = 0; more && !testing::Test::HasFailure(); at++)
		for (size_t w = at % step; w < kWays.size(); w += step)
			more = one(casts.next(), {{at, &kWays[w], lasts}}, live) && more;
}

// One kind of fault for each access, or with FAULTS=all each kind.
void each(const Platform &platform, void (*live)(Cast &), bool lasts = false)
{
	const bool apart = live == live_and_stop_after;
	Casts machines(platform, apart, false), anew(platform, apart, true);

	if (all() || platform.name == std::string("snbep"))
		each_access(anew, live, lasts, kWays.size());
	if (all() || platform.name != std::string("snbep"))
		each_access(machines, live, lasts, all() ? 1 : kWays.size());
}

class Faults : public testing::TestWithParam<Platform>
{
};

TEST_P(Faults, OnceInTheLifeOfASet)
{
	each(GetParam(), live_alone);
}

TEST_P(Faults, OnceInTheLivesOfSetsInTheSameBoxes)
{
	each(GetParam(), live_with_others);
}

TEST_P(Faults, OnceInTheLifeOfAMultiplexedSet)
{
	each(GetParam(), live_multiplexed);
}

TEST_P(Faults, ForEverInTheLifeOfASet)
{
	each(GetParam(), live_alone, true);
}

TEST_P(Faults, ForEverInTheLivesOfSetsInTheSameBoxes)
{
	each(GetParam(), live_with_others, true);
}

TEST_P(Faults, ForEverInTheLifeOfAMultiplexedSet)
{
	each(GetParam(), live_multiplexed, true);
}

TEST_P(Faults, OnceInTheLifeOfASetThatStopsByItself)
{
	each(GetParam(), live_and_stop_after);
}

TEST_P(Faults, ForEverInTheLifeOfASetThatStopsByItself)
{
	each(GetParam(), live_and_stop_after, true);
}

INSTANTIATE_TEST_SUITE_P(Platforms, Faults, testing::ValuesIn(kPlatforms),
			 [](const auto &info) { return std::string(info.param.name); });

// ---- faults while a machine is opened ----

// The count of an event over all boxes of a machine without faults.
struct Sum {
	std::string name;
	double rate;
	unsigned boxes;
};

std::string kind_of(const Handle &h, const std::string &event)
{
	auto info = support::sized<struct uncore_event_info>();

	EXPECT_EQ(0, uncore_event_info(h.u, h.event(event), &info)) << event;
	return info.kind;
}

std::vector<Sum> sums_of(Machine &healthy, const Platform &platform)
{
	std::vector<Sum> sums;

	for (const Event &e : platform.others) {
		const std::string kind = kind_of(*healthy.handle, e.name);

		sums.push_back({e.name, 0, 0});
		for (const uncore_box_info &b : healthy.handle->boxes(kind)) {
			Event one = e;

			one.box = b.index;
			if (b.absent)
				continue;
			sums.back().rate += healthy.rate(one, b.package);
			sums.back().boxes++;
		}
	}
	return sums;
}

// The sum is refused with a reason, or includes all boxes.
void expect_sum(Machine &machine, const Sum &sum, bool *refused)
{
	Handle &h = *machine.handle;
	unsigned id;
	const int code = uncore_event(h.u, sum.name.c_str(), &id);

	if (code != 0) {
		*refused = true;
		EXPECT_TRUE(code == UNCORE_EIO || machine.faults.has_code(code))
			<< code << ", " << h.message();
		return;
	}
	support::Set set(h, {sum.name});

	EXPECT_EQ(0, set.start()) << h.message();
	machine.pass();
	EXPECT_EQ(0, set.stop()) << h.message();
	EXPECT_NEAR(sum.rate / 1000, static_cast<double>(set.count()), 4 * sum.boxes) << sum.name;
}

// A device that returns all ones twice is considered missing, and sums do not include it.
bool is_dead(const Machine &machine, const std::vector<Fault> &faults)
{
	for (const Fault &f : faults)
		if (f.way->error != 0)
			return false;
	return faults.size() > 1 && machine.faults.hits.size() == 1;
}

// Some sums may be refused, but none may be too small.
void open_with(const std::string &spec, const std::vector<Fault> &faults,
	       const std::vector<Sum> &sums, bool *over, bool *refused)
{
	Machine machine(spec, faults);
	const Handle &h = *machine.handle;
	SCOPED_TRACE(machine.faults.what());

	*over = machine.faults.over();
	if (h.code != 0) {
		*refused = true;
		EXPECT_TRUE(h.code == UNCORE_EIO || machine.faults.has_code(h.code))
			<< h.code << ", " << h.message();
		return;
	}
	EXPECT_EQ(0U, sim_writes(machine.sim));
	if (is_dead(machine, faults))
		return;
	for (const Sum &sum : sums)
		expect_sum(machine, sum, refused);
}

// A discovery table has a thousand words: the quick tests fail only some of the reads.
TEST_P(Faults, OnceWhileTheMachineIsOpened)
{
	const std::string spec =
		std::string("sim:") + GetParam().name + ":packages=2,cores=2,time=virtual";
	Machine healthy(spec);
	const std::vector<Sum> sums = sums_of(healthy, GetParam());
	const unsigned accesses = healthy.faults.accesses;
	const unsigned step = all() ? 1 : 1 + accesses / (kSanitizer ? 50 : 200);
	bool over = true, refused = false;

	for (unsigned at = 0; over && !HasFailure(); at += step)
		open_with(spec, {{at, &kWays[at / step % kWays.size()]}}, sums, &over, &refused);
	EXPECT_TRUE(refused) << "no sum was refused";
	for (unsigned at = 0; all() && at < 1000 && at < accesses && !HasFailure(); at++)
		for (const Way &way : kWays)
			open_with(spec, {{at, &way}}, sums, &over, &refused);
}

// ---- two accesses ----

// The quick tests use a sample of the pairs.
void each_pair(void (*live)(Cast &))
{
	const unsigned step = all() ? 1 : 31;
	const size_t ways = all() ? 2 : 1;
	Casts casts(kPlatforms[0], live == live_and_stop_after, false);
	bool any = true;

	for (unsigned i = 0; any && !testing::Test::HasFailure(); i++) {
		bool more = true;

		any = false;
		for (unsigned j = i + 1 + i % step; more; j += step)
			for (size_t w = i; w < i + ways; w++) {
				more = one(casts.next(),
					   {{i, &kWays[w % kWays.size()]},
					    {j, &kWays[(w + j) % kWays.size()]}},
					   live) &&
				       more;
				any = any || more;
			}
	}
}

TEST(FaultPairs, InTheLifeOfASet)
{
	each_pair(live_alone);
}

TEST(FaultPairs, InTheLivesOfSetsInTheSameBoxes)
{
	each_pair(live_with_others);
}

TEST(FaultPairs, InTheLifeOfAMultiplexedSet)
{
	each_pair(live_multiplexed);
}

TEST(FaultPairs, InTheLifeOfASetThatStopsByItself)
{
	each_pair(live_and_stop_after);
}

TEST(FaultPairs, WhileTheMachineIsOpened)
{
	const std::string spec =
		std::string("sim:") + kPlatforms[0].name + ":packages=2,cores=2,time=virtual";
	Machine healthy(spec);
	const std::vector<Sum> sums = sums_of(healthy, kPlatforms[0]);
	const unsigned accesses = healthy.faults.accesses, step = all() ? 1 : 31;
	bool over, refused = false;

	for (unsigned i = 0; i < accesses && !HasFailure(); i++)
		for (unsigned j = i + 1 + i % step; j < accesses && !HasFailure(); j += step)
			open_with(spec,
				  {{i, &kWays[i % kWays.size()]},
				   {j, &kWays[(i + j) % kWays.size()]}},
				  sums, &over, &refused);
	EXPECT_TRUE(refused) << "no sum was refused";
}

} // namespace
