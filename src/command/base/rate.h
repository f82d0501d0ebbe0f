/* SPDX-License-Identifier: BSD-3-Clause */
/* rate.h - a count per second, in readable units. */
#ifndef COMMAND_RATE_H
#define COMMAND_RATE_H

#define RATE_TEXT 32

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A count per second of the time in which its counters counted, as uncore_set_read_timed() or
 * uncore_set_times() report it.  NAN if they did not count.  Every rate of every command comes from
 * this function (tests/house/rates_test.sh).
 */
double per_second(double count, double seconds);

/*
 * "12.3 GB/s" for bytes, "2.40 GHz" for cycles of one counter, "85.1 W" for microjoules, "1.20 M/s"
 * for other counts; "" for means, whose units are NULL here, and for no time.  Returns text.
 */
const char *rate_text(char text[RATE_TEXT], const char *units, double count, double seconds);

#ifdef __cplusplus
}
#endif
#endif
