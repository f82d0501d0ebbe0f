/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c - see terminal.h; ncurses. */
#include "command/top/terminal.h"

#include <curses.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "command/base/text.h"

struct top_terminal {
	SCREEN *screen;
	struct top_rows rows;
	struct top_display display;
	bool help;                /* the keys are shown instead of the view */
	unsigned first;           /* row shown below the head */
	bool shaded;              /* it has enough colours */
	attr_t heading;           /* of headings and hints */
	sigset_t before, waiting; /* signals blocked before, and while waiting */
};

/* ---- colours ---- */

#define COLOURS 256 /* required for shades */

/* Viridis, from dark to bright, in the 256 colours of xterm: dark ones with white text. */
static const short viridis[TOP_SHADES] = {53, 54, 60, 67, 30, 36, 72, 77, 148, 226};
#define DARK  4
#define WHITE 15
#define BLACK 16

/* no-color.org */
static bool no_colours_wanted(void)
{
	const char *wish = getenv("NO_COLOR");

	return wish && *wish;
}

static bool begin_colours(void)
{
	if (!has_colors() || start_color() == ERR)
		return false;
	use_default_colors();
	if (COLORS < COLOURS || COLOR_PAIRS <= TOP_SHADES)
		return false;
	for (short i = 0; i < TOP_SHADES; i++)
		init_pair((short)(i + 1), i < DARK ? WHITE : BLACK, viridis[i]);
	return true;
}

static attr_t attribute_of(const struct top_terminal *t, unsigned style, bool *blank)
{
	*blank = false;
	switch (style) {
	case TOP_PLAIN:
		return A_NORMAL;
	case TOP_TITLE:
	case TOP_ALERT:
		return A_BOLD;
	case TOP_HEADING:
		return t->heading;
	case TOP_DIM:
		return A_DIM;
	default:
		break;
	}
	if (!t->shaded)
		return A_NORMAL;
	*blank = style >= TOP_CELL;
	return (attr_t)COLOR_PAIR((style - TOP_SHADED) % TOP_SHADES + 1);
}

/* ---- drawing ---- */

static void draw_row(const struct top_terminal *t, size_t row, int line)
{
	const unsigned width = t->rows.width;

	for (unsigned c = 0; c < width && (int)c < COLS; c++) {
		const size_t at = row * width + c;
		bool blank;
		const attr_t attribute = attribute_of(t, t->rows.style[at], &blank);
		const char letter = blank ? ' ' : t->rows.text[at];

		mvaddch(line, (int)c, (chtype)(unsigned char)letter | attribute);
	}
}

/* Rows that fit below the head; the last line is a hint if some do not fit. */
static unsigned rows_shown(const struct top_terminal *t)
{
	const unsigned room = LINES > 2 ? (unsigned)LINES - 1 : 1;

	return t->rows.n - 1 > room ? room - 1 : room;
}

static void draw_rest(const struct top_terminal *t, unsigned shown)
{
	char *text = text_of("rows %u to %u of %zu: scroll with the arrow keys, ? for all keys",
			     t->first + 1, t->first + shown, t->rows.n - 1);

	attrset((int)t->heading);
	mvaddnstr(LINES - 1, 0, text, COLS);
	attrset(A_NORMAL);
	free(text);
}

static void draw_help(void)
{
	static const char *const lines[] = {
		"Keys of uncore top",
		"",
		"  1             all packages with their boxes, or only the system",
		"  s             boxes by number, or the highest value first",
		"  p             pause the screen or resume; events are counted meanwhile",
		"  arrows, j, k  scroll by a row",
		"  space, PgUp   scroll by a screen",
		"  Home, End     first and last row",
		"  Ctrl-L        redraw the screen",
		"  q             quit",
		"",
		"To the right of \"package\": the last 12 values of the first column",
		"",
		"Any key returns.",
	};

	erase();
	for (int i = 0; i < (int)(sizeof(lines) / sizeof(*lines)); i++)
		mvaddnstr(i, 0, lines[i], COLS);
	refresh();
}

static void draw(struct top_terminal *t)
{
	const unsigned rest = (unsigned)t->rows.n - 1, shown = rows_shown(t);

	if (t->help) {
		draw_help();
		return;
	}
	t->first = rest <= shown ? 0 : t->first > rest - shown ? rest - shown : t->first;
	erase();
	draw_row(t, 0, 0);
	for (unsigned i = 0; i < shown && t->first + i < rest; i++)
		draw_row(t, 1 + t->first + i, (int)i + 1);
	if (rest > shown)
		draw_rest(t, shown);
	refresh();
}

void top_terminal_draw(struct top_terminal *t, const struct top_view *view)
{
	top_layout(view, &t->display, COLS > 1 ? (unsigned)COLS : 1, &t->rows);
	draw(t);
}

