/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - descriptions of events and umasks: from our rows, else from libpfm4, corrected
 * (events/texts/texts.c).
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

static bool from_table(const struct unc_text *rows, const char *event, const char *umask,
		       char *text, size_t len)
{
	for (const struct unc_text *r = rows; *r->event; r++) {
		struct unc_star star = {NULL, 0}, of_umask = {NULL, 0};

		if (!*r->umask != !umask || !unc_like(r->event, event, &star) ||
		    (umask && !unc_like(r->umask, umask, &of_umask)))
			continue;
		unc_like_fill(r->text, of_umask.at ? &of_umask : &star, text, len);
		return true;
	}
	return false;
}

const char *unc_skip_unit_prefix(const char *event)
{
	const char *unit = strchr(event, '_'), *end = unit ? strchr(unit + 1, '_') : NULL;

	return end ? end + 1 : event;
}

/* From another platform's event of that name, or its umask. */
static const char *from_alike(const struct unc_row *row, const char *event, const char *umask)
{
	bool within = false;

	for (; row && *row->name; row++) {
		if (!row->umask)
			within = strcasecmp(unc_skip_unit_prefix(row->name),
					    unc_skip_unit_prefix(event)) == 0;
		if (within && (row->umask ? umask && strcasecmp(row->name, umask) == 0 : !umask))
			return unc_row_text(row);
	}
	return NULL;
}

/* "Event -- umask" is shown below the event, without blanks, dashes and full stop around it. */
static void tidy(char *text, bool umask)
{
	const char *mark = umask ? strstr(text, "-- ") : NULL;
	char *to = text;

	for (const char *c = mark && mark[3] ? mark + 3 : text; *c; c++)
		if (to > text ? *c != ' ' || to[-1] != ' ' : *c != ' ' && *c != '-')
			*to++ = *c;
	while (to > text && strchr(" .-", to[-1]))
		to--;
	*to = '\0';
}

static bool repeats(const char *name, const char *text)
{
	for (; *name || *text; name += !!*name, text += !!*text) {
		while (*name && !isalnum((unsigned char)*name))
			name++;
		while (*text && !isalnum((unsigned char)*text))
			text++;
		if (toupper((unsigned char)*name) != toupper((unsigned char)*text))
			return false;
	}
	return true;
}

void unc_text(const struct unc_entry *base, const struct unc_attr *umask, char *text, size_t len)
{
	const char *event = unc_event_word(base), *name = umask ? umask->name : NULL, *given;
	const struct unc_row *row = umask ? umask->row : base->row;

	given = row ? NULL : from_alike(base->pmu->type->alike, event, name);
	if (!row && !given && from_table(unc_texts, event, name, text, len))
		return;
	if (row)
		given = unc_row_text(row);
	else if (!given)
		given = umask ? umask->text : unc_pfm_event_text(base->pfm);
	snprintf(text, len, "%s", given);
	tidy(text, umask != NULL);
	if (umask && repeats(name, text))
		from_table(unc_words, event, name, text, len);
}
