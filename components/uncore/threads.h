/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    threads.h
 * @ingroup papi_components
 * @brief   Threads of the linked library that profilers do not see, see threads.c.
 */
#ifndef UNCORE_THREADS_H
#define UNCORE_THREADS_H

#ifdef UNCORE_THIN
static inline void _uncore_threads_init(void)
{
}
#else
/* Call it before the first thread starts, without the library's locks: it calls dlopen(). */
void _uncore_threads_init(void);
#endif

#endif
