/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - Intel's event lists (perfmon's JSON files), read at run time into rows like those
 * of a .def table; docs/events.md.
 */
#ifndef UNC_LISTS_H
#define UNC_LISTS_H

#include "base/error.h"
#include "base/warnings.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_lists;

/* Where to find lists, and their machine. */
struct unc_lists_from {
	const char *paths;     /* FILE[:FILE...], each of which must be usable; or NULL */
	const char *directory; /* read all its *.json before paths; may be NULL or missing */
	const struct unc_box_type *const *types; /* of the machine, NULL-terminated */
	const struct unc_platform *platform;     /* of the machine */
	bool force;                              /* also lists of other processors */
	/* the caller may not be allowed to read the files: messages do not quote them */
	bool quiet;
};

/*
 * Read all lists.  A file that is not a list, or that is for another machine, is not used: in
 * paths that is an error, in the directory a warning.  An event that cannot be used is skipped
 * with a warning.  The types must outlive the lists.
 */
int unc_lists_load(struct unc_lists **out, const struct unc_lists_from *from, struct unc_err *err);
void unc_lists_free(struct unc_lists *lists);

/*
 * The rows of a box type: its own and those of the lists, whose umasks take precedence.  The
 * type's own rows if the lists (may be NULL) have nothing for it.
 */
const struct unc_row *unc_lists_rows(const struct unc_lists *lists,
				     const struct unc_box_type *type);
/* The description of one of them. */
const char *unc_row_text(const struct unc_row *row);

/* The warning about the first skipped event of that name; umask NULL: any.  NULL: none. */
const char *unc_lists_skipped(const struct unc_lists *lists, const char *event, const char *umask);

/* Warning number i; NULL at the end. */
const struct unc_warning *unc_lists_warning(const struct unc_lists *lists, unsigned i);

#ifdef __cplusplus
}
#endif
#endif
