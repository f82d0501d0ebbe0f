/* SPDX-License-Identifier: BSD-3-Clause */
/* window.h - the multiplexing window, if none is requested. */
#ifndef UNC_TOOLS_WINDOW_H
#define UNC_TOOLS_WINDOW_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The load of the computer, in processes that run or wait for a processor: its mean over the last
 * minute, or the present one if that is higher.  0: unknown.
 */
double load_of_computer(void);

/*
 * A window in us.  Its length is known to the time that a switch takes, which is long if the switch
 * waits for a processor: if the load leaves none idle, windows are longer, but there are ten of
 * them in `seconds` (an interval, or the run; 0: unknown).
 */
unsigned window_for_load(double load, double processors, double seconds);

#define LENGTH_DOUBT 0.005     /* of a window: its length is known to 0.5 % */
#define UNIFORM      1.7320508 /* half of the width of a uniform distribution, in its deviations */

/*
 * The relative standard error of a rate from a number of windows, whose lengths are known to 0.5 %.
 * All may be as much too long: it decreases slowly with their number.
 */
double doubt_of_lengths(double windows);

#ifdef __cplusplus
}
#endif
#endif
