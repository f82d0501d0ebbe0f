/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - the command line of `uncore stat`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

void add_name(struct request *r, const char *name)
{
	r->names = realloc((void *)r->names, (r->n + 1) * sizeof(*r->names));
	if (!r->names)
		exit(TOOL_FAILED);
	r->names[r->n++] = name;
}

static int add_names(struct request *r, char *list)
{
	const size_t before = r->n;

	for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
		add_name(r, name);
	return r->n > before ? TOOL_OK : wrong_usage(&stat_command, "-e needs an event");
}

static bool number(const char *text, double min, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= min && *value <= max;
}

static int take_option(struct request *r, int option)
{
	double value;
	int status;

	switch (option) {
	case 'u':
		status = add_stop_after(&r->stop_after, optarg, r->n, &stat_command);
		if (status == TOOL_OK)
			add_name(r, optarg);
		return status;
	case 'p':
		return add_pmi_core(&r->stop_after, optarg, &stat_command);
	case 'e':
		return add_names(r, optarg);
	case 'm':
		r->multiplex_us = UNCORE_MULTIPLEX_US;
		if (optarg && !number(optarg, 1, 1e6, &value))
			return wrong_usage(&stat_command,
					   "--multiplex takes milliseconds, as in "
					   "--multiplex=10, not %s",
					   optarg);
		if (optarg)
			r->multiplex_us = (unsigned)(value * 1000);
		return TOOL_OK;
	case 'j':
		r->json = true;
		return TOOL_OK;
	case 'o':
		r->file = optarg;
		return TOOL_OK;
	case 'd':
		if (number(optarg, 0.001, 1e9, &r->duration))
			return TOOL_OK;
		return wrong_usage(&stat_command, "-d takes seconds, as in -d 2.5, not %s", optarg);
	default:
		if (!number(optarg, 1, 1e9, &value) || value != floor(value))
			return wrong_usage(&stat_command,
					   "-i takes milliseconds, as in -i 1000, not %s", optarg);
		r->interval_ms = (long)value;
		return TOOL_OK;
	}
}

int read_request(struct request *r, int argc, char **argv, const char **machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"event", required_argument, NULL, 'e'},
						{"interval", required_argument, NULL, 'i'},
						{"duration", required_argument, NULL, 'd'},
						{"output", required_argument, NULL, 'o'},
						{"json", no_argument, NULL, 'j'},
						{"until", required_argument, NULL, 'u'},
						{"pmi-core", required_argument, NULL, 'p'},
						{"multiplex", optional_argument, NULL, 'm'},
						{NULL, 0, NULL, 0}};
	int c, status = TOOL_OK;

	while (status == TOOL_OK &&
	       (c = next_option(argc, argv, "+he:i:d:o:", options, &stat_command, machine)) != -1)
		status = take_option(r, c);
	if (status != TOOL_OK)
		return status;
	r->command = optind < argc ? argv + optind : NULL;
	if (r->command && r->duration > 0)
		return wrong_usage(&stat_command, "-d and a command exclude each other");
	return check_stop_after(&r->stop_after, &stat_command);
}
