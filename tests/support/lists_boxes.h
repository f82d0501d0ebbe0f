/* SPDX-License-Identifier: BSD-3-Clause */
// lists_boxes.h - made-up box types for event lists, and lists loaded for them.
#ifndef SUPPORT_LISTS_BOXES_H
#define SUPPORT_LISTS_BOXES_H

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "event/lists.h"
#include "support/tree.h"

namespace support::lists
{

// For the arrays of the tables.
template <size_t N> void set(char (&to)[N], const std::string &text)
{
	snprintf(to, N, "%s", text.c_str());
}

unc_row row_of(const char *name, const char *text, uint64_t bits, bool umask);

unc_filter filter(const char *name, uint8_t shift, uint64_t mask);

unc_box_type box(const char *name, const char *units, uint64_t event_mask);

std::string text(const unc_row &row);

// A machine with three box types, limited to what event lists require.
struct Boxes {
	Boxes();

	unc_row own[5] = {
		row_of("UNC_CHA_OWN", "own", 0x11, false),
		row_of("UNC_CHA_BOTH", "own both", 0x22, false),
		row_of("RED", "own red", 0x0100, true),
		row_of("GREEN", "own green", 0x0400, true),
	};
	unc_filter filters[2] = {filter("F0", 0, 0x7fe1fff), filter("F1", 32, 0xdffffe3b)};
	unc_box_type cha, iio, upi, ubo;
	const unc_box_type *types[5] = {&cha, &iio, &upi, &ubo, nullptr};
	unc_platform_desc desc = {};
	unc_platform platform = {};
};

class Lists : public testing::Test
{
      protected:
	Lists();
	~Lists() override;
	int load(const std::string &paths, const std::string &directory = "");
	int load_text(const std::string &text);
	// The error message for a list, without the file name.
	std::string complaint(const std::string &text);
	std::vector<unc_row> rows(const unc_box_type &type);
	// The row of an event, or of the umask for "EVENT.UMASK". Its name is empty if there is
	// no such row.
	unc_row row(const std::string &name, const unc_box_type &type);
	unc_row cha(const std::string &name);

	// The warning about the one event that was skipped, without the file name.
	std::string left_out(const std::string &text);
	std::vector<std::string> warnings() const;

	Boxes boxes;
	bool force = false;
	support::Tree tree;
	unc_err err;
	unc_lists *lists = nullptr;
};

} // namespace support::lists

#endif
