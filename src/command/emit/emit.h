/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - rows, and the forms in which they are printed.
 *
 * A command describes what it has found by functions (struct rows_class): an object for programs,
 * cells of a table, samples of metrics, a text for people, a picture.  A form (struct emitter) asks
 * for what it needs and knows no command.  A new form is a file with an emitter.
 */
#ifndef COMMAND_EMIT_H
#define COMMAND_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "command/exporter/families.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json_object;
struct draw_record;
struct screen;

/* ---- cells of a table ---- */

/* The line that is being printed. */
struct cells {
	FILE *out;
	const char *separator;
	unsigned n; /* cells so far */
};

/* A text, quoted where necessary, and a number, or what needs no quotes. */
void put_cell(struct cells *cells, const char *text);
void put_number_cell(struct cells *cells, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- samples of metrics ---- */

#define TAGS_MOST 12

/* Forms that have a tag, or a sample: InfluxDB's and ClusterCockpit's names differ from
 * Prometheus'. */
enum sample_form { FORM_ALL, FORM_LINES, FORM_FAMILIES };

struct metric_tag {
	char *key, *value;
	enum sample_form form;
};

struct metric_sample {
	enum sample_form form;
	char *name;                  /* of the event, or of the family */
	const struct family *family; /* NULL: none, and no form with families */
	struct metric_tag tags[TAGS_MOST];
	unsigned n_tags;
	bool real; /* value, or else count */
	double value;
	int64_t count;
	double rate;  /* per second; NAN: none */
	int exponent; /* of the count, which is printed as an exact number */
	int digits;   /* of a real number: "%.*g" */
	int decimals; /* ... in forms with families: "%.*f"; -1: digits */
};

/* Copies both.  Those after the most are left out. */
void add_tag(struct metric_sample *sample, enum sample_form form, const char *key,
	     const char *value);

/* ---- rows ---- */

/* Functions that read the results of a command; NULL: the command has no such rows. */
struct rows_class {
	/* One object, which the caller frees. */
	struct json_object *(*object)(const void *of);
	/* The names of the columns, and line i; false: past the last one. */
	bool (*heading)(const void *of, struct cells *cells);
	bool (*line)(const void *of, size_t i, struct cells *cells);
	/* Sample i, or a sample without a name, which is left out; false past the last. */
	bool (*sample)(const void *of, size_t i, struct metric_sample *sample);
	void (*text)(const void *of, const struct screen *screen);
	const struct draw_record *(*picture)(const void *of);
	/* A picture of its own instead of lines. */
	void (*draw)(const void *of, FILE *out);
};

struct rows {
	const struct rows_class *type;
	const void *of;
};

/* Sample i, to be freed, also after false. */
bool next_sample(const struct rows *rows, size_t i, struct metric_sample *sample);
void free_sample(struct metric_sample *sample);

/* Rows that are an object already, which is freed when it is printed. */
struct rows rows_of_object(struct json_object *object);

/* ---- forms ---- */

/* Where and how rows are printed. */
struct emission {
	FILE *out;
	const struct screen *screen; /* for text */
	const char *separator;       /* of cells */
};

struct emitter {
	const char *name;
	void (*heading)(const struct emission *to, const struct rows *rows); /* NULL: none */
	void (*emit)(const struct emission *to, const struct rows *rows);
};

extern const struct emitter text_emitter, json_emitter, csv_emitter, influx_emitter,
	openmetrics_emitter, prometheus_emitter, lines_emitter, heatmap_emitter;

/* The heading, which precedes the first rows. */
void emit_heading(const struct emitter *form, const struct emission *to, const struct rows *rows);
void emit_rows(const struct emitter *form, const struct emission *to, const struct rows *rows);

/* With 12 digits; NULL, which JSON prints as null, if it is not finite. */
struct json_object *json_number(double value);
/* Members of an object; a number that is not finite is left out. */
void add_json_text(struct json_object *o, const char *key, const char *text);
void add_json_integer(struct json_object *o, const char *key, int64_t value);
void add_json_number(struct json_object *o, const char *key, double value);
void add_json_flag(struct json_object *o, const char *key, bool value);
/* Print an object in one line of JSON, and free it. */
void print_json_object(FILE *out, struct json_object *o);
/* Rows on standard output as JSON, or as text for people. */
void emit_json_or_text(bool json, const struct screen *screen, const struct rows *rows);

#ifdef __cplusplus
}
#endif
#endif
