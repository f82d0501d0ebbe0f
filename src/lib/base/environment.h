/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - variables that decide which files are read or which registers are accessed.
 * A program with privileges that its caller lacks must ignore them.
 */
#ifndef UNC_ENVIRONMENT_H
#define UNC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Setuid, setgid, or file capabilities (AT_SECURE). */
UNC_SHARED bool unc_is_privileged(void);

/* The value of such a variable; NULL: empty, not set, or the program is privileged. */
UNC_SHARED const char *unc_variable(const char *name);

/*
 * A sentence about those of the names (ending with NULL) that are set but ignored because the
 * program is privileged; else text is "".
 */
void unc_ignored_variables(const char *const *names, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
