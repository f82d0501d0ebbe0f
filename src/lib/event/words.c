/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.c - the words of names: listed events by the part of their names after the PMU, ignoring
 * case; patterns; Intel's names.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

/* FNV-1a */
static unsigned bucket_of(const char *word)
{
	uint32_t hash = 2166136261;

	for (; *word; word++)
		hash = (hash ^ (uint32_t)toupper((unsigned char)*word)) * 16777619;
	return (hash ^ hash >> 16) % UNC_WORD_BUCKETS;
}

void unc_words_fill(struct unc_names *n)
{
	for (unsigned i = n->n_known; i-- > 0;) {
		struct unc_entry *e = n->entries[i], **bucket;

		bucket = &n->words[bucket_of(unc_event_word(e))];
		e->next = *bucket;
		*bucket = e;
	}
}

struct unc_entry *unc_word_next(const struct unc_names *n, const char *word,
				const struct unc_entry *before)
{
	struct unc_entry *e = before ? before->next : n->words[bucket_of(word)];

	while (e && strcasecmp(word, unc_event_word(e)) != 0)
		e = e->next;
	return e;
}

/*
 * Match names against patterns of the tables, in which * stands for any letters.
 */

static bool same_letter(char a, char b)
{
	return toupper((unsigned char)a) == toupper((unsigned char)b);
}

bool unc_like(const char *pattern, const char *name, struct unc_star *star)
{
	for (; *pattern != '*' && same_letter(*pattern, *name); pattern++, name++)
		if (!*pattern)
			return true;
	for (int i = 0; *pattern == '*'; i++) {
		star->at = NULL;
		if (unc_like(pattern + 1, name + i, star)) {
			*star = star->at ? *star : (struct unc_star){name, i};
			return true;
		}
		if (!name[i])
			return false;
	}
	return false;
}

void unc_like_fill(const char *text, const struct unc_star *star, char *out, size_t len)
{
	const char *gap = star->at ? strchr(text, '*') : NULL;
	const char *end = gap ? gap : text + strlen(text);

	snprintf(out, len, "%.*s%.*s%s", (int)(end - text), text, gap ? star->len : 0,
		 gap ? star->at : "", gap ? gap + 1 : "");
}

/*
 * Which events are in the regular list of Intel's lists, by name; unc_platform_desc.regular.
 */

/* The word at w, up to a blank or the end of its line. */
static bool is_word(const char *w, const char *word)
{
	const size_t len = strcspn(w, " \n");

	return len == strlen(word) && strncasecmp(w, word, len) == 0;
}

/* The line of an event. */
static const char *find(const char *lines, const char *event)
{
	while (*lines && !is_word(lines, event))
		lines += strcspn(lines, "\n") + 1;
	return *lines ? lines : NULL;
}

static bool line_has(const char *line, const char *word)
{
	while (*line != '\n' && !is_word(line, word)) {
		line += strcspn(line, " \n");
		line += strspn(line, " ");
	}
	return *line != '\n';
}

bool unc_name_is_regular(const struct unc_platform *platform, const char *event, const char *umask)
{
	const char *line = platform->desc->regular ? find(platform->desc->regular, event) : NULL;

	return line && (!umask || line_has(line + strlen(event), umask));
}

/*
 * Intel's names of events that the tables have under another name; struct unc_alias.
 */

bool unc_alias_event(const struct unc_alias *aliases, const char *word, unsigned *next,
		     char out[UNCORE_NAME_MAX + 1])
{
	for (const struct unc_alias *a = aliases ? aliases + *next : NULL; a && *a->event; a++) {
		struct unc_star star = {NULL, 0};

		++*next;
		if (a->of_umask || a->refused || !unc_like(a->event, word, &star))
			continue;
		unc_like_fill(a->is, &star, out, UNCORE_NAME_MAX + 1);
		return true;
	}
	return false;
}

bool unc_alias_umask(const struct unc_alias *aliases, const char *event, const char *umask,
		     char out[UNCORE_NAME_MAX + 1])
{
	for (const struct unc_alias *a = aliases; a && *a->event; a++) {
		struct unc_star star = {NULL, 0}, of_umask = {NULL, 0};

		if (!a->of_umask || a->refused || !unc_like(a->umask, umask, &of_umask) ||
		    !unc_like(a->event, event, &star))
			continue;
		unc_like_fill(a->is, &of_umask, out, UNCORE_NAME_MAX + 1);
		return true;
	}
	return false;
}

const char *unc_alias_refused(const struct unc_alias *aliases, const char *event, const char *umask)
{
	for (const struct unc_alias *a = aliases; a && *a->event; a++) {
		struct unc_star star = {NULL, 0};

		if (a->refused && a->of_umask == (umask != NULL) &&
		    unc_like(a->event, event, &star) &&
		    (!umask || unc_like(a->umask, umask, &star)))
			return a->is;
	}
	return NULL;
}
