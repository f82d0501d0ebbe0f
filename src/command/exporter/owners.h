/* SPDX-License-Identifier: BSD-3-Clause */
/* owners.h - the traffic of jobs, users or containers as series, by monitoring groups
 * (docs/who.md). */
#ifndef EXPORTER_OWNERS_H
#define EXPORTER_OWNERS_H

#include "command/exporter/exports.h"
#include "command/who/owner.h"

struct owners_export;

/* NULL with a reason in why.  most: number of owners that are exported. */
struct owners_export *owners_export_open(const char *root, struct uncore *u, enum who_by by,
					 size_t most, char *why, size_t len);
/* Remove the monitoring groups. */
void owners_export_close(struct owners_export *o);

/* Give new processes groups; every few seconds. */
void owners_export_look(struct owners_export *o);
/* Read all groups. */
void owners_export_read(struct owners_export *o);

/* A sentence on traffic that the values lack, if that has changed since the last call, or NULL. */
char *owners_export_news(struct owners_export *o);

enum owner_family { OWNER_LOCAL, OWNER_REMOTE, OWNER_CACHE, OWNER_ENERGY, OWNER_FAMILIES };

/* Owner i and its values: bytes, J; NAN: unknown.  False past the last. */
bool owners_export_at(const struct owners_export *o, size_t i, const char **name,
		      double values[OWNER_FAMILIES]);
/* NULL for help: the heading is that of the family before. */
const struct family *owners_export_family(enum owner_family family);
/* Labels in addition to the owner: `memory="local"`, or "". */
const char *owners_export_labels(enum owner_family family);
/* "job" */
const char *owners_export_label(const struct owners_export *o);

#endif
