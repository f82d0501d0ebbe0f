// SPDX-License-Identifier: BSD-3-Clause
#include "support/device_tree.h"

#include <cerrno>
#include <sstream>
#include <stdexcept>

#include <sys/stat.h>
#include <unistd.h>

namespace support
{

namespace
{

std::string below_devices(const std::string &path)
{
	return "sys/devices/pci" + path;
}

} // namespace

void DeviceTree::directory(const std::string &name)
{
	std::string so_far;
	std::istringstream parts(name);

	for (std::string part; std::getline(parts, part, '/');) {
		so_far += (so_far.empty() ? "" : "/") + part;
		if (mkdir(path(so_far).c_str(), 0755) != 0 && errno != EEXIST)
			throw std::runtime_error("mkdir " + so_far);
	}
}

void DeviceTree::link(const std::string &name, const std::string &target)
{
	directory(name.substr(0, name.rfind('/')));
	if (symlink(path(target).c_str(), path(name).c_str()) != 0 && errno != EEXIST)
		throw std::runtime_error("symlink " + name);
}

void DeviceTree::device(const std::string &path)
{
	const std::string all = below_devices(path);

	directory(all);
	for (size_t end = all.find('/', all.find("/pci") + 1); end != all.npos;) {
		const size_t begin = end + 1;

		end = all.find('/', begin);
		const std::string part = all.substr(begin, end - begin);
		if (part.compare(0, 3, "pci") != 0)
			link("sys/bus/pci/devices/" + part, all.substr(0, end));
	}
}

void DeviceTree::name(const std::string &path, const std::string &kind, const std::string &name)
{
	const std::string place = below_devices(path) + "/" + kind + "/" + name;

	device(path);
	directory(place);
	link(place + "/device", below_devices(path));
	link("sys/class/" + kind + "/" + name, place);
}

void DeviceTree::unname(const std::string &path, const std::string &kind, const std::string &name)
{
	remove("sys/class/" + kind + "/" + name);
	remove(below_devices(path) + "/" + kind + "/" + name);
}

void DeviceTree::virtual_name(const std::string &kind, const std::string &name)
{
	const std::string place = "sys/devices/virtual/" + kind + "/" + name;

	directory(place);
	link("sys/class/" + kind + "/" + name, place);
}

} // namespace support
