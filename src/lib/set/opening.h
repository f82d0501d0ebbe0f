/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opening.h - the options of uncore_open(), from the caller and the environment, and the choice
 * of access method: simulation, recording, registers, uncored or the kernel driver.
 */
#ifndef UNC_OPENING_H
#define UNC_OPENING_H

#include "claim/handle.h"

/* ---- options.c ---- */

/* The caller's option, else the variable unless it is ignored, else the default. */
const char *unc_text_option(const char *given, const char *variable, const char *missing);
/* The same for an option that is 0 (not given), 1 or -1, and a variable. */
bool unc_flag_option(int given, const char *value, bool missing);
/* UNCORE_ACCESS. */
const char *unc_access_of(const struct uncore_options *o);
/* The ones that a handle keeps, such as u->root. */
int unc_read_options(struct uncore *u, const struct uncore_options *o);

/* ---- open_machine.c ---- */

/* Open the machine with its boxes; sets u->backend. */
int unc_open_machine(struct uncore *u, const struct uncore_options *o);
/*
 * If a machine cannot be opened, its register files are closed, which would release locks of
 * other handles of this process: create the locks to wait for those.
 */
void unc_open_locks(struct uncore *u);

#endif
