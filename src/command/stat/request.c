/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - the command line of `uncore stat`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/duration.h"
#include "command/base/expression.h"
#include "command/base/made.h"
#include "pictures.h"

void add_asked(struct request *r, struct asked asked)
{
	r->asked = need_more(r->asked, r->n + 1, sizeof(*r->asked));
	r->asked[r->n++] = asked;
	r->metrics |= asked.metric;
}

/*
 * Find the comma after a name.  Commas between the slashes of perf's syntax do not count, nor those
 * in the list of a box= or pkg=, which are followed by a number: no name begins with a digit or *.
 * In a formula a slash divides, and a list is a syntax error with a position.
 */
static char *end_of_name(char *name)
{
	const bool formula = expression_label(name) > 0;
	bool slashes = false;

	for (; *name; name++) {
		const char next = *name == ',' ? name[strspn(name, ",")] : '0';

		slashes ^= *name == '/' && !formula;
		if (!slashes && next != '*' && !isdigit((unsigned char)next))
			break;
	}
	return name;
}

/* In braces, as perf stat has it.  *inside: the number of the open pair, 0: none. */
static void add_event_name(struct request *r, char *name, unsigned *inside)
{
	const size_t length = strlen(name);
	const bool closes = *inside && length && name[length - 1] == '}';

	if (closes)
		name[length - 1] = '\0';
	if (*name)
		add_asked(r, (struct asked){name, false, *inside});
	*inside = closes ? 0 : *inside;
}

static int add_names(struct request *r, char *list, bool metrics)
{
	const size_t before = r->n;
	unsigned inside = 0;

	while (*(list += strspn(list, ", "))) {
		char *end;
		bool last;

		if (*list == '{' && !metrics && !inside) {
			inside = ++r->braces;
			list++;
		}
		end = end_of_name(list);
		last = !*end;
		*end = '\0';
		if (metrics)
			add_asked(r, (struct asked){list, true, 0});
		else
			add_event_name(r, list, &inside);
		list = last ? end : end + 1;
	}
	if (inside)
		return wrong_usage(&stat_command,
				   "missing \"}\" in -e: events in braces are counted "
				   "in the same windows, for example -e '{A,B}'");
	if (r->n > before)
		return TOOL_OK;
	return metrics ? wrong_usage(&stat_command,
				     "missing metric: use -M with metrics or a group of metrics, "
				     "for example -M memory")
		       : wrong_usage(&stat_command, "missing event: use -e with event names; see "
						    "`uncore list`");
}

static bool number(const char *text, double min, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= min && *value <= max;
}

static int take_duration(struct request *r, const char *option, double unit, const char *example)
{
	double ms;

	if (!duration_of(optarg, unit, &ms))
		return wrong_usage(&stat_command, "invalid %s \"%s\": use %s", option, optarg,
				   example);
	r->duration = ms / 1e3;
	return TOOL_OK;
}

static int take_interval(struct request *r)
{
	double ms;

	if (!duration_of(optarg, 1, &ms) || ms != floor(ms))
		return wrong_usage(
			&stat_command,
			"invalid interval \"%s\": use milliseconds or a time, for example -i "
			"1000 or -i 1s",
			optarg);
	r->interval_ms = (long)ms;
	return TOOL_OK;
}

static int take_pid(struct request *r)
{
	double value;

	if (!number(optarg, 1, 4194304, &value) || value != floor(value))
		return wrong_usage(&stat_command, "invalid -p \"%s\": expected a process ID",
				   optarg);
	r->pid = (long)value;
	return TOOL_OK;
}

static int take_repeat(struct request *r)
{
	double value;

	if (!number(optarg, 1, 1e6, &value) || value != floor(value))
		return wrong_usage(&stat_command,
				   "invalid -r \"%s\": expected the number of "
				   "runs, for example -r 5",
				   optarg);
	r->repeat = (unsigned)value;
	return TOOL_OK;
}

static int take_csv(struct request *r)
{
	r->layout = optarg ? LAYOUT_LONG : LAYOUT_CSV;
	r->separator = ",";
	if (!optarg || strcmp(optarg, "long") == 0)
		return TOOL_OK;
	return wrong_usage(&stat_command,
			   "invalid --csv=%s: use --csv, with a column for each event, or "
			   "--csv=long, with a line for each",
			   optarg);
}

