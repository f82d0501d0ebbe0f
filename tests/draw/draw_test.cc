// SPDX-License-Identifier: BSD-3-Clause
// draw_test.cc - pictures: numbers, ticks, colours, what SVG they are, and their files.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" {
#include "command/draw/axis.h"
#include "command/draw/palette.h"
#include "command/draw/picture.h"
#include "command/draw/svg.h"
}

#include "support/programs.h"

namespace
{

// ---- XML that is well-formed, as far as these pictures use it ----

bool read_tag(const std::string &xml, size_t *at, std::vector<std::string> *open)
{
	const size_t end = xml.find('>', *at);
	std::string tag = xml.substr(*at + 1, end - *at - 1);

	if (end == std::string::npos || tag.find('<') != std::string::npos)
		return false;
	*at = end + 1;
	if (tag[0] == '?')
		return true;
	if (tag[0] == '/') {
		const bool right = !open->empty() && open->back() == tag.substr(1);

		if (right)
			open->pop_back();
		return right;
	}
	size_t quotes = 0;
	for (const char c : tag)
		quotes += c == '"';
	if (tag.back() != '/')
		open->push_back(tag.substr(0, tag.find(' ')));
	return quotes % 2 == 0;
}

bool is_entity(const std::string &xml, size_t at)
{
	for (const char *const name : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
		if (xml.compare(at, strlen(name), name) == 0)
			return true;
	return false;
}

bool is_well_formed(const std::string &xml)
{
	std::vector<std::string> open;

	for (size_t at = 0; at < xml.size();) {
		if (xml[at] == '<') {
			if (!read_tag(xml, &at, &open))
				return false;
			continue;
		}
		if (xml[at] == '&' && !is_entity(xml, at))
			return false;
		at++;
	}
	return open.empty() && xml.find("nan") == std::string::npos &&
	       xml.find("inf") == std::string::npos;
}

size_t occurrences(const std::string &text, const std::string &what)
{
	size_t n = 0;

	for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at++)
		n++;
	return n;
}

using Draw = void (*)(FILE *, const draw_record *);

std::string drawn(Draw draw, const draw_record *record)
{
	char *text = nullptr;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	draw(out, record);
	fclose(out);
	const std::string all(text, len);
	free(text);
	return all;
}

// Two packages with four channels, of which one has half of the others' traffic; 10 intervals.
class Picture : public testing::Test
{
      protected:
	Picture()
	{
		record.machine = "Intel Xeon <of> a \"test\" & more";
		for (int p = 1; p >= 0; p--)
			for (int b = 3; b >= 0; b--)
				add("UNCORE_MEM_READ_BYTES:box=" + std::to_string(b) +
					    ":pkg=" + std::to_string(p),
				    "bytes", false);
	}
	~Picture() override
	{
		draw_free(&record);
	}
	void add(const std::string &name, const char *units, bool real)
	{
		draw_add_series(&record, name.c_str(), units, real);
	}
	void count(unsigned intervals = 10, double length = 0.1)
	{
		for (unsigned i = 0; i < intervals; i++) {
			std::vector<double> values(record.n, 1e9 * length);

			values[1] /= 2; // box 2 of package 1
			draw_add_interval(&record, values.data(), (i + 1) * length);
		}
	}

