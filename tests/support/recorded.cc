// SPDX-License-Identifier: BSD-3-Clause
#include "support/recorded.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace support
{

std::string machines_path(const std::string &name)
{
	return golden_path("../machines/" + name);
}

std::string unzipped(const std::string &name)
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

std::vector<nlohmann::json> recordings(const std::string &name)
{
	std::vector<nlohmann::json> all;
	std::istringstream lines(unzipped(name));

	for (std::string line; std::getline(lines, line);)
		all.push_back(nlohmann::json::parse(line));
	return all;
}

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
