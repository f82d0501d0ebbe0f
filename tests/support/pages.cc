// SPDX-License-Identifier: BSD-3-Clause
#include "support/pages.h"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/source.h"

namespace pages
{

std::string trim(const std::string &text)
{
	const size_t first = text.find_first_not_of(' ');

	return first == std::string::npos
		       ? ""
		       : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Row split(const std::string &text, char at)
{
	std::istringstream in(text);
	Row parts;

	for (std::string part; std::getline(in, part, at);)
		parts.push_back(trim(part));
	return parts;
}

std::vector<Row> table(const std::string &page, const std::string &head)
{
	std::ifstream in(support::source_path("docs/hardware/" + page));
	std::vector<Row> rows;
	bool here = false;

	if (!in)
		throw std::runtime_error("no page " + page);
	for (std::string line; std::getline(in, line);) {
		if (line.empty() || line[0] != '|')
			here = false;
		else if (here && line.compare(0, 4, "|---") != 0)
			rows.push_back(split(line.substr(1), '|'));
		if (line == head)
			here = true;
	}
	return rows;
}

unsigned long number(const std::string &text)
{
	size_t used = 0;
	const unsigned long value = std::stoul(text, &used, 0);

	if (used != text.size())
		throw std::runtime_error("no number: " + text);
	return value;
}

std::vector<unsigned> numbers(const std::string &text)
{
	std::vector<unsigned> all;

	for (const std::string &part : split(text, ',')) {
		const size_t dash = part.find('-');
		const unsigned long first = number(part.substr(0, dash));
		const unsigned long last =
			dash == std::string::npos ? first : number(part.substr(dash + 1));

		for (unsigned long i = first; i <= last; i++)
			all.push_back(static_cast<unsigned>(i));
	}
	return all;
}

bool has(const std::vector<unsigned> &all, unsigned number)
{
	for (const unsigned i : all)
		if (i == number)
			return true;
	return false;
}

uint64_t term(const std::string &text, const Values &values)
{
	size_t used = 0;
	const bool plain = !isdigit(text[0]);
	const uint64_t factor = plain ? 1 : std::stoull(text, &used, 0);
	const std::string rest = text.substr(used);

	if (rest.empty())
		return factor;
	if (rest[0] != '(')
		return factor * values.at(rest[0]);
	return factor * (values.at(rest[1]) - std::stoull(rest.substr(rest.find('-') + 1)));
}

uint64_t address(const std::string &text, const Values &values)
{
	uint64_t sum = 0;

	for (const std::string &part : split(text, '+'))
		sum += term(part, values);
	return sum;
}

uint64_t bits(const std::string &text)
{
	uint64_t mask = 0;

	for (const std::string &part : split(text, ' ')) {
		const size_t colon = part.find(':');
		const unsigned long high = std::stoul(part);
		const unsigned long low =
			colon == std::string::npos ? high : std::stoul(part.substr(colon + 1));

		mask |= (UINT64_MAX >> (63 - high)) & (UINT64_MAX << low);
	}
	return mask;
}

uint64_t hex(const std::string &text)
{
	size_t used = 0;
	const uint64_t value = std::stoull(text, &used, 16);

	if (used != text.size())
		throw std::runtime_error("no hexadecimal number: " + text);
	return value;
}

} // namespace pages
