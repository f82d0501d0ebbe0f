/*
 * list_file.c - a file of Intel's event lists taken apart into its events.
 *
 * json-c does not tell where in a file a value was.  So the outermost levels,
 * {"Header": ..., "Events": [...]} or a bare array, are gone through here, and
 * json-c gets one value after the other: each event's place is known.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/list_file.h"

#define MAX_DEPTH 16

/* What the scan goes along. */
struct scan {
	struct unc_list_file *f;
	struct json_tokener *tok;
	size_t at;
	bool events; /* the list of events was there */
};

int unc_list_fail(const struct unc_list_file *f, size_t at, const char *format, ...)
{
	char reason[UNCORE_ERRMSG_MAX / 2];
	unsigned line = 1;
	va_list args;

	for (size_t i = 0; i < at && i < f->size; i++)
		line += f->text[i] == '\n';
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return unc_fail(f->err, UNCORE_EINVAL, "%s:%u: %s", f->path, line, reason);
}

/* ---- outermost levels ---- */

/* The next character that is no space, 0 at the end. */
static char peek(struct scan *s)
{
	while (s->at < s->f->size && strchr(" \t\r\n", s->f->text[s->at]) && s->f->text[s->at])
		s->at++;
	return s->at < s->f->size ? s->f->text[s->at] : '\0';
}

static int unexpected(struct scan *s, const char *wanted)
{
	const char c = peek(s);

	if (s->at == s->f->size)
		return unc_list_fail(s->f, s->at, "the file ends where %s should be", wanted);
	return unc_list_fail(s->f, s->at, "%c where %s should be", c > ' ' && c < 127 ? c : '?',
			     wanted);
}

static int take(struct scan *s, char c, const char *wanted)
{
	if (peek(s) != c)
		return unexpected(s, wanted);
	s->at++;
	return 0;
}

/* One value of any kind. */
static int take_value(struct scan *s, struct json_object **out)
{
	enum json_tokener_error why;
	size_t end;

	json_tokener_reset(s->tok);
	*out = json_tokener_parse_ex(s->tok, s->f->text + s->at, (int)(s->f->size - s->at));
	why = json_tokener_get_error(s->tok);
	end = s->at + json_tokener_get_parse_end(s->tok);
	if (why == json_tokener_success) {
		s->at = end;
		return 0;
	}
	json_object_put(*out);
	*out = NULL;
	if (why == json_tokener_continue && end >= s->f->size)
		return unc_list_fail(s->f, s->f->size, "the file ends within a value");
	return unc_list_fail(s->f, end, "no JSON: %s",
			     why == json_tokener_continue || why == json_tokener_error_parse_eof
				     ? "a zero byte"
				     : json_tokener_error_desc(why));
}

static int take_event(struct scan *s)
{
	const char c = peek(s);
	const size_t at = s->at;
	struct json_object *object;
	int r;

	if (c != '{')
		return unexpected(s, "an event, {,");
	if (s->f->n_events == UNC_LIST_MAX_EVENTS)
		return unc_list_fail(s->f, at, "more than %d events", UNC_LIST_MAX_EVENTS);
	s->f->n_events++;
	r = take_value(s, &object);
	if (r == 0)
		r = unc_list_event(s->f, at, object);
	json_object_put(object);
	return r;
}

static int take_events(struct scan *s)
{
	int r;

	if (s->events)
		return unc_list_fail(s->f, s->at, "\"Events\" is there twice");
	s->events = true;
	r = take(s, '[', "the list of events, [,");
	if (r < 0 || peek(s) == ']')
		return r < 0 ? r : take(s, ']', "]");
	do {
		r = take_event(s);
		if (r == 0 && peek(s) == ']')
			return take(s, ']', "]");
		if (r == 0)
			r = take(s, ',', ", or ]");
	} while (r == 0);
	return r;
}

static int take_member(struct scan *s)
{
	struct json_object *key = NULL, *value = NULL;
	bool events;
	int r = peek(s) == '"' ? take_value(s, &key) : unexpected(s, "a name in quotes");

	if (r < 0)
		return r;
	events = strcmp(json_object_get_string(key), "Events") == 0;
	json_object_put(key);
	r = take(s, ':', ":");
	peek(s);
	if (r == 0 && events)
		return take_events(s);
	if (r == 0)
		r = take_value(s, &value);
	json_object_put(value);
	return r;
}

static int take_object(struct scan *s)
{
	int r = take(s, '{', "{");

	if (r < 0 || peek(s) == '}')
		return r < 0 ? r : take(s, '}', "}");
	do {
		r = take_member(s);
		if (r == 0 && peek(s) == '}')
			return take(s, '}', "}");
		if (r == 0)
			r = take(s, ',', ", or }");
	} while (r == 0);
	return r;
}

