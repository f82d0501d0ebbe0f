/* SPDX-License-Identifier: BSD-3-Clause */
// recorded.h - the recordings of real machines in tests/machines; its README.md has the format.
#ifndef SUPPORT_RECORDED_H
#define SUPPORT_RECORDED_H

#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/golden.h"

namespace support
{

inline std::string machines_path(const std::string &name)
{
	return golden_path("../machines/" + name);
}

inline std::string unzipped(const std::string &name)
{
	const std::string command = "gzip -dc '" + machines_path(name) + "'";
	FILE *pipe = popen(command.c_str(), "r");
	std::string text;
	char part[65536];

	if (!pipe)
		throw std::runtime_error(command);
	for (size_t n; (n = fread(part, 1, sizeof(part), pipe)) > 0;)
		text.append(part, n);
	if (pclose(pipe) != 0)
		throw std::runtime_error(command);
	return text;
}

// One JSON object a line.
inline std::vector<nlohmann::json> recordings(const std::string &name)
{
	std::vector<nlohmann::json> all;
	std::istringstream lines(unzipped(name));

	for (std::string line; std::getline(lines, line);)
		all.push_back(nlohmann::json::parse(line));
	return all;
}

// A PCI device of a listing.
struct Listed {
	unsigned domain, bus, slot, function, id;

	explicit Listed(const std::string &line)
	{
		if (sscanf(line.c_str(), "%x:%x:%x.%x %x", &domain, &bus, &slot, &function, &id) !=
		    5)
			throw std::runtime_error(line);
	}
	std::string place() const
	{
		char text[16];

		snprintf(text, sizeof(text), "%02x.%x", slot, function);
		return text;
	}
	std::string address() const
	{
		char text[32];

		snprintf(text, sizeof(text), "%04x:%02x:", domain, bus);
		return text + place();
	}
};

inline std::vector<Listed> devices_of(const nlohmann::json &listing)
{
	std::vector<Listed> all;

	for (const auto &line : listing["pci"])
		all.emplace_back(line.get<std::string>());
	return all;
}

} // namespace support

#endif