	draw_record record{};
};

TEST_F(Picture, IsWellFormedWithAnyNames)
{
	add("A<B>&\"C\"\n\x80:box=1", "x<y", true);
	count();
	for (const Draw draw : {draw_lines, draw_heatmap}) {
		const std::string svg = drawn(draw, &record);

		EXPECT_TRUE(is_well_formed(svg)) << svg;
		EXPECT_NE(svg.find("A&lt;B&gt;&amp;&quot;C&quot;\n\\x80"), std::string::npos);
		EXPECT_EQ(svg.find("SIMULATED"), std::string::npos);
	}
	record.simulated = true;
	EXPECT_NE(drawn(draw_lines, &record).find("SIMULATED"), std::string::npos);
}

TEST_F(Picture, OfNothingIsAPicture)
{
	EXPECT_TRUE(is_well_formed(drawn(draw_lines, &record)));
	EXPECT_TRUE(is_well_formed(drawn(draw_heatmap, &record)));
	const double none[] = {NAN, 0, 0, 0, 0, 0, 0, 0};
	draw_add_interval(&record, none, 0);
	EXPECT_TRUE(is_well_formed(drawn(draw_lines, &record)));
	EXPECT_TRUE(is_well_formed(drawn(draw_heatmap, &record)));
	draw_add_interval(&record, none, 0.5);
	EXPECT_TRUE(is_well_formed(drawn(draw_lines, &record)));
	EXPECT_TRUE(is_well_formed(drawn(draw_heatmap, &record)));
	draw_record empty{};
	empty.machine = "";
	EXPECT_TRUE(is_well_formed(drawn(draw_lines, &empty)));
	EXPECT_TRUE(is_well_formed(drawn(draw_heatmap, &empty)));
}

TEST_F(Picture, HasAPanelForEachUnitAndALineForEachEvent)
{
	add("UNCORE_TOR_DRD_LATENCY_NS", "ns", true);
	add("UNCORE_PCIE_READ_BYTES", "bytes", false);
	count();
	const std::string svg = drawn(draw_lines, &record);

	EXPECT_EQ(1u, occurrences(svg, ">time, s<")); // below the last panel
	EXPECT_EQ(1u, occurrences(svg, ">GB/s<"));
	EXPECT_EQ(1u, occurrences(svg, ">Gns<") + occurrences(svg, ">ns<"));
	// the sample in the legend and the curve; the name itself is without what all share
	EXPECT_EQ(2u, occurrences(svg, ">UNCORE_PCIE_READ_BYTES<"));
	EXPECT_EQ(1u, occurrences(svg, ">PCIE_READ_BYTES<"));
	EXPECT_EQ(1u, occurrences(svg, ">UNCORE_...<"));
}

// The names in the legend, which follow the heads of a panel.
std::vector<std::string> legend_names(const std::string &svg)
{
	std::vector<std::string> names;

	for (size_t at = 0; (at = svg.find("</title></path>\n<text", at)) != std::string::npos;) {
		at = svg.find('>', svg.find("<text", at)) + 1;
		names.push_back(svg.substr(at, svg.find('<', at) - at));
	}
	return names;
}

// "#0072B2 6,3" of each curve with that title, of which the legend has one, too.
std::string style_of(const std::string &svg, const std::string &title)
{
	const size_t end = svg.find("<title>" + title + "<");
	const size_t at = svg.rfind("<path", end);
	const auto value = [&](const std::string &key) {
		const size_t from = svg.find(key + "=\"", at);

		if (from > end)
			return std::string();
		const size_t begin = from + key.size() + 2;
		return svg.substr(begin, svg.find('"', begin) - begin);
	};

	return value("stroke") + " " + value("stroke-dasharray");
}

TEST_F(Picture, LegendHasTheOrderOfTheTableAndNoSharedWords)
{
	draw_free(&record);
	for (const char *name :
	     {"UNCORE_MEM_READ_BYTES:box=1:pkg=0", "UNCORE_MEM_WRITE_BYTES:box=1:pkg=0",
	      "UNCORE_MEM_BYTES:box=1:pkg=0"})
		add(name, "bytes", false);
	count(2);
	const std::string svg = drawn(draw_lines, &record);

	EXPECT_EQ((std::vector<std::string>{"READ_BYTES", "WRITE_BYTES", "BYTES"}),
		  legend_names(svg));
	EXPECT_EQ(1u, occurrences(svg, ">UNCORE_MEM_...:box=1:pkg=0<"));
	record.series[1].label = "stores";
	EXPECT_EQ("stores", legend_names(drawn(draw_lines, &record))[1]);
	EXPECT_EQ(0u, occurrences(drawn(draw_lines, &record), "..."))
		<< "a label is the whole name";
}

TEST_F(Picture, APackageHasOneColourAndAKindOneWayOfDashing)
{
	draw_free(&record);
	for (const char *name : {"READ:pkg=0", "READ:pkg=1", "WRITE:pkg=0", "WRITE:pkg=1"})
		add(name, "bytes", false);
	count(2);
	const std::string svg = drawn(draw_lines, &record);
	const auto part = [&](const std::string &title, bool dashes) {
		const std::string style = style_of(svg, title);
		const size_t space = style.find(' ');

		return dashes ? style.substr(space + 1) : style.substr(0, space);
	};

	EXPECT_EQ(part("READ:pkg=0", false), part("WRITE:pkg=0", false));
	EXPECT_EQ(part("READ:pkg=1", false), part("WRITE:pkg=1", false));
	EXPECT_NE(part("READ:pkg=0", false), part("READ:pkg=1", false));
	EXPECT_EQ(part("READ:pkg=0", true), part("READ:pkg=1", true));
	EXPECT_EQ(part("WRITE:pkg=0", true), part("WRITE:pkg=1", true));
	EXPECT_NE(part("READ:pkg=0", true), part("WRITE:pkg=0", true));
}

TEST_F(Picture, ALineOfManyIntervalsKeepsItsPeakAndStaysSmall)
{
	for (unsigned i = 0; i < 20000; i++) {
		const double values[] = {1, 0, 0, 0, 0, 0, 0, i == 12345 ? 1000.0 : 1};

		draw_add_interval(&record, values, i + 1);
	}
	const std::string svg = drawn(draw_lines, &record);

	EXPECT_LT(svg.size(), 400000u);
	EXPECT_NE(svg.find(">kB/s<"), std::string::npos);
	EXPECT_LT(drawn(draw_heatmap, &record).size(), 400000u);
}

// Given from the last box of the last package to the first.
TEST_F(Picture, RowsOfAHeatmapGoByPackageAndBox)
{
	count();
	const std::string svg = drawn(draw_heatmap, &record);
	size_t last = 0;

	EXPECT_EQ(1u, occurrences(svg, ">UNCORE_MEM_READ_BYTES<"));
	for (int p = 0; p < 2; p++)
		for (int b = 0; b < 4; b++) {
			const size_t at = svg.find(">box " + std::to_string(b) + ", socket " +
						   std::to_string(p) + "<");

			ASSERT_NE(at, std::string::npos) << p << " " << b;
			EXPECT_GT(at, last);
			last = at;
		}
	// the one that has half of the others' is the one with the other shade
	EXPECT_EQ(2u, occurrences(svg, "crispEdges\" d=\"M"));
	EXPECT_EQ(7u, occurrences(svg, ">1<") - occurrences(svg, "text-anchor=\"middle\">1<"));
	EXPECT_EQ(1u, occurrences(svg, ">0.5<") - occurrences(svg, "text-anchor=\"middle\">0.5<") -
			      occurrences(svg, "text-anchor=\"end\">0.5<"));
}

TEST_F(Picture, RowsOfAHeatmapAreCalledByTheirPlace)
{
	add("UNC_M_CAS_COUNT:RD:box=3:pkg=1", "lines", false);
	record.series[record.n - 1].place = "channel";
	add("UNC_M_CAS_COUNT:RD:pkg=1:box=2", "lines", false);
	record.series[record.n - 1].place = "link";
	add("UNCORE_MEM_BYTES:pkg=1", "bytes", false);
	add("UNC_P_CLOCKTICKS:die=1:pkg=1", "cycles", false);
	add("INSTRUCTION_RETIRED:cpu=3:pkg=0", "instructions", false);
	add("UNC_H_REQUESTS:READS:box=1:pkg=0", "requests", false);
	record.series[record.n - 1].node = strdup("hbm2");
	count();
	const std::string svg = drawn(draw_heatmap, &record);

	for (const char *label : {">channel 3, socket 1<", ">link 2, socket 1<", ">socket 1<",
				  ">die=1:pkg=1<", ">cpu=3:pkg=0<", ">box 1, socket 0, node hbm2<"})
		EXPECT_EQ(1u, occurrences(svg, label)) << label;
}

// box= without pkg= is summed over packages, which the label says.
TEST_F(Picture, RowsOfBoxesThatAreSummedOverPackagesGoByBox)
{
	draw_free(&record);
	for (int b = 11; b >= 0; b--)
		add("UNC_C_CLOCKTICKS:box=" + std::to_string(b) + " of 2 packages", "cycles",
		    false);
	count();
	const std::string xml = drawn(draw_heatmap, &record);
	size_t at = 0;

	for (int b = 0; b < 12; b++) {
		at = xml.find(">box=" + std::to_string(b) + " of 2 packages<", at);
		ASSERT_NE(std::string::npos, at) << b;
	}
}

// Slice 3 owns 30 % fewer lines and counts 30 % less: it looks like the others.
TEST_F(Picture, AHeatmapScalesSlicesByTheirExpectedShares)
{
	draw_free(&record);
	for (int b = 0; b < 4; b++) {
		add("UNCORE_LLC_LOOKUPS:box=" + std::to_string(b) + ":pkg=0", "lookups", false);
		record.series[b].expected = b == 3 ? 0.7 : 1.1;
	}
	const double values[] = {1.1e9, 1.1e9, 1.1e9, 0.7e9};
	draw_add_interval(&record, values, 1);
	std::string svg = drawn(draw_heatmap, &record);

	EXPECT_EQ(1u, occurrences(svg, "crispEdges\" d=\"M"));
	EXPECT_EQ(1u, occurrences(svg, ">scaled by the expected share of lines of each slice<"));
	EXPECT_EQ(4u, occurrences(svg, ">1<") - occurrences(svg, "text-anchor=\"middle\">1<"));
	// of one of them the share is not known: none is scaled
	record.series[2].expected = 0;
	svg = drawn(draw_heatmap, &record);
	EXPECT_EQ(2u, occurrences(svg, "crispEdges\" d=\"M"));
	EXPECT_EQ(0u, occurrences(svg, ">scaled by"));
	EXPECT_NE(svg.find(">0.7<"), std::string::npos);
}

TEST_F(Picture, EachEventHasAHeatmapOfItsOwn)
{
	add("UNC_M_CAS_COUNT:RD:box=10:pkg=0", "lines", false);
	add("UNC_M_CAS_COUNT:WR:box=1:pkg=0", "lines", false);
	add("UNC_M_CAS_COUNT:RD:box=9:pkg=0", "lines", false);
	count();
	const std::string svg = drawn(draw_heatmap, &record);

	EXPECT_EQ(1u, occurrences(svg, ">UNC_M_CAS_COUNT:RD<"));
	EXPECT_EQ(1u, occurrences(svg, ">UNC_M_CAS_COUNT:WR<"));
	EXPECT_LT(svg.find(">box 9, socket 0<"), svg.find(">box 10, socket 0<"));
}

// ---- how it looks ----

TEST_F(Picture, ATitleDoesNotHideWhatIsSimulated)
{
	record.simulated = true;
	record.look.title = "STREAM <1>";
	count();
	for (const Draw draw : {draw_lines, draw_heatmap}) {
		const std::string svg = drawn(draw, &record);

		EXPECT_EQ(1u, occurrences(svg, "font-weight=\"bold\">STREAM &lt;1&gt;</text>"));
		EXPECT_EQ(1u, occurrences(svg, ">SIMULATED Intel Xeon"));
		EXPECT_EQ(0u, occurrences(svg, "metadata"));
	}
}

// The text of how it was made is always in the file, and with a caption on the picture.
TEST_F(Picture, ACaptionIsBelowAndInTheMetadata)
{
	record.look.made =
		"node7: uncore stat -e 'A&B' --svg a-long-name-of-a-file-of-a-picture.svg";
	count();
	for (const Draw draw : {draw_lines, draw_heatmap})
		for (const bool caption : {false, true}) {
			record.look.caption = caption;
			const std::string svg = drawn(draw, &record);

			EXPECT_TRUE(is_well_formed(svg));
			EXPECT_EQ(1u,
				  occurrences(svg,
					      "<metadata>node7: uncore stat -e &#39;A&amp;B&#39;"));
			EXPECT_EQ(caption ? 1u : 0u, occurrences(svg, ">node7: uncore") - 1);
		}
}

// Everything is within the width, except names of events, which cannot be folded.
TEST_F(Picture, HasTheWidthOfAColumnInMm)
{
	record.look.width_mm = 85;
	count();
	for (const Draw draw : {draw_lines, draw_heatmap}) {
		const std::string svg = drawn(draw, &record);
		double width, height, px, high;

		ASSERT_EQ(4, sscanf(svg.c_str() + svg.find(" width="),
				    " width=\"%lfmm\" height=\"%lfmm\" viewBox=\"0 0 %lf %lf\"",
				    &width, &height, &px, &high));
		EXPECT_EQ(85, width);
		EXPECT_EQ(400, px); // the least
		EXPECT_NEAR(high / px, height / width, 0.001);
		for (size_t at = 0; (at = svg.find("<rect x=\"", at)) != std::string::npos; at++) {
			double x, y, w, h;

			ASSERT_EQ(4,
				  sscanf(svg.c_str() + at,
					 "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
					 &x, &y, &w, &h));
			EXPECT_LE(x + w, px);
			EXPECT_LE(y + h, high);
		}
	}
}

TEST_F(Picture, LabelsReplaceNames)
{
	record.series[7].label = "first channel"; // box 0 of package 0
	count();
	EXPECT_EQ(3u, occurrences(drawn(draw_lines, &record), ">first channel<"));
	const std::string svg = drawn(draw_heatmap, &record);

	EXPECT_EQ(1u, occurrences(svg, ">first channel<"));
	EXPECT_EQ(0u, occurrences(svg, ">box 0, socket 0<"));
	EXPECT_EQ(1u, occurrences(svg, ">UNCORE_MEM_READ_BYTES<")); // still one panel
	EXPECT_EQ(8u, draw_most_lines(&record));
}

// ---- numbers ----

TEST(DrawRecord, CountsAreRatesAndMeansAreThemselves)
{
	draw_record r{};
	const double values[] = {1e9, 5e6, 3, 0.25}, later[] = {2e9, 0, NAN, 0.5};

	draw_add_series(&r, "bytes", "bytes", false);
	draw_add_series(&r, "energy", "uJ", false);
	draw_add_series(&r, "latency", "ns", true);
	draw_add_series(&r, "misses", "ratio", true);
	draw_add_interval(&r, values, 0.5);
	draw_add_interval(&r, later, 1.0);
	EXPECT_DOUBLE_EQ(2e9, draw_value(&r, 0, 0));
	EXPECT_DOUBLE_EQ(10, draw_value(&r, 1, 0));
	EXPECT_DOUBLE_EQ(3, draw_value(&r, 2, 0));
	EXPECT_DOUBLE_EQ(25, draw_value(&r, 3, 0));
	EXPECT_DOUBLE_EQ(3e9, draw_mean(&r, 0));
	EXPECT_DOUBLE_EQ(3, draw_mean(&r, 2));
	EXPECT_STREQ("GB/s", draw_scale_of(&r.series[0], 2e9).unit);
	EXPECT_DOUBLE_EQ(1e-9, draw_scale_of(&r.series[0], 2e9).factor);
	EXPECT_STREQ("W", draw_scale_of(&r.series[1], 10).unit);
	EXPECT_STREQ("ns", draw_scale_of(&r.series[2], 5000).unit);
	EXPECT_STREQ("%", draw_scale_of(&r.series[3], 25).unit);
	draw_free(&r);
}

TEST(DrawAxis, HasRoundNumbersThatReachTheMost)
{
	for (double most = 1e-9; most < 1e15; most *= 1.37) {
		const draw_axis a = draw_axis_to(most, 5);
		const double digit = a.step / std::pow(10, std::floor(std::log10(a.step) + 1e-9));

		EXPECT_GE(a.high, most * (1 - 1e-9));
		EXPECT_LT(a.high - a.step / 5, most);
		EXPECT_LE(a.step * (a.n - 1), a.high * (1 + 1e-9));
		EXPECT_GE(a.n, 3u);
		EXPECT_LE(a.n, 7u);
		EXPECT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 ||
			    std::abs(digit - 5) < 1e-6)
			<< a.step;
	}
	char text[DRAW_TICK];
	const draw_axis a = draw_axis_to(0.37, 5);

