// SPDX-License-Identifier: BSD-3-Clause
// letters_test.cc - umasks that are spelled like modifiers, on every platform: E is a state and
// e is edge detect, and neither may be mistaken for the other.
#include <cstring>
#include <set>
#include <string>
#include <strings.h>

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include "support/every_event.h"
#include "support/golden.h"
#include "support/machines.h"
#include "support/simulated.h"

namespace
{

struct Event {
	std::string name; // with its PMU
	std::set<std::string> umasks, flags, numbers;
};

std::string lower(std::string text)
{
	for (char &c : text)
		c = static_cast<char>(tolower(c));
	return text;
}

std::string upper(std::string text)
{
	for (char &c : text)
		c = static_cast<char>(toupper(c));
	return text;
}

bool among(const std::set<std::string> &names, const std::string &name)
{
	for (const std::string &each : names)
		if (strcasecmp(each.c_str(), name.c_str()) == 0)
			return true;
	return false;
}

// Events of the tables (.def), including those that are not listed.
void add_rows(const struct unc_box_type *type, const std::string &pmu, std::vector<Event> *all)
{
	Event modified;

	for (const struct unc_modifier *m = type->modifiers; m && *m->name; m++)
		(m->mask & (m->mask - 1) ? modified.numbers : modified.flags).insert(m->name);
	for (const struct unc_row *r = type->rows; r && *r->name; r++)
		if (r->umask) {
			all->back().umasks.insert(r->name);
		} else {
			all->push_back(modified);
			all->back().name = pmu + r->name;
		}
}

void add_libpfm4(const pfm_pmu_info_t &pmu, const std::string &prefix, std::vector<Event> *all)
{
	for (int e = pmu.first_event; e >= 0; e = pfm_get_event_next(e)) {
		pfm_event_info_t info = {};
		Event event;

		info.size = sizeof(info);
		if (pfm_get_event_info(e, PFM_OS_NONE, &info) != PFM_SUCCESS)
			return;
		event.name = prefix + info.name;
		for (int a = 0;; a++) {
			pfm_event_attr_info_t attr = {};

			attr.size = sizeof(attr);
			if (pfm_get_event_attr_info(e, a, PFM_OS_NONE, &attr) != PFM_SUCCESS)
				break;
			(attr.type == PFM_ATTR_UMASK      ? event.umasks
			 : attr.type == PFM_ATTR_MOD_BOOL ? event.flags
							  : event.numbers)
				.insert(attr.name);
		}
		all->push_back(event);
	}
}

class Letters : public testing::TestWithParam<const char *>
{
      protected:
	const std::string platform = GetParam();
	// the others have names of the iMC, and RAW events, only
	const bool named = support::is_between(platform, "nhmex", "emr");
	Simulated sim{("sim:" + platform + ":packages=1,time=virtual").c_str()};

	std::vector<Event> events() const
	{
		const std::string prefix = sim.machine.platform->desc->pfm_prefix;
		std::vector<Event> all;

		for (auto t = sim.machine.types; *t; t++) {
			const std::string pmu = prefix + (*t)->name;

			add_rows(*t, pmu + "::", &all);
			for (int i = 0;; i++) {
				pfm_pmu_info_t info = {};
				int r;

				info.size = sizeof(info);
				r = pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &info);
				if (r == PFM_ERR_INVAL)
					break;
				if (r == PFM_SUCCESS &&
				    (info.name == pmu || info.name == pmu + "0") && !(*t)->rows)
					add_libpfm4(info, pmu + "::", &all);
			}
		}
		return all;
	}
	/* "control filter filter", or "" if it is refused */
	std::string code(const std::string &name)
	{
		const struct unc_event *ev = sim.event(name);
		std::string text = ev ? golden_hex(ev->control) : "";

		for (unsigned i = 0; ev && i < ev->n_bits; i++)
			text += " " + golden_hex(ev->bits[i].value);
		return text;
	}
};

