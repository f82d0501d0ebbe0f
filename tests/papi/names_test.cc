// SPDX-License-Identifier: BSD-3-Clause
// names_test.cc - requirements R11 to R15: names, enumeration, sums, flags, limits.
#include "papi/papi_calls.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "support/machines.h"

namespace
{

PAPI_event_info_t info_of(int code)
{
	PAPI_event_info_t info;

	std::memset(&info, 0, sizeof(info));
	EXPECT_EQ(PAPI_OK, PAPI_get_event_info(code, &info)) << name_of(code);
	return info;
}

std::string changed(std::string text, int (*letter)(int))
{
	for (char &c : text)
		c = static_cast<char>(letter(c));
	return text;
}

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:=";

// ---- R11 ----

TEST(Requirements, R11_NamesAreShortAndOfLettersThatToolsUnderstand)
{
	for (int event : listed_events()) {
		std::vector<int> codes = umasks_of(event);

		codes.push_back(event);
		for (int code : codes) {
			const std::string name = name_of(code);

			EXPECT_EQ(0u, name.rfind("uncore:::", 0)) << name;
			EXPECT_LE(name.size(), 100u) << name;
			EXPECT_EQ(std::string::npos, name.find_first_not_of(kAlphabet)) << name;
		}
	}
}

TEST(Requirements, R11_EventsAndUmasksAreDescribed)
{
	size_t umasks = 0, real = 0;

	for (int event : listed_events()) {
		const PAPI_event_info_t info = info_of(event);

		EXPECT_EQ("uncore:::" + std::string(info.symbol).substr(9), name_of(event));
		EXPECT_STRNE("", info.long_descr) << info.symbol;
		EXPECT_STRNE("", info.short_descr) << info.symbol;
		EXPECT_NE(nullptr, std::strstr(info.units, "(simulated)")) << info.symbol;
		// Only means are real, and a mean is no running sum.
		EXPECT_EQ(info.data_type == PAPI_DATATYPE_INT64,
			  info.value_type == PAPI_VALUETYPE_RUNNING_SUM)
			<< info.symbol;
		real += info.data_type == PAPI_DATATYPE_FP64;
		EXPECT_TRUE(info.data_type == PAPI_DATATYPE_INT64 ||
			    std::strstr(info.symbol, "UNCORE_"))
			<< info.symbol;
		for (int code : umasks_of(event)) {
			const PAPI_event_info_t umask = info_of(code);

			// papi_native_avail looks for this, papi_event_chooser for a colon.
			const char *masks = std::strstr(umask.long_descr, ", masks:");

			ASSERT_NE(nullptr, masks) << umask.symbol;
			EXPECT_EQ(masks + 7, std::strchr(umask.long_descr, ':'))
				<< umask.long_descr;
			umasks++;
		}
	}
	EXPECT_GT(umasks, 200u);
	EXPECT_LT(15u, real);
}

TEST(Requirements, R11_LetterCaseDoesNotMatter)
{
	for (int event : listed_events()) {
		const std::string name = name_of(event).substr(9);

		EXPECT_EQ(event, code_of(name));
		EXPECT_EQ(event, code_of(changed(name, std::tolower))) << name;
		EXPECT_EQ(event, code_of(changed(name, std::toupper))) << name;
	}
}

TEST(Requirements, R11_NamesOfOneEventAreOneEvent)
{
	const char *const spellings[] = {
		"unc_m_cas_count:rd:box=3:pkg=1",
		"UNC_M_CAS_COUNT:BOX=3:RD:PKG=1",
		"UNC_M_CAS_COUNT:pkg=0x1:RD:box=3",
		"snbep_unc_imc3::UNC_M_CAS_COUNT:RD:pkg=1",
	};
	const int code = code_of("UNC_M_CAS_COUNT:RD:box=3:pkg=1");
	EventSet set({"UNC_M_CAS_COUNT:RD:box=3:pkg=1"});

	ASSERT_GE(code, 0);
	EXPECT_EQ("uncore:::UNC_M_CAS_COUNT:RD:box=3:pkg=1", name_of(code));
	for (const char *spelling : spellings) {
		EXPECT_EQ(code, code_of(spelling)) << spelling;
		EXPECT_EQ(PAPI_ECNFLCT, set.add(spelling)) << spelling;
	}
	EXPECT_EQ(1, PAPI_num_events(set.id));
}

TEST(Requirements, R11_WrongNamesSayWhatIsWrong)
{
	EXPECT_EQ(PAPI_ENOEVNT, code_of("UNC_M_NONSENSE"));
	EXPECT_EQ(PAPI_ENOEVNT, code_of("UNC_"));
	EXPECT_EQ(PAPI_ENOEVNT, code_of("nonsense"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_M_CAS_COUNT:NONSENSE"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_M_CAS_COUNT:RD:nonsense=1"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_M_CAS_COUNT:RD:box=9"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_M_CAS_COUNT:RD:pkg=2"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_M_CAS_COUNT:RD:t=300"));
	EXPECT_EQ(PAPI_EATTR, code_of("UNC_C_TOR_INSERTS:OPCODE"));
	EXPECT_EQ(PAPI_ECOMBO, code_of("UNC_M_CAS_COUNT:RD:WR"));
	EXPECT_EQ(PAPI_EINVAL, code_of("UNC_M_CAS_COUNT:" + std::string(150, 'x')));
}

TEST(Requirements, R11_NamesOfOthersAreLeftToThem)
{
	int code = 0;

	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("NO_SUCH_EVENT_ANYWHERE", &code));
	EXPECT_NE(PAPI_OK, PAPI_event_name_to_code("sde:::UNC_M_CLOCKTICKS", &code));
	EXPECT_EQ(PAPI_OK, PAPI_query_named_event("uncore:::UNC_M_CLOCKTICKS"));
	EXPECT_NE(PAPI_OK, PAPI_query_named_event("uncore:::UNC_M_NONSENSE"));
	// A thread's own instructions: the sum over all CPUs must never be given for them.
	EXPECT_NE(PAPI_OK, PAPI_query_named_event("uncore:::INSTRUCTION_RETIRED"));
	if (PAPI_event_name_to_code("INSTRUCTION_RETIRED", &code) == PAPI_OK) {
		EXPECT_NE(0u, name_of(code).find("uncore"));
	}
}

// ---- R12 ----

TEST(Requirements, R12_TheListIsShortCompleteAndTheSameEachTime)
{
	const auto codes = listed_events();
	std::set<std::string> names;

	EXPECT_GT(codes.size(), 100u);
	EXPECT_LE(codes.size(), 1000u);
	EXPECT_EQ(static_cast<int>(codes.size()),
		  PAPI_get_component_info(component())->num_native_events);
	EXPECT_EQ(codes, listed_events());
	for (int code : codes)
		EXPECT_TRUE(names.insert(name_of(code)).second) << name_of(code);
	for (const auto &name : names)
		EXPECT_EQ(std::string::npos, name.find('='))
			<< "a box, package or modifier: " << name;
}

TEST(Requirements, R12_EachListedEventCanBeCountedAlone)
{
	for (int code : listed_events()) {
		int set = PAPI_NULL;
		long long count = -1;

		ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code)) << name_of(code);
		EXPECT_EQ(PAPI_OK, PAPI_start(set)) << name_of(code);
		PAPI_stop(set, &count);
		EXPECT_GE(count, 0) << name_of(code);
		EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
		EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
	}
}

