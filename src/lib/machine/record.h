/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - a machine as data: what it answered when it was opened, as a file (JSON,
 * docs/recordings.md), and a machine that gives these answers again.
 */
#ifndef UNC_RECORD_H
#define UNC_RECORD_H

#include <stdio.h>

#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_recording;

/* root: of the kernel's files.  NULL: no memory. */
struct unc_recording *unc_recording_new(const char *root);
void unc_recording_free(struct unc_recording *recording);

/*
 * The machine behind hw, which stays as it is; what is asked of it is noted.  Closing it does not
 * close hw.  NULL: no memory.
 */
struct unc_hw *unc_hw_recorded(struct unc_hw *hw, struct unc_recording *recording);

/* Why the machine could not be opened, as it was told. */
void unc_recording_failed(struct unc_recording *recording, int code, const char *why);

/*
 * Write all of it with what the kernel tells of itself: 0, UNCORE_ENOMEM, UNCORE_EIO (errno
 * tells), UNCORE_ENOSUPP without json-c.
 */
int unc_recording_write(const struct unc_recording *recording, const struct unc_topology *topo,
			FILE *file);

/*
 * The machine that a file tells of; fills topo.  Nothing can be written to it.  NULL with
 * UNCORE_EINVAL (no recording, damaged), UNCORE_ENOMEM, UNCORE_ENOSUPP in *code.
 */
struct unc_hw *unc_hw_replayed(const char *path, struct unc_topology *topo, struct unc_err *err,
			       int *code);

/* Why that machine could not be opened, when it was recorded: its code, 0: it could. */
int unc_replayed_failure(struct unc_hw *hw, const char **why);

#ifdef __cplusplus
}
#endif
#endif
