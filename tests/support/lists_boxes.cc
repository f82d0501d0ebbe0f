// SPDX-License-Identifier: BSD-3-Clause
#include "support/lists_boxes.h"

namespace support::lists
{

unc_row row_of(const char *name, const char *text, uint64_t bits, bool umask)
{
	unc_row row = {};

	set(row.name, name);
	set(row.text, text);
	row.bits = bits;
	row.umask = umask;
	return row;
}

unc_filter filter(const char *name, uint8_t shift, uint64_t mask)
{
	unc_filter f = {};

	set(f.name, name);
	f.config = 1;
	f.shift = shift;
	f.mask = mask;
	return f;
}

unc_box_type box(const char *name, const char *units, uint64_t event_mask)
{
	unc_box_type type = {};

	set(type.name, name);
	set(type.sysfs_name, name);
	type.intel_units = units;
	type.n_counters = 4;
	type.event_mask = event_mask;
	return type;
}

std::string text(const unc_row &row)
{
	return unc_row_text(&row);
}

Boxes::Boxes()
    : cha(box("cha", nullptr, 0x3ffffffff8cffffu)), iio(box("iio", nullptr, 0x7ffffff84ffffu)),
      upi(box("upi", "other|link", ~0ull)), ubo(box("ubo", nullptr, 0xffff))
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

Lists::Lists()
{
	unc_err_init(&err);
}

Lists::~Lists()
{
	unc_lists_free(lists);
	unc_err_destroy(&err);
}

int Lists::load(const std::string &paths, const std::string &directory)
{
	unc_lists_from from = {};

	from.paths = paths.empty() ? nullptr : paths.c_str();
	from.directory = directory.empty() ? nullptr : directory.c_str();
	from.types = boxes.types;
	from.platform = &boxes.platform;
	from.force = force;
	return unc_lists_load(&lists, &from, &err);
}

int Lists::load_text(const std::string &text)
{
	tree.write("a.json", text);
	return load(tree.path("a.json"));
}

std::string Lists::complaint(const std::string &text)
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

std::vector<unc_row> Lists::rows(const unc_box_type &type)
{
	std::vector<unc_row> all;

	for (const unc_row *r = unc_lists_rows(lists, &type); r && *r->name; r++)
		all.push_back(*r);
	return all;
}

unc_row Lists::row(const std::string &name, const unc_box_type &type)
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

unc_row Lists::cha(const std::string &name)
{
	return row(name, boxes.cha);
}

std::string Lists::left_out(const std::string &text)
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

std::vector<std::string> Lists::warnings() const
{
	std::vector<std::string> all;

	for (unsigned i = 0; unc_lists_warning(lists, i); i++)
		all.emplace_back(unc_lists_warning(lists, i)->text);
	return all;
}

} // namespace support::lists
