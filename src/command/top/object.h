/* SPDX-License-Identifier: BSD-3-Clause */
/* object.h - the current data of `uncore top` as rows. */
#ifndef TOP_OBJECT_H
#define TOP_OBJECT_H

#include "command/emit/emit.h"
#include "command/top/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a struct top_view; docs/uncore.1 describes the object. */
struct json_object *top_object(const void *view);

#ifdef __cplusplus
}
#endif
#endif
