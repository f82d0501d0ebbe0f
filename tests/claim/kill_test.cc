// SPDX-License-Identifier: BSD-3-Clause
// kill_test.cc - a process is killed before or after each register write: while it starts,
// counts, stops, and restores for another process. The next process to start must count
// correctly, and afterwards the machine must be as it was found.
#include <fcntl.h>

#include "machine/machine.h"
#include "support/child.h"
#include "support/ex.h"
#include "support/multiplexed.h"
#include "support/node.h"
#include "support/sanitizer.h"
#include "support/stop_after.h"

namespace
{

using support::Handle;
using support::in_child;
using support::Interposer;
using support::Known;
using support::Multiplexed;
using support::names_of;
using support::Node;
using support::Set;
using support::stop_after::StopAfterSet;

constexpr int kKilled = 1000 + SIGKILL;
constexpr uint64_t kDrd = UINT64_C(0x182) << 23, kDrdAbove = UINT64_C(0x18200000) << 32;

struct Platform {
	const char *name;
	std::vector<Known> events;       // many box types, with filters
	std::vector<const char *> takes; // multiplexed
	const char *stops;               // after a number of occurrences
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Platform kPlatforms[] = {
	{"snbep",
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, kDrd, 0, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0},
	  {"UNC_H_CLOCKTICKS", "ha", 0, 0, 0, 0},
	  {"UNC_H_REQUESTS:READS", "ha", 0x0301, 0, 0, 0}},
	 {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0", "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0",
	  "UNC_M_CAS_COUNT:RD:box=0:pkg=0"},
	 "UNC_C_CLOCKTICKS:box=1:pkg=0"},
	{"nhmex",
	 {{"UNC_C_LLC_MISSES", "cbox", 0x0714, 0, 0, 0},
	  {"UNC_S_TO_R_PROG_EV:match=0x12:mask=0x1f", "sbox", 0, UINT64_C(0x1f00000012), 0, 0},
	  {"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", support::ex::on(2, 4),
	   UINT64_C(0xc000000040), 0, 0},
	  {"UNC_M_DRAM_CMD:CAS_RD_OPN", "mbox", support::ex::inc(0x0a), UINT64_C(0x300) << 32, 0,
	   0},
	  {"UNC_R_FLITS_SENT:PORT3", "rbox", support::ex::port(3, 0), 0x80000000, 0, 0}},
	 {"UNC_B_TF_ALL:box=0:pkg=0", "UNC_B_TF_WR:box=0:pkg=0", "UNC_C_OCCUPANCY_IRQ:box=0:pkg=0"},
	 "nhmex_unc_cbox::RAW:config=0x714:box=1:pkg=0"},
	{"ivbep",
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, kDrdAbove, 0, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0},
	  {"UNC_H_CLOCKTICKS", "ha", 0, 0, 0, 0},
	  {"UNC_H_REQUESTS:READS", "ha", 0x0301, 0, 0, 0}},
	 {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0", "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0",
	  "UNC_M_CAS_COUNT:RD:box=0:pkg=0"},
	 "UNC_C_CLOCKTICKS:box=1:pkg=0"},
	{"spr",
	 {{"spr_unc_cha::RAW:config=0x10135:config1=8", "cha", 0x10135, 8, 0, 0},
	  {"spr_unc_pcu::RAW:config=0x01", "pcu", 0x01, 0, 0, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0, 0},
	  {"spr_unc_m2m::RAW:config=0x01", "m2m", 0x01, 0, 0, 0},
	  {"spr_unc_upi::RAW:config=0x01", "upi", 0x01, 0, 0, 0}},
	 {"UNC_CHA_TOR_OCCUPANCY:ALL:box=0:pkg=0", "UNC_CHA_TOR_OCCUPANCY:IA:box=0:pkg=0",
	  "UNC_CHA_CLOCKTICKS:box=0:pkg=0"},
	 "spr_unc_cha::RAW:config=1:box=1:pkg=0"},
};

// ---- actions of the process that is killed; they return 0 or the failed step ----

