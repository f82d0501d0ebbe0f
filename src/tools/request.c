/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - the command line of `uncore stat`. */
#include <ctype.h>
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

/*
 * The comma behind a name: not one between the slashes of perf's spelling, or in the list of a
 * box= or pkg=, behind which comes a number.  No name begins with a digit or *.
 */
static char *end_of_name(char *name)
{
	bool slashes = false;

	for (; *name; name++) {
		const char next = *name == ',' ? name[strspn(name, ",")] : '0';

		slashes ^= *name == '/';
		if (!slashes && next != '*' && !isdigit((unsigned char)next))
			break;
	}
	return name;
}

static int add_names(struct request *r, char *list)
{
	const size_t before = r->n;

	while (*(list += strspn(list, ","))) {
		char *end = end_of_name(list);
		const bool last = !*end;

		*end = '\0';
		add_name(r, list);
		list = last ? end : end + 1;
	}
	return r->n > before ? TOOL_OK : wrong_usage(&stat_command, "-e needs an event");
}

/* What stops the counting is one event, or refused as such. */
static int find_part(struct uncore *u, const char *name, bool stops, unsigned i, unsigned *id)
{
	int code;

	if (!stops)
		return uncore_event_part(u, name, i, id);
	code = i ? 0 : uncore_event(u, name, id);
	return i || code < 0 ? code : 1;
}

int find_counted(struct uncore *u, const struct request *r, struct counted *c)
{
	int code = 0;

	*c = (struct counted){.stop_after = r->stop_after};
	for (size_t name = 0; code == 0 && name < r->n; name++) {
		bool stops = false;
		unsigned id;

		for (size_t k = 0; k < r->stop_after.n; k++)
			if (r->stop_after.list[k].event == name) {
				c->stop_after.list[k].event = (unsigned)c->n;
				stops = true;
			}
		for (unsigned i = 0; (code = find_part(u, r->names[name], stops, i, &id)) == 1;
		     i++) {
			c->ids = need_more(c->ids, c->n + 1, sizeof(*c->ids));
			c->ids[c->n++] = id;
		}
	}
	return code < 0 ? report_name(u, code) : TOOL_OK;
}

static bool number(const char *text, double min, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= min && *value <= max;
}

/* "1.5", in a unit of the option, or "500ms", "2s", "1m": ms, of which whole numbers are exact. */
static bool duration(const char *text, double unit, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = {{"us", 1e-3}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}};
	char *end;
	const double value = strtod(text, &end);

	for (size_t i = 0; *end && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(end, units[i].name) == 0) {
			unit = units[i].ms;
			end += strlen(end);
		}
	*ms = value * unit;
	return end != text && !*end && isfinite(*ms) && *ms >= 1 && *ms <= 1e12;
}

static int take_duration(struct request *r, const char *option, double unit, const char *example)
{
	double ms;

	if (!duration(optarg, unit, &ms))
		return wrong_usage(&stat_command, "%s takes a time, as in %s, not %s", option,
				   example, optarg);
	r->duration = ms / 1e3;
	return TOOL_OK;
}

static int take_interval(struct request *r)
{
	double ms;

	if (!duration(optarg, 1, &ms) || ms != floor(ms))
		return wrong_usage(
			&stat_command,
			"-i takes milliseconds or a time, as in -i 1000 or -i 1s, not %s", optarg);
	r->interval_ms = (long)ms;
	return TOOL_OK;
}

static int take_pid(struct request *r)
{
	double value;

	if (!number(optarg, 1, 4194304, &value) || value != floor(value))
		return wrong_usage(&stat_command, "-p takes the number of a process, not %s",
				   optarg);
	r->pid = (long)value;
	return TOOL_OK;
}

static int take_option(struct request *r, int option)
{
	double value;
	int status;

	switch (option) {
	case 'a': /* all CPUs: uncore counters know no others */
		return TOOL_OK;
	case 'p':
		return take_pid(r);
	case 't':
		return take_duration(r, "--timeout", 1, "--timeout 500 (ms) or --timeout 2s");
	case 'x':
		r->separator = optarg;
		return *optarg && !strpbrk(optarg, "0123456789.-\"")
			       ? TOOL_OK
			       : wrong_usage(&stat_command, "-x takes a separator that is in no "
							    "number, as in -x, or -x';'");
	case 'c':
		r->separator = ",";
		return TOOL_OK;
	case 'A':
		r->append = true;
		return TOOL_OK;
	case 'u':
		status = add_stop_after(&r->stop_after, optarg, r->n, &stat_command);
		if (status == TOOL_OK)
			add_name(r, optarg);
		return status;
	case 'k':
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
		return take_duration(r, "-d", 1e3, "-d 2.5 (seconds) or -d 500ms");
	default:
		return take_interval(r);
	}
}

static int check_request(const struct request *r)
{
	if (r->command && r->duration > 0)
		return wrong_usage(&stat_command,
				   "-d or --timeout, and a command, exclude each other");
	if (r->command && r->pid)
		return wrong_usage(&stat_command, "-p and a command exclude each other");
	if (r->json && r->separator)
		return wrong_usage(&stat_command,
				   "--json and fields of a line (-x, --csv) exclude each other");
	if (r->append && !r->file)
		return wrong_usage(&stat_command, "--append needs a file (-o)");
	return check_stop_after(&r->stop_after, &stat_command);
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
						{"pmi-core", required_argument, NULL, 'k'},
						{"multiplex", optional_argument, NULL, 'm'},
						{"all-cpus", no_argument, NULL, 'a'},
						{"pid", required_argument, NULL, 'p'},
						{"timeout", required_argument, NULL, 't'},
						{"field-separator", required_argument, NULL, 'x'},
						{"csv", no_argument, NULL, 'c'},
						{"append", no_argument, NULL, 'A'},
						{NULL, 0, NULL, 0}};
	int c, status = TOOL_OK;

	while (status == TOOL_OK && (c = next_option(argc, argv, "+hae:i:I:d:o:p:x:", options,
						     &stat_command, machine)) != -1)
		status = take_option(r, c);
	if (status != TOOL_OK)
		return status;
	r->command = optind < argc ? argv + optind : NULL;
	return check_request(r);
}
