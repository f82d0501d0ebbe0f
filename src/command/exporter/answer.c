/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - see answer.h. */
#include "command/exporter/answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/base/text.h"
#include "command/exporter/metrics_text.h"

/* ---- Accept ---- */

/* The value after "KEY=" in the parameters of a media range; NULL: missing. */
static const char *parameter(const char *range, size_t length, const char *key)
{
	const size_t n = strlen(key);

	for (size_t i = strcspn(range, ";"); i < length;) {
		i += strspn(range + i, "; \t");
		if (i + n <= length && strncasecmp(range + i, key, n) == 0)
			return range + i + n;
		i += strcspn(range + i, ";");
	}
	return NULL;
}

static double weight(const char *range, size_t length)
{
	const char *q = parameter(range, length, "q=");

	return q ? strtod(q, NULL) : 1;
}

static bool is_type(const char *range, size_t length, const char *type)
{
	const size_t n = strlen(type);

	return length >= n && strncasecmp(range, type, n) == 0 &&
	       (length == n || strchr("; \t", range[n]));
}

/* Reject unknown versions, including those that begin like a known one. */
static bool is_open(const char *range, size_t length)
{
	const char *version = parameter(range, length, "version=");

	if (!is_type(range, length, "application/openmetrics-text"))
		return false;
	if (version && *version == '"')
		version++;
	return !version || strncmp(version, "1.", 2) == 0 || strncmp(version, "0.0.1", 5) == 0;
}

enum text_format format_for(const char *accept)
{
	double open = 0, plain = 0;

	while (accept && *accept) {
		const size_t length = strcspn(accept, ",");
		const size_t space = strspn(accept, " \t");
		const char *range = accept + space;
		const size_t n = length > space ? length - space : 0;
		const double q = weight(range, n);

		if (is_open(range, n))
			open = q > open ? q : open;
		else if (is_type(range, n, "text/plain") || is_type(range, n, "text/*"))
			plain = q > plain ? q : plain;
		accept += length;
		accept += *accept == ',';
	}
	return open > 0 && open >= plain ? TEXT_OPENMETRICS : TEXT_PROMETHEUS;
}

/* ---- answers ---- */

static struct answer page(unsigned status, const char *type, const char *text)
{
	struct answer a = {.status = status, .type = type, .text = text_of("%s", text)};

	a.length = strlen(a.text);
	return a;
}

static struct answer metrics(struct exports *e, const char *accept)
{
	const enum text_format format = format_for(accept);
	struct answer a = {.status = 200,
			   .type = format == TEXT_OPENMETRICS
					   ? "application/openmetrics-text; version=1.0.0; "
					     "charset=utf-8"
					   : "text/plain; version=0.0.4; charset=utf-8"};

	exports_read(e);
	a.text = metrics_text(e, format, &a.length);
	return a;
}

static struct answer influx(struct exports *e)
{
	struct answer a = {.status = 200, .type = "text/plain; charset=utf-8"};

	exports_read(e);
	a.text = influx_text(e, &a.length);
	return a;
}

struct answer answer_to(struct exports *e, const char *method, const char *path, const char *accept)
{
	static const char plain[] = "text/plain; charset=utf-8";

	if (strcmp(path, "/metrics") != 0 && strcmp(path, "/influx") != 0 && strcmp(path, "/") != 0)
		return page(404, plain,
			    "Not found: the metrics are at /metrics, for InfluxDB at /influx.\n");
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return page(405, plain, "Method not allowed: use GET or HEAD.\n");
	if (strcmp(path, "/metrics") == 0)
		return metrics(e, accept);
	if (strcmp(path, "/influx") == 0)
		return influx(e);
	return page(
		200, "text/html; charset=utf-8",
		"<!DOCTYPE html>\n<html lang=\"en\"><head><title>uncore exporter</title></head>\n"
		"<body><h1>uncore exporter</h1>\n<p><a href=\"/metrics\">Metrics</a> of the uncore "
		"of this machine, for Prometheus, and in <a href=\"/influx\">InfluxDB's line "
		"protocol</a>.</p></body></html>\n");
}
