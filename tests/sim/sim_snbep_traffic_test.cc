// SPDX-License-Identifier: BSD-3-Clause
// sim_snbep_traffic_test.cc - the simulated Xeon on its own: the relations between
// what different boxes count, time and concurrency.
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "support/sim_snbep.h"

namespace
{

using namespace support::snbep;

// ---- the traffic seen from different boxes ----

double all_channels(Machine &machine, uint64_t control, int package)
{
	double sum = 0;

	for (uint16_t device : {0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5})
		sum += static_cast<double>(machine.count(device, control, package));
	return sum;
}

TEST(SimTraffic, CasReadsAreTheLinesOfAllReaders)
{
	Machine machine;

	for (int package = 0; package < 2; package++) {
		const struct sim_traffic &own = *sim_traffic(machine.sim, package);
		const struct sim_traffic &other = *sim_traffic(machine.sim, !package);
		double reads =
			own.reads * (1 - own.remote_reads) + other.reads * other.remote_reads;
		double cas = all_channels(machine, event(0x04, 0x03), package);

		EXPECT_NEAR(64 * reads, 64 * cas, 64 * 5);
		EXPECT_NEAR(cas, static_cast<double>(machine.count(0x3c46, event(1, 3), package)),
			    5);
		EXPECT_NEAR(cas, all_channels(machine, event(0x10), package), 5);
	}
}

TEST(SimTraffic, CasWritesAreHomeAgentWrites)
{
	Machine machine;

	for (int package = 0; package < 2; package++) {
		double cas = all_channels(machine, event(0x04, 0x0c), package);

		EXPECT_NEAR(cas, static_cast<double>(machine.count(0x3c46, event(1, 0xc), package)),
			    5);
		EXPECT_NEAR(cas,
			    static_cast<double>(machine.count(0x3c46, event(0x1a, 0xf), package)),
			    5);
	}
}

TEST(SimTraffic, TorMissesOfReadingOpcodesAreTheReads)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 1);
	double sum = 0;

	for (const sim_opcode &op : traffic.opcodes)
		if (op.kind == SIM_OP_READ)
			sum += machine.all_cboxes(event(0x35, 3), opcode(op.opcode), 1);
	EXPECT_NEAR(traffic.reads, sum, 1);
}

TEST(SimTraffic, DataFlitsAreEightPerLineThatCrosses)
{
	Machine machine;

	for (unsigned package = 0; package < 2; package++) {
		const struct sim_traffic &own = *sim_traffic(machine.sim, package);
		const struct sim_traffic &other = *sim_traffic(machine.sim, !package);
		double lines = own.reads * own.remote_reads + other.writes * other.remote_writes;
		double rx = 0, tx = 0;

		for (unsigned port = 0; port < 2; port++) {
			rx += machine.rate("qpi", port, event(0x102, 0x08), 0, package);
			tx += machine.rate("qpi", port, event(0x100, 0x08), 0, !package);
		}
		EXPECT_NEAR(8 * lines, rx, 1);
		EXPECT_NEAR(rx, tx, 1);
	}
}

TEST(SimTraffic, FlitsFillTheLink)
{
	Machine machine;

	for (unsigned code : {0x00u, 0x01u})
		EXPECT_NEAR(2 * sim_traffic(machine.sim, 0)->qclk_hz,
			    machine.rate("qpi", 1, event(code, 1)) +
				    machine.rate("qpi", 1, event(code, 2)) +
				    machine.rate("qpi", 1, event(code, 4)),
			    1);
}

TEST(SimTraffic, QueuesObeyLittlesLaw)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_NEAR(traffic.rpq_ns * 1e-9 * traffic.dclk_hz,
		    machine.rate("imc", 2, event(0x80)) / machine.rate("imc", 2, event(0x10)),
		    1e-9);
	EXPECT_NEAR(machine.rate("imc", 2, event(0x80, 0, 1)), machine.rate("imc", 2, event(0x11)),
		    1);
	EXPECT_NEAR(traffic.link_ns * 1e-9 * traffic.uclk_hz,
		    machine.rate("r3qpi", 0, event(0x13, 8)) /
			    machine.rate("r3qpi", 0, event(0x11, 8)),
		    1e-9);
}

