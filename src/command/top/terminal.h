/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terminal.h - rows of text on a terminal, and what is typed there.  With ncurses (terminal.c), or
 * not at all (without_terminal.c).
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "command/top/layout.h"

struct top_terminal;

/* What came first. */
enum top_event_kind {
	TOP_TIME,   /* the time is over */
	TOP_WAKE,   /* the descriptor is readable */
	TOP_REDRAW, /* the terminal has another size, or is to show another part */
	TOP_QUIT    /* q was typed, or the terminal has gone */
};

/* Take over the terminal of standard input and output.  NULL: why says the reason. */
struct top_terminal *top_terminal_begin(char *why, size_t len);

/* Show a view, as wide as the terminal is now. */
void top_terminal_draw(struct top_terminal *terminal, const struct top_view *view);

/* Wait for at most this many seconds; fd: a signalfd of blocked signals. */
enum top_event_kind top_terminal_wait(struct top_terminal *terminal, int fd, double seconds);

/* The terminal is as it was before.  NULL is nothing. */
void top_terminal_end(struct top_terminal *terminal);

#endif
