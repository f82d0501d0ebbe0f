// SPDX-License-Identifier: BSD-3-Clause
#include "support/handle.h"

#include <gtest/gtest.h>

namespace support
{

Handle::Handle(uncore_options options)
{
	if (options.wrap_poller == 0)
		options.wrap_poller = -1;
	code = uncore_open(&u, &options);
}

Handle::~Handle()
{
	close();
}

void Handle::close()
{
	uncore_close(u);
	u = nullptr;
}

std::string Handle::message() const
{
	char text[UNCORE_ERRMSG_MAX];

	return uncore_errmsg(u, text, sizeof(text));
}

unsigned Handle::event(const std::string &name) const
{
	unsigned id = UINT32_MAX;

	EXPECT_EQ(UNCORE_OK, uncore_event(u, name.c_str(), &id)) << message();
	return id;
}

std::vector<unsigned> Handle::events(const std::vector<std::string> &names) const
{
	std::vector<unsigned> ids;

	ids.reserve(names.size());
	for (const std::string &name : names)
		ids.push_back(event(name));
	return ids;
}

int Handle::refusal(const std::string &name) const
{
	unsigned id;

	return uncore_event(u, name.c_str(), &id);
}

std::string Handle::canonical(const std::string &name) const
{
	const char *spelling = uncore_event_name(u, event(name));

	return spelling ? spelling : "(none)";
}

uncore_machine_info Handle::machine() const
{
	auto info = sized<uncore_machine_info>();

	uncore_machine(u, &info);
	return info;
}

std::vector<uncore_box_info> Handle::boxes(const std::string &kind) const
{
	std::vector<uncore_box_info> all;
	auto box = sized<uncore_box_info>();

	for (unsigned i = 0; i < machine().boxes; i++)
		if (uncore_box(u, i, &box) == 1 && (kind.empty() || kind == box.kind))
			all.push_back(box);
	return all;
}

const char *Handle::warning(unsigned i) const
{
	const char *text = nullptr;

	return uncore_warning(u, i, &text) == 1 ? text : nullptr;
}

std::vector<uncore_qualifier_info> Handle::qualifiers(unsigned event) const
{
	std::vector<uncore_qualifier_info> all;
	auto one = sized<uncore_qualifier_info>();

	for (unsigned i = 0; uncore_event_qualifier(u, event, i, &one) == 1; i++)
		all.push_back(one);
	return all;
}

unsigned Handle::present(const std::string &kind) const
{
	unsigned n = 0;

	for (const uncore_box_info &box : boxes(kind))
		n += box.absent == nullptr;
	return n;
}

Set::Set(const Handle &handle, const std::vector<std::string> &names) : handle(handle)
{
	EXPECT_EQ(0, uncore_set_create(handle.u, &set));
	if (!names.empty()) {
		EXPECT_EQ(0, assign(names)) << handle.message();
	}
}

Set::~Set()
{
	uncore_set_destroy(set);
}

int Set::assign(const std::vector<std::string> &names)
{
	const std::vector<unsigned> ids = handle.events(names);

	return uncore_set_assign(set, ids.data(), ids.size());
}

int Set::start()
{
	return uncore_set_start(set);
}

int Set::stop()
{
	return uncore_set_stop(set);
}

int Set::reset()
{
	return uncore_set_reset(set);
}

std::vector<int64_t> Set::counts(int expected)
{
	std::vector<int64_t> values(info().events, -1);

	EXPECT_EQ(expected, uncore_set_read(set, values.data()));
	return values;
}

struct uncore_set_info Set::info() const
{
	auto info = sized<struct uncore_set_info>();

	EXPECT_EQ(0, uncore_set_info(set, &info));
	return info;
}

int64_t Set::count(int expected)
{
	return counts(expected).at(0);
}

} // namespace support
