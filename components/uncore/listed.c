/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    listed.c
 * @ingroup papi_components
 * @brief   The events that PAPI's enumeration shows.
 */
#include <string.h>

#include "listed.h"

/* Listings omit Intel's experimental events; these can still be added by name. */
static bool is_shown(struct uncore *u, bool all, unsigned id)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	return all || uncore_event_info(u, id, &info) != 0 || !info.experimental;
}

/* The number of an entry of the list of its event's umasks and qualifiers. */
static void find_part(struct uncore *u, const char *name, unsigned *id)
{
	const char *end = strrchr(name, ':');
	char event[UNCORE_NAME_MAX + 1];
	unsigned listed, part;

	if (!end || (size_t)(end - name) >= sizeof(event))
		return;
	memcpy(event, name, (size_t)(end - name));
	event[end - name] = '\0';
	if (uncore_event(u, event, &listed) != 0)
		return;
	for (unsigned i = 0; uncore_event_umask(u, listed, i, &part) == 1; i++)
		if (strcmp(uncore_event_name(u, part), name) == 0) {
			*id = part;
			return;
		}
}

/*
 * A tool saves the name of an event that it has listed and looks it up later, so the name must give
 * the same number.  Qualifiers are listed as e=0 and cpu=0, but canonical names omit the one and
 * have pkg= for the other.
 */
int _uncore_listed_find(struct uncore *u, const char *name, unsigned *id)
{
	const size_t n = strlen(name);
	const int ret = uncore_event(u, name, id);

	if (ret == 0 && n > 2 && strcmp(name + n - 2, "=0") == 0 &&
	    strcmp(uncore_event_name(u, *id), name) != 0)
		find_part(u, name, id);
	return ret;
}

/* Umasks that require another umask are not. */
static bool is_found_by_name(struct uncore *u, unsigned id)
{
	const char *name = uncore_event_name(u, id);
	unsigned found;

	return name && _uncore_listed_find(u, name, &found) == 0 && found == id;
}

int _uncore_listed_next(struct uncore *u, bool all, unsigned from, unsigned *id)
{
	int ret = uncore_listed_event(u, from, id);

	while (ret == 1 && !is_shown(u, all, *id))
		ret = uncore_listed_event(u, *id + 1, id);
	return ret;
}

int _uncore_listed_umask(struct uncore *u, bool all, unsigned *id)
{
	int ret = uncore_event_umask(u, *id, 0, id);

	while (ret == 1 && !(is_shown(u, all, *id) && is_found_by_name(u, *id)))
		ret = uncore_event_umask(u, *id, 0, id);
	return ret;
}

unsigned _uncore_listed_count(struct uncore *u, bool all)
{
	unsigned id, n = 0;

	for (int ret = _uncore_listed_next(u, all, 0, &id); ret == 1;
	     ret = _uncore_listed_next(u, all, id + 1, &id))
		n++;
	return n;
}
