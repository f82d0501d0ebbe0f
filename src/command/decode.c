/* SPDX-License-Identifier: BSD-3-Clause */
/* decode.c - `uncore decode`: from the values of registers to events. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

#include "command/base/clock.h"
#include "command/base/rate.h"
#include "tools.h"

#define MOST_NAMES   8
#define MOST_FILTERS 40

/* ---- one control ---- */

static bool take_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* The number of the first box of a kind. */
static bool find_box(struct uncore *u, const char *kind, unsigned *box)
{
	struct uncore_box_info info = {.size = sizeof(info)};

	for (*box = 0; uncore_box(u, *box, &info) == 1; ++*box)
		if (strcasecmp(info.kind, kind) == 0)
			return true;
	return false;
}

static size_t filters_of(struct uncore *u, unsigned box)
{
	struct uncore_op_info op = {.size = sizeof(op)};
	size_t n = 0;

	while (uncore_register(u, box, UNCORE_FILTER, (unsigned)n, &op) == 1)
		n++;
	return n;
}

static int decode_values(struct uncore *u, char **words, size_t n)
{
	char names[MOST_NAMES][UNCORE_NAME_MAX + 1];
	uint64_t control, filters[MOST_FILTERS];
	const size_t n_filters = n - 2;
	unsigned box;
	int found;

	if (!take_number(words[1], &control))
		return wrong_usage(&decode_command,
				   "invalid control \"%s\": use a number such as 0x304", words[1]);
	for (size_t i = 0; i < n_filters; i++)
		if (i >= MOST_FILTERS || !take_number(words[i + 2], &filters[i]))
			return wrong_usage(&decode_command,
					   "invalid filter \"%s\": use a number such as 0x3b",
					   words[i + 2]);
	if (!find_box(u, words[0], &box))
		return wrong_usage(
			&decode_command,
			"this machine has no box \"%s\": see `uncore show` for the kinds",
			words[0]);
	if (n_filters > filters_of(u, box))
		return wrong_usage(&decode_command, "%s has %zu filter registers, not %zu",
				   words[0], filters_of(u, box), n_filters);
	found = uncore_decode(u, box, -1, control, n_filters ? filters : NULL, n_filters, names,
			      MOST_NAMES, NULL);
	for (int i = 0; i < found && i < MOST_NAMES; i++)
		puts(names[i]);
	if (found > MOST_NAMES)
		say("%d events have this control: the first %d are shown", found, MOST_NAMES);
	if (found == 0)
		say("no event of %s has the control %#" PRIx64 "%s", words[0], control,
		    n_filters ? " with these filters" : "");
	return found > 0 ? TOOL_OK : TOOL_NO_FIT;
}

/* ---- the counters of the machine ---- */

struct used_counter {
	unsigned box, number; /* of the box in the handle, of the counter in the box */
	uint64_t value;
};

/* Counters of boxes of one kind with the same event. */
struct use {
	char event[UNCORE_NAME_MAX + 16];
	char kind[24];
	bool enabled;
	struct numbered_box *boxes; /* of each counter */
	struct used_counter *counters;
	size_t n;
	double counted; /* in the interval */
};

struct uses {
	struct use *list;
	size_t n;
	double seconds; /* between two looks */
};

static struct use *use_of(struct uses *all, const char *kind, const char *event, bool enabled)
{
	struct use *use;

	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->list[i].kind, kind) == 0 &&
		    strcmp(all->list[i].event, event) == 0 && all->list[i].enabled == enabled)
			return &all->list[i];
	all->list = need_more(all->list, all->n + 1, sizeof(*all->list));
	use = &all->list[all->n++];
	memset(use, 0, sizeof(*use));
	snprintf(use->kind, sizeof(use->kind), "%s", kind);
	snprintf(use->event, sizeof(use->event), "%s", event);
	use->enabled = enabled;
	return use;
}

