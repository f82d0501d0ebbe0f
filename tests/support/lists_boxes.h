/* SPDX-License-Identifier: BSD-3-Clause */
// lists_boxes.h - made-up box types for event lists, and lists loaded for them.
#ifndef SUPPORT_LISTS_BOXES_H
#define SUPPORT_LISTS_BOXES_H

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "event/lists.h"
#include "support/lists.h"
#include "support/tree.h"

namespace support::lists
{

// For the arrays of the tables.
template <size_t N> void set(char (&to)[N], const std::string &text)
{
	snprintf(to, N, "%s", text.c_str());
}

inline unc_row row_of(const char *name, const char *text, uint64_t bits, bool umask)
{
	unc_row row = {};

	set(row.name, name);
	set(row.text, text);
	row.bits = bits;
	row.umask = umask;
	return row;
}

inline unc_filter filter(const char *name, uint8_t shift, uint64_t mask)
{
	unc_filter f = {};

	set(f.name, name);
	f.config = 1;
	f.shift = shift;
	f.mask = mask;
	return f;
}

inline unc_box_type box(const char *name, const char *units, uint64_t event_mask)
{
	unc_box_type type = {};

	set(type.name, name);
	set(type.sysfs_name, name);
	type.intel_units = units;
	type.n_counters = 4;
	type.event_mask = event_mask;
	return type;
}

inline std::string text(const unc_row &row)
{
	return unc_row_text(&row);
}

// A machine with three box types, limited to what event lists require.
struct Boxes {
	Boxes()
	    : cha(box("cha", nullptr, 0x3ffffffff8cffffu)),
	      iio(box("iio", nullptr, 0x7ffffff84ffffu)), upi(box("upi", "other|link", ~0ull)),
	      ubo(box("ubo", nullptr, 0xffff))
	{
		own[1].counters = 0x3;
		set(own[1].unit, "things");
		cha.rows = own;
		cha.filters = filters;
		cha.n_filters = 2;
		cha.fixed.code = 0xff;
		cha.fixed.coded = true;
		cha.n_counters = 6;
		set(upi.sysfs_name, ubo.name);
		set(ubo.sysfs_name, "ubox");
		set(platform.title, "made-up Xeon");
		desc.lists = "made up";
		platform.desc = &desc;
	}

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
	Lists()
	{
		unc_err_init(&err);
	}
	~Lists() override
	{
		unc_lists_free(lists);
		unc_err_destroy(&err);
	}
	int load(const std::string &paths, const std::string &directory = "")
	{
		unc_lists_from from = {};

		from.paths = paths.empty() ? nullptr : paths.c_str();
		from.directory = directory.empty() ? nullptr : directory.c_str();
		from.types = boxes.types;
		from.platform = &boxes.platform;
		from.force = force;
		return unc_lists_load(&lists, &from, &err);
	}
	int load_text(const std::string &text)
	{
		tree.write("a.json", text);
		return load(tree.path("a.json"));
	}
	// The error message for a list, without the file name.
	std::string complaint(const std::string &text)
	{
		const int code = load_text(text);
		const std::string file = tree.path("a.json");
		std::string said = err.text;

		EXPECT_EQ(UNCORE_EINVAL, code) << text;
		EXPECT_EQ(boxes.own, unc_lists_rows(lists, &boxes.cha));
		EXPECT_EQ(0u, said.find(file)) << said;
		unc_lists_free(lists);
		lists = nullptr;
		return said.size() > file.size() ? said.substr(file.size()) : said;
	}
	std::vector<unc_row> rows(const unc_box_type &type)
	{
		std::vector<unc_row> all;

		for (const unc_row *r = unc_lists_rows(lists, &type); r && *r->name; r++)
			all.push_back(*r);
		return all;
	}
	// The row of an event, or of the umask for "EVENT.UMASK". Its name is empty if there is
	// no such row.
	unc_row row(const std::string &name, const unc_box_type &type)
	{
		std::string event;

		for (const unc_row &r : rows(type)) {
			if (!r.umask)
				event = r.name;
			if (name == (r.umask ? event + "." + r.name : event))
				return r;
		}
		return {};
	}
	unc_row cha(const std::string &name)
	{
		return row(name, boxes.cha);
	}

	// The warning about the one event that was skipped, without the file name.
	std::string left_out(const std::string &text)
	{
		const std::string file = tree.path("a.json");

		EXPECT_EQ(0, load_text(text)) << err.text;
		const std::vector<std::string> all = warnings();
		unc_lists_free(lists);
		lists = nullptr;
		EXPECT_EQ(1u, all.size()) << text;
		EXPECT_STREQ("", err.text) << "no call failed";
		return all.size() == 1 && all[0].find(file) == 0 ? all[0].substr(file.size()) : "";
	}
	std::vector<std::string> warnings() const
	{
		std::vector<std::string> all;

		for (unsigned i = 0; unc_lists_warning(lists, i); i++)
			all.emplace_back(unc_lists_warning(lists, i)->text);
		return all;
	}

	Boxes boxes;
	bool force = false;
	support::Tree tree;
	unc_err err;
	unc_lists *lists = nullptr;
};

} // namespace support::lists

#endif
