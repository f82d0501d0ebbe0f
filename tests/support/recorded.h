/* SPDX-License-Identifier: BSD-3-Clause */
// recorded.h - the recordings of real machines in tests/machines; its README.md has the format.
#ifndef SUPPORT_RECORDED_H
#define SUPPORT_RECORDED_H

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace support
{

// A PCI device of a listing.
struct Listed {
	unsigned domain, bus, slot, function, id;

	explicit Listed(const std::string &line);
	std::string place() const;
	std::string address() const;
};

std::vector<Listed> devices_of(const nlohmann::json &listing);

} // namespace support

#endif
