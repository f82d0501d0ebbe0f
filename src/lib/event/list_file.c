/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_file.c - split a file of Intel's event lists into events.
 *
 * json-c does not report the position of a value in a file.  So the outermost levels,
 * {"Header": ..., "Events": [...]} or a bare array, are scanned here, and json-c gets one value
 * at a time: this way the position of each event is known.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "event/list_file.h"

#define MAX_DEPTH 16

/* State of the scan. */
struct scan {
	struct unc_list_file *f;
	struct json_tokener *tok;
	size_t at;
	size_t ascii; /* the next byte above 127 is not before this */
	bool events;  /* the list of events was found */
};

/* ---- outermost levels ---- */

/* The next character that is not a space; 0 at the end. */
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
		return unc_list_fail(s->f, s->at, "unexpected end of file: expected %s", wanted);
	return unc_list_fail(s->f, s->at, "unexpected %c: expected %s",
			     c > ' ' && c < 127 ? c : '?', wanted);
}

static int take(struct scan *s, char c, const char *wanted)
{
	if (peek(s) != c)
		return unexpected(s, wanted);
	s->at++;
	return 0;
}

/*
 * json-c 0.18 takes a byte above 127 for a control character and refuses it where it is strict (its
 * issue 875).  So it gets a text in parts, and is not strict from such a byte to the end or the
 * next escape sequence of the string.
 */
static size_t part_of(struct scan *s, size_t at)
{
	const char *text = s->f->text;
	size_t end = at > s->ascii ? at : s->ascii;
	int flags = JSON_TOKENER_ALLOW_TRAILING_CHARS;

	while (end < s->f->size && !(text[end] & 0x80))
		end++;
	s->ascii = end;
	if (end == at)
		while (end < s->f->size && text[end] != '"' && text[end] != '\\' &&
		       (unsigned char)text[end] >= ' ')
			end++;
	else
		flags |= JSON_TOKENER_STRICT;
	json_tokener_set_flags(s->tok, flags);
	return end - at;
}

/* Parse a value; returns where the parser ended. */
static size_t parse(struct scan *s, struct json_object **out)
{
	size_t at, n, next = s->at;

	json_tokener_reset(s->tok);
	do {
		at = next;
		n = part_of(s, at);
		*out = json_tokener_parse_ex(s->tok, s->f->text + at, (int)n);
		next = at + json_tokener_get_parse_end(s->tok);
	} while (json_tokener_get_error(s->tok) == json_tokener_continue && next == at + n &&
		 next < s->f->size);
	return next;
}

/* A value of any type. */
static int take_value(struct scan *s, struct json_object **out)
{
	const size_t end = parse(s, out);
	const enum json_tokener_error why = json_tokener_get_error(s->tok);

	if (why == json_tokener_success) {
		s->at = end;
		return 0;
	}
	json_object_put(*out);
	*out = NULL;
	if (why == json_tokener_continue && end >= s->f->size)
		return unc_list_fail(s->f, s->f->size, "unexpected end of file within a value");
	return unc_list_fail(s->f, end, "invalid JSON: %s",
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
		return unc_list_fail(s->f, at, "too many events: the maximum is %d",
				     UNC_LIST_MAX_EVENTS);
	s->f->n_events++;
	r = take_value(s, &object);
	if (r < 0)
		return r;
	r = unc_list_event(s->f, at, object);
	json_object_put(object);
	return r == UNCORE_EINVAL ? unc_list_leave_out(s->f) : r;
}

static int take_events(struct scan *s)
{
	int r;

	if (s->events)
		return unc_list_fail(s->f, s->at, "\"Events\" is defined twice");
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

static void take_header(struct scan *s, size_t at, struct json_object *header)
{
	struct json_object *info = NULL;

	if (!json_object_object_get_ex(header, "Info", &info) ||
	    !json_object_is_type(info, json_type_string))
		return;
	unc_printable(s->f->info, sizeof(s->f->info), json_object_get_string(info));
	s->f->info_at = at;
}

static int take_member(struct scan *s)
{
	struct json_object *key = NULL, *value = NULL;
	bool events, header;
	size_t at;
	int r = peek(s) == '"' ? take_value(s, &key) : unexpected(s, "a name in quotes");

	if (r < 0)
		return r;
	events = strcmp(json_object_get_string(key), "Events") == 0;
	header = strcmp(json_object_get_string(key), "Header") == 0;
	json_object_put(key);
	r = take(s, ':', ":");
	peek(s);
	if (r == 0 && events)
		return take_events(s);
	at = s->at;
	if (r == 0)
		r = take_value(s, &value);
	if (r == 0 && header)
		take_header(s, at, value);
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

/* ---- whole file ---- */

int unc_list_scan(struct unc_list_file *f)
{
	struct scan s = {.f = f, .tok = json_tokener_new_ex(MAX_DEPTH)};
	int r;

	if (!s.tok)
		return unc_fail(f->err, UNCORE_ENOMEM, "out of memory for %s", f->path);
	f->n_before = f->warnings->n;
	r = take_file(&s);
	json_tokener_free(s.tok);
	if (r == 0 && !s.events)
		r = unc_list_fail(f, 0, "not an event list: \"Events\" is missing");
	return r < 0 ? r : unc_list_check(f);
}

static int check_size(struct unc_list_file *f, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return unc_fail(f->err, UNCORE_EINVAL, "%s: not a regular file", f->path);
	if (st.st_size == 0 || st.st_size > (off_t)UNC_LIST_MAX_SIZE)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path,
				st.st_size ? "not an event list: larger than 64 MB" : "empty");
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
			n < 0 ? strerror(errno) : "the file became shorter");
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
	const int fd = unc_open(f->path, O_RDONLY);
	int r;

	if (fd < 0)
		return unc_fail(f->err, UNCORE_EINVAL, "%s: %s", f->path, strerror(errno));
	r = scan_open(f, fd);
	close(fd);
	return r;
}