TEST(SimTraffic, SwappedBoxesAndPackagesShow)
{
	Machine machine;

	EXPECT_NE(machine.rate("imc", 0, event(4, 3)), machine.rate("imc", 1, event(4, 3)));
	EXPECT_NE(machine.rate("imc", 0, event(4, 3)), machine.rate("imc", 0, event(4, 3), 0, 1));
	EXPECT_NE(machine.rate("cbox", 0, event(0x13, 1)), machine.rate("cbox", 1, event(0x13, 1)));
	EXPECT_NE(machine.rate("cbox", 0, 0), machine.rate("cbox", 0, 0, 0, 1));
}

TEST(SimTraffic, CanBeChanged)
{
	Machine machine;
	uint64_t before = machine.count(0x3cb0, event(4, 0xc));

	sim_traffic(machine.sim, 0)->writes = 0;
	sim_traffic(machine.sim, 1)->writes = 0;
	EXPECT_GT(before, 0u);
	EXPECT_EQ(0u, machine.count(0x3cb0, event(4, 0xc)));
	EXPECT_EQ(nullptr, sim_traffic(machine.sim, 2));
}

TEST(SimTraffic, OnePackageHasNoLinkTraffic)
{
	Machine machine("packages=1,time=virtual");
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_EQ(0u, machine.count(0x3c41, event(0x102, 8)));
	EXPECT_NEAR(traffic.reads, all_channels(machine, event(4, 3), 0), 5);
}

// ---- time and concurrency ----

TEST(SimTime, VirtualTimeOnlyMovesWhenAdvanced)
{
	Machine machine;

	EXPECT_EQ(0u, sim_now(machine.sim));
	sim_advance(machine.sim, 42);
	EXPECT_EQ(42u, sim_now(machine.sim));
}

TEST(SimTime, RealTimeRuns)
{
	Machine machine("time=real");
	timespec pause = {0, 2000000};

	machine.set(0xc08, kEnable);
	uint64_t before = machine.get(0xc09);
	sim_advance(machine.sim, 3600 * kSecond);
	nanosleep(&pause, nullptr);
	uint64_t gained = machine.get(0xc09) - before;
	EXPECT_GT(gained, 2293718u * 2);
	EXPECT_LT(gained, 2293718341ull * 600);
}

TEST(SimTime, SameStepsGiveTheSameCounts)
{
	Machine first, second;

	for (uint64_t control : {event(0x04, 0x0f), event(0x80), event(0x81, 0, 3)})
		EXPECT_EQ(first.count(0x3cb5, control, 1, 987654321),
			  second.count(0x3cb5, control, 1, 987654321));
}

struct sim *signalled_machine;
std::atomic<int> signals_seen; // lock-free, so a handler may touch it

void read_in_handler(int)
{
	uint64_t value;

	if (sim_msr_read(signalled_machine, 0, 0xd16, &value) == 0)
		signals_seen++;
}

TEST(SimThreads, ThreadsAndSignalHandlersShareTheMachine)
{
	Machine machine("time=real");
	std::vector<std::thread> threads;
	struct sigaction action = {}, saved;

	machine.set(0xd10, event(0x36, 8) | kEnable);
	signalled_machine = machine.sim;
	signals_seen = 0;
	action.sa_handler = read_in_handler;
	ASSERT_EQ(0, sigaction(SIGUSR1, &action, &saved));
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&machine, t] {
			uint64_t last = 0;

			for (int i = 0; i < 2000; i++) {
				uint64_t value = machine.get(0xd16);

				EXPECT_GE(value, last);
				last = value;
				machine.set(0xd30 + static_cast<uint32_t>(t), event(0));
				if (i % 10 == 0)
					raise(SIGUSR1);
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	sigaction(SIGUSR1, &saved, nullptr);
	EXPECT_GT(signals_seen, 0);
}

// As a machine option, of which nothing but strengths of traffic depends.
TEST(SimTraffic, ComesAndGoesWithinAPeriod)
{
	Machine machine("packages=2,time=virtual,period=100");

	ASSERT_NE(nullptr, machine.sim);
	for (unsigned p = 0; p < 2; p++) {
		const sim_pattern &pattern = sim_traffic(machine.sim, p)->pattern;

		EXPECT_EQ((p + 2) * 50000000u, pattern.period_ns);
		EXPECT_EQ(0.5, pattern.busy);
		EXPECT_NEAR(sim_active(machine.sim, p, 600000000), 360000000u,
			    1000); // 0.5 + 0.5 * 0.2
	}
}

} // namespace
