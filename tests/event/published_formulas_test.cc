// SPDX-License-Identifier: BSD-3-Clause
// published_formulas_test.cc - each metric against the formula that Intel publishes for it, or,
// otherwise against PCM's (tests/event/published).  The library's formula is the text
// that it prints.  Both are evaluated with the same made-up counts, one for each encoding, so that
// a wrong event, factor or clock shows.  Events of published formulas have the encodings of
// Intel's lists; nothing on that side is from events/.
#include <cmath>
#include <map>

#include "event/formula.h"
#include "support/published.h"
#include "support/published_counts.h"
#include "support/source.h"

namespace
{

using support::Published;
using namespace support::pairs;

constexpr unsigned kTrials = 3;

// A published formula, and the metric it is compared with.
struct Compared {
	const Published &p;
	const Pair &pair;
	std::string who, metric;
	double scale;
};

// A count of several packages is their sum, anything else is their mean.
double of_packages(const std::string &metric, double one, unsigned packages)
{
	for (const struct unc_metric *m = unc_metrics; *m->name; m++)
		if ("UNCORE_" + metric == m->name)
			return m->kind == UNC_TOTAL ? one * packages : one;
	ADD_FAILURE() << metric;
	return NAN;
}

// Whether both are the same number whatever was counted. Intel's formulas are for the counts of the
// whole machine, so with two packages, too. PCM evaluates its own for each package.
bool same(Counts *counts, const Compared &c, const std::string &ours, const std::string &theirs,
	  double scale)
{
	const unsigned most = c.who == "Intel" ? 2 : 1;
	bool equal = true;

	for (unsigned i = 0; i < kTrials * most; i++) {
		counts->trial = i / most;
		counts->packages = 1;
		const double one = counts->ours(ours);
		counts->packages = 1 + i % most;
		const double a = of_packages(c.metric, one, counts->packages),
			     b = counts->theirs(theirs) * scale;

		equal &= std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
	}
	return equal;
}

// Of a published number, in the unit of the metric.
double scale_of(const Published &p, const Pair &pair)
{
	static const std::map<std::string, double> scales = {{"MB/sec", 1e6 * kSeconds},
							     {"GB/sec", 1e9 * kSeconds},
							     {"GHz", 1e9},
							     {"percent", 0.01},
							     {"ns", 1},
							     {"bytes", 1},
							     {"ratio", 1},
							     {"cores", 1},
							     {"Hz", 1},
							     {"per instruction", 1},
							     {"per second", kSeconds},
							     {"MB", 1e6},
							     {"clocks", 1}};

	return scales.at(*pair.unit ? pair.unit : p.unit);
}

const Pair *pair_of(const std::string &name)
{
	for (const Pair &pair : kPairs)
		if (name == pair.name)
			return &pair;
	return nullptr;
}

const Difference *difference_of(const Published &p)
{
	for (const Difference &d : kDifferences)
		if (p.name == d.name && applies(d.platforms, p.platform))
			return &d;
	return nullptr;
}

// A row of the table: the metrics, and how they compare.
struct Row {
	std::string metric, here, published, verdict, platforms;
};

std::string identities_used(const Platform &platform, const std::string &ours,
			    const std::string &theirs)
{
	std::string why;

	for (const Identity &i : kIdentities) {
		const bool used = applies(i.platforms, platform.name) &&
				  (ours.find(i.shown) != std::string::npos ||
				   theirs.find(i.shown) != std::string::npos);

		if (used && why.find(i.why) == std::string::npos)
			why += (why.empty() ? "" : "; ") + std::string(i.why);
	}
	return why;
}

std::string shown(std::string formula)
{
	for (const auto &[long_name, short_name] : std::vector<std::pair<std::string, std::string>>{
		     {"{DURATIONTIMEINSECONDS}", "s"},
		     {"DURATIONTIMEINSECONDS", "s"},
		     {"{DURATIONTIMEINMILLISECONDS}", "ms"},
		     {"{", ""},
		     {"}", ""}})
		for (size_t at; (at = formula.find(long_name)) != std::string::npos;)
			formula.replace(at, long_name.size(), short_name);
	return formula;
}

// The formula here; "": none, which is a failure. The metric may only be there as an estimate.
std::string formula_here(Counts *counts, const Platform &platform, Compared *c)
{
	std::string ours = counts->printed(c->metric);

	if (ours.empty())
		ours = counts->printed(c->metric += "_SPLIT");
	EXPECT_NE("", ours) << platform.name << " has no UNCORE_" << c->metric;
	return ours;
}

// The last column of the table: "same", or the reason for the difference.
std::string verdict(Counts *counts, const Platform &platform, const Compared &c,
		    const std::string &ours)
{
	const Difference *d = difference_of(c.p);
	const bool equal = same(counts, c, ours, c.p.formula, c.scale);
	const std::string where =
		std::string(platform.name) + ", UNCORE_" + c.metric + "\n  here:     " + ours;

	EXPECT_EQ(d == nullptr, equal)
		<< where << "\n  " << c.who << " " << c.p.name << ": " << c.p.formula
		<< (equal ? "\n  are the same, and kDifferences says that they differ"
			  : "\n  differ: correct the recipe, or list the reason in "
			    "kDifferences");
	if (d) {
		EXPECT_TRUE(same(counts, c, ours, d->expected, 1))
			<< where << "\n  expected: " << d->expected << "\n  because " << d->why;
		return d->why;
	}
	const std::string why = identities_used(platform, ours, c.p.formula);
	return why.empty() ? "same" : "same: " + why;
}

// Compares one; the row of the table.
Row compare(Counts *counts, const Platform &platform, Compared c)
{
	const std::string ours = formula_here(counts, platform, &c);

	if (ours.empty())
		return {};
	return {c.metric, ours, c.who + " `" + c.p.name + "`: `" + shown(c.p.formula) + "`",
		verdict(counts, platform, c, ours), platform.title};
}
std::vector<Row> rows(const Platform &platform)
{
	Counts counts(platform);
	std::vector<Row> all;

	for (const auto &[who, file] :
	     {std::pair("Intel", "intel.csv"), std::pair("PCM", "pcm.csv")})
		for (const Published &p : support::published(file)) {
			const Pair *pair = pair_of(p.name);

			if (p.platform == platform.name && pair)
				all.push_back(
					compare(&counts, platform,
						{p, *pair, who, pair->metric, scale_of(p, *pair)}));
		}
	return all;
}
class PublishedFormulas : public testing::TestWithParam<Platform>
{
};

TEST_P(PublishedFormulas, AreThoseOfTheMetricsOrListedWithTheReason)
{
	EXPECT_LE(3u, rows(GetParam()).size());
}

// Published metrics without a counterpart here are left out on purpose.
TEST(PublishedFormulasOfIntel, AreEachComparedOrListedAsMissing)
{
	for (const Published &p : support::published("intel.csv")) {
		unsigned missing = 0;

		for (const Missing &m : kMissing)
			missing += p.name.find(m.part) != std::string::npos;
		EXPECT_NE(pair_of(p.name) != nullptr, missing > 0)
			<< p.platform << " " << p.name
			<< ": compare it with a metric in kPairs, or give the reason in kMissing";
	}
}

INSTANTIATE_TEST_SUITE_P(All, PublishedFormulas, testing::ValuesIn(kPlatforms),
			 [](const auto &info) { return std::string(info.param.name); });

// The table of docs/reference/metrics.md.
TEST(PublishedFormulasDocument, HasEachComparison)
{
	std::vector<Row> all;
	std::string compared, table;

	for (const Platform &platform : kPlatforms)
		for (const Row &r : rows(platform)) {
			auto known = all.begin();

			while (known != all.end() &&
			       (known->metric != r.metric || known->here != r.here ||
				known->published != r.published || known->verdict != r.verdict))
				known++;
			if (known == all.end())
				all.push_back(r);
			else if (known->platforms.find(r.platforms) == std::string::npos)
				known->platforms += ", " + r.platforms;
		}
	for (const struct unc_metric *m = unc_metrics; *m->name; m++)
		for (const Row &r : all)
			if ("UNCORE_" + r.metric == m->name)
				compared += "| `UNCORE_" + r.metric + "` | " + r.platforms +
					    " | `" + r.here + "` | " + r.published + " | " +
					    r.verdict + " |\n";
	std::ifstream in(support::source_path("docs/reference/metrics.md"));
	bool here = false;

	for (std::string line; std::getline(in, line);) {
		if (line[0] == '#')
			here = line == "## Comparison with published formulas";
		if (here && line[0] == '|' && line.rfind("| metric", 0) != 0 && line[1] != '-')
			table += line + "\n";
	}
	EXPECT_EQ(compared, table);
}

} // namespace