TEST_P(Letters, BehindADotIsAUmask)
{
	unsigned n = 0;

	for (const Event &e : events()) {
		for (const std::string &umask : e.umasks) {
			const std::string exact = code(e.name + ":" + umask);

			EXPECT_EQ(exact, code(e.name + "." + umask)) << e.name << "." << umask;
			EXPECT_EQ(exact, code(e.name + "." + lower(umask)))
				<< e.name << "." << lower(umask);
			n++;
		}
		for (const auto *names : {&e.flags, &e.numbers})
			for (const std::string &modifier : *names) {
				if (!among(e.umasks, modifier)) {
					EXPECT_EQ("", code(e.name + "." + modifier)) << e.name;
				}
				EXPECT_EQ("", code(e.name + "." + modifier + "=1")) << e.name;
			}
	}
	EXPECT_LE(named ? 50u : 0u, n);
}

TEST_P(Letters, AModifierIsFoundInBothCasesUnlessAUmaskHasItsName)
{
	for (const Event &e : events())
		for (const std::string &flag : e.flags) {
			const std::string set = code(e.name + ":" + flag + "=1");

			EXPECT_EQ(set, code(e.name + ":" + flag)) << e.name << ":" << flag;
			EXPECT_EQ(set, code(e.name + ":" + upper(flag) + "=1")) << e.name;
			if (!among(e.umasks, flag)) {
				EXPECT_EQ(set, code(e.name + ":" + upper(flag))) << e.name;
			}
		}
}

TEST_P(Letters, AUmaskInItsOwnCaseIsNeverAModifier)
{
	std::set<std::string> both;

	for (const Event &e : events())
		for (const std::string &umask : e.umasks) {
			if (!among(e.flags, umask) && !among(e.numbers, umask))
				continue;
			both.insert(umask);
			const struct unc_event *ev = sim.event(e.name + ":" + umask);
			const struct unc_event *bare = sim.event(e.name);
			ASSERT_TRUE(ev && bare) << e.name << ":" << umask << ": " << sim.why();
			for (auto m = ev->type->modifiers; m && *m->name; m++)
				EXPECT_EQ(0u, m->filter ? 0 : ev->control & m->mask)
					<< e.name << ":" << umask;
			EXPECT_NE(code(e.name), code(e.name + ":" + umask));
		}
	const bool states = support::is_between(platform, "icx", "emr");
	EXPECT_EQ(states ? (std::set<std::string>{"E", "I"}) : (std::set<std::string>{}), both);
}

// The parts of a name before its umasks: places, RAW's words, our qualifiers.
TEST_P(Letters, NoUmaskIsNamedLikeAPlace)
{
	for (const Event &e : events())
		for (const char *word : {"box", "pkg", "cpu", "config", "config1", "config2",
					 "addr", "opc", "match", "mask"})
			EXPECT_FALSE(among(e.umasks, word)) << e.name << ":" << word;
}

// "[0-31]", or "0 to 31", in the text of a threshold: that number is taken, one more is not.
TEST_P(Letters, AThresholdHasTheValueInItsText)
{
	support::Handle h(support::sim_options(("sim:" + platform + ":packages=1").c_str()));
	unsigned n = 0;

	ASSERT_EQ(0, h.code) << h.message();
	for (unsigned id : support::listed(h)) {

		for (const auto &[size, name, text] : h.qualifiers(id)) {
			const char *to = strstr(text, "0 to ");
			const char *range = to ? to + 2 : strstr(text, "[0-");

			if (strcmp(name, "t") != 0 || !range)
				continue;
			const unsigned most = static_cast<unsigned>(atoi(range + 3));
			const std::string event = uncore_event_name(h.u, id);
			EXPECT_NE("", code(event + ":t=" + std::to_string(most)))
				<< event << ": " << text << ": " << sim.why();
			EXPECT_EQ("", code(event + ":t=" + std::to_string(most + 1)))
				<< event << ": " << text;
			n++;
		}
	}
	EXPECT_LE(named && platform != "knl" ? 20u : 0u, n); // which has no modifiers
}

INSTANTIATE_TEST_SUITE_P(All, Letters, testing::ValuesIn(support::machines_with_events()),
			 [](const auto &info) { return std::string(info.param); });

} // namespace
