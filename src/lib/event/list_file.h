/* SPDX-License-Identifier: BSD-3-Clause */
/* list_file.h - a file of Intel's event lists; for lists.c, its parts and its fuzz target. */
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
#define UNC_LIST_SHOWN      100
#define UNC_LIST_MAX_LEFT   20 /* events of a file that are skipped with a warning each */

/* An event of a list for a box of this machine. */
struct unc_item {
	unsigned type;     /* index into types */
	char *event;       /* the only allocation of the item, which contains umask and text, too */
	const char *umask; /* "": no umask */
	const char *text;
	uint64_t code; /* control bits of the event */
	uint64_t bits; /* control bits of the umask */
	uint64_t config1;
	uint32_t counters; /* 0: any */
	bool unlisted;     /* deprecated, or not for this box */
	bool left_out;
	size_t at; /* offset of its object in the file */
	unsigned order;
};

struct unc_list_file {
	const char *path, *text;
	size_t size;
	const struct unc_lists_from *from;
	struct unc_err *err;
	struct unc_warnings *warnings; /* warnings are added here */
	unsigned n_before;             /* number of warnings before */
	struct unc_item *items;        /* sorted by type, event, umask */
	size_t n_items, room;
	unsigned n_events, n_fit, n_left; /* all; those for this machine; skipped ones */
	char unit[24];                    /* of an event whose unit this machine lacks */
	char info[UNC_LIST_INFO_MAX];     /* the processor according to the header, printable */
	size_t info_at;
	/* the last position that unc_list_fail() looked up */
	size_t line_at;
	unsigned line;
};

/* Read a file, or text in memory; the items belong to the caller, even after a failure. */
int unc_list_read(struct unc_list_file *f);
int unc_list_scan(struct unc_list_file *f);
/* Whether it is usable on this machine, after it was read. */
int unc_list_check(struct unc_list_file *f);
void unc_items_free(struct unc_item *items, size_t n);

/* "path:line: reason" for a position in the text. */
int unc_list_fail(struct unc_list_file *f, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Skip an event that unc_list_fail() has rejected. 0 or UNCORE_ENOMEM. */
int unc_list_leave_out(struct unc_list_file *f);

/* Text of a file in a message; hidden from users who may not read the file. */
const char *unc_list_quote(const struct unc_list_file *f, const char *text);

/* Sort by type, event, umask, and then by order in the file. */
int unc_item_compare(const void *a, const void *b);
bool unc_item_same(const struct unc_item *a, const struct unc_item *b);

struct json_object;

/* Add the event that an object describes to the items if this machine has its box. */
int unc_list_event(struct unc_list_file *f, size_t at, struct json_object *object);

/* The event being converted. */
struct unc_list_source {
	struct unc_list_file *f;
	size_t at;
	struct json_object *object;
	const char *name;
	char shown[UNC_LIST_SHOWN]; /* name, printable */
};

/* The text of a field, or ""; NULL: it is neither text nor number, or has a zero character. */
const char *unc_list_text(const struct unc_list_source *s, const char *field);
int unc_list_number(const struct unc_list_source *s, const char *field, uint64_t most,
		    uint64_t *out);
/* list_filter.c: Filter and FILTER_VALUE. 1: the box has it; 0: it has not; or an error. */
int unc_list_filter(const struct unc_list_source *s, const struct unc_box_type *type,
		    struct unc_item *item);

/* The rows of a box type. */
struct unc_list_table {
	const struct unc_box_type *type;
	struct unc_row *rows; /* ended by name == NULL */
	char **texts;         /* of events that have umasks */
	size_t n, room, n_texts;
};

/* Build it from all items of the type, in order; they must outlive the table. */
int unc_list_table_fill(struct unc_list_table *t, const struct unc_item *items, size_t n);
void unc_list_table_free(struct unc_list_table *t);

#ifdef __cplusplus
}
#endif
#endif
