/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_nodes.h - included before mpi_node.c by mpi_node_test.sh: ranks 0, 1 are a node, 2, 3
 * another. */
#ifndef MPI_NODES_H
#define MPI_NODES_H

#include <mpi.h>
#include <stdlib.h>

static int split_in_nodes(MPI_Comm all, int type, int key, MPI_Info info, MPI_Comm *node)
{
	int rank;

	(void)type;
	(void)info;
	PMPI_Comm_rank(all, &rank);
	if (rank / 2 == 1 && getenv("SECOND_NODE")) /* a machine of its own */
		setenv("UNCORE_MACHINE", getenv("SECOND_NODE"), 1);
	return PMPI_Comm_split(all, rank / 2, key, node);
}

#define PMPI_Comm_split_type split_in_nodes

#endif
