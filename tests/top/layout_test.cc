// SPDX-License-Identifier: BSD-3-Clause
// layout_test.cc - the output of `uncore top` as rows of characters, without a terminal.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command/top/layout.h"
#include "command/top/number.h"

namespace
{

// Two packages, with read bandwidth of four channels each and a map of their slices.
class Layout : public testing::Test
{
      protected:
	Layout()
	{
		for (unsigned p = 0; p < 2; p++)
			for (unsigned b = 0; b < 4; b++) {
				const double x = 1e9 * (p == 1 && b == 2 ? 4 : 8);

				channels.push_back({p, b, {x, false, 0}, 0, 0, nullptr});
				slices.push_back({p, b, {1e6 * (b + 1), true, 0}, 0, 0, nullptr});
			}
		view.machine = "Intel Xeon of a test";
		view.packages = 2;
		view.seconds = 1;
		view.time = "12:03:17";
		view.n = 2;
		view.sections[0] = {"Memory bandwidth",
				    {metric("read", "bytes", TOP_NUMBER, channels)},
				    1,
				    nullptr,
				    0};
		view.sections[1] = {"Last-level cache",
				    {metric("lookups", "lookups", TOP_MAP, slices)},
				    1,
				    nullptr,
				    0};
	}
	~Layout() override
	{
		free(rows.text);
		free(rows.style);
	}
	top_metric metric(const char *label, const char *units, top_detail detail,
			  std::vector<top_box> &boxes)
	{
		top_metric m{};

		m.label = label;
		m.units = units;
		m.detail = detail;
		m.kind = detail == TOP_MAP ? "cbo" : "imc";
		m.packages = sums;
		m.boxes = boxes.data();
		m.n_boxes = boxes.size();
		return m;
	}
	std::vector<std::string> lay_out(unsigned width)
	{
		std::vector<std::string> lines;

		top_layout(&view, &display, width, &rows);
		for (size_t i = 0; i < rows.n; i++) {
			std::string line(rows.text + i * rows.width, rows.width);

			lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
		}
		return lines;
	}
	std::string all(unsigned width)
	{
		std::string text;

		for (const std::string &line : lay_out(width))
			text += line + "\n";
		return text;
	}
	unsigned char style_at(size_t row, unsigned column)
	{
		return rows.style[row * rows.width + column];
	}

