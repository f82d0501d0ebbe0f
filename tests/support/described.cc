// SPDX-License-Identifier: BSD-3-Clause
#include "support/described.h"

#include <stdexcept>

namespace support
{

Described::Described(const std::string &name)
    : Handle(sim_options(("sim:" + name + ":time=virtual").c_str()))
{
	if (code != 0)
		throw std::runtime_error(message());
}

struct uncore_event_info Described::info(unsigned id) const
{
	auto info = sized<struct uncore_event_info>();

	EXPECT_EQ(0, uncore_event_info(u, id, &info));
	return info;
}

struct uncore_event_info Described::info(const std::string &name) const
{
	unsigned id = 0;

	EXPECT_EQ(0, uncore_event(u, name.c_str(), &id)) << name << ": " << message();
	return info(id);
}

} // namespace support