static int take_separator(struct request *r)
{
	r->layout = LAYOUT_PERF;
	r->separator = optarg;
	if (*optarg && !strpbrk(optarg, "0123456789.-\""))
		return TOOL_OK;
	return wrong_usage(&stat_command,
			   "invalid field separator: use text without digits, \".\", \"-\" and "
			   "quotes, for example -x, or -x';'");
}

static int take_multiplex(struct request *r)
{
	double value;

	r->multiplex = true;
	r->multiplex_us = 0;
	if (!optarg)
		return TOOL_OK;
	if (!number(optarg, 1, 1e6, &value))
		return wrong_usage(&stat_command,
				   "invalid multiplexing interval \"%s\": use milliseconds, for "
				   "example --multiplex=10",
				   optarg);
	r->multiplex_us = (unsigned)(value * 1000);
	return TOOL_OK;
}

static int take_stop_after(struct request *r)
{
	const int status = add_stop_after(&r->stop_after, optarg, r->n, &stat_command);

	if (status == TOOL_OK)
		add_asked(r, (struct asked){optarg, false, 0});
	return status;
}

static void note_other_cache(const char *likwid)
{
	if (strcmp(likwid, "L3") == 0 || strcmp(likwid, "CACHES") == 0)
		say("-g %s: the lookups and misses of the last-level cache; LIKWID's %s counts the "
		    "bytes that cores move between their caches",
		    likwid, likwid);
}

/* likwid-perfctr's groups that count the uncore, or what it moves. */
static int take_likwid_group(struct request *r)
{
	static const struct {
		const char *likwid, *group;
	} groups[] = {
		{"MEM", "memory"},    {"MEM_SP", "memory"}, {"MEM_DP", "memory"}, {"L3", "cache"},
		{"L3CACHE", "cache"}, {"CACHES", "cache"},  {"CBOX", "cache"},    {"QPI", "links"},
		{"UPI", "links"},     {"NUMA", "links"},    {"ENERGY", "power"},
	};

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strcasecmp(optarg, groups[i].likwid) == 0) {
			note_other_cache(groups[i].likwid);
			add_asked(r, (struct asked){groups[i].group, true, 0});
			return TOOL_OK;
		}
	return wrong_usage(&stat_command,
			   "no group \"%s\": LIKWID's groups MEM, L3, CACHES, QPI, UPI, NUMA and "
			   "ENERGY are known; metrics and groups of uncore are chosen with -M",
			   optarg);
}

/* Options of perf stat without a counterpart. */
static int refuse_perf_option(int option)
{
	if (option == 'C')
		return wrong_usage(
			&stat_command,
			"-C cannot be used: uncore counters belong to a package, not to a "
			"CPU; choose a package with pkg=N or cpu=N in the name, or use "
			"--per-package");
	if (option == 'D')
		return wrong_usage(
			&stat_command,
			"--per-die cannot be used: choose a die with die=N in the name, or "
			"use --per-package or --per-box");
	return wrong_usage(&stat_command,
			   "--metric-only cannot be used: choose metrics with -M, and one line per "
			   "count with -x or --csv");
}

/* Options with values that do not fit into one line. */
static int take_value(struct request *r, int option)
{
	switch (option) {
	case 'p':
		return take_pid(r);
	case 't':
		r->timeout = true;
		return take_duration(r, "--timeout", 1, "--timeout 500 (ms) or --timeout 2s");
	case 'r':
		return take_repeat(r);
	case 'x':
		return take_separator(r);
	case 'c':
		return take_csv(r);
	case 'u':
		return take_stop_after(r);
	case 'k':
		return add_pmi_core(&r->stop_after, optarg, &stat_command);
	case 'e':
	case 'M':
		return add_names(r, optarg, option == 'M');
	case 'm':
		return take_multiplex(r);
	case 'd':
		return take_duration(r, "-d", 1e3, "-d 2.5 (seconds) or -d 500ms");
	case 'i':
	case 'I':
		return take_interval(r);
	case 'g':
		return take_likwid_group(r);
	default:
		return refuse_perf_option(option);
	}
}

static int take_other(struct request *r, int option)
{
	switch (take_picture_option(&r->pictures, option)) {
	case PICTURE_TAKEN:
		return TOOL_OK;
	case PICTURE_WRONG_SIZE:
		return wrong_usage(&stat_command,
				   "invalid --size \"%s\": use a width of %d to %d mm, such as 85",
				   optarg, LEAST_MM, MOST_MM);
	default:
		return take_value(r, option);
	}
}