// Tools save names of listed events and look them up later.
void expect_inverse(int code, std::set<std::string> *names)
{
	const std::string name = name_of(code);

	EXPECT_EQ(code, code_of(name)) << name;
	EXPECT_EQ(name, name_of(code_of(name)));
	EXPECT_TRUE(names->insert(name).second) << name;
}

// Every event and umask of UNCORE_MACHINE.  The number of events is PAPI's before the list.
int enumerated()
{
	std::set<std::string> names;
	size_t umasks = 0;

	papi_init();
	const std::vector<int> events = listed_events();

	EXPECT_EQ(static_cast<int>(events.size()),
		  PAPI_get_component_info(component())->num_native_events);
	for (int event : events) {
		expect_inverse(event, &names);
		for (int code : umasks_of(event)) {
			expect_inverse(code, &names);
			umasks++;
		}
	}
	EXPECT_LT(events.size(), umasks);
	PAPI_shutdown();
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode enumerated_mode("enumerated", enumerated);

TEST(Requirements, R12_NamesAndCodesOfEverythingListedAreInverse)
{
	for (const std::string machine : support::kMachines)
		for (const char *all : {"0", "1"}) {
			const Ended ended =
				run_mode("enumerated", {{"UNCORE_MACHINE", "sim:" + machine},
							{"UNCORE_LIST_ALL", all}});

			EXPECT_EQ(0, ended.status)
				<< machine << ": " << ended.output.substr(0, 2000);
		}
}

// Tools take the qualifiers that an event supports from this list.
TEST(Requirements, R12_UmasksAndQualifiersAreListed)
{
	std::set<std::string> names;

	for (int code : umasks_of(code_of("UNC_M_CAS_COUNT")))
		names.insert(name_of(code).substr(std::strlen("uncore:::UNC_M_CAS_COUNT")));
	EXPECT_EQ((std::set<std::string>{":ALL", ":RD", ":RD_REG", ":RD_UNDERFILL", ":WR",
					 ":WR_RMM", ":WR_WMM", ":e=0", ":i=0", ":t=0", ":box=0",
					 ":pkg=0", ":cpu=0"}),
		  names);
}

TEST(Requirements, R12_WalksEndForModifiersThatMeanNothingHere)
{
	for (int modifier : {PAPI_NTV_ENUM_GROUPS, PAPI_NTV_ENUM_UMASK_COMBOS, PAPI_NTV_ENUM_IARR,
			     PAPI_PRESET_ENUM_AVAIL}) {
		int code = code_of(kMemClock);

		EXPECT_NE(PAPI_OK, PAPI_enum_cmp_event(&code, modifier, component())) << modifier;
	}
}

// ---- R13 ----

TEST(Requirements, R13_AnEventIsTheSumOverItsBoxesAndPackages)
{
	const std::string event = kReads;
	EventSet set({event, event + ":pkg=0", event + ":pkg=1"});

	for (const char *box : {":box=0", ":box=1", ":box=2", ":box=3"})
		for (const char *package : {":pkg=0", ":pkg=1", ""})
			EXPECT_EQ(PAPI_OK, set.add(event + box + package)) << box << package;
	set.start();
	wait_ms(10);
	const auto n = set.stop();

	set.check(n);
	EXPECT_EQ(n[0], n[1] + n[2]);
	EXPECT_EQ(n[0], n[5] + n[8] + n[11] + n[14]);
	EXPECT_EQ(n[1], n[3] + n[6] + n[9] + n[12]);
	EXPECT_EQ(n[2], n[4] + n[7] + n[10] + n[13]);
	for (size_t i = 3; i < n.size(); i++) {
		EXPECT_GT(n[i], 0) << set.events[i];
		for (size_t k = 3; k < i; k++)
			EXPECT_NE(n[k], n[i]) << set.events[k] << ", " << set.events[i];
	}
}

TEST(Requirements, R13_AnEventOfTheCpusIsTheSumOverThem)
{
	const std::string event = "ix86arch::LLC_MISSES";
	EventSet set({event, event + ":pkg=0", event + ":pkg=1"});

	for (unsigned cpu = 0; cpu < 16; cpu++)
		EXPECT_EQ(PAPI_OK, set.add("IX86arch::llc_misses:cpu=" + std::to_string(cpu)));
	set.start();
	wait_ms(10);
	const auto n = set.stop();
	long long sum = 0;

	ASSERT_EQ(19u, n.size());
	for (unsigned i = 3; i < 19; i++) {
		EXPECT_GT(n[i], 0);
		sum += n[i];
	}
	EXPECT_EQ(n[0], n[1] + n[2]);
	EXPECT_EQ(n[0], sum);
}

TEST(Requirements, R13_DifferentBoxesSeeTheSameTraffic)
{
	EventSet set({kReads, "UNC_H_REQUESTS:READS"});

	set.start();
	wait_ms(10);
	set.check(set.stop());
}

// ---- R14, R15 ----

TEST(Requirements, R14_TheComponentPromisesNothingThatCountersOfAPackageCannotDo)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component());

	EXPECT_STREQ("uncore", info->name);
	EXPECT_STREQ("uncore", info->short_name);
	EXPECT_NE(nullptr, std::strstr(info->description, "SIMULATED"));
	EXPECT_EQ(0u, info->kernel_profile);
	EXPECT_EQ(0u, info->hardware_intr);
	EXPECT_EQ(0u, info->attach);
	EXPECT_EQ(0u, info->cpu);
	EXPECT_EQ(0u, info->inherit);
	EXPECT_EQ(PAPI_GRN_SYS, info->default_granularity);
	EXPECT_EQ(PAPI_GRN_SYS, info->available_granularities);
	EXPECT_EQ(PAPI_DOM_ALL, info->default_domain);
}

