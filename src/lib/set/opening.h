/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opening.h - what uncore_open() is told, by its caller and the environment, and how it gets at the
 * machine: as simulation, as recording, by its registers, by uncored or by the kernel's driver.
 */
#ifndef UNC_OPENING_H
#define UNC_OPENING_H

#include "claim/handle.h"

/* ---- options.c ---- */

/* What the caller gives, else the variable, unless it is ignored, else what stands for neither. */
const char *unc_text_option(const char *given, const char *variable, const char *missing);
/* The same of an option that is 0 if not given, 1 or -1, and of a variable's value. */
bool unc_flag_option(int given, const char *value, bool missing);
/* UNCORE_ACCESS. */
const char *unc_access_of(const struct uncore_options *o);
/* Those that a handle keeps, u->root among them. */
int unc_read_options(struct uncore *u, const struct uncore_options *o);

/* ---- open_machine.c ---- */

/* The machine with its boxes; u->backend tells who counts. */
int unc_open_machine(struct uncore *u, const struct uncore_options *o);
/*
 * Register files of a machine that could not be opened are closed, too, and locks of other
 * handles of this process would end with that: what knows these locks is made after all.
 */
void unc_open_locks(struct uncore *u);

#endif
