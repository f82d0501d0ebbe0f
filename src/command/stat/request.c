/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - the command line of `uncore stat`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/duration.h"
#include "command/base/expression.h"
#include "command/base/made.h"
#include "command/roofline/roofline.h"
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

static void add_metric(struct request *r, const char *name)
{
	if (strcasecmp(name, "roofline") == 0)
		r->roofline[PRECISION_DOUBLE] = true;
	else
		add_asked(r, (struct asked){name, true, 0});
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
			add_metric(r, list);
		else
			add_event_name(r, list, &inside);
		list = last ? end : end + 1;
	}
	if (inside)
		return wrong_usage(&stat_command,
				   "missing \"}\" in -e: events in braces are counted "
				   "in the same windows, for example -e '{A,B}'");
	if (r->n > before || (metrics && wants_roofline(r)))
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

static int take_time(struct request *r, const char *text, const char *option, double unit,
		     const char *example)
{
	double ms;

	if (!duration_of(text, unit, &ms))
		return wrong_usage(&stat_command, "invalid %s \"%s\": use %s", option, text,
				   example);
	r->duration = ms / 1e3;
	return TOOL_OK;
}

static int take_interval(void *into, const char *text)
{
	struct request *r = into;
	double ms;

	if (!duration_of(text, 1, &ms) || ms != floor(ms))
		return wrong_usage(
			&stat_command,
			"invalid interval \"%s\": use milliseconds or a time, for example -i "
			"1000 or -i 1s",
			text);
	r->interval_ms = (long)ms;
	return TOOL_OK;
}

static int take_pid(void *into, const char *text)
{
	struct request *r = into;
	double value;

	if (!number(text, 1, 4194304, &value) || value != floor(value))
		return wrong_usage(&stat_command, "invalid -p \"%s\": expected a process ID", text);
	r->pid = (long)value;
	return TOOL_OK;
}

static int take_repeat(void *into, const char *text)
{
	struct request *r = into;
	double value;

	if (!number(text, 1, 1e6, &value) || value != floor(value))
		return wrong_usage(&stat_command,
				   "invalid -r \"%s\": expected the number of "
				   "runs, for example -r 5",
				   text);
	r->repeat = (unsigned)value;
	return TOOL_OK;
}

static int take_csv(void *into, const char *text)
{
	struct request *r = into;
	r->layout = text ? LAYOUT_LONG : LAYOUT_CSV;
	r->separator = ",";
	if (!text || strcmp(text, "long") == 0)
		return TOOL_OK;
	return wrong_usage(&stat_command,
			   "invalid --csv=%s: use --csv, with a column for each event, or "
			   "--csv=long, with a line for each",
			   text);
}

static int take_separator(void *into, const char *text)
{
	struct request *r = into;
	r->layout = LAYOUT_PERF;
	r->separator = text;
	if (*text && !strpbrk(text, "0123456789.-\""))
		return TOOL_OK;
	return wrong_usage(&stat_command,
			   "invalid field separator: use text without digits, \".\", \"-\" and "
			   "quotes, for example -x, or -x';'");
}

static int take_multiplex(void *into, const char *text)
{
	struct request *r = into;
	double value;

	r->multiplex = true;
	r->multiplex_us = 0;
	if (!text)
		return TOOL_OK;
	if (!number(text, 1, 1e6, &value))
		return wrong_usage(&stat_command,
				   "invalid multiplexing interval \"%s\": use milliseconds, for "
				   "example --multiplex=10",
				   text);
	r->multiplex_us = (unsigned)(value * 1000);
	return TOOL_OK;
}

static int take_stop_after(void *into, const char *text)
{
	struct request *r = into;
	char *name = (char *)text;
	const int status = add_stop_after(&r->stop_after, name, r->n, &stat_command);

	if (status == TOOL_OK)
		add_asked(r, (struct asked){name, false, 0});
	return status;
}

static void note_other_cache(const char *likwid)
{
	if (strcmp(likwid, "L3") == 0 || strcmp(likwid, "CACHES") == 0)
		say("-g %s: all lookups and misses of the last-level cache, and the shares of data "
		    "reads that miss, which are not their ratio; LIKWID's %s counts the "
		    "bytes that cores move between their caches",
		    likwid, likwid);
}

