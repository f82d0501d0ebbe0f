/* SPDX-License-Identifier: BSD-3-Clause */
/* rate.h - a count per second, in readable units. */
#ifndef COMMAND_RATE_H
#define COMMAND_RATE_H

#define RATE_TEXT 32

/*
 * "12.3 GB/s" for bytes, "2.40 GHz" for cycles of one counter, "85.1 W" for microjoules, "1.20 M/s"
 * for other counts; "" for means, whose units are NULL here, and for no time.  Returns text.
 */
const char *rate_text(char text[RATE_TEXT], const char *units, double count, double seconds);

#endif
