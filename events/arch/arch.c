/* SPDX-License-Identifier: BSD-3-Clause */
/* arch.c - the architectural events and their modifiers. */
#include "arch/arch.h"

/* clang-format off */
#define ARCH(name_, code_, lacking_, fixed_, text_) \
	{.row = {.name = #name_, .text = text_, .bits = (code_)}, .lacking = (lacking_), .fixed = (fixed_)},
/* The code is Linux's pseudo code. */
#define ARCH_FIXED(name_, code_, fixed_, text_) \
	{.row = {.name = #name_, .text = text_, .bits = (code_)}, .lacking = UNC_ARCH_NEVER, \
	 .fixed = (fixed_), .only_fixed = true},
/* clang-format on */

const struct unc_arch_event unc_arch_events[UNC_ARCH_EVENTS] = {
#include "arch/arch.def"
};

/* clang-format off */
#define COMMON \
	{.name = "k", .text = "count in the kernel (ring 0)", .mask = UNC_ARCH_OS}, \
	{.name = "u", .text = "count in user programs (rings 1 to 3)", .mask = UNC_ARCH_USR}, \
	{.name = "e", .text = "edge detect: count how often the condition becomes true", \
	 .mask = 0x00040000}, \
	{.name = "i", .text = "invert the comparison with c", .mask = 0x00800000}, \
	{.name = "c", .text = "threshold: count cycles with at least this many occurrences [0-255]", \
	 .mask = 0xff000000}
/* clang-format on */

const struct unc_modifier unc_arch_modifiers[] = {
	COMMON,
	{.name = "t", .text = "count for both threads of the core", .mask = UNC_ARCH_ANY},
	{.name = ""},
};

const struct unc_modifier unc_arch_modifiers_own[] = {COMMON, {.name = ""}};