/* likwid-perfctr's groups that count the uncore, or what it moves. */
static int take_likwid_group(void *into, const char *text)
{
	struct request *r = into;
	static const struct {
		const char *likwid, *group;
	} groups[] = {
		{"MEM", "memory"},   {"L3", "cache"},   {"L3CACHE", "cache"},
		{"CACHES", "cache"}, {"CBOX", "cache"}, {"QPI", "links"},
		{"UPI", "links"},    {"NUMA", "links"}, {"ENERGY", "power"},
	};

	if (strcasecmp(text, "MEM_DP") == 0 || strcasecmp(text, "MEM_SP") == 0) {
		r->roofline[toupper((unsigned char)text[4]) == 'S' ? PRECISION_SINGLE
								   : PRECISION_DOUBLE] = true;
		return TOOL_OK;
	}

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strcasecmp(text, groups[i].likwid) == 0) {
			note_other_cache(groups[i].likwid);
			add_asked(r, (struct asked){groups[i].group, true, 0});
			return TOOL_OK;
		}
	return wrong_usage(
		&stat_command,
		"no group \"%s\": LIKWID's groups MEM, MEM_DP, MEM_SP, L3, CACHES, QPI, "
		"UPI, NUMA and ENERGY are known; metrics and groups of uncore are chosen with -M",
		text);
}

/* Options of perf stat without a counterpart. */
static int refuse_cpu(void *into, const char *text)
{
	(void)into;
	(void)text;
	return wrong_usage(&stat_command,
			   "-C cannot be used: uncore counters belong to a package, not to a "
			   "CPU; choose a package with pkg=N or cpu=N in the name, or use "
			   "--per-package");
}

static int refuse_die(void *into, const char *text)
{
	(void)into;
	(void)text;
	return wrong_usage(&stat_command,
			   "--per-die cannot be used: choose a die with die=N in the name, or "
			   "use --per-package or --per-box");
}

static int refuse_metric_only(void *into, const char *text)
{
	(void)into;
	(void)text;
	return wrong_usage(&stat_command,
			   "--metric-only cannot be used: choose metrics with -M, and one line per "
			   "count with -x or --csv");
}

static int take_events(void *into, const char *text)
{
	return add_names(into, (char *)text, false); /* an argument of main(), which may be cut */
}

static int take_metrics(void *into, const char *text)
{
	return add_names(into, (char *)text, true);
}

static int take_core(void *into, const char *text)
{
	struct request *r = into;

	return add_pmi_core(&r->stop_after, text, &stat_command);
}

static int take_timeout(void *into, const char *text)
{
	struct request *r = into;

	r->timeout = true;
	return take_time(r, text, "--timeout", 1, "--timeout 500 (ms) or --timeout 2s");
}

static int take_duration(void *into, const char *text)
{
	return take_time(into, text, "-d", 1e3, "-d 2.5 (seconds) or -d 500ms");
}

static int take_influx(void *into, const char *text)
{
	struct request *r = into;

	(void)text;
	r->layout = LAYOUT_INFLUX;
	r->separator = ",";
	return TOOL_OK;
}

static int take_label(void *into, const char *text)
{
	struct pictures *p = &((struct request *)into)->pictures;

	p->labels = need_more((void *)p->labels, p->n_labels + 1, sizeof(*p->labels));
	p->labels[p->n_labels++] = text;
	return TOOL_OK;
}

static int take_size(void *into, const char *text)
{
	struct request *r = into;

	return read_size(&r->pictures, text)
		       ? TOOL_OK
		       : wrong_usage(
				 &stat_command,
				 "invalid --size \"%s\": use a width of %d to %d mm, such as 85",
				 text, LEAST_MM, MOST_MM);
}

