// SPDX-License-Identifier: BSD-3-Clause
// load_test.cc - `uncore top` on a busy computer: its thread is descheduled between
// accesses to registers, on a machine whose time is stepped.
#include <cmath>

#include <gtest/gtest.h>

extern "C" {
#include "command/top/model.h"
}
#include "support/descheduled.h"

namespace
{

using support::Interposer;
using support::kMillisecond;

// A mean, without anything else that counts.
double alone(support::Stepped &machine, const char *metric)
{
	support::Set set(machine, {metric});

	EXPECT_EQ(0, set.start()) << machine.message();
	machine.advance(support::kSecond);
	return uncore_real(set.counts()[0]);
}

double shown(const top_view &view, const std::string &label)
{
	for (size_t s = 0; s < view.n; s++)
		for (size_t i = 0; i < view.sections[s].n; i++)
			if (view.sections[s].metrics[i].label == label)
				return view.sections[s].metrics[i].packages[0].number;
	ADD_FAILURE() << "no metric " << label;
	return NAN;
}

TEST(TopOnABusyComputer, ShowsTheLatencyOfMissesInEachScreen)
{
	support::Stepped machine("spr:packages=1");
	const double truth = alone(machine, "UNCORE_TOR_DRD_MISS_LATENCY_NS");
	top_model *model = top_model_new(machine.u, 0.4);
	Interposer between(machine);
	std::mt19937 random(1);
	unsigned screens = 0;

	ASSERT_LT(10, truth) << "ns";
	ASSERT_EQ(0, top_model_start(model)) << machine.message();
	support::deschedule(between, machine, random, 40);
	for (unsigned i = 0; i < 20; i++) {
		for (unsigned window = 0; window < 10; window++) {
			machine.advance(40 * kMillisecond);
			unc_multiplex_due(machine.u);
		}
		const double number = shown(*top_model_read(model), "of misses");

		if (std::isnan(number))
			continue;
		screens++;
		EXPECT_NEAR(truth, number, truth * 0.01) << "screen " << i;
	}
	EXPECT_LE(18u, screens) << "that show it";
	support::schedule(between);
	EXPECT_EQ(0, top_model_stop(model)) << machine.message();
	top_model_free(model);
}

} // namespace
