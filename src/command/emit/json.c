/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - rows as JSON, an object in each line. */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#include "command/base/encode.h"
#include "command/emit/emit.h"

void add_json_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, json_object_new_string(text));
}

void add_json_integer(struct json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

/* JSON has no NAN, and no infinity. */
struct json_object *json_number(double value)
{
	char text[32];

	if (!isfinite(value))
		return NULL;
	snprintf(text, sizeof(text), "%.12g", value);
	return json_object_new_double_s(value, text);
}

void add_json_number(struct json_object *o, const char *key, double value)
{
	if (isfinite(value))
		json_object_object_add(o, key, json_object_new_double(value));
}

void add_json_flag(struct json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

static void emit_json(const struct emission *to, const struct rows *rows)
{
	struct json_object *o = rows->type->object(rows->of);

	put_json(to->out, json_object_to_json_string_ext(
				  o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	fputc('\n', to->out);
	json_object_put(o);
}

const struct emitter json_emitter = {"json", NULL, emit_json};
