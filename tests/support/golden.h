/* SPDX-License-Identifier: BSD-3-Clause */
/* golden.h - the recorded cases in tests/golden; its README.md has the format. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

uint64_t golden_number(const std::string &text);

std::string golden_hex(uint64_t value);

/* "uncore_cbox_3" -> "cbo" and 3 (-1 without a number); kinds may have '_' in them. */
struct GoldenPmu {
	explicit GoldenPmu(const std::string &sysfs);
	std::string kind;
	int box;
};

#endif
