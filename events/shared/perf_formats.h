/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_formats.h - perf's syntax for the events of a box kind: the contents of the format and
 * events directories of the PMUs of Linux's driver (6.1 to 7.2; docs/reference/differences.md).
 */
#ifndef UNC_PERF_FORMATS_H
#define UNC_PERF_FORMATS_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Platforms and kinds are words, each preceded and followed by a blank; kinds as in
 * uncore_KIND_0; "": any.
 */
struct unc_perf_format {
	char platforms[48], kinds[96];
	/* "umask=8-15,32-55 filter_nid=1:10-17": bits of config, or of config1; each followed by
	 * a blank */
	char fields[512];
};

/* The first match is used; the last entry matches everything. */
extern const struct unc_perf_format unc_perf_formats[];

struct unc_perf_alias {
	char platforms[48], kinds[96];
	char aliases[1024]; /* "cas_count_read:event=0x04,umask=0x03 "; each followed by a blank */
};

extern const struct unc_perf_alias unc_perf_aliases[]; /* ended by empty aliases */

/* "llc_misses.mem_read" in perf's syntax, "imc/cas_count_read/". */
struct unc_perf_listed {
	char platforms[48], name[48], event[72];
};

extern const struct unc_perf_listed unc_perf_events[]; /* ended by empty platforms */

#ifdef __cplusplus
}
#endif
#endif
