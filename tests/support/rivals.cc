// SPDX-License-Identifier: BSD-3-Clause
#include "support/rivals.h"

namespace support
{

std::vector<std::string> rivals(const Handle &h)
{
	std::vector<std::string> names;

	// Events of dmr are not published; docs/hardware/dmr.md, "Counter rules"
	if (h.machine().platform == std::string("dmr"))
		return {"dmr_unc_cbo::RAW:config=0x11", "dmr_unc_cbo::RAW:config=0x36"};
	for (const std::string &name : listed_names(h))
		if (name.find("OCCUPANCY") != name.npos || name.find("_TF_") != name.npos)
			for (const char *umask : {"", ":ALL", ":IA"})
				if (h.refusal(name + umask) == 0)
					names.push_back(name + umask);
	std::stable_partition(names.begin(), names.end(), [](const std::string &name) {
		return name.compare(0, 7, "UNCORE_") != 0;
	});
	for (size_t i = 0; i < names.size(); i++)
		for (size_t k = 0; k < i; k++)
			if (Set(h).assign({names[k], names[i]}) == UNCORE_ECONFLICT)
				return {names[k], names[i]};
	return {};
}

} // namespace support
