/* counts.c - what `uncore stat` prints. */
#include <inttypes.h>
#include <math.h>

#include "tools.h"

/* The mean of nothing is no number. */
static void print_value(const struct counts *c, const struct uncore_event_info *info, int64_t value,
			const struct uncore_share *share)
{
	if (!info->real)
		fprintf(c->out, "%20" PRId64, value);
	else if (isnan(uncore_real(value)))
		fprintf(c->out, "%20s", "-");
	else
		fprintf(c->out, "%20.*f", fabs(uncore_real(value)) < 1000 ? 6 : 1,
			uncore_real(value));
	fprintf(c->out, "  %-14s  %s", info->units, info->name);
	if (share)
		fprintf(c->out, "  (counted %.1f %% of the time)",
			share->enabled_ns
				? 100.0 * (double)share->running_ns / (double)share->enabled_ns
				: 0);
	fputc('\n', c->out);
}

static void print_rows(const struct counts *c, const int64_t *values,
		       const struct uncore_share *shares)
{
	struct uncore_event_info info;

	for (size_t i = 0; i < c->n; i++)
		if (uncore_event_info(c->u, c->ids[i], &info) == 0)
			print_value(c, &info, values[i], shares ? &shares[i] : NULL);
}

static void print_heading(const struct counts *c)
{
	fprintf(c->out, "\n%s%s%s\n\n", c->machine.simulated ? "SIMULATED " : "", c->machine.title,
		c->machine.simulated ? ": these numbers describe no real machine" : "");
	fprintf(c->out, "%20s  %-14s  %s\n", "count", "units", "event");
}

void print_counts(const struct counts *c, const int64_t *values, double seconds)
{
	print_heading(c);
	print_rows(c, values, c->shares);
	print_until(c, values);
	fprintf(c->out, "\n%20.6f  seconds\n", seconds);
}

void print_interval(const struct counts *c, const int64_t *values, double seconds)
{
	fprintf(c->out, "at %.3f s%s\n", seconds, c->machine.simulated ? " (simulated)" : "");
	print_rows(c, values, NULL);
}
