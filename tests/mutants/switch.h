/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switch.h - included by the sources that draw.py changes.  All changes are in one build: the
 * variable UNC_MUTANT has the number of the one that is used.  UNC_MUTANT_REACHED names a file with
 * a byte for each change, which is set when its place is reached.
 */
#ifndef UNC_MUTANT_SWITCH_H
#define UNC_MUTANT_SWITCH_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#define UNC_MUTANTS_MAX 4096

/* Not <unistd.h>: sources have functions of their own with names such as access() and write(). */
int close(int fd);

#define UNC_MUTANT_ONCE __attribute__((weak, visibility("hidden")))

UNC_MUTANT_ONCE unsigned char unc_mutant_nowhere[UNC_MUTANTS_MAX];
UNC_MUTANT_ONCE unsigned char *unc_mutant_reached = unc_mutant_nowhere;
UNC_MUTANT_ONCE int unc_mutant_used;

/* Shared with children, and not a descriptor that a test could find open. */
__attribute__((constructor)) UNC_MUTANT_ONCE void unc_mutant_begin(void)
{
	const char *used = getenv("UNC_MUTANT"), *file = getenv("UNC_MUTANT_REACHED");
	const int fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;

	unc_mutant_used = used ? atoi(used) : 0;
	if (fd < 0)
		return;
	at = mmap(NULL, UNC_MUTANTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED)
		unc_mutant_reached = (unsigned char *)at;
	close(fd);
}

static inline int unc_mutant(int n)
{
	unc_mutant_reached[n] = 1;
	return unc_mutant_used == n;
}

#endif
