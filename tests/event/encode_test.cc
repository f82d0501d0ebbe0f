// SPDX-License-Identifier: BSD-3-Clause
// encode_test.cc - every event of libpfm4's tables of every platform with its umasks
// and modifiers: same control value, same filter bits, same refusals as when
// libpfm4 is asked directly.
#include <cstdlib>
#include <cstring>
#include <fnmatch.h>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include "plan/complete.h"
#include "support/libpfm4_wrong.h"
#include "support/plan.h"
#include "support/seeds.h"
#include "support/simulated.h"
#include "support/sized.h"
#include "support/stepped.h"

namespace
{

using namespace support::libpfm4;

struct Attr {
	std::string name;
	bool umask, flag;
};

struct PfmEvent {
	std::string pmu, kind, name; // "snbep_unc_cbo0", "cbo", "UNC_C_TOR_INSERTS"
	std::vector<Attr> umasks, modifiers;
};

struct Code {
	bool ok;
	uint64_t control, filter;
};

Code ask_libpfm4(const std::string &name)
{
	pfm_pmu_encode_arg_t arg = {};
	Code code = {false, 0, 0};

	arg.size = sizeof(arg);
	code.ok = pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg) ==
		  PFM_SUCCESS;
	if (code.ok) {
		code.control = arg.codes[0];
		code.filter = arg.count > 1 ? arg.codes[1] : 0;
		code.filter |= arg.count > 2 ? arg.codes[2] << 32 : 0;
	}
	free(arg.codes);
	return code;
}

std::vector<PfmEvent> events_of(const pfm_pmu_info_t &pmu, const std::string &kind)
{
	std::vector<PfmEvent> list;

	for (int e = pmu.first_event; e >= 0; e = pfm_get_event_next(e)) {
		pfm_event_info_t info = {};
		PfmEvent ev;

		info.size = sizeof(info);
		EXPECT_EQ(PFM_SUCCESS, pfm_get_event_info(e, PFM_OS_NONE, &info));
		ev.pmu = pmu.name;
		ev.kind = kind;
		ev.name = info.name;
		for (int a = 0;; a++) {
			pfm_event_attr_info_t attr = {};

			attr.size = sizeof(attr);
			if (pfm_get_event_attr_info(e, a, PFM_OS_NONE, &attr) != PFM_SUCCESS)
				break;
			(attr.type == PFM_ATTR_UMASK ? ev.umasks : ev.modifiers)
				.push_back({attr.name, attr.type == PFM_ATTR_UMASK,
					    attr.type == PFM_ATTR_MOD_BOOL});
		}
		list.push_back(ev);
	}
	return list;
}

/* The events of one PMU of every box type: cbo0 represents all CBos. */
std::vector<PfmEvent> all_events(const Platform &platform)
{
	const std::string prefix = platform.name + "_unc_";
	std::vector<PfmEvent> list;

	for (int i = 0;; i++) {
		pfm_pmu_info_t info = {};

		info.size = sizeof(info);
		const int r = pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &info);
		if (r == PFM_ERR_INVAL)
			return list;
		if (r != PFM_SUCCESS || strncmp(info.name, prefix.c_str(), prefix.size()) != 0)
			continue;
		std::string kind = info.name + prefix.size();
		const size_t digits = kind.find_last_not_of("0123456789") + 1;
		const std::string index = kind.substr(digits);
		kind.erase(digits);
		if (!(index.empty() || index == "0"))
			continue;
		for (const PfmEvent &ev : events_of(info, kind))
			list.push_back(ev);
	}
}

std::vector<std::string> split(const std::string &parts)
{
	std::vector<std::string> list;
	std::istringstream in(parts);

	for (std::string part; std::getline(in, part, ':');)
		if (!part.empty() && part.find('=') == std::string::npos)
			list.push_back(part);
	return list;
}

