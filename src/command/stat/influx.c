/* SPDX-License-Identifier: BSD-3-Clause */
/* influx.c - counts in the line protocol of InfluxDB, with the tags of ClusterCockpit; see
 * fields.h. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/stat/fields.h"

/* Qualifiers, which become tags instead of parts of the measurement's name. */
static const char *const places[] = {"pkg", "box", "die", "cpu"};

#define N_PLACES (sizeof(places) / sizeof(*places))

struct place {
	char *measurement;
	char *values[N_PLACES]; /* "0", "0-3"; NULL: none */
};

/* Escape as names and tags require, which must not be empty. */
static void put(FILE *out, const char *text)
{
	if (!*text)
		fputc('_', out);
	for (; *text; text++) {
		if (strchr(", =\\", *text))
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? '_' : *text, out);
	}
}

static void put_tag(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",%s=", name);
	put(out, value);
}

/* The number of the place whose qualifier begins here; N_PLACES: none. */
static size_t place_at(const char *part)
{
	size_t i = 0;

	while (i < N_PLACES &&
	       (strncmp(part, places[i], strlen(places[i])) != 0 || part[strlen(places[i])] != '='))
		i++;
	return i;
}

/* "UNC_M_CAS_COUNT:RD:box=3:pkg=0": the measurement UNC_M_CAS_COUNT:RD, box 3, package 0 */
static struct place place_of(const char *name)
{
	struct place p = {.measurement = text_of("%s", "")};

	for (size_t len; *name; name += len + (name[len] == ':')) {
		const size_t i = place_at(name);

		len = strcspn(name, ":");
		if (i < N_PLACES) {
			free(p.values[i]);
			p.values[i] = text_of("%.*s", (int)(len - strlen(places[i]) - 1),
					      name + strlen(places[i]) + 1);
		} else {
			p.measurement = text_and(p.measurement, "%s%.*s", *p.measurement ? ":" : "",
						 (int)len, name);
		}
	}
	return p;
}

static bool is_one(const char *value)
{
	return value && strspn(value, "0123456789") == strlen(value);
}

/* The types of ClusterCockpit: a socket, a hardware thread, or the node. */
static void put_place(FILE *out, const struct place *p)
{
	const char *package = p->values[0], *cpu = p->values[3];
	const bool thread = is_one(cpu), socket = !thread && is_one(package);

	put_tag(out, "type", thread ? "hwthread" : socket ? "socket" : "node");
	if (thread || socket)
		put_tag(out, "type-id", thread ? cpu : package);
	for (size_t i = 0; i < N_PLACES; i++)
		if (p->values[i] && !(thread && i == 3) && !(socket && i == 0))
			put_tag(out, places[i], p->values[i]);
}

static void put_fields(FILE *out, const struct row *row, const struct result *result,
		       double seconds)
{
	if (row->real)
		fprintf(out, " value=%.12g", result->value);
	else
		fprintf(out, " value=%" PRId64 "i", result->count);
	if (!row->real && seconds > 0)
		fprintf(out, ",rate=%.12g", (double)result->count / row->rate_divisor / seconds);
}

/* There is no line for an event that was not counted. */
static void put_line(const struct counts *c, const struct reading *r, const struct row *row,
		     const struct result *result, const char *host)
{
	FILE *out = c->screen.out;
	struct timespec now;
	struct place p;

	if (has_no_window(&result->times) || (row->real && !isfinite(result->value)))
		return;
	p = place_of(row->name);
	clock_gettime(CLOCK_REALTIME, &now);
	put(out, p.measurement);
	put_tag(out, "hostname", host);
	put_place(out, &p);
	if (*row->units)
		put_tag(out, "unit", row->units);
	if (c->machine.simulated)
		put_tag(out, "simulated", "true");
	put_fields(out, row, result, r->seconds);
	fprintf(out, " %jd%09ld\n", (intmax_t)now.tv_sec, now.tv_nsec);
	for (size_t i = 0; i < N_PLACES; i++)
		free(p.values[i]);
	free(p.measurement);
}

void print_influx(const struct counts *c, const struct reading *r, const struct result *results)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host) - 1);
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		put_line(c, r, &c->wanted->rows[i], &results[i], host);
}
