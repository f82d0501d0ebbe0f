/* SPDX-License-Identifier: BSD-3-Clause */
/* event_name.c - see event_name.h. */
#include "command/base/event_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The buffer for a location qualifier of a name, NULL: not a location. */
static char *place_of(struct event_name *n, const char *part, size_t *value, size_t *room)
{
	const struct {
		const char *key;
		char *to;
		size_t room;
	} places[] = {{"pkg=", n->package, sizeof(n->package)},
		      {"die=", n->die, sizeof(n->die)},
		      {"box=", n->box, sizeof(n->box)},
		      {"cpu=", n->cpu, sizeof(n->cpu)}};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (strncasecmp(part, places[i].key, strlen(places[i].key)) == 0) {
			*value = strlen(places[i].key);
			*room = places[i].room;
			return places[i].to;
		}
	return NULL;
}

void take_name_apart(struct event_name *n, const char *canonical)
{
	size_t used = 0, value = 0, room = 0;

	memset(n, 0, sizeof(*n));
	while (*canonical) {
		/* with the colon in front of it */
		const size_t colon = *canonical == ':';
		const size_t length = colon + strcspn(canonical + colon, ":");
		char *to = place_of(n, canonical + colon, &value, &room);

		if (to)
			snprintf(to, room, "%.*s", (int)(length - colon - value),
				 canonical + colon + value);
		else
			used += (size_t)snprintf(n->base + used, sizeof(n->base) - used, "%.*s",
						 (int)length, canonical);
		if (used >= sizeof(n->base))
			return;
		canonical += length;
	}
}

static bool is_number(const char *text, unsigned *number)
{
	char *end;

	*number = (unsigned)strtoul(text, &end, 10);
	return end != text && !*end;
}

bool has_one_package(const struct event_name *n, unsigned *package)
{
	return is_number(n->package, package);
}

bool has_one_box(const struct event_name *n, unsigned *package, unsigned *box)
{
	return has_one_package(n, package) && is_number(n->box, box);
}

void cut_place(char *name, const char *place)
{
	char *begin = strstr(name, place), *end;

	if (!begin)
		return;
	end = begin + 1 + strcspn(begin + 1, ":");
	memmove(begin, end, strlen(end) + 1);
}
