/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.h - the file that records what a handle changes on the machine: the process, the previous
 * values of its registers, and the values that it writes to them.  Pure functions.  Any user with
 * write access to the directory may have written a file, so decoding checks that it is consistent,
 * but its contents are not trusted.
 */
#ifndef UNC_JOURNAL_H
#define UNC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_JOURNAL_MAGIC  0x6c6e726a636e7521u /* "!uncjrnl" */
#define UNC_JOURNAL_FORMAT 1u
#define UNC_JOURNAL_MAX    (8u << 20) /* bytes of a file */

/* The first 256 bytes, the same in all formats. */
struct unc_journal_head {
	uint64_t magic;
	uint32_t format;
	uint32_t pid, uid;
	uint32_t flags;
	uint64_t since;   /* s since 1970: when the first register was noted */
	char name[32];    /* of the program */
	char boot[40];    /* the kernel's boot id */
	char machine[72]; /* CPU model */
	char version[16]; /* of the library */
	/* the rest belongs to format 1 */
	uint32_t n_saved, n_shown, n_names, unused;
	uint64_t sum; /* checksum of everything after the head */
	char reserved[40];
};

#define UNC_JOURNAL_LEFT                                                        \
	1u /* registers of packages, left for the last process there to restore \
	    */

/* The ledger of a handle (plan/ledger.h). */
struct unc_journal {
	struct unc_journal_head head;
	struct unc_saved *saved; /* in the order of the changes */
	struct unc_shown *shown; /* those of one register are consecutive */
	char *names;             /* n_names bytes: names of the counted events, each ends with 0 */
};

/*
 * A file in memory.  Its room only grows: a journal that is no longer than an earlier one needs no
 * memory, so a stop can remove what it has restored.
 */
struct unc_journal_file {
	unsigned char *bytes;
	size_t n, room;
};

/*
 * Make room for a journal with the numbers of its head, and let its arrays point into the file, to
 * be filled in before unc_journal_seal().  false: no memory, or larger than UNC_JOURNAL_MAX.
 */
bool unc_journal_lay_out(struct unc_journal_file *file, struct unc_journal *journal);
/* Write the head, with the checksum. */
void unc_journal_seal(struct unc_journal_file *file, const struct unc_journal_head *head);
/* The file is freed with free(file->bytes). */

enum unc_journal_state {
	UNC_JOURNAL_GOOD,
	UNC_JOURNAL_OTHER,   /* a later format: only the head can be read */
	UNC_JOURNAL_DAMAGED, /* the head is all zero */
	UNC_JOURNAL_NO_MEMORY,
};
/* The journal must be freed in each case. */
enum unc_journal_state unc_journal_decode(const void *bytes, size_t n, struct unc_journal *journal);
void unc_journal_free(struct unc_journal *journal);

/* The name after `before` (NULL: the first); NULL after the last. */
const char *unc_journal_name(const struct unc_journal *journal, const char *before);

#ifdef __cplusplus
}
#endif
#endif