/* libpfm4's control value put right: umasks are or-ed together. */
uint64_t corrected(const Platform &platform, const PfmEvent &ev, const std::string &parts,
		   uint64_t control)
{
	uint64_t umasks = 0, set = 0;
	bool fixed = false;

	std::vector<std::string> names = split(parts);

	if (names.empty())
		names.push_back(""); /* libpfm4's default, which may be wrong, too */
	for (const std::string &umask : names) {
		const UmaskFix *fix = nullptr;

		for (const UmaskFix &f : platform.umask_fixes)
			if (fnmatch(f.event, ev.name.c_str(), FNM_EXTMATCH) == 0 &&
			    umask == f.umask)
				fix = &f;
		const Code alone =
			ask_libpfm4(ev.pmu + "::" + ev.name + (umask.empty() ? "" : ":" + umask));
		if (fix && (control >> 8 & fix->unless))
			fix = nullptr;
		fixed |= fix != nullptr;
		if (fix && alone.ok) {
			EXPECT_EQ(fix->theirs, alone.control >> 8 & 0x1ff)
				<< ev.name << ":" << umask << ": not wrong any more";
		}
		set |= fix ? fix->set : 0;
		umasks |= fix ? fix->code : alone.ok ? alone.control >> 8 & 0xff : 0;
	}
	if (fixed)
		control = (control & ~UINT64_C(0x1ff00)) | umasks << 8 | set;
	for (const EventFix &f : platform.event_fixes)
		if (ev.name == f.event)
			control = (control & ~f.clear) | f.set;
	return control;
}

/*
 * Inversion and edge detect of an occupancy of SKX's PCU, bits 30 and 31, which libpfm4's threshold
 * of 8 bits overwrites.
 */
uint64_t overwritten(const PfmEvent &ev, const std::string &parts)
{
	const bool threshold = parts.find(":e=1:i=1:t=5") != std::string::npos;

	return ev.pmu == "skx_unc_pcu" && ev.name == "UNC_P_POWER_STATE_OCCUPANCY" && threshold
		       ? UINT64_C(3) << 30
		       : 0;
}

/*
 * FILTER1 of SKX's TOR events: lmem is its nm bit, where libpfm4 takes loc's, and of targets,
 * memories and opcodes that nothing narrows it has all, as in Intel's list (0x40433 for DRd).
 */
uint64_t filter1(const std::string &parts, uint64_t theirs)
{
	const uint64_t loc = 1u << 1, all_opc = 1u << 3, nm = 1u << 4;
	const uint64_t targets = 0x3, memories = 0x30, opcodes = 0x1ffffe00;
	uint64_t f = theirs;

	if (parts.find(":lmem=1") != std::string::npos)
		f = (parts.find(":loc=1") == std::string::npos ? f & ~loc : f) | nm;
	f |= f & targets ? 0 : targets;
	f |= f & memories ? 0 : memories;
	return f | (f & (opcodes | all_opc) ? 0 : all_opc);
}

/* An opcode with umasks that ignore it: bit 0 of a TOR umask makes it effective. */
bool is_idle_opcode(const Platform &platform, const PfmEvent &ev, const std::string &parts,
		    uint64_t control)
{
	return platform.opcode_bit && ev.name.find(platform.tor) == 0 && !(control & 0x100) &&
	       parts.find(":OPC_") != std::string::npos;
}

/*
 * Parts to try: nothing, every umask, every two umasks (a filter-only umask like
 * OPC_* needs another one), and each of these with every modifier.
 */
std::vector<std::string> umask_parts(const PfmEvent &ev)
{
	std::vector<std::string> list = {""}, pairs;

	for (size_t i = 0; i < ev.umasks.size(); i++) {
		list.push_back(":" + ev.umasks[i].name);
		for (size_t j = i + 1; j < ev.umasks.size(); j++)
			pairs.push_back(":" + ev.umasks[i].name + ":" + ev.umasks[j].name);
	}
	for (const std::string &pair : support::part_of(pairs))
		list.push_back(pair);
	return list;
}

std::vector<std::string> modifier_parts(const PfmEvent &ev)
{
	std::vector<std::string> list = {""};

	for (const Attr &m : ev.modifiers) {
		list.push_back(":" + m.name + "=1");
		if (m.flag)
			list.push_back(":" + m.name + "=0");
		else
			for (const char *value : {"=3", "=31", "=255", "=256"})
				list.push_back(":" + m.name + value);
	}
	/* nf= and a threshold, edges and inversion together */
	list.push_back(":nf=2:t=5");
	list.push_back(":e=1:i=1:t=5");
	list.push_back(":nf=2:tf=17:e=1");
	/* two kinds of targets, and of memory, of SKX's TOR */
	for (const char *flags : {":loc=1:lmem=1", ":rem=1:lmem=1", ":lmem=1:rmem=1",
				  ":loc=1:rmem=1", ":loc=1:rem=1", ":isoc=1:lmem=1"})
		list.push_back(flags);
	return list;
}

