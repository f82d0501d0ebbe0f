/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash.h - which slice of the last-level cache owns a line of memory.  Slices own the lines of a
 * base sequence, which is repeated throughout memory with binary permutations of each repetition
 * (doi:10.26153/tsw/14539).  They do not change a slice's number of lines, and are not simulated.
 */
#ifndef SIM_HASH_H
#define SIM_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIM_LINE 64 /* bytes */

/*
 * Groups of 16 lines, a digit (0-9, A-Z, a-z) for the slice of each; and for each group of the base
 * sequence the number of one of these groups, and a number x: line i has the slice of its line
 * i ^ x.
 */
struct sim_measured_hash {
	const char *platform; /* NULL: the end of the list */
	unsigned slices;
	const char *groups, *places;
};
extern const struct sim_measured_hash sim_measured_hashes[];

struct sim_hash {
	unsigned slices;                          /* of a package */
	const struct sim_measured_hash *measured; /* NULL: see below */
	uint16_t *owners;                         /* the slice of each line; NULL: line % slices */
	size_t lines;                             /* of the base sequence */
};

/*
 * The hash of a platform with that many slices: the measured one if there is one; or, with a file,
 * its numbers, separated by white space: the slice of each line of the base sequence.  Returns 0,
 * or a negative error number: -EINVAL if the file is not such a list, or is too long.
 */
int sim_hash_init(struct sim_hash *hash, const char *platform, unsigned slices, const char *file);
void sim_hash_free(struct sim_hash *hash);

unsigned sim_hash_owner(const struct sim_hash *hash, uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
