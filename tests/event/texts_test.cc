// SPDX-License-Identifier: BSD-3-Clause
// texts_test.cc - descriptions, on all platforms: every listed event and umask has one that says
// more than its name, in a line or two.
#include <fnmatch.h>

#include <cctype>
#include <regex>

#include "machine/machine.h"
#include "set/inside.h"
#include "support/described.h"
#include "support/every_event.h"
#include "support/machines.h"
#include "support/sized.h"

namespace
{

using support::listed;

class Machine : public support::Described
{
      public:
	using Described::Described;

	std::string text(const char *event) const
	{
		return info(event).text;
	}
};

const std::string kMasks = ", masks:"; // PAPI's mark between an event's text and its umask's

std::string before(const std::string &text, const std::string &mark)
{
	return text.substr(0, text.find(mark));
}

// Without what the library adds: the default umask, the formula of a metric.
std::string event_text(const struct uncore_event_info &info)
{
	return before(before(before(info.text, kMasks), " (counted with :"), "; = ");
}

// The parts of a text are where the information says.
void expect_parts(const struct uncore_event_info &info)
{
	const std::string text = info.text;
	const size_t umasks = text.find(kMasks), formula = text.find("; = ");

	EXPECT_EQ(before(event_text(info), " (as counts "), text.substr(0, info.description_len))
		<< info.name;
	EXPECT_EQ(umasks == text.npos ? 0 : umasks + kMasks.size(), info.umasks_at) << info.name;
	EXPECT_EQ(*info.formula && formula != text.npos ? formula : 0, info.formula_at)
		<< info.name;
}

std::string letters(const std::string &text)
{
	std::string only;

	for (unsigned char c : text)
		if (isalnum(c))
			only += static_cast<char>(toupper(c));
	return only;
}

// "CAS_COUNT" of "UNC_M_CAS_COUNT".
std::string behind_unit(const std::string &event)
{
	return std::regex_replace(event, std::regex("^(.*::)?UNC_[A-Za-z0-9]+_"), "");
}

void expect_sane(const std::string &what, const std::string &text, size_t longest)
{
	static const std::regex placeholder("\\b(TBD|TDB|TBA|TB|TODO|FIXME)\\b", std::regex::icase);

	SCOPED_TRACE(what + ": \"" + text + "\"");
	EXPECT_LE(2u, text.size());
	EXPECT_GE(longest, text.size());
	EXPECT_FALSE(std::regex_search(text, placeholder));
	EXPECT_TRUE(
		std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
	EXPECT_EQ(text.npos, text.find("  "));
	EXPECT_EQ(text.npos, text.find("select )"));
	EXPECT_FALSE(text.empty() || strchr(" .-", text.front()) || strchr(" .-", text.back()));
	for (const char *pair : {"()", "[]", "{}"})
		EXPECT_EQ(std::count(text.begin(), text.end(), pair[0]),
			  std::count(text.begin(), text.end(), pair[1]));
}

// An event's, or with its umask the umask's.
void expect_described(const Machine &machine, unsigned event, unsigned id)
{
	const struct uncore_event_info info = machine.info(id);
	const std::string name = info.name, whole = info.text;
	const size_t mark = whole.find(kMasks);

	EXPECT_GT(sizeof(info.text) - 1, whole.size()) << name;
	expect_parts(info);
	if (id == event) {
		expect_sane(name, event_text(info), 250);
		EXPECT_NE(letters(behind_unit(name)), letters(event_text(info)));
		return;
	}
	ASSERT_NE(whole.npos, mark) << name;
	expect_sane(name, whole.substr(mark + kMasks.size()), 250);
	EXPECT_NE(letters(name.substr(name.rfind(':'))),
		  letters(whole.substr(mark + kMasks.size())))
		<< name << ": " << whole;
}

class Texts : public testing::TestWithParam<const char *>
{
};

TEST_P(Texts, OfEveryEventAndUmaskSayMoreThanItsName)
{
	const Machine machine(GetParam());
	unsigned described = 0;

	for (unsigned event : listed(machine)) {
		expect_described(machine, event, event);
		for (unsigned id = event; uncore_event_umask(machine.u, id, 0, &id) == 1;)
			if (!strchr(uncore_event_name(machine.u, id), '=')) {
				expect_described(machine, event, id);
				described++;
			}
	}
	EXPECT_LT(10u, described);
}

// The short description that PAPI shows.
TEST_P(Texts, AreCutBetweenWordsWhereTheyAreShort)
{
	const Machine machine(GetParam());

	for (unsigned event : listed(machine)) {
		const struct uncore_event_info info = machine.info(event);
		const std::string text = info.text, brief = info.brief;

		ASSERT_EQ(brief, text.substr(0, brief.size())) << info.name;
		EXPECT_TRUE(brief.size() == text.size() || text[brief.size()] == ' ') << brief;
	}
}

INSTANTIATE_TEST_SUITE_P(All, Texts, testing::ValuesIn(support::machines_with_events()),
			 [](const auto &info) { return std::string(info.param); });

struct Ours {
	const char *machine, *event, *text;
};

// Where libpfm4 has TBD, the name only, another umask's text or a paragraph.
TEST(TextsOfOurOwn, StandInForThoseOfLibpfm4)
{
	const Ours known[] = {
		{"snbep", "UNC_M_DRAM_REFRESH:PANIC", "panic: overdue refreshes"},
		{"hswep", "UNC_M_RD_CAS_RANK3", "Column reads (CAS) of rank 3"},
		{"hswep", "UNC_M_RD_CAS_RANK3:BANK11", ", masks:accesses to bank 11"},
		{"bdx", "UNC_H_HITME_HIT:EVICTS", ", masks:evictions"},
		{"bdx", "UNC_H_IGR_NO_CREDIT_CYCLES:AD_QPI2", ", masks:AD to QPI link 2"},
		{"bdx", "UNC_R2_TXR_NACK_CW:UP_AK", ", masks:AK ring, up"},
		{"bdx", "UNC_R2_RING_AD_USED",
		 "Cycles in which the AD ring was in use at this stop"},
		{"skx", "UNC_C_XSNP_RESP:CORE_RSPI_FWDM", ", masks:CORE snoops: modified line"},
		{"skx", "UNC_M2_TXC_AK_CREDIT_OCCUPANCY", "Mesh credits of the AK egress in use"},
		{"skx", "UNC_M2_TXR_VERT_CYCLES_FULL", "the vertical egress queue was full"},
		{"skx", "UNC_UPI_RXL_BASIC_HDR_MATCH:SNP_OPC_FINVOWN", "snoop, opcode FINVOWN"},
		{"snbep", "UNC_P_DEMOTIONS_CORE3", "of core 3 that were demoted"},
		{"knl", "UNC_H_HORZ_RING_IV_IN_USE:LEFT", ", masks:to the left"},
	};

	for (const Ours &k : known) {
		const Machine machine(k.machine);

		EXPECT_NE(std::string::npos, machine.text(k.event).find(k.text))
			<< k.event << ": " << machine.text(k.event);
	}
}

using Names = std::vector<std::pair<std::string, std::string>>; // events and umasks, or ""

Names all_names()
{
	Names names;

	for (const char *name : support::machines_with_events()) {
		const Machine machine(name);

		for (unsigned event : listed(machine)) {
			const std::string base = uncore_event_name(machine.u, event);

			names.emplace_back(base, "");
			for (unsigned id = event; uncore_event_umask(machine.u, id, 0, &id) == 1;)
				names.emplace_back(base, uncore_event_name(machine.u, id) +
								 base.size() + 1);
		}
	}
	return names;
}

bool has_one_like(const Names &names, const struct unc_text &row)
{
	return std::any_of(names.begin(), names.end(), [&row](const auto &n) {
		return fnmatch(row.umask, n.second.c_str(), 0) == 0 &&
		       fnmatch(row.event, n.first.c_str(), 0) == 0;
	});
}

TEST(TextsOfOurOwn, AreOfExistingNames)
{
	const Names names = all_names();

	for (const struct unc_text *rows : {unc_texts, unc_words})
		for (const struct unc_text *r = rows; *r->event; r++) {
			const std::string patterns = std::string(r->event) + ":" + r->umask;

			EXPECT_TRUE(has_one_like(names, *r)) << patterns;
			if (strchr(r->text, '*')) {
				EXPECT_NE(patterns.npos, patterns.find('*', 1)) << r->text;
			}
		}
}

// One text for the same event of several platforms: ICX's rows describe SKX's.
TEST(TextsOfOurOwn, AreSharedWithTheNextGeneration)
{
	const Machine skx("skx"), icx("icx");
	const std::pair<const char *, const char *> same[] = {
		{"UNC_M2_DIRECTORY_HIT", "UNC_M2M_DIRECTORY_HIT"},
		{"UNC_C_SF_EVICTION", "UNC_CHA_SF_EVICTION"},
		{"UNC_UPI_M3_BYP_BLOCKED", "UNC_UPI_M3_BYP_BLOCKED"},
		{"UNC_I_FAF_INSERTS", "UNC_I_FAF_INSERTS"},
	};

	for (const auto &[old, now] : same)
		EXPECT_EQ(before(skx.text(old), " (counted"), before(icx.text(now), " (counted"))
			<< old;
}

} // namespace