class Encode : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string prefix = platform.name + "_unc_";
	Simulated sim{("sim:" + platform.name + ":packages=1,time=virtual")
			      .c_str()}; // makes libpfm4 encode for a CPU that is not this one

	bool lacks_modifier(const PfmEvent &ev, const std::string &parts) const
	{
		const bool knl =
			platform.name == "knl" && parts.find(":e=1:i=1") != std::string::npos;

		return knl || (ev.kind == "iio" && parts.find(":t=256") != std::string::npos);
	}
	/* Whether the name was accepted. */
	bool compare(const PfmEvent &ev, const std::string &parts, const Code &code)
	{
		const std::string name = prefix + ev.kind + "::" + ev.name + parts;
		const struct unc_event *ours = sim.event(name);
		uint64_t filter = 0, mask = 0;

		/* libpfm4 lacks the modifiers e, i and t of KNL's events and 4 bits of IIO's
		 * threshold, which the driver's format has */
		if (!code.ok && lacks_modifier(ev, parts)) {
			EXPECT_NE(nullptr, ours) << name << ": " << sim.why();
			return false;
		}
		if (!code.ok) {
			EXPECT_EQ(nullptr, ours) << name << ": libpfm4 refuses it";
			return false;
		}
		/* libpfm4 takes 8 bits of threshold where the U-Box and the PCU have 5 */
		if ((ev.kind == "ubo" || ev.kind == "pcu") &&
		    parts.find(":t=255") != std::string::npos) {
			EXPECT_EQ(nullptr, ours) << name;
			return false;
		}
		if (is_idle_opcode(platform, ev, parts, code.control)) {
			EXPECT_EQ(nullptr, ours) << name << ": it changes nothing";
			return false;
		}
		EXPECT_NE(nullptr, ours) << name << ": " << sim.why();
		if (!ours)
			return false;
		for (unsigned i = 0; i < ours->n_bits; i++) {
			const unsigned shift = ours->bits[i].filter == 1 ? 32 : 0;

			filter |= ours->bits[i].value << shift;
			mask |= ours->bits[i].mask << shift;
		}
		const uint64_t above = ev.kind == "upi" ? code.filter << 32 : 0;

		EXPECT_EQ(corrected(platform, ev, parts, code.control) | above |
				  overwritten(ev, parts),
			  ours->control)
			<< name;
		const bool tor = ev.name.find(platform.tor) == 0;
		uint64_t expected = above ? 0 : code.filter | (tor ? platform.tor_filter : 0);

		if (tor && platform.whole)
			expected =
				filter1(parts, code.filter >> 32) << 32 | (expected & UINT32_MAX);
		EXPECT_EQ(expected, filter) << name;
		EXPECT_EQ(filter, filter & mask) << name;
		EXPECT_EQ(ev.kind, ours->type->name);
		EXPECT_EQ(ev.kind == "imc" && code.control == 0xff, ours->fixed) << name;
		return true;
	}
};

TEST_P(Encode, AllOfLibpfm4sEventsAreThere)
{
	std::map<std::string, unsigned> count;
	unsigned all = 0;

	for (const PfmEvent &ev : all_events(platform)) {
		count[ev.kind]++;
		all++;
	}
	EXPECT_EQ(platform.kinds, count.size());
	EXPECT_LE(platform.events, all);
}

