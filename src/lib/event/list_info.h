/* SPDX-License-Identifier: BSD-3-Clause */
/* list_info.h - which processor one of Intel's event lists is for, by its Header.Info. */
#ifndef UNC_LIST_INFO_H
#define UNC_LIST_INFO_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_LIST_INFO_MAX 256

enum unc_list_for { UNC_LIST_UNKNOWN, UNC_LIST_OURS, UNC_LIST_OTHERS };

/*
 * The texts were reworded over the years, so code names and product names are looked
 * for.  UNC_LIST_OURS: all events of such a list are events of the platform.
 */
enum unc_list_for unc_list_for(const struct unc_platform *platform, const char *info);

#ifdef __cplusplus
}
#endif
#endif