/* Pictures require intervals, and phases short ones. */
static void choose_interval(struct request *r)
{
	if (r->interval_ms || (!wants_pictures(r) && !wants_roofline(r)))
		return;
	r->interval_ms = wants_roofline(r) ? ROOFLINE_INTERVAL : PICTURE_INTERVAL_MS;
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
	if (wants_roofline(r) && (!r->command || r->repeat > 1 || r->separator))
		return wrong_usage(&stat_command,
				   "a roofline requires a command, and cannot be combined with -r, "
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

/* With those of perf stat. */
const struct unc_option stat_options[] = {
	{.names = "-e, --event",
	 .arg = "EVENT,...",
	 .help = "events to count; may be repeated. A list, a range or * in box= or pkg= "
		 "(box=0-3,8) prints a line for each box or package. Events in braces, {A,B}, are "
		 "counted in the same windows. LABEL=FORMULA prints a computed value, for example "
		 "bw=64*UNC_M_CAS_COUNT.RD/seconds: events, numbers, + - * / ( ), seconds",
	 .kind = UNC_OPTION_CALL,
	 .take = take_events,
	 .usage = "[-e EVENT|LABEL=FORMULA[,...]]...",
	 .values = "EVENT"},
	{.names = "-M, --metrics",
	 .arg = "METRIC,...",
	 .help = "metrics, with or without the prefix UNCORE_, or groups of metrics: memory, "
		 "latency, cache, links, pcie, power. Metrics that do not fit at once are "
		 "multiplexed. roofline: also the floating-point operations of COMMAND",
	 .kind = UNC_OPTION_CALL,
	 .take = take_metrics,
	 .usage = "[-M METRIC|GROUP[,...]]...",
	 .values = "METRIC"},
	{.names = "-g, --group",
	 .arg = "GROUP",
	 .help = "the counterpart of a group of likwid-perfctr: MEM, MEM_DP, MEM_SP, L3, CACHES, "
		 "QPI, UPI, NUMA, ENERGY",
	 .kind = UNC_OPTION_CALL,
	 .take = take_likwid_group,
	 .values = "MEM MEM_DP MEM_SP L3 CACHES QPI UPI NUMA ENERGY"},
	{.names = "--per-package, --per-socket",
	 .help = "print a line for each package, and in tables their sum (system)",
	 .kind = UNC_OPTION_CHOICE,
	 .at = offsetof(struct request, per),
	 .value = PER_PACKAGE,
	 .usage = "[--per-package | --per-node | --per-channel | --per-box]"},
	{.names = "--per-node",
	 .help = "print a line for each NUMA node, of its memory; for events of the whole package, "
		 "for each package",
	 .kind = UNC_OPTION_CHOICE,
	 .at = offsetof(struct request, per),
	 .value = PER_NODE,
	 .usage = ""},
	{.names = "--per-channel",
	 .help = "print a line for each memory channel, and each package; for metrics and events "
		 "that are not of memory controllers, for each package",
	 .kind = UNC_OPTION_CHOICE,
	 .at = offsetof(struct request, per),
	 .value = PER_CHANNEL,
	 .usage = ""},
	{.names = "-A, --no-aggr, --per-box",
	 .help = "print a line for each box; for formulas and metrics without box=, for each "
		 "package",
	 .kind = UNC_OPTION_CHOICE,
	 .at = offsetof(struct request, per),
	 .value = PER_BOX,
	 .usage = ""},
	{.names = "-a, --all-cpus, -v, --verbose",
	 .help = "ignored: counting is always system-wide",
	 .kind = UNC_OPTION_IGNORED,
	 .usage = "[-a] [-v]"},
	{.names = "-i, -I, --interval",
	 .arg = "TIME",
	 .help = "also print a line for every interval: 100 (ms), 1s; where a terminal has too "
		 "few columns, a line for each event",
	 .kind = UNC_OPTION_CALL,
	 .take = take_interval,
	 .before = "every",
	 .unit = "ms"},
	{.names = "-r, --repeat",
	 .arg = "N",
	 .help = "run COMMAND, or count for the time of -d, N times; print means and deviations. "
		 "The exit status is that of the first run that failed",
	 .kind = UNC_OPTION_CALL,
	 .take = take_repeat},
	{.names = "-d, --duration",
	 .arg = "TIME",
	 .help = "count for TIME: 2.5 (seconds), 500ms, 10m, 1h",
	 .kind = UNC_OPTION_CALL,
	 .take = take_duration,
	 .before = "for",
	 .unit = "s"},
	{.names = "--timeout",
	 .arg = "TIME",
	 .help = "the same, in ms without a unit; end COMMAND with SIGTERM and exit with status "
		 "124",
	 .kind = UNC_OPTION_CALL,
	 .take = take_timeout,
	 .before = "for",
	 .unit = "ms"},
	{.names = "-p, --pid",
	 .arg = "PID",
	 .help = "count until this process ends",
	 .kind = UNC_OPTION_CALL,
	 .take = take_pid},
	{.names = "-o, --output",
	 .arg = "FILE",
	 .help = "write the counts to FILE",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct request, file),
	 .usage = "[-o FILE [--append]]"},
	{.names = "--append",
	 .help = "append to FILE",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct request, append),
	 .usage = ""},
	{.names = "--svg",
	 .arg = "FILE",
	 .help = "write a line chart of the counts over time to FILE, with a point for each "
		 "interval of -i; the default is 100 ms, not printed. A name that ends in .pdf or "
		 ".png selects that format",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct request, pictures.svg)},
	{.names = "--heatmap",
	 .arg = "FILE",
	 .help = "write a heat map with a row for each box to FILE; requires --per-box or box=*",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct request, pictures.heatmap)},
	{.names = "--lines",
	 .help = "draw lines with --svg, also if there are more than 8 with one unit, which "
		 "otherwise become a heat map",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct request, pictures.lines)},
	{.names = "--title",
	 .arg = "TEXT",
	 .help = "title of pictures; default: the processor",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct request, pictures.title)},
	{.names = "--label",
	 .arg = "TEXT",
	 .help = "name of the next line or row in pictures; may be repeated",
	 .kind = UNC_OPTION_CALL,
	 .take = take_label,
	 .usage = "[--label TEXT]..."},
	{.names = "--size",
	 .arg = "MM",
	 .help = "width of pictures on paper, 40 to 500 mm: 85 for a column, 178 for a page",
	 .kind = UNC_OPTION_CALL,
	 .take = take_size,
	 .before = "with pictures of",
	 .unit = "mm"},
	{.names = "--caption",
	 .help = "print host, time and command below pictures; they are in the metadata of the "
		 "file, too",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct request, pictures.caption)},
	{.names = "-x, --field-separator",
	 .arg = "SEP",
	 .help = "print a line for each count, with the fields of perf stat separated by SEP: "
		 "with -I the time, then count, unit, event, with -r the deviation, time counted "
		 "in ns and in percent, rate and its unit",
	 .kind = UNC_OPTION_CALL,
	 .take = take_separator,
	 .usage = "[--json | --csv[=long] | --influx | -x SEP]"},
	{.names = "--csv",
	 .help = "print a table with a line for each interval, or one for the whole time: "
		 "seconds and a column for each event\n"
		 "--csv=long\tprint a line for each count: seconds, event, count, unit, "
		 "percentage of the time it was counted, and with -r the deviation in "
		 "percent",
	 .kind = UNC_OPTION_CALL,
	 .take = take_csv,
	 .usage = "",
	 .values = "long",
	 .optional = true},
	{.names = "--influx",
	 .help = "print a line of InfluxDB's line protocol for each count",
	 .kind = UNC_OPTION_CALL,
	 .take = take_influx,
	 .usage = ""},
	{.names = "--until",
	 .arg = "EVENT=N",
	 .help = "also count EVENT and stop when it has occurred N times in its box: in hardware "
		 "where supported",
	 .kind = UNC_OPTION_CALL,
	 .take = take_stop_after,
	 .usage = "[--until EVENT=N]..."},
	{.names = "--pmi-core",
	 .arg = "CORE",
	 .help = "with --until: also interrupt this core of the package, which a kernel may "
		 "report as an unknown NMI; default: none",
	 .kind = UNC_OPTION_CALL,
	 .take = take_core},
	{.names = "--multiplex",
	 .arg = "[=MS]",
	 .help = "multiplex events that do not fit at once, in windows of MS; default: 10 ms, "
		 "100 ms or longer if no processor is idle",
	 .kind = UNC_OPTION_CALL,
	 .take = take_multiplex,
	 .before = "in windows of",
	 .unit = "ms"},
	{.names = "--share",
	 .help = "also count the bytes of memory that COMMAND and its children moved, by a "
		 "monitoring group of the kernel (resctrl, see uncore(1)); requires root",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct request, share)},
	{.names = "--json",
	 .help = "one JSON object per line",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct request, json),
	 .usage = ""},
	{.names = "-C, --cpu", .arg = "CPU", .kind = UNC_OPTION_CALL, .take = refuse_cpu},
	{.names = "--per-die", .kind = UNC_OPTION_CALL, .take = refuse_die},
	{.names = "--metric-only", .kind = UNC_OPTION_CALL, .take = refuse_metric_only},
	COMMON_OPTIONS("native or sim:NAME"),
};

static const struct emitter *form_of(const struct request *r)
{
	if (r->json)
		return &json_emitter;
	if (r->layout == LAYOUT_INFLUX)
		return &influx_emitter;
	return r->separator ? &csv_emitter : &text_emitter;
}

int read_request(struct request *r, int argc, char **argv, const char **machine)
{
	int status;

	r->pictures.made = made_by("stat", argv + 1); /* options cut their arguments up */
	status = read_options(&stat_command, argc, argv, r, machine);
	if (status != TOOL_OK)
		return status;
	r->command = optind < argc ? argv + optind : NULL;
	r->form = form_of(r);
	status = check_request(r);
	choose_interval(r);
	return status;
}
