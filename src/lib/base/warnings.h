/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.h - a list of sentences that somebody should read. */
#ifndef UNC_WARNINGS_H
#define UNC_WARNINGS_H

#ifdef __cplusplus
extern "C" {
#endif

struct unc_warnings {
	char **texts;
	unsigned n;
};

/* 0 or UNCORE_ENOMEM. */
int unc_warnings_add(struct unc_warnings *warnings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Number i, from 0; NULL: there are no more. */
const char *unc_warning(const struct unc_warnings *warnings, unsigned i);
/* All but the first n. */
void unc_warnings_cut(struct unc_warnings *warnings, unsigned n);
void unc_warnings_free(struct unc_warnings *warnings);

#ifdef __cplusplus
}
#endif
#endif
