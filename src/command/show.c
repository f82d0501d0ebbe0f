/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - `uncore show`: boxes of the machine, and missing boxes with the reason. */
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* ---- machine ---- */

void print_machine(const struct screen *s, const struct uncore_machine_info *m)
{
	char *dies = m->dies > 1 ? text_of(" of %u dies", m->dies) : text_of("%s", "");
	char *usable = m->boxes_present < m->boxes
			       ? text_of(", of which %u can be used", m->boxes_present)
			       : text_of("%s", "");

	print_paragraph(s, 0, "%s%s (platform %s)",
			m->simulated  ? "SIMULATED "
			: m->recorded ? "RECORDED "
				      : "",
			m->title, m->platform);
	if (m->recorded)
		print_paragraph(s, 0,
				"Recorded machine: nothing below describes this computer, and %s.",
				m->replayed ? "counts are those of the recording"
					    : "nothing can be counted");
	if (m->simulated)
		print_paragraph(s, 0, "Simulated machine: nothing below describes this computer.");
	if (m->daemon)
		print_paragraph(s, 0, "Access: uncored counts for this user.");
	if (m->kernel)
		print_paragraph(s, 0, "Access: the kernel driver (perf) counts for this user.");
	print_paragraph(s, 0, "%u socket%s%s, %u CPU%s, %u boxes%s", m->packages,
			plural(m->packages), dies, m->cpus, plural(m->cpus), m->boxes, usable);
	free(usable);
	free(dies);
}

/* ---- kinds of boxes ---- */

struct range {
	unsigned min, max;
};

/* Boxes are sorted by kind, and then by package. */
struct kind {
	struct uncore_box_info box; /* the first one */
	unsigned first, end;
};

/* The kind of box number first; false after the last box. */
static bool kind_at(struct uncore *u, unsigned first, struct kind *k)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	k->box.size = sizeof(k->box);
	if (uncore_box(u, first, &k->box) != 1)
		return false;
	k->first = k->end = first;
	while (uncore_box(u, k->end, &box) == 1 && strcmp(box.kind, k->box.kind) == 0)
		k->end++;
	return true;
}

static unsigned count_boxes(struct uncore *u, const struct kind *k, unsigned package, bool usable)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	unsigned n = 0;

	for (unsigned i = k->first; i < k->end && uncore_box(u, i, &box) == 1; i++)
		n += box.package == package && !(usable && box.absent);
	return n;
}

static struct range number_of(struct uncore *u, const struct kind *k,
			      const struct uncore_machine_info *m, bool usable)
{
	struct range r = {UINT_MAX, 0};

	for (unsigned p = 0; p < m->packages; p++) {
		const unsigned n = count_boxes(u, k, p, usable);

		r.min = n < r.min ? n : r.min;
		r.max = n > r.max ? n : r.max;
	}
	return r;
}

static char *range_text(struct range r)
{
	return r.min == r.max ? text_of("%u", r.max) : text_of("%u-%u", r.min, r.max);
}

/* "8", "6-8", "6 of 8": boxes per socket. */
static char *number_text(struct uncore *u, const struct kind *k,
			 const struct uncore_machine_info *m)
{
	const struct range usable = number_of(u, k, m, true), all = number_of(u, k, m, false);
	char *n = range_text(usable), *of = range_text(all), *text;

	text = strcmp(n, of) == 0 ? text_of("%s", n) : text_of("%s of %s", n, of);
	free(of);
	free(n);
	return text;
}

#define CELLS 31 /* columns of the numbers of a kind */

static unsigned kind_column(struct uncore *u)
{
	size_t widest = 0;
	struct kind k;

	for (unsigned i = 0; kind_at(u, i, &k); i = k.end)
		widest = strlen(k.box.kind) > widest ? strlen(k.box.kind) : widest;
	return (unsigned)widest + 4;
}

/* The last column goes below where little room is left. */
static void print_cells(const struct screen *s, unsigned column, const char *kind,
			const char *number, const char *counters, const char *bits,
			const char *title)
{
	const bool narrow = column + CELLS > s->width * 2 / 3;

	if (column + CELLS > s->width)
		fprintf(s->out, "  %s\n    ", kind);
	else
		print_name(s, 2, kind, column);
	fprintf(s->out, "%-11s  %-10s  %-4s  ", number, counters, bits);
	if (narrow)
		fputs("\n    ", s->out);
	print_folded(s, narrow ? 4 : column + CELLS, narrow ? 4 : column + CELLS, title);
}

