// SPDX-License-Identifier: BSD-3-Clause
#include "support/recorded_tree.h"

#include <cstdio>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "support/recording_file.h"

namespace support
{

void write_tree(Tree &tree, const nlohmann::json &recorded)
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

void number_uboxes(Tree &tree, const nlohmann::json &recorded)
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

std::string recording_of_tree(const nlohmann::json &recorded)
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