	EXPECT_STREQ("0.3", draw_tick_text(text, &a, 3));
	EXPECT_EQ(2u, draw_axis_to(0, 1).n);
	EXPECT_EQ(2.3, draw_axis_until(2.3, 5).high);
	EXPECT_EQ(5u, draw_axis_until(2.3, 5).n); // 0, 0.5, ... 2
}

TEST(DrawPalette, LinesDifferAndShadesGetBrighter)
{
	std::set<std::string> ways;
	unsigned before = 0;

	for (size_t i = 0; i < 28; i++)
		EXPECT_TRUE(
			ways.insert(std::string(draw_line_colour(i)) + draw_line_dashes(i)).second)
			<< i;
	for (unsigned i = 0; i < DRAW_SHADES; i++) {
		char colour[DRAW_COLOUR];
		unsigned r, g, b;

		ASSERT_EQ(3, sscanf(draw_viridis(colour, i), "#%02x%02x%02x", &r, &g, &b));
		const unsigned bright = 299 * r + 587 * g + 114 * b;

		EXPECT_GE(bright, before) << i;
		before = bright;
	}
	char first[DRAW_COLOUR], last[DRAW_COLOUR];

	EXPECT_STREQ("#440154", draw_viridis(first, 0));
	EXPECT_STREQ("#fde725", draw_viridis(last, DRAW_SHADES - 1));
}

