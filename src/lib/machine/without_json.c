/* SPDX-License-Identifier: BSD-3-Clause */
/* without_json.c - replaces json_read.c and json_write.c in builds without json-c (LISTS=no). */
#include "machine/record.h"

int unc_recording_write(const struct unc_recording *recording, const struct unc_topology *topo,
			FILE *file)
{
	(void)recording;
	(void)topo;
	(void)file;
	return UNCORE_ENOSUPP;
}

struct unc_hw *unc_hw_replayed(const char *path, struct unc_topology *topo, struct unc_err *err,
			       int *code)
{
	(void)topo;
	*code = unc_fail(err, UNCORE_ENOSUPP,
			 "the recording %s cannot be read: json-c was left out when this was built "
			 "(LISTS=no)",
			 path);
	return NULL;
}
