/* SPDX-License-Identifier: BSD-3-Clause */
/* platforms.c - the list of platforms, from platforms.def. */
#include "types.h"

/* clang-format off */
#define PLATFORM(name_, title_, family_, ...)                                   \
	const struct unc_platform unc_##name_ = {                               \
		.name = #name_, .title = title_, .family = (family_),         \
		.models = {__VA_ARGS__}, .desc = &unc_##name_##_desc,           \
	};
/* clang-format on */
#include "platforms.def"
#undef PLATFORM

const struct unc_platform *const unc_platforms[] = {
#define PLATFORM(name_, ...) &unc_##name_,
#include "platforms.def"
#undef PLATFORM
	NULL,
};