TEST_P(Encode, EveryUmaskAndPairOfUmasksAsInLibpfm4)
{
	std::map<std::string, unsigned> accepted;

	for (const PfmEvent &ev : all_events(platform)) {
		for (const std::string &umasks : umask_parts(ev))
			for (const std::string &parts : {umasks, umasks + ":nf=3"}) {
				const Code code = ask_libpfm4(ev.pmu + "::" + ev.name + parts);

				if (umasks.empty() && !code.ok)
					continue; // we add a default umask: see below
				accepted[ev.name] += compare(ev, parts, code);
			}
		if (HasFailure())
			return;
	}
	/* OPC_* needs an opcode umask with it, which the pairs provide */
	const unsigned names = support::all_seeds() ? platform.tor_names : platform.tor_names / 20;

	EXPECT_LE(names, accepted[platform.tor + std::string("_INSERTS")]);
	EXPECT_LE(names, accepted[platform.tor + std::string("_OCCUPANCY")]);
}

TEST_P(Encode, EveryModifierAsInLibpfm4)
{
	unsigned accepted = 0;

	for (const PfmEvent &ev : support::part_of(all_events(platform))) {
		std::vector<std::string> umasks = {""};

		for (const Attr &u : ev.umasks)
			umasks.push_back(":" + u.name);
		for (const std::string &umask : umasks)
			for (const std::string &modifier : modifier_parts(ev)) {
				const std::string parts = umask + modifier;
				const Code code = ask_libpfm4(ev.pmu + "::" + ev.name + parts);

				if (umask.empty() && !code.ok)
					continue;
				accepted += compare(ev, parts, code);
			}
		if (HasFailure())
			return;
	}
	EXPECT_LE(platform.modified / (support::all_seeds() ? 1 : 2 * support::share()), accepted);
}

/* "MISS_ALL" of "TOR Inserts (counted with :MISS_ALL)" */
std::string reported_default(const std::string &text)
{
	const std::string begin = "(counted with :";
	const size_t from = text.find(begin);

	return from == std::string::npos ? ""
					 : text.substr(from + begin.size(),
						       text.find(')', from) - from - begin.size());
}

/* Also where libpfm4 has the default's code wrong: bare is what its parts by name are. */
TEST_P(Encode, EveryBareEventIsItsDefaultByName)
{
	const std::string spec = "sim:" + platform.name + ":packages=1";
	const support::Handle handle(support::sim_options(spec.c_str()));
	struct uncore *u = handle.u;
	unsigned defaults = 0;

	for (const PfmEvent &ev : all_events(platform)) {
		const std::string name = prefix + ev.kind + "::" + ev.name;
		auto info = support::sized<struct uncore_event_info>();
		unsigned id = 0;

		ASSERT_EQ(0, uncore_event(u, name.c_str(), &id)) << name;
		ASSERT_EQ(0, uncore_event_info(u, id, &info));
		const std::string parts = reported_default(info.text);
		const struct unc_event *bare = sim.event(name);

		ASSERT_NE(nullptr, bare) << name << ": " << sim.why();
		if (parts.empty())
			continue;
		const struct unc_event *named = sim.event(name + ":" + parts);
		ASSERT_NE(nullptr, named) << name << ":" << parts << ": " << sim.why();
		EXPECT_EQ(named->control, bare->control) << name << ":" << parts;
		ASSERT_EQ(named->n_bits, bare->n_bits) << name;
		for (unsigned i = 0; i < bare->n_bits; i++)
			EXPECT_EQ(named->bits[i].value, bare->bits[i].value) << name;
		defaults++;
	}
	EXPECT_LT(0u, defaults);
}

/* libpfm4 gives an event of Haswell-EP's S-Box the name of one of the C-Box. */
TEST(EncodeNames, AnEventWithTheNameOfAnotherBoxKeepsItsPmu)
{
	Simulated sim("sim:hswep:packages=1");
	const struct unc_event *cbo = sim.event("UNC_C_BOUNCE_CONTROL");
	const struct unc_event *sbo = sim.event("hswep_unc_sbo2::UNC_C_BOUNCE_CONTROL:t=1");

	ASSERT_TRUE(cbo && sbo);
	EXPECT_STREQ("cbo", cbo->type->name);
	EXPECT_STREQ("sbo", sbo->type->name);
	ASSERT_TRUE(unc_numbers_are_one(&sbo->where.boxes));
	EXPECT_EQ(2, sbo->where.boxes.range[0].low);
	EXPECT_EQ(0x100000au, sbo->control);
	EXPECT_EQ(nullptr, sim.event("hswep_unc_ha::UNC_C_BOUNCE_CONTROL"));
}