// ---- files ----

class PictureFile : public Picture
{
      protected:
	void SetUp() override
	{
		dir = support::directory_for_programs();
		if (dir.empty())
			GTEST_SKIP() << "no program can be executed in /tmp and /var/tmp (noexec)";
		count();
	}
	~PictureFile() override
	{
		for (const std::string &name : files())
			unlink((dir + "/" + name).c_str());
		rmdir(dir.c_str());
	}
	std::set<std::string> files() const
	{
		std::set<std::string> names;
		DIR *d = opendir(dir.c_str());

		while (const dirent *e = d ? readdir(d) : nullptr)
			if (e->d_name[0] != '.')
				names.insert(e->d_name);
		if (d)
			closedir(d);
		return names;
	}
	static std::string content(const std::string &name)
	{
		std::stringstream text;

		text << std::ifstream(name).rdbuf();
		return text.str();
	}

	std::string dir;
};

TEST_F(PictureFile, ReplacesWhatWasThere)
{
	const std::string name = dir + "/x.svg", link = dir + "/link.svg";

	std::ofstream(name) << "old";
	ASSERT_EQ(0, symlink("x.svg", link.c_str()));
	EXPECT_EQ(0, draw_check_file(link.c_str()));
	EXPECT_EQ(0, draw_file(link.c_str(), draw_lines, &record));
	EXPECT_EQ(drawn(draw_lines, &record), content(name));
	EXPECT_EQ((std::set<std::string>{"link.svg", "x.svg"}), files());
}

