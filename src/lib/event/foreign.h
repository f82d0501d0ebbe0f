/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foreign.h - translate events in the syntax of perf and LIKWID to the native syntax, before
 * they are parsed.
 */
#ifndef UNC_FOREIGN_H
#define UNC_FOREIGN_H

#include "event/name_space.h"

/* perf_name.c: "uncore_imc_0/cas_count_read/" */
bool unc_is_perf_name(const char *text);
int unc_perf_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/* perf_format.c: whether the word is in a blank-separated list; list "": always. */
bool unc_is_among(const char *list, const char *word);
/* The fields of the PMU of a kind of box, in the form of perf_formats.h. */
const char *unc_perf_fields(const struct unc_platform *platform, const struct unc_box_type *type);
/* The part after "word=" or "word:" in a list; NULL: not in it. */
const char *unc_perf_word(const char *list, const char *word, size_t len, char behind);

/* A field: its config word, and its bit ranges. */
struct unc_perf_field {
	unsigned word;
	const char *ranges;
};

bool unc_perf_field(const struct unc_platform *platform, const struct unc_box_type *type,
		    const char *name, size_t len, struct unc_perf_field *f);
/* From the lowest bit up, range by range; returns the rest of the value. */
uint64_t unc_perf_place(uint64_t value, const char *ranges, uint64_t *word);

/* perf_format.c: an event of perf's lists in perf's syntax; NULL: no such name. */
const char *unc_perf_listed(const struct unc_names *names, const char *text, size_t len);
/* The text without its term "name=", which has no effect; false: it has none. */
bool unc_perf_without_name(const char *text, char *out, size_t len);

/* perf_filter.c: the bits of a config word that an event compares. */
uint64_t unc_compared_bits(const struct unc_box_type *type, uint64_t control, unsigned word);
/* Refuses filter bits without effect, and a filter that matches nothing. */
int unc_perf_check_filter(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
			  const uint64_t config[UNC_CONFIGS]);

/* likwid_name.c: "CAS_COUNT_RD:MBOX0C0"; false if it has no such counter. */
bool unc_is_likwid_name(const struct unc_names *names, const char *text);
int unc_likwid_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/*
 * own_name.c: the boxes in which perf counts: ":box=N" for the boxes of that number in all
 * packages, or "".
 */
void unc_box_of_index(const struct unc_machine *m, const struct unc_box_type *type, long index,
		      char text[UNC_NUMBERS_TEXT + 8]);

/* The config words of an event in the native syntax; false: it is not one of this PMU. */
bool unc_own_config(struct unc_names *names, const struct unc_pmu *pmu, const char *text,
		    uint64_t config[UNC_CONFIGS]);
/* The listed event with this encoding if its name is simple, else RAW. */
void unc_own_name(struct unc_names *names, const struct unc_pmu *pmu,
		  const uint64_t config[UNC_CONFIGS], char own[UNC_OWN_NAME]);
/* A search for the listed events of a kind of box with a control; own_name.c. */
struct unc_search {
	struct unc_names *names;
	const struct unc_pmu *pmu;
	uint64_t control;
	bool filtered; /* events with a filter value may be meant */
	bool first;    /* one is enough */
	bool any;      /* the result: whether one was found */
	bool by_code;  /* while searching: only events with its code */
	bool (*is)(const struct unc_search *w, const struct unc_event *ev);
	void (*found)(const struct unc_search *w, const char *name);
	char modifiers[64]; /* in the syntax of names: ":e=1:t=2" */
};
void unc_search_names(struct unc_search *w);
/* format_name.c: always RAW. */
void unc_raw_name(const struct unc_pmu *pmu, const uint64_t config[UNC_CONFIGS],
		  char own[UNC_OWN_NAME]);

#endif