int live_with_a_list(const Node &node, const Platform &, const std::vector<Known> &events)
{
	const Handle h(node.files.options());
	Set set(h, names_of(events));

	if (set.start() != 0)
		return 1;
	node.pass();
	set.counts();
	return set.stop() == 0 ? 0 : 2;
}

int live_in_windows(const Node &node, const Platform &platform, const std::vector<Known> &)
{
	const Handle h(node.files.options());
	Multiplexed set(h, {platform.takes.begin(), platform.takes.end()});

	if (set.rounds() < 2 || set.start() != 0)
		return 1;
	for (int i = 0; i < 3; i++) {
		node.pass();
		if (!set.window())
			return 3;
	}
	return set.stop() == 0 ? 0 : 2;
}

int live_until(const Node &node, const Platform &platform, const std::vector<Known> &)
{
	const Handle h(node.files.options());
	StopAfterSet set(h, {platform.stops});

	if (set.stop_after(1000) != 0 || set.start() != 0)
		return 1;
	node.pass();
	return set.wait() == 1 && set.stop() == 0 ? 0 : 2;
}

using Live = int(const Node &node, const Platform &platform, const std::vector<Known> &events);

struct Way {
	const char *name;
	Live *live;
};

const Way kWays[] = {
	{"List", live_with_a_list}, {"Windows", live_in_windows}, {"Until", live_until}};

std::ostream &operator<<(std::ostream &out, const Way &way)
{
	return out << way.name;
}

class Kill : public testing::TestWithParam<std::tuple<Platform, Way, unsigned>>
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>(std::string(platform.name) +
					      ":cores=2,packages=" + std::to_string(packages));
		for (size_t i = 0; i < events.size(); i++)
			events[i].package = static_cast<unsigned>(i % packages);
		node->leave_traces();
		EXPECT_NE(std::vector<uint64_t>(node->before.size()), node->before);
	}
	// At each write of f, in a new child process each time.
	template <typename Before, typename F> void each(Before begin, F f)
	{
		const int some = (packages == 1 ? 7 : 19) * (kSanitizer ? 9 : 1);
		const int step = support::all_kills() ? 1 : some;
		bool more = true;

		for (int n = 1; more && !HasFatalFailure() && !HasNonfatalFailure(); n++)
			for (int sign : {1, -1})
				if (n % step == (sign < 0 ? 0 : 1 % step) || step == 1)
					more = one(begin, f, sign * n) && more;
	}
	template <typename Before, typename F> bool one(Before begin, F f, int at)
	{
		SCOPED_TRACE(at < 0 ? "killed before write " + std::to_string(-at)
				    : "killed by write " + std::to_string(at));
		begin();
		node->files.kill_at(at);
		const int status = in_child([&] { return f(); });

		node->files.kill_at(0);
		EXPECT_TRUE(status == kKilled || status == 0) << status;
		node->expect_counting(events);
		node->expect_clean();
		if (way.live == live_until)
			expect_unloaded();
		return status == kKilled;
	}

	int writes_of_a_life() const
	{
		constexpr int kNever = 1000000;

		node->files.kill_at(kNever);
		EXPECT_EQ(0, in_child([&] { return way.live(*node, platform, events); }));
		const int left = std::stoi(node->files.text("sim/kill_at"));
		node->files.kill_at(0);
		return kNever - left;
	}
	// A preloaded counter that is left behind would overflow too early for the next user.
	void expect_unloaded() const
	{
		const unc_machine *m = unc_machine_of(node->handle.u);
		unc_hw *hw = unc_hw_of(node->handle.u);

		for (unsigned b = 0; b < m->n_boxes; b++) {
			unc_op op = {};

			for (unsigned i = 0;
			     m->boxes[b].type->arch == nullptr &&
			     support::register_op(node->handle.u, b, UNCORE_COUNTER, i, &op);
			     i++) {
				uint64_t value = 0;

				EXPECT_EQ(0, hw->ops->read(hw, &op, &value));
				EXPECT_GT(UINT64_C(1) << 40, value) << std::hex << op.address;
			}
		}
	}

	const Platform &platform = std::get<0>(GetParam());
	const Way &way = std::get<1>(GetParam());
	const unsigned packages = std::get<2>(GetParam());
	std::vector<Known> events = platform.events; // of all packages
	std::unique_ptr<Node> node;
};

