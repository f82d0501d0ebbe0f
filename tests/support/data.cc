// SPDX-License-Identifier: BSD-3-Clause
#include "support/data.h"

#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "support/source.h"

namespace support
{

std::string data_text(const std::string &name)
{
	const std::string path = source_path("tests/" + name);
	gzFile file = gzopen(path.c_str(), "rb");
	std::string text;
	char part[65536];
	int n;

	if (!file)
		throw std::runtime_error("cannot read " + path);
	while ((n = gzread(file, part, sizeof(part))) > 0)
		text.append(part, static_cast<size_t>(n));
	// a file that ends too soon is an error only here
	if (gzclose_r(file) != Z_OK || n < 0)
		throw std::runtime_error("damaged: " + path);
	return text;
}

std::vector<nlohmann::json> data_lines(const std::string &name)
{
	std::vector<nlohmann::json> all;
	std::istringstream lines(data_text(name));

	for (std::string line; std::getline(lines, line);)
		all.push_back(nlohmann::json::parse(line));
	return all;
}

} // namespace support
