/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_filter.c - what an event of a list says about filters.  Intel's lists name registers,
 * "CHAFilter1[31:0]", with their value in FILTER_VALUE; perf's lists have fields with values,
 * "filter_opc=0x187,filter_nc=1", or "config1=0x40e33".
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sysfs.h"
#include "event/foreign.h"
#include "event/list_file.h"

#define BLANKS  " \t"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define TID     "filter_tid"
#define TID_EN  "tid_en"

/* ---- Intel's lists: registers ---- */

/* "[31:0]" or nothing. */
static bool is_range(const char *text)
{
	const size_t n = strspn(text, "[0123456789:]");

	return !*text || (*text == '[' && n > 2 && !text[n] && text[n - 1] == ']');
}

/*
 * A register, such as HA_AddrMatch0[31:6], or what other members of the event have: PortMask,
 * FCMask, UMaskExt.
 */
static bool is_register(const char *word)
{
	static const char ends[][7] = {"filter", "match", "mask"};
	const size_t n = strspn(word, LETTERS "0123456789_");
	const size_t digits = n && isdigit((unsigned char)word[n - 1]);

	if (strcasecmp(word, "fc") == 0 || strcasecmp(word, "chnl") == 0 ||
	    strcasecmp(word, "CtrCtrl[55:32]") == 0)
		return true;
	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const size_t end = strlen(ends[i]);

		if (n >= end + digits && strncasecmp(word + n - digits - end, ends[i], end) == 0)
			return is_range(word + n);
	}
	return false;
}

/* "Filter9" of a box with two filters. */
static bool is_missing(const struct unc_box_type *type, const char *word)
{
	const char *at = strcasestr(word, "filter");

	return at && type->n_filters && isdigit((unsigned char)at[6]) &&
	       (unsigned)at[6] - '0' >= type->n_filters;
}

/* FILTER_VALUE is that of the first filter register of the text. */
static int take_value(const struct unc_list_source *s, const struct unc_box_type *type,
		      const char *name, uint64_t value, struct unc_item *item)
{
	const char *word = strcasestr(name, "filter");
	const unsigned n = word && isdigit((unsigned char)word[6]) ? (unsigned)word[6] - '0' : 0;
	const struct unc_filter *filter = n < type->n_filters ? &type->filters[n] : NULL;

	if (!word)
		return unc_list_fail(s->f, s->at,
				     "FILTER_VALUE of %s has no register: expected Filter, for "
				     "example Filter1",
				     s->shown);
	if (!filter || filter->config != 1 || (value & ~filter->mask))
		return unc_list_fail(s->f, s->at,
				     "FILTER_VALUE %#llx of %s does not fit: the box has no such "
				     "filter",
				     (unsigned long long)value, s->shown);
	item->config1 |= value >> filter->bit << filter->shift;
	return 1;
}

/* ---- perf's lists: fields ---- */

static int invalid(const struct unc_list_source *s, const char *word, const char *why)
{
	char shown[UNC_LIST_SHOWN];

	unc_printable(shown, sizeof(shown), word);
	return unc_list_fail(s->f, s->at, "invalid Filter of %s: %s: %s", s->shown,
			     unc_list_quote(s->f, shown), why);
}

/* config1: perf's lists of Skylake-X write the value of the second filter without a shift. */
static int take_config1(const struct unc_list_source *s, const struct unc_box_type *type,
			uint64_t value, struct unc_item *item)
{
	const uint64_t bits = unc_compared_bits(type, item->code | item->bits, 1);

	if (!(value & ~bits))
		item->config1 |= value;
	else if (!(value >> 32) && !(value << 32 & ~bits))
		item->config1 |= value << 32;
	else
		return invalid(s, "config1", "has bits that the event does not compare");
	return 1;
}

/* A field without a value is a flag. */
static bool read_value(const char *text, const struct unc_perf_field *f, uint64_t *value)
{
	const bool hex = text && strncasecmp(text, "0x", 2) == 0;
	char *end;

	*value = 1;
	if (!text)
		return __builtin_popcountll(unc_bit_list(f->ranges)) == 1;
	if (!isxdigit((unsigned char)text[hex ? 2 : 0]))
		return false;
	errno = 0;
	*value = strtoull(text, &end, hex ? 16 : 10);
	return !errno && !*end;
}

/* Without its enable bit the hardware ignores the thread. */
static void enable_tid(const struct unc_list_source *s, const struct unc_box_type *type,
		       const char *word, size_t len, uint64_t *config)
{
	struct unc_perf_field f;

	if (len == strlen(TID) && strncasecmp(word, TID, len) == 0 &&
	    unc_perf_field(s->f->from->platform, type, TID_EN, strlen(TID_EN), &f))
		unc_perf_place(1, f.ranges, config);
}

static int take_field(const struct unc_list_source *s, const struct unc_box_type *type,
		      const char *word, struct unc_item *item)
{
	const size_t len = strcspn(word, "=");
	uint64_t config[UNC_CONFIGS] = {0}, value;
	struct unc_perf_field f;

	if (!unc_perf_field(s->f->from->platform, type, word, len, &f))
		return invalid(s, word, "unknown register or field of this box");
	if (!read_value(word[len] ? word + len + 1 : NULL, &f, &value))
		return invalid(s, word, "expected a 64-bit decimal or 0x number");
	if (len == strlen("config1") && strncasecmp(word, "config1", len) == 0)
		return take_config1(s, type, value, item);
	if (f.word == 2 || unc_perf_place(value, f.ranges, &config[f.word]))
		return invalid(s, word, f.word == 2 ? "not supported" : "too large");
	enable_tid(s, type, word, len, &config[0]);
	item->bits |= config[0];
	item->config1 |= config[1];
	return 1;
}

/* ---- all of it ---- */

static int take_word(const struct unc_list_source *s, const struct unc_box_type *type, char *word,
		     struct unc_item *item)
{
	word += strspn(word, BLANKS);
	for (size_t n = strlen(word); n && strchr(BLANKS, word[n - 1]); n--)
		word[n - 1] = '\0';
	if (!*word || (is_register(word) && !is_missing(type, word)))
		return 1;
	return take_field(s, type, word, item);
}

static int take_words(const struct unc_list_source *s, const struct unc_box_type *type,
		      const char *text, struct unc_item *item)
{
	char *copy = strdup(text), *rest = copy, *word;
	int r = 1;

	if (!copy)
		return unc_fail(s->f->err, UNCORE_ENOMEM, "out of memory for %s", s->f->path);
	while (r > 0 && (word = strsep(&rest, ",")))
		r = take_word(s, type, word, item);
	free(copy);
	return r;
}

static bool is_none(const char *text)
{
	static const char none[][5] = {"", "na", "n/a", "none", "null", "0"};

	for (unsigned i = 0; i < sizeof(none) / sizeof(*none); i++)
		if (strcasecmp(text, none[i]) == 0)
			return true;
	return false;
}

int unc_list_filter(const struct unc_list_source *s, const struct unc_box_type *type,
		    struct unc_item *item)
{
	const char *text = unc_list_text(s, "Filter");
	uint64_t value;
	int r = unc_list_number(s, "FILTER_VALUE", UINT64_MAX, &value);

	if (r == 0 && !text)
		r = unc_list_fail(s->f, s->at, "invalid Filter of %s: expected text", s->shown);
	if (r == 0)
		r = is_none(text) ? 1 : take_words(s, type, text, item);
	return r > 0 && value ? take_value(s, type, text, value, item) : r;
}
