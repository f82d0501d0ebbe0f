/* SPDX-License-Identifier: BSD-3-Clause */
/* list_info.h - the processor of an event list, by its Header.Info. */
#ifndef UNC_LIST_INFO_H
#define UNC_LIST_INFO_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_LIST_INFO_MAX 256

enum unc_list_for { UNC_LIST_UNKNOWN, UNC_LIST_OURS, UNC_LIST_OTHERS };

/*
 * The texts have changed over the years, so look for code names and product names.
 * UNC_LIST_OURS: all events of the list are events of the platform.
 */
enum unc_list_for unc_list_for(const struct unc_platform *platform, const char *info);

#ifdef __cplusplus
}
#endif
#endif
