/* SPDX-License-Identifier: BSD-3-Clause */
/* foreign.h - events as perf and LIKWID spell them, in our own spelling; a step before the parser
 * proper. */
#ifndef UNC_FOREIGN_H
#define UNC_FOREIGN_H

#include "event/name_space.h"

/* perf_name.c: "uncore_imc_0/cas_count_read/" */
bool unc_is_perf_name(const char *text);
int unc_perf_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/* likwid_name.c: "CAS_COUNT_RD:MBOX0C0"; false if there is no such counter in it. */
bool unc_is_likwid_name(const struct unc_names *names, const char *text);
int unc_likwid_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/* own_name.c: where perf counts: ":box=N" of the boxes with that index in their packages, or "". */
void unc_box_of_index(const struct unc_machine *m, const struct unc_box_type *type, long index,
		      char text[UNC_NUMBERS_TEXT + 8]);

/* The listed event that is encoded so, if it can be spelled simply, else RAW. */
void unc_own_name(struct unc_names *names, const struct unc_pmu *pmu,
		  const uint64_t config[UNC_CONFIGS], char own[UNC_OWN_NAME]);
/* format_name.c: RAW in any case. */
void unc_raw_name(const struct unc_pmu *pmu, const uint64_t config[UNC_CONFIGS],
		  char own[UNC_OWN_NAME]);

/* The word is one of those between blanks; NULL: any is. */
bool unc_is_among(const char *list, const char *word);

#endif