TEST_P(Kill, AtEachWriteOfALife)
{
	each([] {}, [&] { return way.live(*node, platform, events); });
}

// The next process dies while it restores, and a third one completes the recovery.
TEST_P(Kill, AtEachWriteOfARecovery)
{
	const int writes = writes_of_a_life();
	const auto die = [&](int at) {
		node->files.kill_at(at);
		return in_child([&] { return way.live(*node, platform, events); }) == kKilled;
	};

	for (int at : {writes / 2, writes / 3})
		each([&] { EXPECT_TRUE(die(at)); },
		     [&] {
			     const Handle h(node->files.options());

			     return uncore_recover(h.u);
		     });
}

INSTANTIATE_TEST_SUITE_P(Platforms, Kill,
			 testing::Combine(testing::ValuesIn(kPlatforms), testing::ValuesIn(kWays),
					  testing::Values(1U, 2U)),
			 [](const auto &info) {
				 return std::get<0>(info.param).name + std::string("_") +
					std::get<1>(info.param).name +
					std::to_string(std::get<2>(info.param));
			 });

// The control has its event before its enable bit is set, and must have the same owner in
// between.
TEST(KillInABoxThatCounts, AtEachWriteOfACounterThatIsAdded)
{
	NEEDS_FUSE();
	Node node("snbep:cores=2,packages=1");
	const std::vector<Known> events = {kPlatforms[0].events[0]};
	int status = kKilled;

	node.leave_traces();
	for (int at = 1; status == kKilled && !testing::Test::HasFailure(); at++) {
		SCOPED_TRACE("killed by write " + std::to_string(at));
		status = in_child([&] {
			const Handle h(node.files.options());
			Set first(h, names_of(events)), more(h, {kPlatforms[0].takes[0]});

			if (first.start() != 0)
				return 1;
			node.files.kill_at(at);
			return more.start();
		});
		node.files.kill_at(0);
		node.expect_counting(events);
		node.expect_clean();
	}
	EXPECT_EQ(0, status);
}

// On this machine the filters lack two bits: what they hold is not what a process wrote. The
// process is killed while it counts.
class KilledOwner : public testing::Test
{
      protected:
	template <typename F> void expect_restored(F start)
	{
		Node node("snbep:cores=2,packages=1");
		int ready[2];
		char c;

		node.leave_traces();
		ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
		const pid_t pid = support::fork_clean();
		if (pid == 0) {
			const Handle h(node.files.options());
			Interposer hardware(h);

			hardware.on_value = [](const unc_op &op, uint64_t value) {
				return op.space == UNCORE_MSR && (op.address & ~0xe0ULL) == 0xd14
					       ? value & ~(3ULL << 23)
					       : value;
			};
			start(h, [&] {
				if (write(ready[1], "", 1) == 1)
					pause();
			});
			_exit(1);
		}
		close(ready[1]);
		ASSERT_EQ(1, read(ready[0], &c, 1));
		close(ready[0]);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		EXPECT_EQ(kKilled, support::status_of(pid));
		EXPECT_EQ(0, uncore_recover(node.handle.u)) << node.handle.message();
		node.expect_clean();
	}
};

TEST_F(KilledOwner, AFilterThatDidNotReadBackIsRestored)
{
	NEEDS_FUSE();
	expect_restored([](const Handle &h, const auto &ready) {
		Set set(h, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:pkg=0"});

		if (set.start() == 0)
			ready();
	});
}

// Only the second window has a filter. Windows take no lock, and the journal lists the filters of
// all of them from the start.
TEST_F(KilledOwner, AFilterOfALaterWindowThatDidNotReadBackIsRestored)
{
	NEEDS_FUSE();
	expect_restored([](const Handle &h, const auto &ready) {
		Multiplexed set(h, {"UNC_C_TOR_OCCUPANCY:ALL:pkg=0",
				    "UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD:pkg=0"});

		if (set.rounds() == 2 && set.start() == 0 && set.window())
			ready();
	});
}

} // namespace
