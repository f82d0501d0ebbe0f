/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - what the launcher of a parallel job says about the ranks on this node, by variables
 * of the environment: Open MPI's, those of Hydra (MPICH, Intel MPI), and those of a Slurm step.
 */
#ifndef UNC_LAUNCHER_H
#define UNC_LAUNCHER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ranks on this node that one launch has started. */
struct unc_launch {
	unsigned ranks;
	int rank;       /* number of this one on the node; -1: unknown */
	char name[512]; /* the same in these ranks only: user, job, step, launch */
};

/*
 * 1, or 0 if no launcher reports several ranks: also in a privileged program, in a serial program
 * and in a batch script, whose variables describe the allocation.  -errno if a descriptor or memory
 * is missing to find out which launch it was.
 */
int unc_launch_find(struct unc_launch *step);

/* The number for a node, from 0, in a list such as "2(x3),1"; 0: not a list, or no such node. */
unsigned unc_tasks_of_node(const char *list, unsigned node);

#ifdef __cplusplus
}
#endif
#endif