bool top_terminal_paused(const struct top_terminal *t)
{
	return t->display.paused;
}

/* ---- keys ---- */

static enum top_event_kind scroll_to(struct top_terminal *t, int row)
{
	t->first = row < 0 ? 0 : (unsigned)row;
	return TOP_REDRAW;
}

static enum top_event_kind toggle(bool *choice)
{
	*choice = !*choice;
	return TOP_REDRAW;
}

static enum top_event_kind take_choice(struct top_terminal *t, int key)
{
	switch (key) {
	case '?':
	case 'h':
		return toggle(&t->help);
	case 'p':
		return toggle(&t->display.paused);
	case 's':
		return toggle(&t->display.sorted);
	case '1':
		return toggle(&t->display.system_only);
	default:
		return TOP_TIME;
	}
}

/* TOP_TIME: the key has no meaning. */
static enum top_event_kind take_key(struct top_terminal *t, int key)
{
	const int first = (int)t->first, page = LINES > 3 ? LINES - 2 : 1;

	if (t->help && key != 'q' && key != 'Q' && key != KEY_RESIZE)
		return toggle(&t->help);
	switch (key) {
	case 'q':
	case 'Q':
		return TOP_QUIT;
	case KEY_RESIZE:
		return TOP_REDRAW;
	case 'L' - '@': /* control L */
		clearok(curscr, TRUE);
		return TOP_REDRAW;
	case KEY_UP:
	case 'k':
		return scroll_to(t, first - 1);
	case KEY_DOWN:
	case 'j':
		return scroll_to(t, first + 1);
	case KEY_PPAGE:
		return scroll_to(t, first - page);
	case KEY_NPAGE:
	case ' ':
		return scroll_to(t, first + page);
	case KEY_HOME:
		return scroll_to(t, 0);
	case KEY_END:
		return scroll_to(t, (int)t->rows.n);
	default:
		return take_choice(t, key);
	}
}

static enum top_event_kind take_keys(struct top_terminal *t)
{
	enum top_event_kind kind = TOP_TIME;
	int key;

	while (kind != TOP_QUIT && (key = getch()) != ERR) {
		const enum top_event_kind now = take_key(t, key);

		kind = now == TOP_TIME ? kind : now;
	}
	return kind;
}

/* Only here a resize is noticed: it interrupts the wait, and is read as a key. */
enum top_event_kind top_terminal_wait(struct top_terminal *t, int fd, double seconds)
{
	struct pollfd on[] = {{.fd = fd, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
	struct timespec time;
	double whole;
	enum top_event_kind kind;
	int n;

	time.tv_nsec = (long)(modf(fmin(fmax(seconds, 0), 1e6), &whole) * 1e9);
	time.tv_sec = (time_t)whole;
	n = ppoll(on, 2, &time, &t->waiting);
	if (n == 0)
		return TOP_TIME;
	if (n > 0 && on[0].revents)
		return TOP_WAKE;
	kind = take_keys(t);
	if (n > 0 && kind == TOP_TIME && (on[1].revents & (POLLHUP | POLLERR | POLLNVAL)))
		return TOP_QUIT;
	return kind;
}

/* ---- begin and end ---- */

/* Block SIGWINCH while counters are read: a resize would stay unnoticed until the next key. */
static void block_resize(struct top_terminal *t)
{
	sigset_t resize;

	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &t->before);
	t->waiting = t->before;
	sigdelset(&t->waiting, SIGWINCH);
}

struct top_terminal *top_terminal_begin(char *why, size_t len)
{
	struct top_terminal *t;
	struct caller before;
	SCREEN *screen;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		snprintf(why, len,
			 "standard input and output must be a terminal: use --once to print one "
			 "screen as text, or -n 10 for ten");
		return NULL;
	}
	use_tioctl(TRUE);
	caller_begin(&before); /* TERMINFO may name a file */
	screen = newterm(NULL, stdout, stdin);
	caller_end(&before);
	if (!screen) {
		const char *name = getenv("TERM");

		snprintf(why, len,
			 "unknown terminal type %s (TERM): use --once to print one screen as "
			 "text, or -n 10 for ten",
			 name ? name : "(not set)");
		return NULL;
	}
	t = need_memory(1, sizeof(*t));
	t->screen = screen;
	t->heading = no_colours_wanted() ? A_BOLD | A_UNDERLINE : A_REVERSE;
	t->shaded = !no_colours_wanted() && begin_colours();
	block_resize(t);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	return t;
}

void top_terminal_end(struct top_terminal *t)
{
	if (!t)
		return;
	curs_set(1);
	endwin();
	delscreen(t->screen);
	sigprocmask(SIG_SETMASK, &t->before, NULL);
	free(t->rows.text);
	free(t->rows.style);
	free(t);
}
