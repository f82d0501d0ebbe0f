/* SPDX-License-Identifier: BSD-3-Clause */
// published.h - formulas as text, published ones (tests/event/published) and the library's:
// reads them from their files and evaluates them with the caller's values for names.
#ifndef TESTS_PUBLISHED_H
#define TESTS_PUBLISHED_H

#include <functional>
#include <string>
#include <vector>

namespace support
{

struct Published {
	std::string platform, name, unit, formula;
};

std::vector<Published> published(const std::string &file);

// The value of an event or a variable in a formula. The second argument is the text in brackets
// after it, or "".
using Lookup = std::function<double(const std::string &name, const std::string &brackets)>;

// Sums, products, brackets. An event is "{EVENT}" or a word.
class Formula
{
      public:
	Formula(const std::string &text, const Lookup &lookup);
	double value();

      private:
	char next();
	bool took(char c);
	std::string up_to(char end);
	std::string word();
	double term();
	double product();
	double sum();

	const std::string &text_;
	const Lookup &lookup_;
	size_t at_ = 0;
};

} // namespace support

#endif
