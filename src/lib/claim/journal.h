/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.h - what a handle has changed on the machine, as a file: who it is, what its registers
 * held before, and what it writes to them.  Pure functions.  Whoever may write to the directory
 * may have written the file, so what is decoded is consistent, but it need not be true.
 */
#ifndef UNC_JOURNAL_H
#define UNC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/place.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_JOURNAL_MAGIC  0x6c6e726a636e7521u /* "!uncjrnl" */
#define UNC_JOURNAL_FORMAT 1u
#define UNC_JOURNAL_MAX    (8u << 20) /* bytes of a file */

/* The first 256 bytes, of all formats. */
struct unc_journal_head {
	uint64_t magic;
	uint32_t format;
	uint32_t pid, uid;
	uint32_t flags;
	uint64_t since;   /* s since 1970: when it was made */
	char name[32];    /* of the program */
	char boot[40];    /* the kernel's boot id */
	char machine[72]; /* CPU model */
	char version[16]; /* of the library */
	/* of this format */
	uint32_t n_saved, n_shown, n_names, unused;
	uint64_t sum; /* of all that follows */
	char reserved[40];
};

#define UNC_JOURNAL_LEFT 1u /* packages' registers that an owner left to who comes last */

#define UNC_KEPT_PACKAGE   1u /* it holds all boxes of a package: several may use it */
#define UNC_KEPT_EXCLUSIVE 2u /* and nobody else may count in the package */
#define UNC_KEPT_CLEARED \
	4u /* a loaded counter, overflow bits: `before` is written, whatever it holds */
#define UNC_KEPT_WHOLE 8u /* nobody else may have other bits: they are written without the lock */

/* What a register held before. */
struct unc_saved {
	struct unc_place place;
	uint32_t flags;
	uint32_t group;   /* those of one box are left alone together */
	uint64_t bits;    /* that were changed, 0: all */
	uint64_t before;  /* what these held */
	uint32_t shown;   /* the first of ... */
	uint32_t n_shown; /* ... what it may show, 0: it tells nothing */
	uint64_t since;   /* s since 1970 */
};

/* One of the values that the owner writes, in the bits that read back. */
struct unc_shown {
	uint64_t mask, value;
};

struct unc_journal {
	struct unc_journal_head head;
	struct unc_saved *kept;  /* in the order of the changes */
	struct unc_shown *shown; /* those of a register stand together */
	char *names;             /* n_names bytes: of events that count, each ends with 0 */
};

/* A file's bytes, to be freed; NULL: no memory, or larger than UNC_JOURNAL_MAX. */
void *unc_journal_encode(const struct unc_journal *journal, size_t *bytes);

enum unc_journal_state {
	UNC_JOURNAL_GOOD,
	UNC_JOURNAL_OTHER,   /* a later format: its head can be read */
	UNC_JOURNAL_DAMAGED, /* head is all zero */
	UNC_JOURNAL_NO_MEMORY,
};
/* To be freed, whatever it says. */
enum unc_journal_state unc_journal_decode(const void *bytes, size_t n, struct unc_journal *journal);
void unc_journal_free(struct unc_journal *journal);

/* The next name behind one, NULL for the first; NULL: there are no more. */
const char *unc_journal_name(const struct unc_journal *journal, const char *before);

#ifdef __cplusplus
}
#endif
#endif
