// SPDX-License-Identifier: BSD-3-Clause
// golden_perf_test.cc - events that the Linux driver was given: encoded and turned back into a perf
// event they are the same PMU and config words, and what it refused is refused.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/kernel/perf.h"
#include "support/data.h"
#include "support/golden_ex.h"
#include "support/golden_names.h"
#include "support/perf_tree.h"
#include "support/simulated.h"

namespace
{

using nlohmann::json;

struct Recorded {
	const char *platform;
	unsigned cores, events; // events: compared
};

std::ostream &operator<<(std::ostream &out, const Recorded &r)
{
	return out << r.platform;
}

class GoldenPerf : public testing::TestWithParam<Recorded>
{
};

uint64_t word(const json &event, const char *name)
{
	return event.contains(name) ? golden_number(event[name]) : 0;
}

// The driver takes them and counts something else, or does not look at all of the filter.
bool is_wrong_there(const std::string &platform, const std::string &name)
{
	const golden::Platform *p = golden::find_platform(platform);

	return name == "filter_ignored_without_umask" || name == "tid" || name == "pcu_band_all" ||
	       (p && golden::listed_filter(*p, name));
}

bool is_listed(const std::string &platform, const std::string &name)
{
	const golden::Platform *p = golden::find_platform(platform);

	return p ? golden::listed(*p, name) != nullptr : golden_ex::listed(name) != nullptr;
}

TEST_P(GoldenPerf, EventsComeBackAsTheyWereGiven)
{
	const Recorded &r = GetParam();
	const std::string platform = r.platform;
	Simulated sim(("sim:" + platform + ":packages=2,cores=" + std::to_string(r.cores) +
		       ",time=virtual")
			      .c_str());
	support::Tree tree;
	unsigned n = 0;

	support::write_pmus(tree, platform, "0," + std::to_string(r.cores));
	for (const json &c : support::data_lines("golden/" + platform + ".jsonl.gz")) {
		const std::string name = c["case"];

		if (!c["ok"] || is_listed(platform, name) || is_wrong_there(platform, name))
			continue;
		for (const json &e : c["events"]) {
			const struct unc_event *ev = sim.event(golden_name(platform, name, e));
			struct unc_perf_event out;

			ASSERT_NE(nullptr, ev) << name << ": " << sim.why();
			const struct unc_box *box =
				sim.box(ev->type->name, ev->where.boxes.range[0].low, e["cpu"] > 0);
			ASSERT_EQ(0, unc_perf_event(&sim.machine, tree.root.c_str(), ev, box, &out,
						    nullptr))
				<< name;
			EXPECT_EQ(e["pmu"], out.pmu) << name;
			EXPECT_EQ(golden_hex(ev->control), golden_hex(out.config[0])) << name;
			EXPECT_EQ(golden_hex(word(e, "config1")), golden_hex(out.config[1]))
				<< name;
			EXPECT_EQ(golden_hex(word(e, "config2")), golden_hex(out.config[2]))
				<< name;
			EXPECT_EQ(e["cpu"] > 0 ? r.cores : 0, out.cpu) << name;
			// the recorder's numbers have bits there that the driver drops
			if (!golden_is_ex(platform)) {
				EXPECT_EQ(golden_hex(word(e, "config")), golden_hex(out.config[0]))
					<< name;
			}
			n++;
		}
	}
	EXPECT_EQ(r.events, n);
}

INSTANTIATE_TEST_SUITE_P(Platforms, GoldenPerf,
			 testing::Values(Recorded{"snbep", 8, 234}, Recorded{"ivbep", 15, 333},
					 Recorded{"hswep", 18, 511}, Recorded{"bdx", 24, 635},
					 Recorded{"skx", 28, 994}, Recorded{"icx", 40, 1521},
					 Recorded{"nhmex", 8, 464}));

} // namespace
