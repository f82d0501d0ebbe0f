/* SPDX-License-Identifier: BSD-3-Clause */
/* box.c - see box.h. */
#include "command/base/box.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command/base/text.h"

const char *box_name(char name[BOX_NAME], const char *kind, unsigned index)
{
	const char last = *kind ? kind[strlen(kind) - 1] : ' ';

	snprintf(name, BOX_NAME, "%s%s%u", kind, last >= '0' && last <= '9' ? "_" : "", index);
	return name;
}

static const struct {
	const char *kind, *place;
} places[] = {
	{"imc", "channel"},       {"hbm", "HBM channel"},
	{"mchbm", "HBM channel"}, {"edc_eclk", "MCDRAM channel"},
	{"qpi", "link"},          {"upi", "link"},
};

#define PLACES (sizeof(places) / sizeof(*places))

const char *place_of_kind(const char *kind)
{
	for (size_t i = 0; i < PLACES; i++)
		if (strcmp(kind, places[i].kind) == 0)
			return places[i].place;
	return NULL;
}

static bool is_in_word(char c)
{
	return c == '_' || isalnum((unsigned char)c);
}

/* "0" or "0-3" at the end of a word; 0: no number. */
static size_t length_of_numbers(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (n && text[n] == '-' && strspn(text + n + 1, "0123456789"))
		n += 1 + strspn(text + n + 1, "0123456789");
	return is_in_word(text[n]) ? 0 : n;
}

/* Put the word that begins there in words of people; returns its length, 0: it is another one. */
static size_t put_place(FILE *out, const char *word)
{
	static const char package[] = "package";

	if (strncmp(word, package, strlen(package)) == 0) {
		const size_t n = strlen(package) + (word[strlen(package)] == 's');

		if (is_in_word(word[n]))
			return 0;
		fputs(n > strlen(package) ? "sockets" : "socket", out);
		return n;
	}
	for (size_t i = 0; i < PLACES; i++) {
		const size_t k = strlen(places[i].kind);
		const size_t n =
			strncmp(word, places[i].kind, k) == 0 ? length_of_numbers(word + k) : 0;

		if (!n)
			continue;
		fprintf(out, "%s%s %.*s", places[i].place, memchr(word + k, '-', n) ? "s" : "",
			(int)n, word + k);
		return k + n;
	}
	return 0;
}

char *text_with_places(const char *text)
{
	char *all = NULL;
	size_t size = 0;
	FILE *out = begin_text(&all, &size);

	for (const char *at = text; *at;) {
		const bool begins = at == text || !is_in_word(at[-1]);
		const size_t n = begins ? put_place(out, at) : 0;

		if (!n)
			fputc(*at, out);
		at += n ? n : 1;
	}
	end_text(out);
	return all;
}

bool is_same_absence(const struct uncore_box_info *a, const struct uncore_box_info *b)
{
	return a->unreached == b->unreached && a->absence == b->absence;
}

const char *box_kind_of(struct uncore *u, unsigned id)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_plan *plan = NULL;
	const char *kind = "box";

	if (uncore_plan(u, &id, 1, NULL, &plan) == 0 && uncore_plan_assignment(plan, 0, &a) == 1)
		kind = a.kind;
	uncore_plan_free(plan);
	return kind;
}
