/* SPDX-License-Identifier: BSD-3-Clause */
// recorded_tree.h - makes recordings from the file trees in tests/machines.
#ifndef SUPPORT_RECORDED_TREE_H
#define SUPPORT_RECORDED_TREE_H

#include "support/recorded.h"
#include "support/recording_file.h"
#include "support/tree.h"

namespace support
{

// The files as recorded. MSRs and config spaces are zero.
inline void write_tree(Tree &tree, const nlohmann::json &recorded)
{
	for (const auto &file : recorded["files"].items())
		tree.write(file.key(), file.value());
	for (const auto &file : recorded["files"].items()) {
		unsigned cpu;
		int end = 0;

		sscanf(file.key().c_str(),
		       "sys/devices/system/cpu/cpu%u/topology/physical_package_id%n", &cpu, &end);
		if (end == static_cast<int>(file.key().size()))
			tree.msr(cpu, std::stoul(file.value().get<std::string>()));
	}
	for (const auto &device : recorded["config"].items()) {
		const std::string file = "sys/bus/pci/devices/" + device.key() + "/config";

		tree.write(file, "");
		tree.resize(file, kConfigBytes);
	}
}

// The U-Boxes of an E5-2600 number their packages in bus order.
inline void number_uboxes(Tree &tree, const nlohmann::json &recorded)
{
	unsigned nth = 0;

	for (const auto &device : recorded["config"].items()) {
		const std::string dir = "sys/bus/pci/devices/" + device.key() + "/";
		const auto id = recorded["files"].find(dir + "device");

		if (id == recorded["files"].end() ||
		    std::stoul(id->get<std::string>(), nullptr, 16) != kUbox)
			continue;
		tree.put(dir + "config", 0x40, nth++, 4);
		tree.put(dir + "config", 0x54, 1 << 3, 4);
	}
}

inline std::string recording_of_tree(const nlohmann::json &recorded)
{
	const RecordingFile file;
	Tree tree;

	write_tree(tree, recorded);
	number_uboxes(tree, recorded);
	auto options = tree.options();
	options.record = 1;
	const Handle machine(options);
	if (uncore_record(machine.u, file.fd, 0) < 0)
		throw std::runtime_error(machine.message());
	return file.text();
}

} // namespace support

#endif