static int take_file(struct scan *s)
{
	static const char mark[] = "\xef\xbb\xbf"; /* UTF-8's byte order mark */
	int r;

	if (s->f->size >= 3 && memcmp(s->f->text, mark, 3) == 0)
		s->at = 3;
	if (peek(s) == '[')
		r = take_events(s);
	else
		r = peek(s) == '{' ? take_object(s) : unexpected(s, "{ or [");
	if (r == 0 && (peek(s) || s->at < s->f->size))
		return unexpected(s, "the end of the file");
	return r;
}

/* ---- the whole ---- */

int unc_item_compare(const void *a, const void *b)
{
	const struct unc_item *x = a, *y = b;
	int r = x->type < y->type ? -1 : x->type > y->type;

	if (r == 0)
		r = strcmp(x->event, y->event);
	if (r == 0)
		r = strcmp(x->umask, y->umask);
	return r ? r : x->order < y->order ? -1 : x->order > y->order;
}

bool unc_item_same(const struct unc_item *a, const struct unc_item *b)
{
	return a->type == b->type && strcmp(a->event, b->event) == 0 &&
	       strcmp(a->umask, b->umask) == 0;
}

/* Events that are there twice: harmless if both mean the same, or one is deprecated. */
static int check_twice(struct unc_list_file *f)
{
	if (f->n_items)
		qsort(f->items, f->n_items, sizeof(*f->items), unc_item_compare);
	for (size_t i = 1; i < f->n_items; i++) {
		const struct unc_item *a = &f->items[i - 1], *b = &f->items[i];

		if (!unc_item_same(a, b) || a->unlisted || b->unlisted ||
		    (a->code == b->code && a->bits == b->bits && a->config1 == b->config1 &&
		     a->counters == b->counters))
			continue;
		return unc_list_fail(f, b->at, "%s%s%s is there twice and not the same", b->event,
				     *b->umask ? "." : "", b->umask);
	}
	return 0;
}

static int check_use(const struct unc_list_file *f, bool events)
{
	if (!events)
		return unc_list_fail(f, 0, "no \"Events\" in it: this is no list of events");
	if (f->n_events == 0)
		return unc_list_fail(f, 0, "no event in it");
	if (f->n_fit)
		return 0;
	return unc_list_fail(f, 0,
			     "none of its %u events is of a box of this machine (%s)%s%s; "
			     "take the list of this CPU",
			     f->n_events, f->from->title,
			     *f->unit ? ": they are of units such as " : "", f->unit);
}

int unc_list_scan(struct unc_list_file *f)
{
	struct scan s = {.f = f, .tok = json_tokener_new_ex(MAX_DEPTH)};
	int r;

	if (!s.tok)
		return unc_fail(f->err, UNCORE_ENOMEM, "out of memory for %s", f->path);
	json_tokener_set_flags(s.tok, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	r = take_file(&s);
	json_tokener_free(s.tok);
	if (r == 0)
		r = check_twice(f);
	return r < 0 ? r : check_use(f, s.events);
}

static int check_size(struct unc_list_file *f, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return unc_fail(f->err, UNCORE_EINVAL, "%s: this is no file", f->path);
	if (st.st_size == 0 || st.st_size > (off_t)UNC_LIST_MAX_SIZE)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path,
				st.st_size ? "over 64 MB: this is no list of events" : "empty");
	f->size = (size_t)st.st_size;
	return 0;
}

static int read_all(struct unc_list_file *f, int fd, char *text)
{
	size_t have = 0;
	ssize_t n = 0;

	while (have < f->size && (n = read(fd, text + have, f->size - have)) > 0)
		have += (size_t)n;
	if (have == f->size)
		return 0;
	return unc_fail(f->err, UNCORE_EINVAL, "%s: cannot be read: %s", f->path,
			n < 0 ? strerror(errno) : "it has become shorter");
}

static int scan_open(struct unc_list_file *f, int fd)
{
	int r = check_size(f, fd);
	char *text = r == 0 ? malloc(f->size) : NULL;

	if (r == 0 && !text)
		r = unc_fail(f->err, UNCORE_ENOMEM, "out of memory for %s", f->path);
	if (r == 0)
		r = read_all(f, fd, text);
	f->text = text;
	if (r == 0)
		r = unc_list_scan(f);
	f->text = NULL;
	free(text);
	return r;
}

int unc_list_read(struct unc_list_file *f)
{
	const int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int r;

	if (fd < 0)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path, strerror(errno));
	r = scan_open(f, fd);
	close(fd);
	return r;
}

void unc_items_free(struct unc_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(items[i].event);
	free(items);
}
