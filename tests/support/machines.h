/* SPDX-License-Identifier: BSD-3-Clause */
// machines.h - every Xeon that can be simulated, by name: tests of all of them take the list
// from here, and so a new one is among them.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

#include <vector>

namespace support
{

inline const std::vector<const char *> kMachines = {
#define MACHINE(name_) #name_,
#include "sim/machines.def"
#undef MACHINE
};

} // namespace support

#endif
