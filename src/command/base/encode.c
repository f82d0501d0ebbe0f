/* SPDX-License-Identifier: BSD-3-Clause */
/* encode.c - see encode.h. */
#include "command/base/encode.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

/* ---- characters ---- */

struct character {
	uint32_t code;
	size_t bytes; /* 1 for a byte that is not UTF-8 */
	bool valid;
};

/* Bytes of a character by its first one (RFC 3629); 0: invalid. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Overlong forms, surrogates and numbers above U+10FFFF are invalid. */
static bool is_in_range(uint32_t code, size_t bytes)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	return code >= least[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

static struct character first_character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	const struct character invalid = {*at, 1, false};
	const size_t bytes = length_of(*at);
	uint32_t code = *at;

	if (bytes == 1)
		return (struct character){code, 1, true};
	if (bytes)
		code &= 0x7fU >> bytes;
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return invalid;
		code = code << 6 | (at[i] & 0x3f);
	}
	return bytes && is_in_range(code, bytes) ? (struct character){code, bytes, true} : invalid;
}

struct range {
	uint32_t first, last;
};

static bool is_in(uint32_t code, const struct range *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= list[i].first && code <= list[i].last)
			return true;
	return false;
}

#define IS_IN(code, list) is_in(code, list, sizeof(list) / sizeof(*(list)))

/* Unicode: categories Cc, Zl, Zp, Bidi_Control, noncharacters, tags, and those without a width. */
static bool is_hidden(uint32_t code)
{
	static const struct range hidden[] = {{0, 0x1f},         {0x7f, 0x9f},     {0xad, 0xad},
					      {0x61c, 0x61c},    {0x180e, 0x180e}, {0x200b, 0x200b},
					      {0x200e, 0x200f},  {0x2028, 0x202e}, {0x2060, 0x206f},
					      {0xfdd0, 0xfdef},  {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
					      {0xe0000, 0xe007f}};

	return (code & 0xfffe) == 0xfffe || IS_IN(code, hidden);
}

static void put_bytes(FILE *out, const char *text, size_t n)
{
	fwrite(text, 1, n, out);
}

/* backslash: as this kind of output writes it. */
static void put_hidden(FILE *out, struct character c, const char *backslash)
{
	if (c.code < 0x80 || !c.valid)
		fprintf(out, "%sx%02" PRIx32, backslash, c.code);
	else if (c.code <= 0xffff)
		fprintf(out, "%su%04" PRIx32, backslash, c.code);
	else
		fprintf(out, "%sU%08" PRIx32, backslash, c.code);
}

/* ---- a kind of output ---- */

/* Replacements of characters of ASCII. */
struct replacement {
	char character;
	const char *by;
};

struct kind {
	const char *backslash;
	struct replacement list[8]; /* ends with 0 */
};

static const char *replacement_of(const struct kind *kind, uint32_t code)
{
	for (const struct replacement *r = kind->list; r->by; r++)
		if (code == (unsigned char)r->character)
			return r->by;
	return NULL;
}

static void put(FILE *out, const char *text, const struct kind *kind)
{
	while (*text) {
		const struct character c = first_character(text);
		const char *by = c.valid ? replacement_of(kind, c.code) : NULL;

		if (by)
			fputs(by, out);
		else if (!c.valid || is_hidden(c.code))
			put_hidden(out, c, kind->backslash);
		else
			put_bytes(out, text, c.bytes);
		text += c.bytes;
	}
}

void put_openmetrics(FILE *out, const char *text, bool quotes)
{
	static const struct kind value = {"\\\\", {{'\\', "\\\\"}, {'\n', "\\n"}, {'"', "\\\""}}},
				 help = {"\\\\", {{'\\', "\\\\"}, {'\n', "\\n"}}};

	put(out, text, quotes ? &value : &help);
}

/* A backslash at the end would escape the separator that follows, for some readers. */
void put_influx(FILE *out, const char *text)
{
	static const struct kind kind = {
		"\\\\", {{'\\', "\\\\"}, {',', "\\,"}, {' ', "\\ "}, {'=', "\\="}}};

	const size_t length = strlen(text);

	if (length && text[length - 1] == '\\') {
		char *before = text_of("%.*s", (int)length - 1, text);

		put(out, before, &kind);
		fputs("\\\\x5c", out);
		free(before);
	} else
		put(out, *text ? text : "_", &kind);
}

void put_xml(FILE *out, const char *text)
{
	static const struct kind kind = {"\\",
					 {{'&', "&amp;"},
					  {'<', "&lt;"},
					  {'>', "&gt;"},
					  {'"', "&quot;"},
					  {'\'', "&#39;"},
					  {'\n', "\n"},
					  {'\t', "\t"}}};

	put(out, text, &kind);
}

void put_csv(FILE *out, const char *text, const char *separator)
{
	static const struct kind kind = {"\\", {{'"', "\"\""}}};
	const bool quoted = strstr(text, separator) || strchr(text, '"');

	if (quoted)
		fputc('"', out);
	put(out, text, &kind);
	if (quoted)
		fputc('"', out);
}

/* ---- terminals ---- */

static const struct kind terminal = {"\\", {{0, NULL}}};

void put_terminal(FILE *out, const char *text)
{
	put(out, text, &terminal);
}

static char *text_by(const char *text, const struct kind *kind)
{
	char *made = NULL;
	size_t length;
	FILE *out = begin_text(&made, &length);

	put(out, text, kind);
	end_text(out);
	return made;
}

char *terminal_text(const char *text)
{
	return text_by(text, &terminal);
}

char *terminal_lines(const char *text)
{
	static const struct kind lines = {"\\", {{'\n', "\n"}, {'\t', "\t"}}};

	return text_by(text, &lines);
}

char *terminal_cells(const char *text)
{
	char *shown = terminal_text(text), *cells = NULL;
	size_t length;
	FILE *out = begin_text(&cells, &length);

	for (const char *at = shown; *at;) {
		const struct character c = first_character(at);

		if (c.code < 0x80)
			fputc((int)c.code, out);
		else
			put_hidden(out, c, terminal.backslash);
		at += c.bytes;
	}
	free(shown);
	end_text(out);
	return cells;
}

/* Combining marks have no width; East Asian wide characters (UAX #11) and emoji have two columns.
 */
static unsigned columns_of(uint32_t code)
{
	static const struct range none[] = {{0x300, 0x36f}, {0x200c, 0x200d}, {0xfe00, 0xfe0f}},
				  wide[] = {
					  {0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
					  {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
					  {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};

	return IS_IN(code, none) ? 0 : IS_IN(code, wide) ? 2 : 1;
}

unsigned terminal_columns(const char *text)
{
	unsigned columns = 0;

	while (*text) {
		const struct character c = first_character(text);

		columns += columns_of(c.code);
		text += c.bytes;
	}
	return columns;
}

/* ---- JSON ---- */

/* UTF-16 (RFC 8259, 7). */
static void put_json_escape(FILE *out, uint32_t code)
{
	if (code <= 0xffff)
		fprintf(out, "\\u%04" PRIx32, code);
	else
		fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
			0xdc00 + (code & 0x3ff));
}

/* These characters can only be part of a string; line ends between members are kept. */
void put_json(FILE *out, const char *json)
{
	while (*json) {
		const struct character c = first_character(json);

		if (!c.valid)
			fputs("\\ufffd", out);
		else if (c.code != '\n' && is_hidden(c.code))
			put_json_escape(out, c.code);
		else
			put_bytes(out, json, c.bytes);
		json += c.bytes;
	}
}