static void add_counter(struct use *use, const struct uncore_box_info *info, unsigned box,
			unsigned counter)
{
	use->boxes = need_more(use->boxes, use->n + 1, sizeof(*use->boxes));
	use->counters = need_more(use->counters, use->n + 1, sizeof(*use->counters));
	use->boxes[use->n] = (struct numbered_box){info->kind, info->index, info->package};
	use->counters[use->n++] = (struct used_counter){box, counter, 0};
}

struct box_filters {
	uint64_t values[MOST_FILTERS];
	size_t n;
};

static struct box_filters read_filters(struct uncore *u, unsigned box)
{
	struct box_filters f = {.n = 0};

	while (f.n < MOST_FILTERS &&
	       uncore_register_value(u, box, UNCORE_FILTER, (unsigned)f.n, &f.values[f.n]) == 1)
		f.n++;
	return f;
}

/* "NAME", "NAME or 2 others", "control 0x40ff" */
static char *event_text(struct uncore *u, unsigned box, unsigned counter, uint64_t control,
			const struct box_filters *filters, bool *enabled)
{
	struct uncore_op_info op = {.size = sizeof(op)};
	char name[1][UNCORE_NAME_MAX + 1];
	const int found = uncore_decode(u, box, (int)counter, control, filters->values, filters->n,
					name, 1, enabled);

	if (uncore_register(u, box, UNCORE_CONTROL, counter, &op) == 1 && op.fixed)
		return text_of("fixed counter");
	if (found <= 0)
		return text_of("control %#" PRIx64, control);
	return found == 1 ? text_of("%s", name[0])
			  : text_of("%s or %d other%s", name[0], found - 1,
				    plural((unsigned)found - 1));
}

/* Its filters are read once, if a counter is programmed.  1, or an error of a control. */
static int find_uses_of_box(struct uncore *u, unsigned box, const struct uncore_box_info *info,
			    struct uses *all)
{
	struct box_filters filters;
	uint64_t control;
	bool known = false, enabled;
	int code;

	for (unsigned c = 0;
	     (code = uncore_register_value(u, box, UNCORE_CONTROL, c, &control)) == 1; c++) {
		char *event;

		if (!control)
			continue;
		if (!known)
			filters = read_filters(u, box);
		known = true;
		event = event_text(u, box, c, control, &filters, &enabled);
		add_counter(use_of(all, info->kind, event, enabled), info, box, c);
		free(event);
	}
	return code;
}

/* A failure to read a control is an error: the list would look complete. */
static int find_uses(struct uncore *u, struct uses *all)
{
	struct uncore_box_info info = {.size = sizeof(info)};
	int code = 0;

	for (unsigned box = 0; code >= 0 && uncore_box(u, box, &info) == 1; box++)
		if (!info.absent)
			code = find_uses_of_box(u, box, &info, all);
	return code < 0 ? report(u, code) : TOOL_OK;
}

/* The change of a counter since the last call, which wraps at its width. */
static double look_at(struct uncore *u, struct used_counter *counter)
{
	struct uncore_box_info info = {.size = sizeof(info)};
	const uint64_t before = counter->value;

	counter->value = 0;
	uncore_register_value(u, counter->box, UNCORE_COUNTER, counter->number, &counter->value);
	uncore_box(u, counter->box, &info);
	return (double)((counter->value - before) &
			(info.width < 64 ? (1ull << info.width) - 1 : UINT64_MAX));
}

/* The changes since the last call replace those before. */
static void look(struct uncore *u, struct uses *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct use *use = &all->list[i];

		use->counted = 0;
		for (size_t k = 0; k < use->n; k++)
			use->counted += look_at(u, &use->counters[k]);
	}
}

static void look_twice(struct uncore *u, struct uses *all)
{
	const struct timespec pause = {.tv_nsec = 100L * 1000 * 1000};
	double begun;

	look(u, all);
	begun = seconds_now();
	nanosleep(&pause, NULL);
	look(u, all);
	all->seconds = seconds_now() - begun;
}

/* ---- output ---- */

/* A use, counted for that time. */
struct counted_use {
	const struct use *use;
	double seconds;
};

