/* SPDX-License-Identifier: BSD-3-Clause */
/* json_members.c - see json_members.h. */
#include "machine/json_members.h"

#include <stdlib.h>
#include <string.h>

struct json_object *unc_json_member(struct json_object *o, const char *name, enum json_type type)
{
	struct json_object *value;

	return json_object_object_get_ex(o, name, &value) && json_object_is_type(value, type)
		       ? value
		       : NULL;
}

const char *unc_json_text(struct json_object *o, const char *name)
{
	struct json_object *value = unc_json_member(o, name, json_type_string);

	return value ? json_object_get_string(value) : NULL;
}

bool unc_json_number(struct json_object *o, const char *name, int64_t low, int64_t high,
		     int64_t *number)
{
	struct json_object *value = unc_json_member(o, name, json_type_int);

	*number = value ? json_object_get_int64(value) : 0;
	return value && *number >= low && *number <= high;
}

bool unc_json_hex_value(struct json_object *value, uint64_t high, uint64_t *number)
{
	const char *text =
		json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
	char *end = NULL;

	*number = text && strncmp(text, "0", 1) == 0 ? strtoull(text, &end, 16) : 0;
	return end && *end == 0 && *number <= high;
}

bool unc_json_hex(struct json_object *o, const char *name, uint64_t high, uint64_t *number)
{
	return unc_json_hex_value(unc_json_member(o, name, json_type_string), high, number);
}
