/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - variables that decide which files are read, or which registers are
 * touched.  A program that has rights its caller lacks must not take orders from there.
 */
#ifndef UNC_ENVIRONMENT_H
#define UNC_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Setuid, setgid, or file capabilities (AT_SECURE). */
bool unc_is_privileged(void);

/* The value of such a variable; NULL: it is empty or not set, or this program is privileged. */
const char *unc_variable(const char *name);

/*
 * One sentence about those of the names (ended by NULL) that are set and that a
 * privileged program ignores; text becomes "" if there are none.
 */
void unc_ignored_variables(const char *const *names, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
