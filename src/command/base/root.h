/* SPDX-License-Identifier: BSD-3-Clause */
/* root.h - the directory below which the command reads /proc and /sys. */
#ifndef COMMAND_ROOT_H
#define COMMAND_ROOT_H

/* UNCORE_SYSROOT, to which "/proc" is appended; "": this computer, or the program is privileged. */
const char *files_root(void);

#endif
