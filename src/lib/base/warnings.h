/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.h - a list of warnings for the user. */
#ifndef UNC_WARNINGS_H
#define UNC_WARNINGS_H

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_warning {
	enum uncore_warning_code code;
	char *text;
};

struct unc_warnings {
	struct unc_warning *list;
	unsigned n;
};

/* 0 or UNCORE_ENOMEM. */
int unc_warnings_add(struct unc_warnings *warnings, enum uncore_warning_code code,
		     const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Number i, from 0; NULL after the last. */
const struct unc_warning *unc_warning(const struct unc_warnings *warnings, unsigned i);
/* Remove all but the first n. */
void unc_warnings_cut(struct unc_warnings *warnings, unsigned n);
void unc_warnings_free(struct unc_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
