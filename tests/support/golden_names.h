/* SPDX-License-Identifier: BSD-3-Clause */
/* golden_names.h - the library's name for the event of a recorded case, on any platform. */
#ifndef TESTS_GOLDEN_NAMES_H
#define TESTS_GOLDEN_NAMES_H

#include "support/golden_platforms.h"

bool golden_is_ex(const std::string &platform);

/* The name without the package. */
std::string golden_name(const std::string &platform, const std::string &name,
			const nlohmann::json &event);

#endif
