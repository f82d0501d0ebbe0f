/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - Intel's event lists (perfmon's JSON files), read at run time into
 * rows as a .def table has them; docs/events.md.
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

/* Where lists are looked for and what for. */
struct unc_lists_from {
	const char *paths;     /* FILE[:FILE...]: each must be usable; NULL: none */
	const char *directory; /* all *.json in it, before paths; NULL or missing: none */
	const struct unc_box_type *const *types; /* of the machine, NULL-terminated */
	const struct unc_platform *platform;     /* of the machine */
	bool force;                              /* lists of other processors, too */
	/* the caller may not be allowed to read the files: no message quotes them */
	bool quiet;
};

/*
 * Read all lists.  Of a file that is no list, or that is for another machine,
 * nothing is used: one of paths fails the call, one in the directory becomes
 * a warning.  An event that cannot be used is left out with a warning.  The types
 * must outlive the lists.
 */
int unc_lists_load(struct unc_lists **out, const struct unc_lists_from *from, struct unc_err *err);
void unc_lists_free(struct unc_lists *lists);

/*
 * The rows of a box type: its own and the lists', of which the lists' umasks
 * win.  The type's own rows if the lists (may be NULL) have nothing for it.
 */
const struct unc_row *unc_lists_rows(const struct unc_lists *lists,
				     const struct unc_box_type *type);

/* Warning number i, NULL at the end. */
const struct unc_warning *unc_lists_warning(const struct unc_lists *lists, unsigned i);

#ifdef __cplusplus
}
#endif
#endif
