// SPDX-License-Identifier: BSD-3-Clause
#include "support/recorded.h"

#include <cstdio>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace support
{

Listed::Listed(const std::string &line)
{
	if (sscanf(line.c_str(), "%x:%x:%x.%x %x", &domain, &bus, &slot, &function, &id) != 5)
		throw std::runtime_error(line);
}

std::string Listed::place() const
{
	char text[16];

	snprintf(text, sizeof(text), "%02x.%x", slot, function);
	return text;
}

std::string Listed::address() const
{
	char text[32];

	snprintf(text, sizeof(text), "%04x:%02x:", domain, bus);
	return text + place();
}

std::vector<Listed> devices_of(const nlohmann::json &listing)
{
	std::vector<Listed> all;

	for (const auto &line : listing["pci"])
		all.emplace_back(line.get<std::string>());
	return all;
}

} // namespace support
