/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - interface between the reader of recordings and the machine that replays them. */
#ifndef UNC_REPLAY_H
#define UNC_REPLAY_H

#include "machine/record.h"

struct unc_replayed {
	struct unc_hw hw;
	struct unc_recording *recording;
};

/* Without answers; NULL: no memory. */
struct unc_replayed *unc_replayed_new(const struct unc_topology *topo);

#endif
