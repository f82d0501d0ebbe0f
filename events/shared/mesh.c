/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c - global control of SKX, KNL and ICX; the CHA's queue on counter 0. */
#include "shared/mesh.h"

const struct unc_global unc_mesh_global = {
	.msr = 0x700, .freeze = 1ull << 63, .unfreeze = 1ull << 61};

/* The extended umask of ICX is part of the queue's name. */
const struct unc_companion unc_mesh_companion = {
	.event = 0x1f,
	.counters = UNC_C123,
	.queues = {0x11, 0x36},
	.queue_mask = 0xffffffff00000000 | UNC_EV_UMASK | UNC_TID_EN,
	.how_mask = UNC_EDGE | UNC_INVERT | UNC_THRESH8,
	.threshold = UNC_THRESH8,
};