static void print_kind(const struct screen *s, struct uncore *u, const struct kind *k,
		       const struct uncore_machine_info *m, unsigned column)
{
	char *number = number_text(u, k, m), *bits = text_of("%u", k->box.width),
	     *counters = text_of("%2u%s", k->box.counters, k->box.fixed ? " + fixed" : "");

	print_cells(s, column, k->box.kind, number, counters, bits, k->box.title);
	free(counters);
	free(bits);
	free(number);
}

static void print_kinds(const struct screen *s, struct uncore *u,
			const struct uncore_machine_info *m)
{
	const unsigned column = kind_column(u);
	struct kind k;

	fputc('\n', s->out);
	print_cells(s, column, "kind", "per socket", "counters", "bits", "function");
	for (unsigned i = 0; kind_at(u, i, &k); i = k.end)
		print_kind(s, u, &k, m, column);
}

/* ---- basis of the number of boxes ---- */

static void print_places(const struct screen *s, const char *text)
{
	char *places = text_with_places(text);

	print_item(s, places);
	free(places);
}

/* All boxes of a kind in one package have the same basis. */
static const char *basis_in(struct uncore *u, const struct kind *k, unsigned package)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = k->first; i < k->end && uncore_box(u, i, &box) == 1; i++)
		if (box.package == package)
			return box.basis;
	return NULL;
}

static bool is_same_in_all(struct uncore *u, const struct kind *k,
			   const struct uncore_machine_info *m)
{
	const struct range n = number_of(u, k, m, false);
	const char *basis = basis_in(u, k, 0), *other = basis;

	for (unsigned p = 1; p < m->packages && other && strcmp(basis, other) == 0; p++)
		other = basis_in(u, k, p);
	return n.min == n.max && other && strcmp(basis, other) == 0;
}

static void print_number(const struct screen *s, struct uncore *u, const struct kind *k,
			 const struct uncore_machine_info *m)
{
	const bool same = is_same_in_all(u, k, m);

	for (unsigned p = 0; p < (same ? 1 : m->packages); p++) {
		const char *basis = basis_in(u, k, p);
		char *of = same ? text_of("%s", m->packages > 1 ? "each package" : "the package")
				: text_of("package %u", p);
		char *text = text_of("%s: %u in %s, from %s", k->box.kind,
				     count_boxes(u, k, p, false), of, basis ? basis : "nothing");

		if (basis)
			print_places(s, text);
		free(text);
		free(of);
	}
}

static void print_numbers(const struct screen *s, struct uncore *u,
			  const struct uncore_machine_info *m)
{
	const char *title = "\nnumber of boxes\n";
	struct kind k;

	for (unsigned i = 0; kind_at(u, i, &k); i = k.end) {
		if (!k.box.basis)
			continue;
		fputs(title, s->out);
		title = "";
		print_number(s, u, &k, m);
	}
}

/* ---- what is missing ---- */

/* Print all boxes from first on that are missing for the same reason, and mark them reported. */
static void print_missing(const struct screen *s, struct uncore *u, unsigned first, unsigned n,
			  bool *reported, bool verbose)
{
	struct numbered_box *list = need_memory(n, sizeof(*list));
	struct uncore_box_info why = {.size = sizeof(why)}, box = {.size = sizeof(box)};
	bool alike = true;
	size_t found = 0;
	char *boxes, *text, name[BOX_NAME];

	uncore_box(u, first, &why);
	for (unsigned i = first; i < n && uncore_box(u, i, &box) == 1; i++) {
		if (!box.absent || !is_same_absence(&why, &box))
			continue;
		alike = alike && strcmp(why.absent, box.absent) == 0;
		list[found++] = (struct numbered_box){box.kind, box.index, box.package};
		reported[i] = true;
	}
	boxes = boxes_text(list, found);
	text = text_of("%s %s: %s", boxes, why.unreached ? "not reached" : "absent", why.absent);
	if (verbose)
		print_item(s, text);
	else
		print_places(s, text);
	if (!alike)
		print_paragraph(s, 6, "(reason of %s of socket %u; use -v for the others)",
				box_name(name, why.kind, why.index), why.package);
	free(text);
	free(boxes);
	free(list);
}

static void print_all_missing(const struct screen *s, struct uncore *u, unsigned n, bool verbose)
{
	const char *title = "\nmissing boxes\n";
	bool *reported = need_memory(n, sizeof(*reported));
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; i < n && uncore_box(u, i, &box) == 1; i++) {
		if (!box.absent || reported[i])
			continue;
		fputs(title, s->out);
		title = "";
		print_missing(s, u, i, n, reported, verbose);
	}
	free(reported);
}

/* ---- events and the rest ---- */

