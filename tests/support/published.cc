// SPDX-License-Identifier: BSD-3-Clause
#include "support/published.h"

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "support/data.h"

namespace support
{

std::vector<Published> published(const std::string &file)
{
	std::istringstream in(data_text("event/published/" + file));
	std::vector<Published> rows;
	std::string line;

	std::getline(in, line); // header
	while (std::getline(in, line)) {
		std::istringstream columns(line);
		Published p;

		std::getline(columns, p.platform, ',');
		std::getline(columns, p.name, ',');
		std::getline(columns, p.unit, ',');
		std::getline(columns, p.formula);
		rows.push_back(p);
	}
	return rows;
}

Formula::Formula(const std::string &text, const Lookup &lookup) : text_(text), lookup_(lookup)
{
}

double Formula::value()
{
	at_ = 0;
	const double v = sum();

	if (next() != '\0')
		throw std::runtime_error("not a formula: " + text_.substr(at_));
	return v;
}

char Formula::next()
{
	while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
		at_++;
	return at_ < text_.size() ? text_[at_] : '\0';
}

bool Formula::took(char c)
{
	if (next() != c)
		return false;
	at_++;
	return true;
}

std::string Formula::up_to(char end)
{
	const size_t stop = text_.find(end, at_);
	const std::string inside = text_.substr(at_, stop - at_);

	if (stop == std::string::npos)
		throw std::runtime_error("nothing ends at " + text_.substr(at_));
	at_ = stop + 1;
	return inside;
}

std::string Formula::word()
{
	const size_t first = at_;

	while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
				      std::string("_:.=").find(text_[at_]) != std::string::npos))
		at_++;
	if (at_ == first)
		throw std::runtime_error("neither number nor name: " + text_.substr(at_));
	return text_.substr(first, at_ - first);
}

double Formula::term()
{
	if (took('(')) {
		const double v = sum();

		if (!took(')'))
			throw std::runtime_error("no ) before " + text_.substr(at_));
		return v;
	}
	if (std::isdigit(static_cast<unsigned char>(next()))) {
		char *end;
		const double v = std::strtod(text_.c_str() + at_, &end);

		at_ = static_cast<size_t>(end - text_.c_str());
		return v;
	}
	const std::string name = took('{') ? up_to('}') : word();

	return lookup_(name, took('[') ? up_to(']') : "");
}

double Formula::product()
{
	double v = term();

	for (;;)
		if (took('*'))
			v *= term();
		else if (took('/'))
			v /= term();
		else
			return v;
}

double Formula::sum()
{
	double v = took('-') ? -product() : product();

	for (;;)
		if (took('+'))
			v += product();
		else if (took('-'))
			v -= product();
		else
			return v;
}

} // namespace support
