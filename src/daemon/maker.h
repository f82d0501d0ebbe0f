/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * maker.h - the process that made a monitoring group, in the name of the group: its number alone
 * may belong to another process later.
 */
#ifndef UNC_MAKER_H
#define UNC_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct maker {
	uint64_t space; /* PID namespace */
	int pid;
	uint64_t start; /* ticks since boot */
};

struct maker maker_self(void);
/*
 * Whether no process of this computer can be the maker: it has ended, or waits for its parent.  A
 * process of another PID namespace is unknown, and not gone.
 */
bool maker_is_gone(const struct maker *maker);

#ifdef __cplusplus
}
#endif
#endif
