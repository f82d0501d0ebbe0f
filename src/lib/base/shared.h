/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.h - marks functions that uncore and uncored use in addition to the public interface:
 * version UNCORE_PRIVATE of libuncore.so (src/libuncore.map), which may differ from build to build.
 */
#ifndef UNC_SHARED_H
#define UNC_SHARED_H

#define UNC_SHARED __attribute__((visibility("default")))

#endif
