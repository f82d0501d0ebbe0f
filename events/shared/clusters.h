/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clusters.h - clusters of a package (COD, SNC), each of which is a NUMA node: which boxes belong
 * to which.  docs/hardware/clusters.md has the sources.
 */
#ifndef UNC_CLUSTERS_H
#define UNC_CLUSTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_platform;

/* Which memory a kind of box serves. */
enum unc_serves { UNC_SERVES_DDR, UNC_SERVES_HBM, UNC_SERVES_ALL };

/* Kinds of which each box belongs to a cluster. */
struct unc_cluster_kind {
	char kind[20];
	uint8_t serves; /* enum unc_serves */
	char event[40]; /* counts reads of memory in proportion; "": none is known */
};
extern const struct unc_cluster_kind unc_cluster_kinds[]; /* ended by an empty kind */

#define UNC_CLUSTER_PERIOD 6

/*
 * Box n of a kind belongs to cluster of[n % period]; period 0: the boxes of a package are split
 * evenly, in the order of their numbers.  No row was measured.
 */
struct unc_cluster_rule {
	const struct unc_platform *platform;
	char kind[20];
	uint8_t clusters; /* of a package */
	uint8_t period;
	uint8_t of[UNC_CLUSTER_PERIOD];
	const char *source;
};
extern const struct unc_cluster_rule unc_cluster_rules[]; /* ended by an empty kind */

/* Why a platform with clusters has no rule. */
struct unc_cluster_gap {
	const struct unc_platform *platform;
	const char *why;
};
extern const struct unc_cluster_gap unc_cluster_gaps[]; /* ended by platform == NULL */

#ifdef __cplusplus
}
#endif
#endif
