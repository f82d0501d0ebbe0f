/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    means.c
 * @ingroup papi_components
 * @brief   Means that a tool would read as integers, see means.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "means.h"

#define SCOREP    "SCOREP_METRIC_PAPI"
#define SEPARATOR SCOREP "_SEP"
#define NATIVE    "PAPI_NATIVE_"
#define COUNTS    " (as counts " /* in descriptions of means */

/* An assignment of the environment, "NAME=VALUE". */
static bool lists_events(const char *assignment)
{
	static const char *const names[] = {"PAPI_EVENTS=", "TAU_METRICS=", "EXTRAE_COUNTERS="};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(assignment, names[i], strlen(names[i])) == 0)
			return true;
	return strncmp(assignment, SCOREP, strlen(SCOREP)) == 0 &&
	       strncmp(assignment, SEPARATOR "=", strlen(SEPARATOR "=")) != 0 &&
	       strchr(assignment, '=');
}

bool _uncore_means_possible(void)
{
	for (char *const *variable = environ; variable && *variable; variable++)
		if (lists_events(*variable))
			return true;
	return false;
}

/* The name without what the tools add to it: TAU's prefix, the high-level API's type of value. */
static void strip(char *token)
{
	static const char *const types[] = {"=instant", "=delta"};
	const size_t len = strlen(token);

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (len > strlen(types[i]) && !strcmp(token + len - strlen(types[i]), types[i]))
			token[len - strlen(types[i])] = '\0';
	if (strncmp(token, NATIVE, strlen(NATIVE)) == 0)
		memmove(token, token + strlen(NATIVE), strlen(token + strlen(NATIVE)) + 1);
}

static bool is_event(struct uncore *u, char *token, unsigned id)
{
	unsigned named;

	strip(token);
	/* other components' names need not be looked up */
	return strcasestr(token, "unc") && uncore_event(u, token, &named) == 0 && named == id;
}

static bool names_event(struct uncore *u, const char *assignment, unsigned id)
{
	const char *own = strncmp(assignment, SCOREP, strlen(SCOREP)) ? NULL : getenv(SEPARATOR);
	char separators[32], *list = strdup(strchr(assignment, '=') + 1), *rest = NULL;
	bool found = false;

	snprintf(separators, sizeof(separators), ",| \t\n%s", own ? own : "");
	for (char *token = list ? strtok_r(list, separators, &rest) : NULL; token && !found;
	     token = strtok_r(NULL, separators, &rest))
		found = is_event(u, token, id);
	free(list);
	return found;
}

static const char *variable_with(struct uncore *u, unsigned id)
{
	for (char *const *variable = environ; variable && *variable; variable++)
		if (lists_events(*variable) && names_event(u, *variable, id))
			return *variable;
	return NULL;
}

/* The counts in a description, with the qualifiers of the mean. */
static void instead(const struct uncore_event_info *info, char *text, size_t len)
{
	const char *qualifiers = strchr(info->name, ':'), *counts = strstr(info->text, COUNTS);
	char above[80] = "", below[80] = "";

	qualifiers = qualifiers ? qualifiers : "";
	if (counts)
		sscanf(counts + strlen(COUNTS), "%79[A-Z0-9_] / %79[A-Z0-9_]", above, below);
	if (*below)
		snprintf(text, len, "count %s%s and %s%s, and divide them%s", above, qualifiers,
			 below, qualifiers, strcmp(info->units, "ns") ? "" : " (in clocks)");
	else if (*above)
		snprintf(text, len, "count %s%s, and divide it by the time", above, qualifiers);
	else
		snprintf(text, len, "use uncore stat, which prints it as a number");
}

bool _uncore_means_refused(struct uncore *u, const unsigned *ids, unsigned n, char *why, size_t len)
{
	for (unsigned i = 0; i < n; i++) {
		struct uncore_event_info info = {.size = sizeof(info)};
		char counts[MEANS_TEXT / 2];
		const char *variable;

		if (uncore_event_info(u, ids[i], &info) != 0 || !info.real)
			continue;
		variable = variable_with(u, ids[i]);
		if (!variable)
			continue;
		instead(&info, counts, sizeof(counts));
		snprintf(why, len,
			 "cannot count %s: it is a double, which tools with %.*s read as an "
			 "integer; %s",
			 info.name, (int)strcspn(variable, "="), variable, counts);
		return true;
	}
	return false;
}
