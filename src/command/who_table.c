/* SPDX-License-Identifier: BSD-3-Clause */
/* who_table.c - print the shares of `uncore who`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/device_places.h"
#include "command/base/encode.h"
#include "command/base/rate.h"
#include "tools.h"
#include "who_table.h"

#define NAME 24 /* columns */

static void print_rate(FILE *out, const char *units, double count, double seconds)
{
	char text[RATE_TEXT];

	fprintf(out, " %10s", isnan(count) ? "-" : rate_text(text, units, fmax(count, 0), seconds));
}

static void print_cache(FILE *out, double bytes)
{
	if (isnan(bytes))
		fprintf(out, " %8s", "-");
	else
		fprintf(out, " %5.1f MB", 1e-6 * bytes);
}

static void print_share(FILE *out, double rate, double total)
{
	if (total > 0)
		fprintf(out, " %6.1f %%", 100 * rate / total);
	else
		fprintf(out, " %8s", "-");
}

/* Of which shares are, unless its rate is not shown. */
static double whole_of(const struct report *r)
{
	return isinf(r->total_rate.doubt) ? (double)NAN : r->total_rate.rate;
}

/* As a rate if it is larger than the value. */
static void print_error(FILE *out, double rate, double error)
{
	char text[RATE_TEXT];

	if (isinf(error))
		fprintf(out, " unknown\n");
	else if (error <= rate)
		fprintf(out, " +-%2.0f %%\n", rate > 0 ? ceil(100 * error / rate) : 0);
	else
		fprintf(out, " +-%s\n", rate_text(text, "bytes", error, 1));
}

/* Known, but not its time. */
static void print_withheld(FILE *out)
{
	fprintf(out, " %10s %8s", "-", "-");
}

/* Negative if more was attributed than counted. */
static void print_sum(const struct screen *s, const struct report *r, const char *name,
		      struct memory_rate rate)
{
	char text[RATE_TEXT];

	if (isnan(rate.rate))
		return;
	print_name(s, 0, name, NAME);
	rate_text(text, "bytes", fabs(rate.rate), 1);
	if (isinf(rate.doubt))
		print_withheld(s->out);
	else {
		fprintf(s->out, "%s%*s", rate.rate < 0 ? "-" : " ", 10, text);
		print_share(s->out, rate.rate, whole_of(r));
	}
	if (r->source == SOURCE_RESCTRL)
		fprintf(s->out, " %21s", "");
	if (r->occupancy)
		fprintf(s->out, " %8s", "");
	if (r->energy)
		fprintf(s->out, " %10s", "");
	print_error(s->out, fabs(rate.rate), rate.doubt);
}

static void print_header(const struct screen *s, const struct report *r)
{
	print_name(s, 0, who_by_name(r->by), NAME);
	fprintf(s->out, " %10s %8s", r->source == SOURCE_RESCTRL ? "memory" : "reads", "share");
	if (r->source == SOURCE_RESCTRL)
		fprintf(s->out, " %10s %10s", "local", "remote");
	if (r->occupancy)
		fprintf(s->out, " %8s", "cache");
	if (r->energy)
		fprintf(s->out, " %10s", "cores");
	fprintf(s->out, " %6s\n", "error");
}

static void print_owner(const struct screen *s, const struct report *r,
			const struct report_row *row)
{
	const double seconds = row->rate > 0 ? row->bytes / row->rate : r->seconds;
	const bool withheld = isinf(row->doubt);
	char *name = r->by == BY_SOCKET ? text_of("socket %td", row - r->rows)
					: text_of("%s", row->name);

	print_name(s, 0, name, NAME);
	free(name);
	if (withheld)
		print_withheld(s->out);
	else {
		print_rate(s->out, "bytes", row->rate, 1);
		print_share(s->out, row->rate, whole_of(r));
	}
	if (r->source == SOURCE_RESCTRL) {
		print_rate(s->out, "bytes", withheld ? (double)NAN : row->local, seconds);
		print_rate(s->out, "bytes", withheld ? (double)NAN : row->remote, seconds);
	}
	if (r->occupancy)
		print_cache(s->out, row->cache);
	if (r->energy)
		print_rate(s->out, "uJ", 1e6 * row->joules, seconds);
	print_error(s->out, row->rate,
		    withheld ? row->doubt : (row->error + row->doubt) * row->rate);
}

static void print_bytes(FILE *out, const struct report_stack *stack, double bytes)
{
	char rate[RATE_TEXT];
	char *text = text_of("%s%s", stack->estimate ? "~" : "",
			     rate_text(rate, "bytes", fmax(bytes, 0), stack->seconds));

	fprintf(out, " %10s", isfinite(bytes) ? text : "?");
	free(text);
}

/* The larger one of both directions; without one the ports have all their time. */
static void print_port_error(FILE *out, const struct report_stack *stack)
{
	const double read = stack->read > 0 ? stack->read_error / stack->read : 0;
	const double write = stack->write > 0 ? stack->write_error / stack->write : 0;
	char *text = stack->estimate && isfinite(stack->read) && isfinite(stack->write)
			     ? text_of("+-%.0f %%", ceil(100 * fmax(read, write)))
			     : text_of("%s", stack->estimate ? "?" : "");

	fprintf(out, " %7s", text);
	free(text);
}

static void print_stack(const struct screen *s, const struct report_stack *stack, bool errors)
{
	char *place = name_of_place(stack->box, stack->part);
	char *name = text_of("%s of socket %u", place, stack->package);

	print_name(s, 0, name, NAME);
	print_bytes(s->out, stack, stack->read);
	print_bytes(s->out, stack, stack->write);
	if (errors && (stack->estimate || stack->names))
		print_port_error(s->out, stack);
	fputs(stack->names ? "  " : "", s->out);
	put_terminal(s->out, stack->names ? stack->names : "");
	fputc('\n', s->out);
	free(name);
	free(place);
}

/* In front of the cache, so they may be more than the row of devices. */
static void print_stacks(const struct screen *s, const struct report *r)
{
	bool errors = false;

	for (size_t i = 0; i < r->n_stacks; i++)
		errors = errors || r->stacks[i].estimate;
	if (r->n_stacks) {
		print_name(s, 0, "PCIe port or stack", NAME);
		fprintf(s->out, " %10s %10s%s  devices\n", "read", "written",
			errors ? "   error" : "");
	}
	for (size_t i = 0; i < r->n_stacks; i++)
		print_stack(s, &r->stacks[i], errors);
	if (r->n_stacks)
		fputc('\n', s->out);
}

void print_shares(const struct screen *s, const struct report *r)
{
	char *note;

	print_header(s, r);
	for (size_t i = 0; i < r->n; i++)
		print_owner(s, r, &r->rows[i]);
	print_sum(s, r, "I/O and devices", r->devices_rate);
	print_sum(s, r, "writes, not divided", r->undivided_rate);
	print_sum(s, r, "unexplained", r->unexplained_rate);
	print_sum(s, r, "memory controllers", r->total_rate);
	fputc('\n', s->out);
	print_stacks(s, r);
	for (unsigned i = 0; (note = report_note(r, i)) != NULL; i++) {
		print_paragraph(s, 0, "%s", note);
		free(note);
	}
}
