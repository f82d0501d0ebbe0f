// SPDX-License-Identifier: BSD-3-Clause
#include "support/golden.h"

#include <cstdio>

uint64_t golden_number(const std::string &text)
{
	return std::stoull(text, nullptr, 0);
}

std::string golden_hex(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%#llx", static_cast<unsigned long long>(value));
	return text;
}

GoldenPmu::GoldenPmu(const std::string &sysfs)
{
	const size_t from = sysfs.find('_') + 1;
	const size_t digits = sysfs.find_last_not_of("0123456789") + 1;
	const bool numbered = digits < sysfs.size() && sysfs[digits - 1] == '_';

	kind = sysfs.substr(from, numbered ? digits - 1 - from : std::string::npos);
	box = numbered ? std::stoi(sysfs.substr(digits)) : -1;
	if (kind == "cbox")
		kind = "cbo";
	if (kind == "ubox")
		kind = "ubo";
	if (kind == "sbox")
		kind = "sbo";
}
