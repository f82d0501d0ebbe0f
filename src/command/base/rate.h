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

/* "12.3 G", "0.50": three digits with a prefix, without a unit or an exponent.  Returns text. */
const char *number_text(char text[RATE_TEXT], double number);
/*
 * "0.022 %", "1.3 %", "140 %": an error as a part of its value, with two digits, at least 0.001 %
 * unless it is 0.  Returns text.
 */
const char *error_text(char text[RATE_TEXT], double part);

#ifdef __cplusplus
}
#endif
#endif
