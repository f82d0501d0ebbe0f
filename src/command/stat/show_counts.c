/* SPDX-License-Identifier: BSD-3-Clause */
/* show_counts.c - show the counts of intervals, runs, and the total. */
#include <math.h>

#include <sys/stat.h>

#include "fields.h"
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

/* Not in the middle of a file that --append continues. */
void show_heading(struct session *s)
{
	struct stat file;
	const int fd = fileno(s->counts.screen.out);

	if (!s->request->append || (fstat(fd, &file) == 0 && file.st_size == 0))
		print_fields_heading(&s->counts, s->request->repeat > 1);
}

bool has_intervals_only(const struct session *s)
{
	return s->request->separator && s->request->interval_ms && !s->request->quiet;
}

void show_interval(struct session *s, bool printed)
{
	find_results(&s->counts, &s->interval, s->results);
	if (wants_pictures(s->request))
		note_interval(&s->record, &s->counts, &s->interval, s->results);
	if (!printed)
		return;
	if (s->request->json)
		print_counts_json(&s->counts, JSON_INTERVAL, &s->interval, s->results, 0);
	else if (s->request->separator)
		print_fields(&s->counts, &s->interval, s->results);
	else if (timeline_fits(&s->counts))
		timeline_print(&s->timeline, &s->counts, &s->interval, s->results);
	else
		print_interval(&s->counts, &s->interval, s->results);
	look_at_output(s);
}

void show_total(struct session *s)
{
	find_results(&s->counts, &s->now, s->results);
	if (s->request->json)
		print_counts_json(&s->counts, JSON_TOTAL, &s->now, s->results, 0);
	else if (s->request->separator && !has_intervals_only(s))
		print_fields(&s->counts, &s->now, s->results);
	else if (!s->request->separator)
		print_counts(&s->counts, &s->now, s->results);
	if (s->counts.share && !s->request->json)
		print_share_of(&s->counts, s->counts.share);
	look_at_output(s);
}

/* ---- several runs ---- */

void add_run(struct session *s, unsigned run)
{
	find_results(&s->counts, &s->now, s->results);
	for (size_t i = 0; i < s->wanted->n_rows; i++) {
		const struct result *result = &s->results[i];
		struct total *total = &s->totals[i];

		mean_add(&total->mean,
			 s->wanted->rows[i].real ? result->value : (double)result->count);
		total->times.enabled_ns += result->times.enabled_ns;
		total->times.running_ns += result->times.running_ns;
		total->times.count += result->times.count;
	}
	mean_add(&s->seconds, s->now.seconds);
	if (s->request->json)
		print_counts_json(&s->counts, JSON_RUN, &s->now, s->results, run);
	if (s->request->json)
		look_at_output(s);
}

void show_means(struct session *s, unsigned runs)
{
	for (size_t i = 0; i < s->wanted->n_rows; i++) {
		const struct total *total = &s->totals[i];

		s->results[i] = (struct result){.count = llround(total->mean.mean),
						.value = total->mean.n ? total->mean.mean : NAN,
						.times = total->times,
						.deviation = mean_deviation(&total->mean)};
		s->results[i].times.error = UNCORE_ERROR_UNKNOWN;
	}
	s->now.at = s->now.seconds = s->seconds.mean;
	s->counts.repeated = true;
	if (s->request->json)
		print_counts_json(&s->counts, JSON_MEAN, &s->now, s->results, runs);
	else if (s->request->separator)
		print_fields(&s->counts, &s->now, s->results);
	else
		print_means(&s->counts, &s->now, s->results, runs, mean_deviation(&s->seconds));
	look_at_output(s);
}