TEST(Requirements, R14_OptionsThatMakeNoSenseAreRefusedAndDoNoHarm)
{
	EventSet set({kMemClock});
	PAPI_option_t option;

	std::memset(&option, 0, sizeof(option));
	option.domain.eventset = set.id;
	option.domain.domain = PAPI_DOM_USER;
	EXPECT_NE(PAPI_OK, PAPI_set_opt(PAPI_DOMAIN, &option));
	option.domain.domain = PAPI_DOM_ALL;
	EXPECT_EQ(PAPI_OK, PAPI_set_opt(PAPI_DOMAIN, &option));
	option.granularity.granularity = PAPI_GRN_THR;
	EXPECT_NE(PAPI_OK, PAPI_set_opt(PAPI_GRANUL, &option));
	option.granularity.granularity = PAPI_GRN_SYS;
	EXPECT_EQ(PAPI_OK, PAPI_set_opt(PAPI_GRANUL, &option));
	option.inherit.inherit = 1;
	EXPECT_NE(PAPI_OK, PAPI_set_opt(PAPI_INHERIT, &option));
	option.cpu.cpu_num = 0;
	EXPECT_NE(PAPI_OK, PAPI_set_opt(PAPI_CPU_ATTACH, &option));
	EXPECT_NE(PAPI_OK, PAPI_attach(set.id, 1));

	set.start();
	wait_ms(2);
	set.check(set.stop());
}

