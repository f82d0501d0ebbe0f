/* SPDX-License-Identifier: BSD-3-Clause */
/* without_terminal.c - in place of terminal.c where the command is built without ncurses. */
#include <stdio.h>

#include "command/top/terminal.h"

struct top_terminal *top_terminal_begin(char *why, size_t len)
{
	snprintf(
		why, len,
		"this command was built without ncurses, so it prints only (--once, -n 10); install "
		"libncurses-dev (ncurses-devel), run ./configure and make again");
	return NULL;
}

void top_terminal_draw(struct top_terminal *terminal, const struct top_view *view)
{
	(void)terminal;
	(void)view;
}

enum top_event_kind top_terminal_wait(struct top_terminal *terminal, int fd, double seconds)
{
	(void)terminal;
	(void)fd;
	(void)seconds;
	return TOP_QUIT;
}

void top_terminal_end(struct top_terminal *terminal)
{
	(void)terminal;
}
