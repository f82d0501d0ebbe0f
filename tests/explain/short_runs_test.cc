// SPDX-License-Identifier: BSD-3-Clause
// short_runs_test.cc - a run of less than 30 ms says nothing that a long run of the same traffic
// does not say: what was not counted for long enough is withheld.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "explain/stepped_machine.h"
#include "support/seeds.h"

extern "C" {
#include "command/explain/diagnoses.h"
}

namespace
{

using explain_test::kFew;
using explain_test::Machine;

using Ids = std::set<std::string>;

// The ids of the sentences about a run of this length, "none" included.
Ids said_of(Machine &m, double seconds)
{
	const ceilings none = {0, nullptr, ""};
	findings list;
	facts all;
	Ids ids;

	EXPECT_EQ(0, collection_start(&m.counted));
	EXPECT_EQ(0, collection_sample(&m.counted, 0));
	m.count(seconds);
	EXPECT_EQ(0, collection_stop(&m.counted));
	const span whole = {0, m.counted.rows - 1};
	collection_facts(&m.counted, &whole, 1, &all);
	diagnose(&list, &all, &none);
	for (size_t i = 0; i < list.n; i++)
		ids.insert(list.at[i].diagnosis->id);
	findings_free(&list);
	facts_free(&all);
	return ids;
}

struct Kind {
	const char *machine, *planted;
	void (*plant)(struct sim_traffic *t);
};

void nothing(struct sim_traffic *)
{
}

void hot_slice(struct sim_traffic *t)
{
	t->slice_skew[0] = 6;
}

void device_misses(struct sim_traffic *t)
{
	for (sim_opcode &o : t->opcodes)
		if (o.opcode == (0x188 | SIM_OP_DEVICE) || o.opcode == (0x1a8 | SIM_OP_DEVICE)) {
			o.share = 0.3;
			o.miss = 0.95;
		}
}

class ShortRuns : public ::testing::TestWithParam<Kind>
{
};

TEST_P(ShortRuns, SayNothingThatALongRunDoesNot)
{
	Machine m(GetParam().machine, "packages=1,cores=8");
	const unsigned runs = support::part_of(300U);
	std::mt19937 random(51);

	GetParam().plant(sim_traffic(m.sim, 0));
	const Ids known = said_of(m, 10);
	if (*GetParam().planted)
		EXPECT_EQ(1u, known.count(GetParam().planted));
	for (unsigned i = 0; i < runs; i++) {
		const double seconds = 1e-3 * std::pow(30, (double)i / runs);

		m.stalls = i % 2 ? kFew : 0;
		m.random.seed((unsigned)random());
		for (const std::string &id : said_of(m, seconds))
			if (id != "none")
				EXPECT_EQ(1u, known.count(id))
					<< id << " after " << seconds << " s";
	}
}

INSTANTIATE_TEST_SUITE_P(Explain, ShortRuns,
			 ::testing::Values(Kind{"srf", "", nothing}, Kind{"gnr", "", nothing},
					   Kind{"skx", "", nothing},
					   Kind{"srf", "hot-slice", hot_slice},
					   Kind{"gnr", "hot-slice", hot_slice},
					   Kind{"srf", "device-misses", device_misses},
					   Kind{"gnr", "device-misses", device_misses}),
			 [](const auto &info) {
				 std::string name =
					 std::string(info.param.machine) + info.param.planted;

				 name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
				 return name;
			 });

} // namespace
