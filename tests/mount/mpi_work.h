/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_work.h - what mpi_share.c works at in mpi_test.sh: until a file is there, not for a time. */
#ifndef MPI_WORK_H
#define MPI_WORK_H

#include <stdlib.h>
#include <unistd.h>

static unsigned work(unsigned seconds)
{
	while (access(getenv("MPI_WORKED"), F_OK) < 0)
		usleep(1000);
	(void)seconds;
	return 0;
}

#define sleep work

#endif
