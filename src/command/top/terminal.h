/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terminal.h - terminal output and keys: with ncurses (terminal.c), or unsupported
 * (without_terminal.c).
 */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "command/top/layout.h"

struct top_terminal;

/* The event that ended a wait. */
enum top_event_kind {
	TOP_TIME,   /* the time has passed */
	TOP_WAKE,   /* the descriptor is readable */
	TOP_REDRAW, /* the terminal was resized or scrolled, or shows something else */
	TOP_QUIT    /* q was typed, or the terminal is gone */
};

/* Take over the terminal of standard input and output.  NULL: why has the reason. */
struct top_terminal *top_terminal_begin(char *why, size_t len);

/* Show a view in the terminal's current width. */
void top_terminal_draw(struct top_terminal *terminal, const struct top_view *view);

/* Whether the user wants to keep the view that is shown. */
bool top_terminal_paused(const struct top_terminal *terminal);

/* Wait for at most this many seconds; fd: a signalfd of blocked signals. */
enum top_event_kind top_terminal_wait(struct top_terminal *terminal, int fd, double seconds);

/* Restore the terminal.  NULL is ignored. */
void top_terminal_end(struct top_terminal *terminal);

#endif
