/* SPDX-License-Identifier: BSD-3-Clause */
// device_tree.h - PCI devices below sys/devices with their links, as the kernel makes them.
#ifndef SUPPORT_DEVICE_TREE_H
#define SUPPORT_DEVICE_TREE_H

#include <string>

#include "support/tree.h"

namespace support
{

class DeviceTree : public Tree
{
      public:
	// "0000:17/0000:17:00.0/0000:18:00.0": a root bus and the devices below it, which may
	// exist already.
	void device(const std::string &path);
	// A name of the device in a class, such as net; and the end of the name.
	void name(const std::string &path, const std::string &kind, const std::string &name);
	void unname(const std::string &path, const std::string &kind, const std::string &name);
	// A name without a device, such as that of a bridge.
	void virtual_name(const std::string &kind, const std::string &name);
	void link(const std::string &name, const std::string &target);

      private:
	void directory(const std::string &name);
};

} // namespace support

#endif