TEST_F(PictureFile, AFailureLeavesWhatWasThere)
{
	EXPECT_EQ(ENOSPC, draw_file("/dev/full", draw_lines, &record));
	EXPECT_EQ(0, draw_check_file("/dev/null"));
	EXPECT_EQ(0, draw_file("/dev/null", draw_heatmap, &record));
	EXPECT_EQ(EISDIR, draw_check_file(dir.c_str()));
	EXPECT_NE(0, draw_file(dir.c_str(), draw_lines, &record));
	EXPECT_EQ(ENOENT, draw_check_file((dir + "/none/x.svg").c_str()));
	EXPECT_EQ(ENOENT, draw_file((dir + "/none/x.svg").c_str(), draw_lines, &record));
	EXPECT_TRUE(files().empty());
}

// A converter that copies: what it reads and writes, and what becomes of its failure.
TEST_F(PictureFile, OtherFormatsAreConverted)
{
	const std::string path = getenv("PATH"), program = dir + "/rsvg-convert";
	const std::string name = dir + "/x.PDF";

	EXPECT_STREQ("pdf", draw_format_of("a/x.PDF"));
	EXPECT_STREQ("png", draw_format_of("x.y.png"));
	EXPECT_EQ(nullptr, draw_format_of("png"));
	setenv("PATH", "/nonexistent", 1);
	EXPECT_FALSE(draw_has_converter());
	EXPECT_EQ(ENOENT, draw_file(name.c_str(), draw_lines, &record));
	EXPECT_TRUE(files().empty());
	setenv("PATH", (dir + ":" + path).c_str(), 1);
	std::ofstream(program) << "#!/bin/sh\necho \"$@\"; cat\n";
	chmod(program.c_str(), 0755);
	EXPECT_TRUE(draw_has_converter());
	EXPECT_EQ(0, draw_file(name.c_str(), draw_lines, &record));
	EXPECT_EQ("-d 300 -p 300 -f pdf\n" + drawn(draw_lines, &record), content(name));
	std::ofstream(program) << "#!/bin/sh\ncat; exit 1\n";
	EXPECT_EQ(EIO, draw_file(name.c_str(), draw_heatmap, &record));
	EXPECT_EQ("-d 300 -p 300 -f pdf\n" + drawn(draw_lines, &record), content(name));
	EXPECT_EQ((std::set<std::string>{"rsvg-convert", "x.PDF"}), files());
	setenv("PATH", path.c_str(), 1);
}

} // namespace
