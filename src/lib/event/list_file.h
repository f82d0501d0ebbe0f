/* SPDX-License-Identifier: BSD-3-Clause */
/* list_file.h - one file of Intel's event lists; for lists.c, its parts and its fuzz target. */
#ifndef UNC_LIST_FILE_H
#define UNC_LIST_FILE_H

#include "base/warnings.h"
#include "event/list_info.h"
#include "event/lists.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_LIST_MAX_SIZE   (64u << 20)
#define UNC_LIST_MAX_EVENTS 65536
#define UNC_LIST_MAX_LEFT   20 /* events of a file that are left out with a warning of their own */

/* An event of a list that a box of this machine has. */
struct unc_item {
	unsigned type;     /* index into types */
	char *event;       /* the item's one block of memory, with umask and text in it */
	const char *umask; /* "": none */
	const char *text;
	uint64_t code; /* control bits of the event */
	uint64_t bits; /* control bits of the umask */
	uint64_t config1;
	uint32_t counters; /* 0: any */
	bool unlisted;     /* deprecated, or not for this box after all */
	bool left_out;
	size_t at; /* offset of its object in the file */
	unsigned order;
};

struct unc_list_file {
	const char *path, *text;
	size_t size;
	const struct unc_lists_from *from;
	struct unc_err *err;
	struct unc_warnings *warnings; /* gets more of them */
	unsigned n_before;             /* of them there were */
	struct unc_item *items;        /* ascending by type, event, umask */
	size_t n_items, room;
	unsigned n_events, n_fit, n_left; /* all; those that this machine can count; left out */
	char unit[24];                    /* of one that no box has */
	char info[UNC_LIST_INFO_MAX];     /* what the header tells of the processor, fit to print */
	size_t info_at;
	/* where the last place was that unc_list_fail() looked for */
	size_t line_at;
	unsigned line;
};

/* Read a file, or text that is in memory; the items are the caller's, also after a failure. */
int unc_list_read(struct unc_list_file *f);
int unc_list_scan(struct unc_list_file *f);
/* Whether it is of use to this machine, once it is read. */
int unc_list_check(struct unc_list_file *f);
void unc_items_free(struct unc_item *items, size_t n);

/* "path:line: reason" for a place in the text. */
int unc_list_fail(struct unc_list_file *f, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An event was refused, which unc_list_fail() told: it is left out.  0 or UNCORE_ENOMEM. */
int unc_list_leave_out(struct unc_list_file *f);

/* Text of a file, in a message: not for everybody. */
const char *unc_list_quote(const struct unc_list_file *f, const char *text);

/* Order by type, event, umask, and then as they came. */
int unc_item_compare(const void *a, const void *b);
bool unc_item_same(const struct unc_item *a, const struct unc_item *b);

struct json_object;

/* The event that an object describes, if a box of this machine has it, to the items. */
int unc_list_event(struct unc_list_file *f, size_t at, struct json_object *object);

/* The rows of one box type. */
struct unc_list_table {
	const struct unc_box_type *type;
	struct unc_row *rows; /* ended by name == NULL */
	char **texts;         /* of events that have umasks */
	size_t n, room, n_texts;
};

/* From all items of that type, in order; they must outlive the table. */
int unc_list_table_fill(struct unc_list_table *t, const struct unc_item *items, size_t n);
void unc_list_table_free(struct unc_list_table *t);

#ifdef __cplusplus
}
#endif
#endif