	top_value sums[2] = {{32e9, false, 0}, {28e9, true, 0.024}};
	std::vector<top_box> channels, slices;
	top_view view{};
	top_display display{};
	top_rows rows{};
};

TEST_F(Layout, ShowsPackagesChannelsAndSlices)
{
	EXPECT_EQ(
		all(80),
		"Intel Xeon of a test                                            12:03:17  1.00 "
		"s\n"
		"~ estimate: the events are multiplexed; standard error up to 2.4 % (read)\n"
		"Memory bandwidth               read\n"
		"socket 0                  32.0 GB/s\n"
		"  channel                     0      1      2      3\n"
		"  read, GB/s               8.00   8.00   8.00   8.00\n"
		"socket 1                 ~28.0 GB/s\n"
		"  channel                     0      1      2      3\n"
		"  read, GB/s               8.00   8.00   4.00   8.00\n"
		"system                   ~60.0 GB/s\n"
		"Last-level cache            lookups\n"
		"socket 0                   32.0 G/s\n"
		"socket 1                  ~28.0 G/s\n"
		"system                    ~60.0 G/s\n"
		"  socket 0 cbo0-3       ..--**@@\n"
		"  socket 1 cbo0-3       ..--**@@\n"
		"  lookups by cbo        1.00 M/s .,:-=+*#%@ 4.00 M/s; mean 2.50 M/s\n"
		"                        min ~1.00 M/s socket 0 cbo0, max ~4.00 M/s socket 0 cbo3\n");
}

// Slice 0 owns half as many lines as the others of its package and counts half as much.
TEST_F(Layout, AMapScalesSlicesByTheirExpectedShares)
{
	for (top_box &slice : slices) {
		slice.expected = slice.number == 0 ? 0.5 : 1;
		slice.value = {slice.number == 0 ? 1e6 : 2e6, false, 0};
	}
	std::string text = all(80);

	EXPECT_NE(text.find("  socket 0 cbo0-3       @@@@@@@@\n"), std::string::npos) << text;
	EXPECT_NE(text.find("mean 2.00 M/s"), std::string::npos) << text;
	EXPECT_NE(text.find("min 2.00 M/s socket 0 cbo0, max 2.00 M/s"), std::string::npos) << text;
	EXPECT_NE(text.find("scaled by the expected share of lines of each slice\n"),
		  std::string::npos);
	slices[5].expected = 0; // not known: none is scaled
	text = all(80);
	EXPECT_NE(text.find("  socket 0 cbo0-3       ..@@@@@@\n"), std::string::npos) << text;
	EXPECT_EQ(text.find("scaled by"), std::string::npos);
}

TEST_F(Layout, TheUnbalancedChannelHasAnotherShade)
{
	lay_out(80);
	EXPECT_EQ(style_at(8, 24 + 1), TOP_SHADED + TOP_SHADES - 1);
	EXPECT_EQ(style_at(8, 24 + 2 * 7 + 1), TOP_SHADED);
	EXPECT_EQ(style_at(8, 24 + 3 * 7 + 1), TOP_SHADED + TOP_SHADES - 1);
}

// Noise is no difference: a scale reaches from the half of the largest on at most.
TEST_F(Layout, NearlyEqualBoxesHaveNearlyEqualShades)
{
	for (top_box &b : slices)
		b.value.number = 1e6 * (1 + 0.01 * b.number);
	lay_out(80);
	EXPECT_GE(style_at(14, 24), TOP_CELL + TOP_SHADES - 2);
	EXPECT_EQ(style_at(14, 30), TOP_CELL + TOP_SHADES - 1);
}

TEST_F(Layout, NoRowIsWiderThanTheTerminalAndNothingIsLost)
{
	for (const unsigned width : {40u, 47u, 60u, 80u, 133u, 400u}) {
		const std::string text = all(width);

		EXPECT_EQ(rows.width, width);
		for (const std::string &line : lay_out(width))
			EXPECT_LE(line.size(), width);
		size_t numbers = 0;

		for (size_t at = 0; (at = text.find("8.00", at)) != std::string::npos; at++)
			numbers++;
		EXPECT_EQ(7u, numbers) << text;
	}
	EXPECT_EQ(lay_out(1)[0].size(), 40u); // truncated by the caller
}

TEST_F(Layout, UnknownValuesAreADashAndAQuestionMark)
{
	channels[1].value.number = NAN;
	slices[2].value.number = NAN;
	sums[0].number = NAN;
	const auto lines = lay_out(80);

	EXPECT_EQ(lines[3], "socket 0                          -");
	EXPECT_EQ(lines[5], "  read, GB/s               8.00      -   8.00   8.00");
	EXPECT_EQ(lines[9], "system                            -");
	EXPECT_EQ(lines[14], "  socket 0 cbo0-3       ..--??@@");
	for (top_box &b : slices)
		b.value.number = NAN;
	EXPECT_NE(all(80).find("????????"), std::string::npos);
}

TEST_F(Layout, SaysWhatIsSimulatedAndWhatIsLeftOut)
{
	char note[] = "Memory bandwidth: package 1 is not shown: imc0 of package 1 is in use by "
		      "lulesh (pid 4711, user anna) since 12:00:00";
	char *notes[] = {note};

	view.simulated = true;
	view.notes = notes;
	view.n_notes = 1;
	const auto lines = lay_out(80);

	EXPECT_EQ(lines[0].substr(0, 31), "SIMULATED Intel Xeon of a test ");
	EXPECT_EQ(lines[2].substr(0, 16), "Memory bandwidth");
	EXPECT_EQ(lines[3], "  (pid 4711, user anna) since 12:00:00");
}

TEST_F(Layout, NothingAtAllIsAHead)
{
	view.n = 0;
	EXPECT_EQ(lay_out(80).size(), 1u);
	view.n = 1;
	view.sections[0].metrics[0].n_boxes = 0;
	EXPECT_EQ(lay_out(80).size(), 6u);
}

TEST_F(Layout, AChannelHasItsNumberAboveItsValues)
{
	for (top_box &b : channels)
		b.number *= 4;
	EXPECT_NE(all(80).find("\n  channel                     0      4      8     12\n"),
		  std::string::npos)
		<< all(80);
	// in several rows if the terminal is narrow
	EXPECT_NE(all(40).find("\n  channel                     0      4\n  read"),
		  std::string::npos)
		<< all(40);
	EXPECT_NE(all(40).find("\n  channel                     8     12\n  read"),
		  std::string::npos)
		<< all(40);
}

// Boxes that are neither channels nor links have their own names.
TEST_F(Layout, OtherBoxesHaveTheirNamesAboveTheirValues)
{
	view.sections[0].metrics[0].kind = "m2m";
	EXPECT_NE(all(80).find("   m2m0   m2m1   m2m2   m2m3\n"), std::string::npos) << all(80);
	view.sections[0].metrics[0].kind = "upi";
	EXPECT_NE(all(80).find("\n  link                        0      1"), std::string::npos)
		<< all(80);
}

TEST_F(Layout, SortedBoxesBeginWithTheHighest)
{
	channels[5].value.number = 9e9;
	display.sorted = true;
	const std::string text = all(80);

	EXPECT_NE(text.find("  channel                     1      0      3      2\n"
			    "  read, GB/s               9.00   8.00   8.00   4.00\n"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find("  socket 0 by value     @@**--..\n"), std::string::npos) << text;
}

TEST_F(Layout, TheSystemAloneHasASumOrThePackagesOfMeans)
{
	display.system_only = true;
	EXPECT_EQ(lay_out(80).size(), 6u);
	EXPECT_EQ(lay_out(80)[3], "system                   ~60.0 GB/s");
	view.sections[0].metrics[0].real = true; // as a ratio
	view.sections[0].metrics[0].units = "ratio";
	const auto lines = lay_out(80);

	EXPECT_EQ(lines[3].substr(0, 8), "socket 0");
	EXPECT_EQ(lines[4].substr(0, 8), "socket 1");
	EXPECT_EQ(lines[5].substr(0, 16), "Last-level cache");
	view.packages = 1;
	EXPECT_NE(all(80).find("  channel  "), std::string::npos);
}

TEST_F(Layout, HistoryIsBehindThePackage)
{
	double values[2 * TOP_HISTORY] = {1, 2, 4};

	std::fill(values + TOP_HISTORY, values + 2 * TOP_HISTORY, 2);
	view.sections[0].history = values;
	view.sections[0].n_history = 3;
	const auto lines = lay_out(80);

	EXPECT_EQ(lines[3], "socket 0            :+@   32.0 GB/s");
	EXPECT_EQ(lines[6], "socket 1            +++  ~28.0 GB/s");
	EXPECT_EQ(lines[9], "system              +*@  ~60.0 GB/s");
}

TEST(TopNumber, HasThreeDigitsAndAUnit)
{
	const struct {
		const char *units;
		bool real;
		top_value value;
		const char *text;
	} cases[] = {
		{"bytes", false, {23.1e9, false, 0}, "23.1 GB/s"},
		{"bytes", false, {23.1e9, true, 0}, "~23.1 GB/s"},
		{"bytes", false, {0, false, 0}, "0.00 B/s"},
		{"lookups", false, {999.6e6, false, 0}, "1.00 G/s"},
		{"ns", true, {85.34, false, 0}, "85.3 ns"},
		{"ratio", true, {0.125, true, 0}, "~12.5 %"},
		{"Hz", true, {2.4e9, false, 0}, "2.40 GHz"},
		{"W", true, {121.7, false, 0}, "122 W"},
		{"entries", true, {0.98, false, 0}, "0.98"},
		{"ns", true, {NAN, true, 0}, "-"},
	};

	for (const auto &c : cases) {
		top_metric m{};
		char text[TOP_NUMBER_TEXT];

		m.units = c.units;
		m.real = c.real;
		EXPECT_STREQ(c.text, top_number_text(text, &m, &c.value));
	}
}

TEST(TopNumber, ManyHaveTheUnitOfTheLargest)
{
	top_metric m{};
	char text[TOP_NUMBER_TEXT];
	const top_value small{1.5e6, true, 0}, none{NAN, false, 0};

	m.units = "bytes";
	for (const double largest : {1.2e9, 999e9}) {
		const top_scale scale = top_scale_of(&m, largest);

		EXPECT_STREQ("GB/s", scale.unit);
		EXPECT_STREQ("~0.00", top_scaled_text(text, &scale, &small));
		EXPECT_STREQ("-", top_scaled_text(text, &scale, &none));
	}
	EXPECT_STREQ("B/s", top_scale_of(&m, 0).unit);
	EXPECT_STREQ("MB/s", top_scale_of(&m, 1.5e6).unit);
}

} // namespace