static void print_use(const void *of, const struct screen *s)
{
	const struct counted_use *counted = of;
	const struct use *use = counted->use;
	char rate[RATE_TEXT], *boxes = boxes_text(use->boxes, use->n), *text;

	rate_text(rate, "events", use->counted, counted->seconds);
	text = text_of("%s%s%s", boxes, use->enabled ? ", enabled, " : ", not enabled",
		       use->enabled ? rate : "");
	print_row(s, 0, use->event, s->width / 2, text);
	free(text);
	free(boxes);
}

static struct json_object *use_object(const void *of)
{
	const struct counted_use *counted = of;
	const struct use *use = counted->use;
	struct json_object *o = json_object_new_object(), *boxes = json_object_new_array();

	add_json_text(o, "event", use->event);
	add_json_flag(o, "enabled", use->enabled);
	add_json_number(o, "per_second", per_second(use->counted, counted->seconds));
	for (size_t i = 0; i < use->n; i++) {
		struct json_object *box = json_object_new_object();
		char name[BOX_NAME];

		add_json_integer(box, "package", use->boxes[i].package);
		add_json_text(box, "box", box_name(name, use->boxes[i].kind, use->boxes[i].box));
		add_json_integer(box, "counter", use->counters[i].number);
		json_object_object_add(box, "value",
				       json_object_new_uint64(use->counters[i].value));
		json_object_array_add(boxes, box);
	}
	json_object_object_add(o, "counters", boxes);
	return o;
}

static const struct rows_class use_rows = {.object = use_object, .text = print_use};

static void print_uses(struct uncore *u, const struct uses *all, bool json)
{
	const struct screen s = screen_of(stdout);

	for (size_t i = 0; i < all->n; i++) {
		const struct counted_use use = {&all->list[i], all->seconds};
		const struct rows rows = {&use_rows, &use};

		emit_json_or_text(json, &s, &rows);
	}
	if (!json && all->n == 0)
		print_paragraph(&s, 0, "No counter of this machine is programmed.");
	if (!json && all->n)
		print_sharing(&s, u);
}

static int decode_machine(struct uncore *u, bool json)
{
	struct uses all = {.n = 0};
	const int status = find_uses(u, &all);

	if (status == TOOL_OK) {
		look_twice(u, &all);
		print_uses(u, &all, json);
	}
	for (size_t i = 0; i < all.n; i++) {
		free(all.list[i].boxes);
		free(all.list[i].counters);
	}
	free(all.list);
	return status;
}

struct decode_options {
	bool json;
};

static int run(int argc, char **argv, const char *machine)
{
	struct decode_options how = {.json = false};
	struct uncore *u;
	int status;
	size_t n;

	status = read_options(&decode_command, argc, argv, &how, &machine);
	if (status != TOOL_OK)
		return status;
	n = (size_t)(argc - optind);
	if (n == 1)
		return wrong_usage(&decode_command,
				   "missing control: for example uncore decode %s 0x304",
				   argv[optind]);
	u = open_machine(machine, &decode_command);
	if (!u)
		return TOOL_FAILED;
	status = n ? decode_values(u, argv + optind, n) : decode_machine(u, how.json);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--json",
	 .help = "one JSON object per line",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct decode_options, json)},
	COMMON_OPTIONS("native, sim:NAME or file:FILE"),
};

const struct command decode_command = {
	.name = "decode",
	.summary = "name the events that counters are programmed for",
	.run = run,
	.usage = "[KIND CONTROL [FILTER...]]",
	.help = "Name the events that the counters of this machine are programmed for, by any "
		"program: the boxes, whether the counter is enabled, and its rate over 100 ms. "
		"Reads registers and writes none.\n"
		"\n"
		"With KIND, a kind of box as shown by `uncore show`, and the value of a control "
		"register, name the events with that control instead, one per line; with the "
		"values of the filters of the box, in order, only those that the filters select, "
		"too. The exit status is 1 without such an event.",
	.options = options,
	.example = "decode imc 0x304",
};
