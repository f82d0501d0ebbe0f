/* SPDX-License-Identifier: BSD-3-Clause */
/* without_terminal.c - replaces terminal.c in a build without ncurses. */
#include <stdio.h>

#include "command/top/terminal.h"

struct top_terminal *top_terminal_begin(char *why, size_t len)
{
	snprintf(why, len,
		 "interactive display is not supported: uncore was built without ncurses; use "
		 "--once or -n 10, or install libncurses-dev (ncurses-devel) and rebuild");
	return NULL;
}

void top_terminal_draw(struct top_terminal *terminal, const struct top_view *view)
{
	(void)terminal;
	(void)view;
}

bool top_terminal_paused(const struct top_terminal *terminal)
{
	(void)terminal;
	return false;
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
