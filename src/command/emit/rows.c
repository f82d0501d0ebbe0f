/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - see emit.h. */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>

#include "command/base/text.h"
#include "command/emit/emit.h"

void add_tag(struct metric_sample *sample, enum sample_form form, const char *key,
	     const char *value)
{
	if (sample->n_tags < TAGS_MOST)
		sample->tags[sample->n_tags++] =
			(struct metric_tag){text_of("%s", key), text_of("%s", value), form};
}

bool next_sample(const struct rows *rows, size_t i, struct metric_sample *sample)
{
	*sample = (struct metric_sample){.rate = (double)NAN, .digits = 17, .decimals = -1};
	return rows->type->sample(rows->of, i, sample);
}

void free_sample(struct metric_sample *sample)
{
	for (unsigned i = 0; i < sample->n_tags; i++) {
		free(sample->tags[i].key);
		free(sample->tags[i].value);
	}
	free(sample->name);
}

/* Reading it gives it away. */
static struct json_object *own_object(const void *of)
{
	return (struct json_object *)of;
}

struct rows rows_of_object(struct json_object *object)
{
	static const struct rows_class objects = {.object = own_object};

	return (struct rows){&objects, object};
}

void emit_heading(const struct emitter *form, const struct emission *to, const struct rows *rows)
{
	if (form->heading)
		form->heading(to, rows);
}

void emit_rows(const struct emitter *form, const struct emission *to, const struct rows *rows)
{
	form->emit(to, rows);
}

void print_json_object(FILE *out, struct json_object *o)
{
	const struct emission to = {.out = out};
	const struct rows rows = rows_of_object(o);

	emit_rows(&json_emitter, &to, &rows);
}

void emit_json_or_text(bool json, const struct screen *screen, const struct rows *rows)
{
	const struct emission to = {.out = stdout, .screen = screen};

	emit_rows(json ? &json_emitter : &text_emitter, &to, rows);
}