static int take_option(struct request *r, int option)
{
	switch (option) {
	case 'a': /* all CPUs: uncore counters know no others */
		return TOOL_OK;
	case 'w':
		r->append = true;
		return TOOL_OK;
	case 'O':
		r->share = true;
		return TOOL_OK;
	case 'v': /* of perf stat */
		return TOOL_OK;
	case 'P':
		r->per = PER_PACKAGE;
		return TOOL_OK;
	case 'A':
	case 'B':
		r->per = PER_BOX;
		return TOOL_OK;
	case 'j':
		r->json = true;
		return TOOL_OK;
	case 'o':
		r->file = optarg;
		return TOOL_OK;
	case 'f':
		r->layout = LAYOUT_INFLUX;
		r->separator = ",";
		return TOOL_OK;
	default:
		return take_other(r, option);
	}
}

/* Pictures require intervals. */
static void choose_interval(struct request *r)
{
	if (r->interval_ms || !wants_pictures(r))
		return;
	r->interval_ms = PICTURE_INTERVAL_MS;
	r->quiet = true;
}

static int check_request(const struct request *r)
{
	if (r->command && r->duration > 0 && !r->timeout)
		return wrong_usage(&stat_command,
				   "-d and a command cannot be combined: use --timeout to end a "
				   "command");
	if (r->repeat > 1 && !r->command && !(r->duration > 0))
		return wrong_usage(&stat_command, "-r requires a command or -d");
	if (r->repeat > 1 && (r->interval_ms || r->pid || r->stop_after.n || wants_pictures(r)))
		return wrong_usage(&stat_command, "-r and %s cannot be combined",
				   r->pictures.svg       ? "--svg"
				   : r->pictures.heatmap ? "--heatmap"
				   : r->interval_ms      ? "-i"
				   : r->pid              ? "-p"
							 : "--until");
	if (r->command && r->pid)
		return wrong_usage(&stat_command, "-p and a command cannot be combined");
	if (r->share && (!r->command || r->repeat > 1 || r->separator))
		return wrong_usage(&stat_command,
				   "--share requires a command, and cannot be combined with -r, "
				   "-x, --csv or --influx");
	if (r->json && r->separator)
		return wrong_usage(&stat_command,
				   "--json cannot be combined with -x, --csv or --influx");
	if (!wants_pictures(r) && has_look(&r->pictures))
		return wrong_usage(&stat_command,
				   "--lines, --title, --label, --size and --caption require --svg "
				   "or --heatmap");
	if (r->append && !r->file)
		return wrong_usage(&stat_command, "--append requires -o FILE");
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
						{"repeat", required_argument, NULL, 'r'},
						{"metrics", required_argument, NULL, 'M'},
						{"per-package", no_argument, NULL, 'P'},
						{"per-box", no_argument, NULL, 'B'},
						{"csv", optional_argument, NULL, 'c'},
						{"append", no_argument, NULL, 'w'},
						{"per-socket", no_argument, NULL, 'P'},
						{"no-aggr", no_argument, NULL, 'A'},
						{"verbose", no_argument, NULL, 'v'},
						{"group", required_argument, NULL, 'g'},
						{"cpu", required_argument, NULL, 'C'},
						{"per-die", no_argument, NULL, 'D'},
						{"metric-only", no_argument, NULL, 'y'},
						{"svg", required_argument, NULL, 'S'},
						{"heatmap", required_argument, NULL, 'H'},
						{"lines", no_argument, NULL, 'L'},
						{"title", required_argument, NULL, 'T'},
						{"label", required_argument, NULL, 'l'},
						{"size", required_argument, NULL, 'z'},
						{"caption", no_argument, NULL, 'n'},
						{"influx", no_argument, NULL, 'f'},
						{"share", no_argument, NULL, 'O'},
						{NULL, 0, NULL, 0}};
	int c, status = TOOL_OK;

	r->pictures.made = made_by("stat", argv + 1); /* options cut their arguments up */
	while (status == TOOL_OK && (c = next_option(argc, argv, "+hae:i:I:d:o:p:x:r:M:Avg:C:",
						     options, &stat_command, machine)) != -1)
		status = take_option(r, c);
	if (status != TOOL_OK)
		return status;
	r->command = optind < argc ? argv + optind : NULL;
	status = check_request(r);
	choose_interval(r);
	return status;
}
