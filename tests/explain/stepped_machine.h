/* SPDX-License-Identifier: BSD-3-Clause */
// stepped_machine.h - a simulated machine whose time is stepped, counted as `uncore explain` does:
// each access takes time, and some wait for a processor.
#ifndef EXPLAIN_STEPPED_MACHINE_H
#define EXPLAIN_STEPPED_MACHINE_H

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "set/inside.h"
#include "support/interposer.h"
#include "support/stepped.h"

extern "C" {
#include "command/explain/collect.h"
}

namespace explain_test
{

using support::Interposer;
using support::kMillisecond;
using support::kSecond;
using support::Stepped;

constexpr double kRow = 0.1;                 // s
constexpr unsigned kFew = 5000, kMany = 300; // accesses, of which one waits

// ---- a machine ----

// Each access takes time, and one of `stalls` waits for a processor.
class Machine : public Stepped
{
      public:
	explicit Machine(const char *name, const char *parameters = "packages=1,cores=2")
	    : Stepped(name, parameters), between(*this)
	{
		collection_new(&counted, u, kRow, nullptr, nullptr);
		counted.basket.clock = {look_at_clock, this};
		for (unsigned q = 0; q < QUANTITIES; q++)
			if (counted.names[q] && q != Q_FASTEST)
				rates[q] = rate_alone(counted.names[q]);
		between.on_read = [this](const unc_op &op, uint64_t *value) {
			pass();
			return between.read(op, value);
		};
		between.on_write = [this](const unc_op &, uint64_t) {
			pass();
			return 0;
		};
	}
	~Machine()
	{
		collection_free(&counted);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	void wait(double seconds)
	{
		const uint64_t end = sim_now(sim) + (uint64_t)(1e9 * seconds);

		for (;;) {
			const uint64_t next = std::min((uint64_t)unc_multiplex_due(u), end);

			if (sim_now(sim) < next)
				sim_advance(sim, next - sim_now(sim));
			if (sim_now(sim) >= end)
				return;
			sim_advance(sim, 1000 + random() % 60000); // until the thread runs
		}
	}
	void wait_and_look(double seconds)
	{
		const uint64_t end = sim_now(sim) + (uint64_t)(1e9 * seconds);

		while (sim_now(sim) < end) {
			wait(std::min(collection_pace(&counted),
				      1e-9 * (double)(end - sim_now(sim))));
			EXPECT_EQ(0, sim_now(sim) < end ? collection_look(&counted) : 0);
		}
	}
	// Rows until the end of a run.
	void count(double seconds)
	{
		const uint64_t end = sim_now(sim) + (uint64_t)(1e9 * seconds);

		while (sim_now(sim) < end) {
			wait_and_look(std::min(kRow, 1e-9 * (double)(end - sim_now(sim))));
			EXPECT_EQ(0, collection_sample(&counted, 0));
		}
	}
	// In a set of its own, which is not multiplexed.
	double rate_alone(const char *name)
	{
		struct uncore_set *set = nullptr;
		int64_t count = 0;
		unsigned id = event(name);

		EXPECT_EQ(0, uncore_set_create(u, &set));
		EXPECT_EQ(0, uncore_set_assign(set, &id, 1)) << message();
		EXPECT_EQ(0, uncore_set_start(set)) << message();
		advance(10 * kSecond);
		EXPECT_EQ(0, uncore_set_read(set, &count));
		uncore_set_destroy(set);
		return (double)count / 10;
	}
	// Of the last read: the clock is looked at before and after it.
	uint64_t middle() const
	{
		return looks[0] + (looks[1] - looks[0]) / 2;
	}

	collection counted = {};
	std::map<unsigned, double> rates; // by quantity, while there is traffic
	std::mt19937 random;
	unsigned stalls = 0; // 0: none

      private:
	static uint64_t look_at_clock(void *of)
	{
		auto *machine = static_cast<Machine *>(of);

		machine->looks = {machine->looks[1], sim_now(machine->sim)};
		return machine->looks[1];
	}
	void pass()
	{
		sim_advance(sim, 300 + random() % 700);
		if (stalls && random() % stalls == 0)
			sim_advance(sim, kMillisecond + random() % (5 * kMillisecond));
	}

	Interposer between;
	std::array<uint64_t, 2> looks = {};
};

} // namespace explain_test

#endif
