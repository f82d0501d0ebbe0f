/* SPDX-License-Identifier: BSD-3-Clause */
/* golden_names.h - the library's name for the event of a recorded case, on any platform. */
#ifndef TESTS_GOLDEN_NAMES_H
#define TESTS_GOLDEN_NAMES_H

#include "support/golden_ex.h"
#include "support/golden_platforms.h"

inline bool golden_is_ex(const std::string &platform)
{
	return platform == "nhmex" || platform == "wsmex";
}

/* The name without the package. */
inline std::string golden_name(const std::string &platform, const std::string &name,
			       const nlohmann::json &event)
{
	if (golden_is_ex(platform))
		return golden_ex::raw_name(platform, event, golden_ex::as_recorded(name));
	return golden::raw_name(platform, event);
}

#endif
