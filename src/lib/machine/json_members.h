/* SPDX-License-Identifier: BSD-3-Clause */
/* json_members.h - typed members of JSON objects in files that are not trusted. */
#ifndef UNC_JSON_MEMBERS_H
#define UNC_JSON_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/* The member of that name and type, or NULL. */
struct json_object *unc_json_member(struct json_object *o, const char *name, enum json_type type);
const char *unc_json_text(struct json_object *o, const char *name);
/* Whether there is such a number in this range; *number is 0 without it. */
bool unc_json_number(struct json_object *o, const char *name, int64_t low, int64_t high,
		     int64_t *number);
/* The same of a text like "0x1f", at most high. */
bool unc_json_hex(struct json_object *o, const char *name, uint64_t high, uint64_t *number);
/* The same of a value: an element of an array. */
bool unc_json_hex_value(struct json_object *value, uint64_t high, uint64_t *number);

#endif
