/* SPDX-License-Identifier: BSD-3-Clause */
/* ops.h - FUSE operations; the user data of the session is the struct tree. */
#ifndef MOUNT_OPS_H
#define MOUNT_OPS_H

#define FUSE_USE_VERSION 32

#include <fuse_lowlevel.h>

extern const struct fuse_lowlevel_ops mount_ops;

#endif
