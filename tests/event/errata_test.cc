// SPDX-License-Identifier: BSD-3-Clause
// errata_test.cc - known errors of events: each row of events/errata.def has a source and is
// about events that exist; events and metrics have it, whatever their box and modifiers.
#include <fnmatch.h>

#include <set>
#include <sstream>

#include "plan/complete.h"
#include "support/described.h"
#include "support/every_event.h"
#include "support/machines.h"
#include "support/sized.h"
#include "types.h"

namespace
{

class Machine : public support::Described
{
      public:
	using Described::Described;

	// The names of all events and umasks.
	std::set<std::string> names() const
	{
		std::set<std::string> names;
		unsigned event, umask;

		for (unsigned i = 0; uncore_listed_event(u, i, &event) == 1; i++) {
			names.insert(uncore_event_name(u, event));
			for (unsigned k = 0; uncore_event_umask(u, event, k, &umask) == 1; k++)
				names.insert(uncore_event_name(u, umask));
		}
		return names;
	}
};

std::vector<std::string> words(const char *text)
{
	std::istringstream in(text);

	return {std::istream_iterator<std::string>(in), {}};
}

bool is_about_any(const struct unc_erratum &e, const std::set<std::string> &names)
{
	return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
		return fnmatch(e.events, name.c_str(), 0) == 0;
	});
}

TEST(Errata, EachHasASourceAndASentence)
{
	unsigned rows = 0;

	for (const struct unc_erratum *e = unc_errata; *e->platforms; e++, rows++) {
		EXPECT_STRNE("", e->source) << e->events;
		EXPECT_GT(strlen(e->text), 20u) << e->events;
		EXPECT_LT(strlen(e->text), 200u) << e->events;
		EXPECT_LE(e->first, e->last) << e->events;
		EXPECT_EQ(nullptr, strchr(e->text, '\n')) << e->events;
		EXPECT_EQ(e->verdict == UNC_ONLY_WITH, strncmp(e->text, "only with", 9) == 0)
			<< e->events;
	}
	EXPECT_GE(rows, 60u);
}

TEST(Errata, EachIsAboutEventsOfItsPlatforms)
{
	std::map<std::string, std::set<std::string>> names;

	for (const struct unc_erratum *e = unc_errata; *e->platforms; e++)
		for (const std::string &platform : words(e->platforms)) {
			if (!names.count(platform))
				names[platform] = Machine(platform).names();
			EXPECT_TRUE(is_about_any(*e, names[platform]))
				<< platform << " has no " << e->events;
		}
}

TEST(Errata, NoRowIsHiddenByOneBefore)
{
	for (const struct unc_erratum *e = unc_errata; *e->platforms; e++)
		for (const struct unc_erratum *before = unc_errata; before < e; before++)
			if (fnmatch(before->events, e->events, 0) == 0) {
				for (const std::string &platform : words(e->platforms)) {
					const auto others = words(before->platforms);
					EXPECT_EQ(0, std::count(others.begin(), others.end(),
								platform))
						<< before->events << " hides " << e->events;
				}
			}
}

TEST(Errata, AnEventHasItWhateverItsBoxAndModifiers)
{
	const Machine m("snbep");

	for (const char *event :
	     {"UNC_H_DIRECTORY_UPDATE:SET", "UNC_H_DIRECTORY_UPDATE:SET:pkg=0",
	      "UNC_H_DIRECTORY_UPDATE:SET:t=3:box=0:pkg=1", "unc_h_directory_update:set"}) {
		const auto info = m.info(event);

		EXPECT_EQ(UNCORE_WRONG, info.verdict) << event;
		ASSERT_NE(nullptr, info.erratum) << event;
		EXPECT_EQ(0, strncmp("wrong: ", info.erratum, 7)) << info.erratum;
		EXPECT_NE(nullptr, strstr(info.source, "pmu-tools")) << event;
	}
	EXPECT_EQ(UNCORE_NO_ERRATUM, m.info("UNC_M_CAS_COUNT:RD").verdict);
	EXPECT_EQ(nullptr, m.info("UNC_M_CAS_COUNT:RD").erratum);
	EXPECT_EQ(nullptr, m.info("UNC_M_CAS_COUNT:RD").source);
	// of one platform only
	EXPECT_EQ(UNCORE_NO_ERRATUM, Machine("ivbep").info("UNC_H_DIRECTORY_UPDATE:SET").verdict);
}

// The counters that the erratum of UNC_UPI_* names.
TEST(Errata, OnlyReliableCountersAreUsed)
{
	for (const char *machine : {"spr", "emr"}) {
		const Machine m(machine);
		unsigned ids[2] = {};
		struct uncore_plan *plan = nullptr;

		ASSERT_EQ(0, uncore_event(m.u, "UNC_UPI_TxL_FLITS:ALL_DATA:box=0:pkg=0", &ids[0]));
		ASSERT_EQ(0, uncore_event(m.u, "UNC_UPI_RxL_FLITS:ALL_DATA:box=0:pkg=0", &ids[1]));
		ASSERT_EQ(0, uncore_plan(m.u, ids, 2, nullptr, &plan));
		ASSERT_TRUE(plan->feasible);
		for (size_t i = 0; i < plan->layout.n; i++)
			EXPECT_EQ(0u, plan->layout.at[i].assignment.counter % 2) << machine;
		uncore_plan_free(plan);
	}
}

TEST(Errata, AMetricHasThatOfItsEvents)
{
	const Machine m("snbep");
	const auto lookups = m.info("UNCORE_LLC_LOOKUPS"),
		   device = m.info("UNCORE_PCIE_WRITE_BYTES_SPLIT:pkg=1");

	EXPECT_EQ(UNCORE_OVERCOUNTS, lookups.verdict);
	EXPECT_NE(nullptr, lookups.instead);
	EXPECT_EQ(UNCORE_UNVERIFIED, device.verdict);
	EXPECT_NE(nullptr, strstr(device.source, "LLC_PCIE_DATA_BYTES"));
	EXPECT_EQ(UNCORE_NO_ERRATUM, m.info("UNCORE_MEM_READ_BYTES").verdict);
}

TEST(Errata, TheListOfAMachineHasThoseOfItsPlatform)
{
	for (const char *platform : {"snbep", "emr", "knl"}) {
		const Machine m(platform);
		unsigned n = 0, expected = 0;
		auto erratum = support::sized<struct uncore_erratum>();

		for (const struct unc_erratum *e = unc_errata; *e->platforms; e++) {
			const auto of = words(e->platforms);
			if (std::count(of.begin(), of.end(), platform) == 0)
				continue;
			expected++;
			ASSERT_EQ(1, uncore_erratum(m.u, n++, &erratum)) << platform;
			EXPECT_STREQ(e->events, erratum.events);
			EXPECT_STREQ(e->source, erratum.source);
			EXPECT_TRUE(!erratum.instead || *erratum.instead) << e->events;
			EXPECT_STRNE("", erratum.evidence);
		}
		EXPECT_EQ(0, uncore_erratum(m.u, expected, &erratum)) << platform;
	}
	auto erratum = support::sized<struct uncore_erratum>();
	erratum.size = 8;
	EXPECT_EQ(UNCORE_EINVAL, uncore_erratum(Machine("snbep").u, 0, &erratum));
}

} // namespace
