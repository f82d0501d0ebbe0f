// SPDX-License-Identifier: BSD-3-Clause
// metrics_docs_test.cc - the tables of docs/reference/metrics.md are those of events/.
#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "event/formula.h"
#include "support/source.h"

namespace
{

struct Column {
	const char *head;
	std::vector<const struct unc_platform *> platforms; // all alike
	const char *raw;                                    // how its RAW events begin
};

const std::vector<Column> kColumns = {
	{"SNB-EP", {&unc_snbep}, ""},    {"IVT", {&unc_ivbep}, ""},
	{"HSX", {&unc_hswep}, ""},       {"BDX", {&unc_bdx}, ""},
	{"SKX", {&unc_skx}, ""},         {"KNL", {&unc_knl}, ""},
	{"ICX", {&unc_icx}, ""},         {"SPR", {&unc_spr}, "spr_unc_"},
	{"EMR", {&unc_emr}, "spr_unc_"}, {"GNR", {&unc_gnr}, "gnr_unc_"},
	{"SRF", {&unc_srf}, "srf_unc_"}, {"CWF", {&unc_cwf}, "cwf_unc_"},
	{"DMR", {&unc_dmr}, ""},         {"NHM-EX, WSM-EX", {&unc_nhmex, &unc_wsmex}, ""},
};

using Recipe = std::optional<struct unc_recipe>;

Recipe recipe(const struct unc_platform *platform, const struct unc_metric *m)
{
	struct unc_recipe r;

	return unc_recipe_find(platform, m, &r) ? Recipe(r) : std::nullopt;
}

// Granite Rapids and its relatives have the same codes under their own names.
std::string formula(const Column &column, const Recipe &r)
{
	const std::string own = column.raw;
	char buffer[1024];
	std::string text;

	unc_recipe_text(&*r, buffer, sizeof(buffer));
	text = buffer;
	for (size_t at; !own.empty() && (at = text.find(own)) != std::string::npos;)
		text.replace(at, own.size(), "*_unc_");
	return text;
}

// The platforms of a column have the same metrics.
void expect_alike(const Column &c, const struct unc_metric *m, const Recipe &r)
{
	for (const struct unc_platform *p : c.platforms) {
		const Recipe other = recipe(p, m);

		ASSERT_EQ(r.has_value(), other.has_value()) << m->name << p->name;
		if (r) {
			EXPECT_EQ(formula(c, r), formula(c, other)) << p->name;
			EXPECT_STREQ(r->instead, other->instead) << p->name;
		}
	}
}

std::string list(const std::vector<std::string> &words)
{
	std::string text;

	for (const std::string &word : words)
		text += (text.empty() ? "" : ", ") + word;
	return text;
}

// "all", "all but KNL", "SKX, ICX; excluded: SNB-EP"
std::string where(const struct unc_metric *m)
{
	std::vector<std::string> here, instead, excluded;
	std::string text = "all";

	for (const Column &c : kColumns) {
		const Recipe r = recipe(c.platforms[0], m);

		expect_alike(c, m, r);
		(r && !r->collides ? here : instead).push_back(c.head);
		if (r && r->collides)
			excluded.push_back(c.head);
	}
	if (instead.size() >= here.size())
		text = list(here);
	else if (!instead.empty())
		text += " but " + list(instead);
	return text + (excluded.empty() ? "" : "; excluded: " + list(excluded));
}

std::vector<std::string> vocabulary()
{
	static const char *const kinds[] = {"count", "mean", "mean", "mean", "mean", "value"};
	std::vector<std::string> rows;

	for (const struct unc_metric *m = unc_metrics; *m->name; m++)
		rows.push_back("| `" + std::string(m->name) + "` | " + m->unit + " | " +
			       kinds[m->kind] + " | " + m->text + " | " + where(m) + " |");
	return rows;
}

// The recipes of the others are sides of a mean's.
bool has_recipe(const struct unc_metric *m)
{
	for (auto p = unc_platforms; *p; p++)
		for (auto list = (*p)->desc->metrics; list && *list; list++)
			for (const struct unc_recipe *r = *list; *r->events->event; r++)
				if (unc_metric_of(r) == m)
					return true;
	for (const struct unc_power *p = unc_power; p->platform; p++)
		for (const struct unc_recipe *r = p->recipes; *r->events->event; r++)
			if (unc_metric_of(r) == m)
				return true;
	return false;
}

std::vector<std::string> formulas()
{
	std::vector<std::string> rows;

	for (const struct unc_metric *m = unc_metrics; *m->name; m++) {
		std::vector<std::pair<std::string, std::string>> known; // formula, platforms

		if (!has_recipe(m))
			continue;
		for (const Column &c : kColumns) {
			const Recipe r = recipe(c.platforms[0], m);
			const std::string text = r ? formula(c, r) : "";
			const auto same =
				std::find_if(known.begin(), known.end(),
					     [&](const auto &k) { return k.first == text; });

			if (!r)
				continue;
			if (same == known.end())
				known.emplace_back(text, c.head);
			else
				same->second += ", " + std::string(c.head);
		}
		for (const auto &[text, platforms] : known)
			rows.push_back("| `" + std::string(m->name) + "` | " + platforms + " | `" +
				       text + "` |");
	}
	return rows;
}

std::vector<std::string> counts()
{
	std::vector<std::string> rows;
	auto name = [](const struct unc_metric *m) {
		return *m->name ? "`" + std::string(m->name) + "`" : std::string("time");
	};

	for (const struct unc_metric *m = unc_metrics; *m->name; m++)
		if (m->above)
			rows.push_back("| `" + std::string(m->name) + "` | " +
				       name(unc_metric_above(m)) + " | " +
				       name(unc_metric_below(m)) + " |");
	return rows;
}

// The rows of the table below a heading, without its head.
std::vector<std::string> table(const std::string &heading)
{
	std::ifstream in(support::source_path("docs/reference/metrics.md"));
	std::vector<std::string> rows;
	bool here = false;

	for (std::string line; std::getline(in, line);) {
		if (line[0] == '#')
			here = line == "## " + heading;
		if (here && line[0] == '|')
			rows.push_back(line);
	}
	rows.erase(rows.begin(), rows.begin() + std::min<long>(2, static_cast<long>(rows.size())));
	return rows;
}

std::string joined(const std::vector<std::string> &rows)
{
	std::string text;

	for (const std::string &row : rows)
		text += row + "\n";
	return text;
}

bool has_metrics(const struct unc_platform *platform)
{
	const struct unc_power *p = unc_power;

	while (p->platform && p->platform != platform)
		p++;
	return p->platform || (platform->desc->metrics && *platform->desc->metrics);
}

TEST(MetricsDocument, NamesEveryPlatformThatHasMetrics)
{
	std::set<const struct unc_platform *> named;

	for (const Column &c : kColumns)
		named.insert(c.platforms.begin(), c.platforms.end());
	for (auto p = unc_platforms; *p; p++)
		EXPECT_EQ(has_metrics(*p), named.count(*p) == 1)
			<< "docs/reference/metrics.md does not list the metrics of " << (*p)->name
			<< ": give it a name in kColumns of this test, and correct the tables as "
			   "the other tests of this file say";
}

TEST(MetricsDocument, HasTheVocabularyAndWhereEachCanBeMeasured)
{
	EXPECT_EQ(joined(vocabulary()), joined(table("Vocabulary")));
}

TEST(MetricsDocument, ListsTheCountsOfEachMean)
{
	EXPECT_EQ(joined(counts()), joined(table("Counts of means")));
}

TEST(MetricsDocument, HasTheFormulas)
{
	EXPECT_EQ(joined(formulas()), joined(table("Formulas")));
}

} // namespace