// TAU_PAPI_DOMAIN: a default of component 0, which ours has to put up with.
TEST(Requirements, R14_TheDefaultDomainOfOthersDoesNotMatter)
{
	EXPECT_EQ(PAPI_OK, PAPI_set_domain(PAPI_DOM_USER));
	{
		EventSet set({kMemClock});

		set.start();
		wait_ms(2);
		set.check(set.stop());
	}
}

TEST(Requirements, R15_ManyEventsFit)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component());

	EXPECT_EQ(info->num_cntrs, PAPI_num_cmp_hwctrs(component()));
	EXPECT_GE(info->num_cntrs, 64);
	EXPECT_LE(info->num_cntrs, 1024); // PAPI keeps an array of as many on the signal stack
	EXPECT_EQ(info->num_cntrs, info->num_mpx_cntrs);
}

// Every place of every listed event, until no more is taken.
TEST(Requirements, R15_AFullSetCountsAndTakesNoMore)
{
	const size_t full = static_cast<size_t>(PAPI_num_cmp_hwctrs(component()));
	EventSet set({kMemClock, kReads});

	for (int code : listed_events())
		for (const char *package : {"", ":pkg=0", ":pkg=1"})
			for (const char *box : {"", ":box=0", ":box=1", ":box=2", ":box=3",
						":box=4", ":box=5", ":box=6", ":box=7"})
				if (set.events.size() < full)
					set.add(name_of(code) + box + package);
	ASSERT_EQ(full, set.events.size());
	EXPECT_EQ(PAPI_OK, set.remove(kReads));
	EXPECT_EQ(PAPI_OK, set.add(kReads));
	EXPECT_EQ(PAPI_ECNFLCT, set.add(kWrites));
	set.start();
	wait_ms(5);
	set.check(set.read());
	wait_ms(5);
	set.check(set.stop());
}

// ---- PMUs ----

std::vector<std::string> pmus()
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component());
	std::vector<std::string> all;

	for (const char *pmu : info->pmu_names)
		if (pmu)
			all.emplace_back(pmu);
	return all;
}

TEST(Pmus, AreTheKindsOfBoxesOfTheMachine)
{
	const std::vector<std::string> kinds = {
		"snbep_unc_cbo", "snbep_unc_ubo", "snbep_unc_pcu",    "snbep_unc_ha",
		"snbep_unc_imc", "snbep_unc_qpi", "snbep_unc_r2pcie", "snbep_unc_r3qpi"};

	ASSERT_FALSE(listed_events().empty());
	EXPECT_EQ(kinds, pmus());
}

TEST(Pmus, AreAcceptedInNames)
{
	ASSERT_FALSE(listed_events().empty());
	for (const std::string &pmu : pmus())
		EXPECT_LT(0, code_of(pmu + "::RAW:config=0x1")) << pmu;
	EXPECT_EQ(code_of(kReads), code_of("snbep_unc_imc::" + std::string(kReads)));
}

// The home agents are hidden.
int hidden()
{
	setenv("UNCORE_MACHINE", "sim:snbep:hide=3c46", 1);
	papi_init();
	if (listed_events().empty())
		return 1;
	for (const std::string &pmu : pmus())
		std::printf("%s\n", pmu.c_str());
	PAPI_shutdown();
	return pmus().empty() ? 0 : 2;
}
const Mode hidden_mode("hidden", hidden);

TEST(Pmus, AreThoseOfPresentBoxesUntilShutdown)
{
	const Ended ended = run_mode("hidden");

	EXPECT_EQ(0, ended.status) << ended.output;
	EXPECT_NE(std::string::npos, ended.output.find("snbep_unc_imc\n")) << ended.output;
	EXPECT_EQ(std::string::npos, ended.output.find("snbep_unc_ha\n")) << ended.output;
}

} // namespace