/* As on Ice Lake-X and later: a newer libpfm4 has some of their events, with other codes. */
TEST(EncodeNames, WhereAllEventsAreInOurTablesLibpfm4IsNotAsked)
{
	for (const bool rows_only : {false, true}) {
		Simulated sim("sim:snbep:packages=1");
		struct unc_platform platform = *sim.machine.platform;
		struct unc_platform_desc desc = *platform.desc;
		struct unc_names *names = nullptr;
		struct unc_err err;
		unsigned id = 0;

		unc_err_init(&err);
		desc.rows_only = rows_only;
		platform.desc = &desc;
		sim.machine.platform = &platform;
		ASSERT_EQ(0, unc_names_new(&names, &sim.machine, nullptr, &err));
		EXPECT_EQ(rows_only ? UNCORE_ENOEVENT : 0,
			  unc_names_find(names, "UNC_M_CLOCKTICKS", &id, nullptr));
		unc_names_free(names);
		unc_err_destroy(&err);
	}
	for (const struct unc_platform *p :
	     {&unc_icx, &unc_spr, &unc_emr, &unc_gnr, &unc_srf, &unc_cwf})
		EXPECT_TRUE(p->desc->rows_only) << p->name;
}

/* A bare event name has a default: libpfm4's, or the library's if libpfm4 has none. */
TEST_P(Encode, EveryBareEventIsLibpfm4sWithSomeParts)
{
	unsigned defaults = 0;

	for (const PfmEvent &ev : all_events(platform)) {
		const std::string name = prefix + ev.kind + "::" + ev.name;
		const Code bare = ask_libpfm4(ev.pmu + "::" + ev.name);
		const struct unc_event *ours = sim.event(name);
		bool found = false;

		ASSERT_NE(nullptr, ours) << name << ": " << sim.why();
		if (bare.ok) {
			compare(ev, "", bare);
			continue;
		}
		defaults++;
		for (const Attr &u : ev.umasks) {
			const Code code = ask_libpfm4(ev.pmu + "::" + ev.name + ":" + u.name);

			found |= code.ok && corrected(platform, ev, ":" + u.name, code.control) ==
						    ours->control;
		}
		/* or all of its umasks but those that stand for several */
		found |= ours->control >> 8 == 0x0f && ev.name.find("UNC_C_RING_") == 0;
		for (unsigned ff : {12, 20, 28, 36}) {
			const Code code =
				ask_libpfm4(ev.pmu + "::" + ev.name + ":ff=" + std::to_string(ff));

			found |= code.ok && code.control == ours->control && ours->n_bits == 1 &&
				 code.filter == ours->bits[0].value;
		}
		EXPECT_TRUE(found) << name << " is " << std::hex << ours->control;
	}
	EXPECT_LT(0u, defaults);
}

/* The public interface: number, name and plan of the same event. */
TEST_P(Encode, ThePlanHasTheControlValue)
{
	const std::string spec = "sim:" + platform.name + ":packages=1";
	const support::Handle handle(support::sim_options(spec.c_str()));
	struct uncore *u = handle.u;

	for (const PfmEvent &ev : all_events(platform)) {
		const Code code = ask_libpfm4(ev.pmu + "::" + ev.name);
		struct uncore_plan *plan = nullptr;
		unsigned id = 0, again = 0;

		ASSERT_EQ(0, uncore_event(u, ev.name.c_str(), &id)) << ev.name;
		ASSERT_EQ(0, uncore_event(u, uncore_event_name(u, id), &again));
		EXPECT_EQ(id, again);
		ASSERT_EQ(0, uncore_plan(u, &id, 1, nullptr, &plan));
		ASSERT_TRUE(plan->feasible) << plan->layout.reason;
		for (size_t i = 0; code.ok && i < plan->layout.n; i++) {
			EXPECT_EQ(corrected(platform, ev, "", code.control),
				  plan->layout.at[i].assignment.control);
		}
		uncore_plan_free(plan);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Encode, testing::Values(kSnbep, kIvbep, kHswep, kBdx, kSkx, kKnl),
			 testing::PrintToStringParamName());

} // namespace
