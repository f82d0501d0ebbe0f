// SPDX-License-Identifier: BSD-3-Clause
// lists_whole_test.cc - each of Intel's event lists (tests/event/intel), loaded on its own machine:
// it takes no event away, and changes one only to what the list itself says.
#include <cinttypes>

#include "support/handle.h"
#include "support/intel_lists.h"
#include "support/lists.h"
#include "support/sized.h"
#include "support/tree.h"

#include <gtest/gtest.h>

namespace
{

using support::IntelEvent;

struct OfPlatform {
	const char *list, *machine, *info;
};

std::ostream &operator<<(std::ostream &out, const OfPlatform &platform)
{
	return out << platform.list;
}

class WholeList : public testing::TestWithParam<OfPlatform>
{
      protected:
	static std::string hex(uint64_t value)
	{
		char text[24];

		snprintf(text, sizeof(text), "0x%" PRIx64, value);
		return text;
	}
	// As tests/event/intel has it.
	static std::string written(const IntelEvent &e)
	{
		support::Fields fields = {{"Unit", e.unit},
					  {"EventCode", hex(e.control & 0xff)},
					  {"UMask", hex(e.control >> 8 & 0xff)},
					  {"UMaskExt", hex(e.control >> 32)},
					  {"ExtSel", e.control >> 21 & 1 ? "1" : "0"},
					  {"Deprecated", e.deprecated ? "1" : "0"}};
		const size_t value = e.filter.find('=');
		std::string counters;

		for (char c : e.counters)
			counters += std::string(counters.empty() ? "" : ",") + c;
		fields["Counter"] = e.counters == "fixed" ? "FIXED" : counters;
		if (!e.filter.empty())
			fields["Filter"] = e.filter.substr(0, value);
		if (value != std::string::npos)
			fields["FILTER_VALUE"] = e.filter.substr(value + 1);
		return support::list_event(e.name, fields);
	}
	uncore_options options(const std::vector<IntelEvent> &events)
	{
		auto o = support::sized<uncore_options>();
		std::vector<std::string> lines;

		for (const IntelEvent &e : events)
			if (e.counters != "free" && e.name.back() != '.')
				lines.push_back(written(e));
		tree.write("a.json", support::list_file(lines, GetParam().info));
		file = tree.path("a.json");
		machine = std::string(GetParam().machine) + "packages=1,time=virtual";
		o.machine = machine.c_str();
		o.event_files = file.c_str();
		return o;
	}
	static bool encode(const support::Handle &m, const std::string &name,
			   struct uncore_encoding *encoding)
	{
		unsigned id = 0;

		*encoding = support::sized<struct uncore_encoding>();
		return uncore_event(m.u, name.c_str(), &id) == 0 &&
		       uncore_event_encoding(m.u, id, encoding) == 0;
	}
	// Compare all events, with a list of `loaded` and without one.
	void compare(const std::vector<IntelEvent> &loaded, const std::vector<IntelEvent> &all)
	{
		uncore_options o = options(loaded);
		support::Handle with(o);
		o.event_files = nullptr;
		support::Handle without(o);
		unsigned n = 0;

		ASSERT_EQ(0, with.code) << with.message();
		for (const IntelEvent &e : all) {
			struct uncore_encoding here, before;
			const bool known = encode(with, e.name, &here);

			if (!encode(without, e.name, &before))
				continue;
			n++;
			EXPECT_TRUE(known) << e.name << ": " << with.message();
			if (known && here.code != before.code)
				EXPECT_EQ(hex(e.control), hex(here.control))
					<< e.name << " without the list: " << hex(before.control);
		}
		EXPECT_LT(all.size() / 2, n);
	}

	support::Tree tree;
	std::string file, machine;
};

TEST_P(WholeList, TakesNoEventAway)
{
	const auto all = support::intel_events(std::string(GetParam().list) + ".list");

	compare(all, all);
}

// The experimental list is another file: its events are in the tables under other names.
TEST_P(WholeList, TheRegularListAloneTakesNoEventAway)
{
	const auto all = support::intel_events(std::string(GetParam().list) + ".list");
	std::vector<IntelEvent> regular;

	for (const IntelEvent &e : all)
		if (!e.experimental)
			regular.push_back(e);
	compare(regular, all);
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, WholeList,
	testing::Values(OfPlatform{"snbep", "sim:snbep:", "Sandy Bridge-EP"},
			OfPlatform{"ivbep", "sim:ivbep:", "Ivy Bridge-EP"},
			OfPlatform{"hswep", "sim:hswep:", "Haswell-E"},
			OfPlatform{"bdx", "sim:bdx:", "Intel(R) Xeon(R) Processor E5 v4"},
			OfPlatform{"knl", "sim:knl:", "Xeon Phi"},
			OfPlatform{"skx", "sim:skx:",
				   "Xeon(R) Scalable, based on Skylake microarchitecture"},
			OfPlatform{"clx", "sim:skx:stepping=7,", "Cascade Lake"},
			OfPlatform{"icx", "sim:icx:", "3rd Generation Intel(R) Xeon(R)"},
			OfPlatform{"spr", "sim:spr:hbm=yes,", "Sapphire Rapids"},
			OfPlatform{"emr", "sim:emr:", "5th Generation Intel(R) Xeon(R)"},
			OfPlatform{"gnr", "sim:gnr:", "Xeon(R) 6 Processor with P-cores"},
			OfPlatform{"srf", "sim:srf:", "Xeon(R) 6 Processor with E-cores"},
			OfPlatform{"cwf", "sim:cwf:", "Clearwater Forest"}),
	testing::PrintToStringParamName());

} // namespace
