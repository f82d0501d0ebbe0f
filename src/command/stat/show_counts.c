/* SPDX-License-Identifier: BSD-3-Clause */
/* show_counts.c - show the counts of intervals, runs, and the total. */
#include <math.h>
#include <string.h>

#include <sys/stat.h>

#include "command/base/clock.h"
#include "command/base/gain.h"
#include "command/stat/rows.h"
#include "measure.h"
#include "pictures.h"

/* Check the output once per interval; report a failure only once. */
static void look_at_output(struct session *s)
{
	const struct request *r = s->request;
	const char *name = r->file ? r->file : r->command ? "standard error" : "standard output";

	if (!s->broken)
		s->broken = flush_output(s->counts.screen.out, name) != TOOL_OK;
	if (s->broken)
		s->failed = TOOL_FAILED;
}

/* The last reading, or the means. */
static struct counts_rows rows_of(struct session *s, enum rows_kind kind, const struct reading *r,
				  unsigned runs)
{
	return (struct counts_rows){.counts = &s->counts,
				    .kind = kind,
				    .r = r,
				    .results = s->results,
				    .runs = runs,
				    .deviation =
					    kind == ROWS_MEAN ? mean_deviation(&s->seconds) : 0,
				    .deviations = s->request->repeat > 1,
				    .timeline = &s->timeline};
}

static struct emission output_of(const struct session *s)
{
	return (struct emission){s->counts.screen.out, &s->counts.screen, s->counts.separator};
}

static void show(struct session *s, enum rows_kind kind, const struct reading *r, unsigned runs)
{
	const struct counts_rows counts = rows_of(s, kind, r, runs);
	const struct rows rows = {&counts_class, &counts};
	const struct emission to = output_of(s);

	emit_rows(s->request->form, &to, &rows);
}

/* Not in the middle of a file that --append continues. */
void show_heading(struct session *s)
{
	const struct counts_rows counts = rows_of(s, ROWS_INTERVAL, &s->now, 0);
	const struct rows rows = {&counts_class, &counts};
	const struct emission to = output_of(s);
	struct stat file;

	if (!s->request->append || (fstat(fileno(to.out), &file) == 0 && file.st_size == 0))
		emit_heading(s->request->form, &to, &rows);
}

bool has_intervals_only(const struct session *s)
{
	return s->request->separator && s->request->interval_ms && !s->request->quiet;
}

/*
 * With --per-channel, channels and packages have rows: those of packages are added up.  The nodes
 * of a package that is divided are boxes.
 */
static bool is_whole(const struct session *s, const struct row *row)
{
	return s->request->per == PER_BOX || !strstr(row->name, ":box=") ||
	       (s->request->per == PER_NODE && *row->node);
}

static bool is_traffic(const struct session *s, const struct row *row)
{
	const char *name = row->name;
	const size_t n = strcspn(name, ":");
	size_t i = 0;

	while (roofline_traffic[i] &&
	       (strlen(roofline_traffic[i]) != n || strncmp(roofline_traffic[i], name, n) != 0))
		i++;
	return roofline_traffic[i] && is_whole(s, row);
}

struct roofline_part part_of_reading(struct session *s, const struct reading *r)
{
	struct roofline_part part = {.end = seconds_now(), .seconds = r->seconds};

	find_results(&s->counts, r, s->results);
	for (size_t i = 0; i < s->wanted->n_rows; i++) {
		const struct row *row = &s->wanted->rows[i];
		const double count = has_no_window(&s->results[i].times)
					     ? (double)NAN
					     : (double)s->results[i].count;

		if (!is_traffic(s, row))
			continue;
		part.bytes += count;
		part.reads += strstr(row->name, "_READ_BYTES") ? count : 0;
	}
	return part;
}

void show_interval(struct session *s, bool printed)
{
	find_results(&s->counts, &s->interval, s->results);
	if (wants_pictures(s->request))
		note_interval(&s->record, &s->counts, &s->interval, s->results);
	if (!printed)
		return;
	show(s, ROWS_INTERVAL, &s->interval, 0);
	look_at_output(s);
}

void show_total(struct session *s)
{
	find_results(&s->counts, &s->now, s->results);
	if (!has_intervals_only(s))
		show(s, ROWS_TOTAL, &s->now, 0);
	look_at_output(s);
}

/* ---- several runs ---- */

/* A row without a window in this run is unknown, not 0. */
static void add_result(struct total *total, const struct row *row, const struct result *result,
		       double seconds)
{
	if (has_no_window(&result->times)) {
		total->unknown++;
		return;
	}
	mean_add(&total->mean, row->real ? result->value : (double)result->count);
	mean_add(&total->seconds, seconds);
}

void add_run(struct session *s, unsigned run)
{
	find_results(&s->counts, &s->now, s->results);
	for (size_t i = 0; i < s->wanted->n_rows; i++) {
		const struct result *result = &s->results[i];
		struct total *total = &s->totals[i];

		add_result(total, &s->wanted->rows[i], result, s->now.seconds);
		total->times.enabled_ns += result->times.enabled_ns;
		total->times.running_ns += result->times.running_ns;
		total->times.count += result->times.count;
	}
	mean_add(&s->seconds, s->now.seconds);
	if (s->request->form == &json_emitter) {
		show(s, ROWS_RUN, &s->now, run);
		look_at_output(s);
	}
}

static void say_unknown(const struct session *s, unsigned runs)
{
	for (size_t i = 0; i < s->wanted->n_rows; i++)
		if (s->totals[i].unknown && s->totals[i].unknown < runs) {
			say("%s was not counted in %u of %u runs: means are of the other runs; use "
			    "longer windows (--multiplex=MS) or longer runs",
			    row_label(&s->wanted->rows[i]), s->totals[i].unknown, runs);
			return;
		}
}

void show_means(struct session *s, unsigned runs)
{
	say_unknown(s, runs);
	for (size_t i = 0; i < s->wanted->n_rows; i++) {
		const struct total *total = &s->totals[i];

		s->results[i] = (struct result){.count = llround(total->mean.mean),
						.value = total->mean.n ? total->mean.mean : NAN,
						.times = total->times,
						.deviation = mean_deviation(&total->mean)};
		s->results[i].seconds = total->unknown ? total->seconds.mean : 0;
		s->results[i].times.error =
			total->unknown == runs ? UNCORE_ERROR_NO_WINDOW : UNCORE_ERROR_UNKNOWN;
	}
	s->now.at = s->now.seconds = s->seconds.mean;
	s->counts.repeated = true;
	show(s, ROWS_MEAN, &s->now, runs);
	look_at_output(s);
}
