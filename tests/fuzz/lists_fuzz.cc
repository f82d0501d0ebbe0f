// SPDX-License-Identifier: BSD-3-Clause
// lists_fuzz.cc - event list files of any kind: no crash, and a reason for each refusal.
#include <cstdio>
#include <cstring>
#include <string>

#include <unistd.h>

#include "event/list_file.h"
#include "fuzz/fuzz.h"

namespace
{

using fuzz::demand;

unc_box_type box(const char *name)
{
	unc_box_type type = {};

	snprintf(type.name, sizeof(type.name), "%s", name);
	snprintf(type.sysfs_name, sizeof(type.sysfs_name), "%s", name);
	type.n_counters = 4;
	type.event_mask = 0x3ffffffff8cffff;
	return type;
}

// Each item is whole: what tables and listings take for granted.
void check_items(const unc_list_file &f)
{
	for (size_t i = 0; i < f.n_items; i++) {
		const unc_item &item = f.items[i];

		demand(*item.event && strlen(item.event) <= UNCORE_NAME_MAX, "name");
		demand(!strpbrk(item.event, ".: ") && !strpbrk(item.umask, ".: "), "characters");
		demand(*item.text && !strpbrk(item.text, "\n\r\033"), "text");
		demand(item.code <= 0x2000ff, "code");
	}
}

// The same through the tables.
void check_rows(const unc_lists_from &from)
{
	unc_lists *lists;
	unc_err err;

	unc_err_init(&err);
	if (unc_lists_load(&lists, &from, &err) == 0)
		for (auto type = from.types; *type; type++) {
			const unc_row *row = unc_lists_rows(lists, *type);

			demand(!row || !row->umask, "a umask without event");
			for (; row && *row->name; row++)
				demand(row->long_text != nullptr, "row");
		}
	unc_lists_free(lists);
	unc_err_destroy(&err);
}

void through_a_file(const std::string &text, unc_lists_from from)
{
	char path[] = "/tmp/uncore-fuzz-XXXXXX";
	const int fd = mkstemp(path);

	demand(fd >= 0 && write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
	       "no temporary file");
	close(fd);
	from.paths = path;
	check_rows(from);
	unlink(path);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unc_box_type cha = box("cha"), iio = box("iio");
	static const unc_box_type *const types[] = {&cha, &iio, nullptr};
	const std::string text(reinterpret_cast<const char *>(data), size);
	unc_list_file f = {};
	unc_lists_from from = {};
	unc_platform_desc desc = {};
	unc_platform platform = {};
	unc_warnings warnings = {};
	unc_err err;
	int code;

	from.types = types;
	snprintf(platform.title, sizeof(platform.title), "fuzz");
	platform.desc = &desc;
	from.platform = &platform;
	unc_err_init(&err);
	f.path = "fuzz";
	f.text = text.data();
	f.size = text.size();
	f.from = &from;
	f.err = &err;
	f.warnings = &warnings;
	code = unc_list_scan(&f);
	demand(code == 0 ? f.n_fit > 0
			 : strncmp(err.text, "fuzz:", 5) == 0 && fuzz::is_sentence(err.text),
	       "no reason");
	for (unsigned i = 0; i < warnings.n; i++)
		demand(fuzz::is_sentence(warnings.list[i].text), "no sentence",
		       warnings.list[i].text);
	demand(f.n_items <= UNC_LIST_MAX_EVENTS && f.n_items <= text.size(), "items from nothing");
	check_items(f);
	if (code == 0)
		through_a_file(text, from);
	unc_items_free(f.items, f.n_items);
	unc_warnings_cut(&warnings, 0);
	free(warnings.list);
	unc_err_destroy(&err);
	return 0;
}
