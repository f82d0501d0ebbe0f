/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suggest.c - suggest events for an unknown name: by spelling, or by its words, as `uncore
 * list` searches.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

#define WORDS_MAX     8
#define TYPING_SLIP   2  /* a name with at most this many wrong letters is surely meant */
#define LEAST_LETTERS 3  /* shorter words are in too many names */
#define ASKED_MAX     32 /* number of events whose umasks are compared */

/* The words of a name, without UNC or UNCORE at the start. */
struct words {
	char text[UNCORE_NAME_MAX + 1];
	const char *word[WORDS_MAX];
	unsigned n;
	size_t letters;
};

/*
 * In order of preference: a metric, its events, an event, one with a umask, a metric by its
 * description.
 */
enum quality { METRIC = 0, ITS_EVENT = 1000, EVENT = 2000, WITH_UMASK = 3000, BY_TEXT = 4000 };

struct proposals {
	struct {
		char name[UNCORE_NAME_MAX + 1];
		size_t rank; /* quality; among equals, the shorter name */
	} list[3];
	unsigned n;
};

/* ---- words ---- */

static void split(struct words *w, const char *name)
{
	char *rest = NULL;

	memset(w, 0, sizeof(*w));
	snprintf(w->text, sizeof(w->text), "%s", name);
	for (char *word = strtok_r(w->text, "_.:- ", &rest); word && w->n < WORDS_MAX;
	     word = strtok_r(NULL, "_.:- ", &rest))
		if (w->n > 0 || (strcasecmp(word, "UNC") != 0 && strcasecmp(word, "UNCORE") != 0)) {
			w->word[w->n++] = word;
			w->letters += strlen(word);
		}
}

/* The first n of them; in a description each must begin a word. */
static bool has_words(const char *text, const struct words *w, unsigned n, bool beginnings)
{
	for (unsigned i = 0; i < n; i++) {
		const char *at = strcasestr(text, w->word[i]);

		while (at && beginnings && at > text && isalnum((unsigned char)at[-1]))
			at = strcasestr(at + 1, w->word[i]);
		if (!at)
			return false;
	}
	return n > 0;
}

/* ---- proposals ---- */

static void propose(struct proposals *p, const char *name, enum quality quality)
{
	const size_t rank = (size_t)quality + strlen(name);
	const unsigned room = sizeof(p->list) / sizeof(*p->list);
	unsigned at = 0, last;

	for (unsigned i = 0; i < p->n; i++)
		if (strcasecmp(p->list[i].name, name) == 0)
			return;
	while (at < p->n && p->list[at].rank <= rank)
		at++;
	if (at == room)
		return;
	last = p->n < room ? p->n++ : room - 1;
	memmove(&p->list[at + 1], &p->list[at], (last - at) * sizeof(*p->list));
	snprintf(p->list[at].name, sizeof(p->list[at].name), "%s", name);
	p->list[at].rank = rank;
}

static void propose_metric(struct proposals *p, const struct unc_entry *e, const struct words *w)
{
	const struct unc_metric_event *events = e->recipe ? e->recipe->events : NULL;

	if (has_words(e->name, w, w->n, false)) {
		propose(p, e->name, METRIC);
		if (events && *events[0].event && !*events[1].event)
			propose(p, events[0].event, ITS_EVENT);
	} else if (has_words(e->metric->text, w, w->n, true)) {
		propose(p, e->name, BY_TEXT);
	}
}

/* "CAS_COUNT_RD": the last word may be a umask. */
static bool propose_umask(struct unc_names *names, struct proposals *p, struct unc_entry *e,
			  const struct words *w)
{
	const struct unc_attr *attr;
	char name[2 * UNCORE_NAME_MAX];

	if (w->n < 2 || !has_words(e->name, w, w->n - 1, false))
		return false;
	if (unc_attrs_load(names, e) < 0)
		return true;
	for (int a = 0; (attr = unc_attr(e, a)); a++) {
		if (!attr->umask || attr->unlisted || !strcasestr(attr->name, w->word[w->n - 1]))
			continue;
		snprintf(name, sizeof(name), "%s:%s", e->name, attr->name);
		if (strlen(name) <= UNCORE_NAME_MAX)
			propose(p, name, WITH_UMASK);
	}
	return true;
}

static void propose_by_words(struct unc_names *names, const char *text, const struct unc_pmu *pmu,
			     struct proposals *p)
{
	unsigned asked = 0;
	struct words w;

	split(&w, text);
	for (unsigned i = 0; w.letters >= LEAST_LETTERS && i < names->n_listed; i++) {
		struct unc_entry *e = names->entries[i];

		if (pmu ? pmu != e->pmu : e->qualified)
			continue;
		if (e->metric)
			propose_metric(p, e, &w);
		else if (has_words(unc_event_word(e), &w, w.n, false))
			propose(p, e->name, EVENT);
		else if (asked < ASKED_MAX)
			asked += propose_umask(names, p, e, &w);
	}
}

/* ---- the sentence ---- */

static const char *sentence(const struct proposals *p, char *buf, size_t len)
{
	size_t n = 0;

	*buf = '\0';
	for (unsigned i = 0; i < p->n && n < len; i++)
		n += (size_t)snprintf(buf + n, len - n, "%s%s%s",
				      i == 0          ? "; did you mean "
				      : i < p->n - 1u ? ", "
						      : " or ",
				      p->list[i].name, i == p->n - 1u ? "?" : "");
	return buf;
}

const char *unc_suggest(struct unc_names *names, const char *text, const struct unc_pmu *pmu,
			char *buf, size_t len)
{
	struct proposals proposals = {.n = 0};
	struct unc_nearest near;

	unc_nearest_start(&near, text);
	for (unsigned i = 0; i < names->n_known; i++) {
		const struct unc_entry *e = names->entries[i];

		if (pmu ? pmu == e->pmu : !e->qualified)
			unc_nearest_offer(&near, unc_event_word(e));
	}
	if (!near.best || near.below > TYPING_SLIP)
		propose_by_words(names, text, pmu, &proposals);
	if (!proposals.n || (near.best && proposals.list[0].rank >= BY_TEXT))
		return unc_nearest_hint(&near, buf, len);
	return sentence(&proposals, buf, len);
}
