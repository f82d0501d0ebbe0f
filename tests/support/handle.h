/* SPDX-License-Identifier: BSD-3-Clause */
// handle.h - C++ wrappers for handles and event sets; unexpected errors are test failures.
#ifndef SUPPORT_HANDLE_H
#define SUPPORT_HANDLE_H

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/sized.h"

namespace support
{

// An open machine. The wrap poller is disabled unless a test enables it.
class Handle
{
      public:
	explicit Handle(uncore_options options)
	{
		if (options.wrap_poller == 0)
			options.wrap_poller = -1;
		code = uncore_open(&u, &options);
	}
	~Handle()
	{
		close();
	}
	Handle(const Handle &) = delete;
	Handle &operator=(const Handle &) = delete;

	void close()
	{
		uncore_close(u);
		u = nullptr;
	}
	std::string message() const
	{
		char text[UNCORE_ERRMSG_MAX];

		return uncore_errmsg(u, text, sizeof(text));
	}
	unsigned event(const std::string &name) const
	{
		unsigned id = UINT32_MAX;

		EXPECT_EQ(UNCORE_OK, uncore_event(u, name.c_str(), &id)) << message();
		return id;
	}
	std::vector<unsigned> events(const std::vector<std::string> &names) const
	{
		std::vector<unsigned> ids;

		ids.reserve(names.size());
		for (const std::string &name : names)
			ids.push_back(event(name));
		return ids;
	}
	// The error code for a name that must be refused.
	int refusal(const std::string &name) const
	{
		unsigned id;

		return uncore_event(u, name.c_str(), &id);
	}
	std::string canonical(const std::string &name) const
	{
		const char *spelling = uncore_event_name(u, event(name));

		return spelling ? spelling : "(none)";
	}
	uncore_machine_info machine() const
	{
		auto info = sized<uncore_machine_info>();

		uncore_machine(u, &info);
		return info;
	}
	std::vector<uncore_box_info> boxes(const std::string &kind = "") const
	{
		std::vector<uncore_box_info> all;
		auto box = sized<uncore_box_info>();

		for (unsigned i = 0; i < machine().boxes; i++)
			if (uncore_box(u, i, &box) == 1 && (kind.empty() || kind == box.kind))
				all.push_back(box);
		return all;
	}
	// NULL if there is no warning with this number.
	const char *warning(unsigned i) const
	{
		const char *text = nullptr;

		return uncore_warning(u, i, &text) == 1 ? text : nullptr;
	}
	std::vector<uncore_qualifier_info> qualifiers(unsigned event) const
	{
		std::vector<uncore_qualifier_info> all;
		auto one = sized<uncore_qualifier_info>();

		for (unsigned i = 0; uncore_event_qualifier(u, event, i, &one) == 1; i++)
			all.push_back(one);
		return all;
	}
	unsigned present(const std::string &kind) const
	{
		unsigned n = 0;

		for (const uncore_box_info &box : boxes(kind))
			n += box.absent == nullptr;
		return n;
	}

	struct uncore *u = nullptr;
	int code = 0;
};

// An event set.
class Set
{
      public:
	explicit Set(const Handle &handle, const std::vector<std::string> &names = {})
	    : handle(handle)
	{
		EXPECT_EQ(0, uncore_set_create(handle.u, &set));
		if (!names.empty()) {
			EXPECT_EQ(0, assign(names)) << handle.message();
		}
	}
	~Set()
	{
		uncore_set_destroy(set);
	}
	Set(const Set &) = delete;
	Set &operator=(const Set &) = delete;

	int assign(const std::vector<std::string> &names)
	{
		const std::vector<unsigned> ids = handle.events(names);

		return uncore_set_assign(set, ids.data(), ids.size());
	}
	int start()
	{
		return uncore_set_start(set);
	}
	int stop()
	{
		return uncore_set_stop(set);
	}
	int reset()
	{
		return uncore_set_reset(set);
	}
	std::vector<int64_t> counts(int expected = UNCORE_OK)
	{
		std::vector<int64_t> values(info().events, -1);

		EXPECT_EQ(expected, uncore_set_read(set, values.data()));
		return values;
	}
	struct uncore_set_info info() const
	{
		auto info = sized<struct uncore_set_info>();

		EXPECT_EQ(0, uncore_set_info(set, &info));
		return info;
	}
	int64_t count(int expected = UNCORE_OK)
	{
		return counts(expected).at(0);
	}

	const Handle &handle;
	struct uncore_set *set = nullptr;
};

} // namespace support

#endif
