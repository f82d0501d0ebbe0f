/* SPDX-License-Identifier: BSD-3-Clause */
/* errata.c - known errors of events. */
#include <json-c/json.h>
#include <stdlib.h>

#include "tools.h"

/* "undercounts: ...; use instead: ... (source)" */
static char *sentence(const char *text, const char *instead, const char *source)
{
	return text_of("%s%s%s (%s)", text, instead ? "; use instead: " : "",
		       instead ? instead : "", source);
}

char *erratum_text(const struct uncore_event_info *event)
{
	return event->erratum ? sentence(event->erratum, event->instead, event->source) : NULL;
}

void print_errata_of(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_event_info event = {.size = sizeof(event)};
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		char *text, *item;

		if (uncore_event_info(u, ids[i], &event) != 0 || !event.erratum)
			continue;
		text = erratum_text(&event);
		item = text_of("%s: %s", event.name, text);
		fputs(any ? "" : "\nerrata\n", s->out);
		print_item(s, item);
		any = true;
		free(item);
		free(text);
	}
}

static struct json_object *erratum_object(const void *of)
{
	const struct uncore_erratum *e = of;
	struct json_object *o = json_object_new_object();

	add_json_text(o, "events", e->events);
	add_json_text(o, "text", e->text);
	if (e->instead)
		add_json_text(o, "instead", e->instead);
	add_json_text(o, "source", e->source);
	add_json_text(o, "evidence", e->evidence);
	return o;
}

static void print_erratum(const void *of, const struct screen *s)
{
	const struct uncore_erratum *e = of;
	char *text = sentence(e->text, e->instead, e->source);
	char *item = text_of("%s [%s]", text, e->evidence);

	fprintf(s->out, "\n%s\n", e->events);
	print_item(s, item);
	free(item);
	free(text);
}

int list_errata(struct uncore *u, const struct screen *s, bool json)
{
	static const struct rows_class errata = {.object = erratum_object, .text = print_erratum};
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	struct uncore_erratum e = {.size = sizeof(e)};
	const struct rows rows = {&errata, &e};
	unsigned n = 0;

	uncore_machine(u, &machine);
	if (!json)
		print_machine(s, &machine);
	for (; uncore_erratum(u, n, &e) == 1; n++)
		emit_json_or_text(json, s, &rows);
	if (!n)
		say("no errata of this machine's events are known");
	return n ? TOOL_OK : TOOL_NO_FIT;
}
