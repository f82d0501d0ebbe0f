// SPDX-License-Identifier: BSD-3-Clause
#include "support/golden_names.h"

#include "support/golden_ex.h"

bool golden_is_ex(const std::string &platform)
{
	return platform == "nhmex" || platform == "wsmex";
}

std::string golden_name(const std::string &platform, const std::string &name,
			const nlohmann::json &event)
{
	if (golden_is_ex(platform))
		return golden_ex::raw_name(platform, event, golden_ex::as_recorded(name));
	return golden::raw_name(platform, event);
}
