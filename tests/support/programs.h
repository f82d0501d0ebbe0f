/* SPDX-License-Identifier: BSD-3-Clause */
// programs.h - where tests put programs: /tmp may be mounted with noexec or nosuid.
#ifndef SUPPORT_PROGRAMS_H
#define SUPPORT_PROGRAMS_H

#include <string>

namespace support
{

// A new directory that every user may enter, for programs, setuid ones if possible; "" if no
// program can be executed.
std::string directory_for_programs();

} // namespace support

#endif
