/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_marker.h - macros that mark regions of code to be counted.  Environment variables
 * select the events and the output.  (uncore_region() in uncore.h is the interface without
 * macros.)
 *
 *	#include <uncore_marker.h>
 *	UNCORE_MARKER_INIT;
 *	UNCORE_MARKER_START("solve");
 *	...
 *	UNCORE_MARKER_STOP("solve");
 *	UNCORE_MARKER_CLOSE;
 *
 *	cc program.c $(pkg-config --cflags --libs uncore) -o program
 *	UNCORE_EVENTS=UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES UNCORE_REGIONS=table ./program
 *
 * UNCORE_EVENTS: events, separated by commas.  The character | separates groups of events, one of
 * which is counted at a time; UNCORE_MARKER_SWITCH selects the next one.  Default: bytes read from
 * and written to memory.
 * UNCORE_REGIONS: output file, written by UNCORE_MARKER_CLOSE or at the end of the program, as JSON
 * if its name ends in .json, else as a table.  Default: a table on standard error.
 * If neither variable is set, and in privileged programs (setuid, setgid, file capabilities), the
 * macros have no effect and the machine is not opened.
 *
 * Errors are reported on standard error, and the program continues.  INIT, SWITCH and CLOSE must
 * not run at the same time as another macro; any thread may use the others.  Do not use the macros
 * in signal handlers.  With -DUNCORE_NO_MARKERS they have no effect, and the program need not be
 * linked with libuncore.
 *
 * The macros are also available under LIKWID's names (LIKWID_MARKER_START) unless LIKWID's header
 * was included before; docs/regions.md lists the differences.  Requires C99 or C++98 with GNU
 * attributes.  A shared library that hides its symbols has its own set of regions.
 */
#ifndef UNCORE_MARKER_H
#define UNCORE_MARKER_H

#include <stdlib.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions behind the macros.  If the first argument is NULL or points to NULL, a function has
 * no effect and returns 0.  Errors are reported on standard error, and their code is returned. */
struct uncore_marker;
enum uncore_mark { UNCORE_MARK_REGISTER, UNCORE_MARK_START, UNCORE_MARK_STOP, UNCORE_MARK_RESET };

/** Open the machine and start counting UNCORE_EVENTS.  @return 1 (close *m with
 * uncore_marker_close()); 0 (neither variable is set, or *m is already open); UNCORE_EINVAL
 * (invalid UNCORE_EVENTS) or an error of uncore_open(), uncore_event(), uncore_set_assign() or
 * uncore_set_start(), and then *m is NULL.  Threads: one at a time. */
UNCORE_API int uncore_marker_init(struct uncore_marker **m);
/** Register, begin, end or reset a region by name.  @return as uncore_region() and
 * uncore_region_begin(), _end() or _reset().  Threads: any. */
UNCORE_API int uncore_marker_region(struct uncore_marker *m, const char *name,
				    enum uncore_mark mark);
/** Get the counts of a region in the current group.  @param n  in: number of elements of events,
 * 0 or more; out: number of elements set, 0 if there are no counts  @param events  receives counts,
 * means and ratios  @param time  receives the time in s  @param count  receives the number of
 * begins.  @return as uncore_region().  Threads: any. */
UNCORE_API int uncore_marker_get(struct uncore_marker *m, const char *name, int *n, double *events,
				 double *time, int *count);
/** Stop the current group of events and start the next one; the first one follows the last. @return
 * as uncore_set_stop() and uncore_set_start().  Threads: one at a time. */
UNCORE_API int uncore_marker_switch(struct uncore_marker *m);
/** Write all regions to a file (NULL: standard error).  @return 0, UNCORE_EIO, UNCORE_ENOMEM.
 * Threads: any. */
UNCORE_API int uncore_marker_write(struct uncore_marker *m, const char *file);
/** Stop counting, write UNCORE_REGIONS, free *m and set it to NULL; in a forked child only free it.
 * @return as uncore_set_stop() and uncore_marker_write().  Threads: one at a time. */
UNCORE_API int uncore_marker_close(struct uncore_marker **m);

#ifdef UNCORE_NO_MARKERS
#define UNCORE_MARKER_DO(call, else_) ((void)(else_))
#else
#define UNCORE_MARKER_DO(call, else_) ((void)(call))
/* The program's regions: one variable for all files that include this header. */
__attribute__((weak)) struct uncore_marker *uncore_marks;

/* Defined in this header so that a shared library with regions registers, and runs at dlclose(),
 * its own exit handler. */
static inline void uncore_marker_at_exit(void)
{
	uncore_marker_close(&uncore_marks);
}

#endif
#ifdef __cplusplus
}
#endif

#define UNCORE_MARKER_REGION(name, mark) \
	UNCORE_MARKER_DO(uncore_marker_region(uncore_marks, (name), (mark)), (name))
#define UNCORE_MARKER_INIT \
	UNCORE_MARKER_DO(uncore_marker_init(&uncore_marks) > 0 && atexit(uncore_marker_at_exit), 0)
#define UNCORE_MARKER_THREADINIT     ((void)0)
#define UNCORE_MARKER_REGISTER(name) UNCORE_MARKER_REGION(name, UNCORE_MARK_REGISTER)
#define UNCORE_MARKER_START(name)    UNCORE_MARKER_REGION(name, UNCORE_MARK_START)
#define UNCORE_MARKER_STOP(name)     UNCORE_MARKER_REGION(name, UNCORE_MARK_STOP)
#define UNCORE_MARKER_RESET(name)    UNCORE_MARKER_REGION(name, UNCORE_MARK_RESET)
#define UNCORE_MARKER_SWITCH         UNCORE_MARKER_DO(uncore_marker_switch(uncore_marks), 0)
#define UNCORE_MARKER_WRITE_FILE(file) \
	UNCORE_MARKER_DO(uncore_marker_write(uncore_marks, (file)), (file))
#define UNCORE_MARKER_CLOSE UNCORE_MARKER_DO(uncore_marker_close(&uncore_marks), 0)
#define UNCORE_MARKER_GET(name, n, events, time, count)                                           \
	UNCORE_MARKER_DO(uncore_marker_get(uncore_marks, (name), (n), (events), (time), (count)), \
			 ((void)(name), (void)(events), (void)(*(n) = 0), (void)(*(time) = 0),    \
			  (void)(*(count) = 0)))

#ifndef LIKWID_MARKER_INIT
#define LIKWID_MARKER_INIT             UNCORE_MARKER_INIT
#define LIKWID_MARKER_THREADINIT       UNCORE_MARKER_THREADINIT
#define LIKWID_MARKER_REGISTER(name)   UNCORE_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name)      UNCORE_MARKER_START(name)
#define LIKWID_MARKER_STOP(name)       UNCORE_MARKER_STOP(name)
#define LIKWID_MARKER_RESET(name)      UNCORE_MARKER_RESET(name)
#define LIKWID_MARKER_SWITCH           UNCORE_MARKER_SWITCH
#define LIKWID_MARKER_WRITE_FILE(file) UNCORE_MARKER_WRITE_FILE(file)
#define LIKWID_MARKER_CLOSE            UNCORE_MARKER_CLOSE
#define LIKWID_MARKER_GET              UNCORE_MARKER_GET
#endif

#endif