static void print_events(const struct screen *s, struct uncore *u)
{
	unsigned id, events = 0, metrics = 0;
	struct uncore_event_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_listed_event(u, i, &id) == 1; i++)
		if (uncore_event_info(u, id, &info) == 0)
			*(*info.formula ? &metrics : &events) += 1;
	fputc('\n', s->out);
	print_paragraph(s, 0, "%u event%s and %u metric%s: see `uncore list`", events,
			plural(events), metrics, plural(metrics));
}

static void print_warnings(const struct screen *s, struct uncore *u)
{
	const char *title = "\nwarnings\n", *warning;

	for (unsigned i = 0; uncore_warning(u, i, &warning) == 1; i++) {
		fputs(title, s->out);
		title = "";
		print_item(s, warning);
	}
}

struct shown_machine {
	struct uncore *u;
	bool verbose;
};

static struct json_object *machine_object(const void *of)
{
	return json_of_machine(((const struct shown_machine *)of)->u);
}

static void print_all(const void *of, const struct screen *s)
{
	const struct shown_machine *shown = of;
	struct uncore *u = shown->u;
	struct uncore_machine_info info = {.size = sizeof(info)};

	uncore_machine(u, &info);
	print_machine(s, &info);
	print_kinds(s, u, &info);
	print_all_missing(s, u, info.boxes, shown->verbose);
	print_numbers(s, u, &info);
	print_events(s, u);
	print_sharing(s, u);
	print_warnings(s, u);
	if (shown->verbose)
		print_registers(s, u);
}

static const struct rows_class machine_rows = {.object = machine_object, .text = print_all};

static int print_cpus(const struct screen *s, struct uncore *u, bool json)
{
	struct uncore_machine_info info = {.size = sizeof(info)};

	uncore_machine(u, &info);
	if (!json)
		print_machine(s, &info);
	return print_cores(s, u, json);
}

struct show_options {
	bool verbose, core, devices, json;
	const char *measured; /* a device; NULL: none */
};

static void print_boxes(const struct screen *s, struct uncore *u, const struct show_options *how)
{
	const struct shown_machine shown = {u, how->verbose};
	const struct rows rows = {&machine_rows, &shown};

	emit_json_or_text(how->json, s, &rows);
}

static int check_options(const struct show_options *how, bool command)
{
	if (how->core && how->devices)
		return wrong_usage(&show_command, "--core and --devices cannot be combined");
	if (how->measured && (!how->devices || !command))
		return wrong_usage(&show_command, "--measure requires --devices and a COMMAND that "
						  "makes the device move data");
	return TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	const struct screen screen = screen_of(stdout);
	struct show_options how = {.json = false};
	int status = read_options(&show_command, argc, argv, &how, &machine);
	struct uncore *u;

	if (status != TOOL_OK)
		return status;
	status = check_options(&how, optind < argc);
	if (status != TOOL_OK)
		return status;
	if (optind < argc && !how.measured)
		return unexpected_argument(&show_command, argv[optind]);
	u = open_machine(machine, &show_command);
	if (!u)
		return TOOL_FAILED;
	if (how.measured)
		return measure_device(&screen, u, how.measured, how.json, argv + optind);
	if (how.core)
		status = print_cpus(&screen, u, how.json);
	else if (how.devices)
		status = print_devices(&screen, u, how.json);
	else
		print_boxes(&screen, u, &how);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-v, --verbose",
	 .help = "also show the location and registers of each box, and all records of discovery "
		 "tables",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct show_options, verbose)},
	{.names = "--core",
	 .help = "show the core counters instead, and the current values of their global registers",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct show_options, core)},
	{.names = "--devices",
	 .help = "show the PCI devices instead: the package, box and part that count each, its "
		 "link, the number of events for dev=, and devices whose box is unknown, with the "
		 "reason",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct show_options, devices)},
	{.names = "--measure",
	 .arg = "DEVICE",
	 .help = "with --devices: find the box and part of DEVICE by its traffic; COMMAND, which makes "
		 "it move data, is run several times",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct show_options, measured),
	 .usage = "[--measure DEVICE [--] COMMAND [ARG...]]"},
	{.names = "--json",
	 .help = "print one line of JSON; with --core, one per CPU",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct show_options, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command show_command = {
	.name = "show",
	.summary = "describe the machine: packages, boxes, warnings",
	.run = run,
	.help = "Show the machine: its packages, the number of boxes of each kind per package "
		"and how it was determined, boxes that cannot be used and why, other processes "
		"that count on it, and warnings, for example about an installed event list.",
	.options = options,
	.ordered = true,
	.example = "show",
};
