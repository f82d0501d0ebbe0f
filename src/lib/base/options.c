/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - see options.h. */
#include "base/options.h"

#include <stdio.h>
#include <string.h>

#define FIRST_NAME 256 /* getopt's values of long options, above all letters */

const char *unc_option_name(const struct unc_option *row, unsigned i, size_t *len)
{
	const char *name = row->names;

	while (i-- > 0 && *name) {
		name += strcspn(name, ",");
		name += strspn(name, ", ");
	}
	*len = strcspn(name, ",");
	return *len ? name : NULL;
}

/* no_argument, required_argument, optional_argument */
static int has_value(const struct unc_option *row)
{
	if (row->optional || (row->arg && *row->arg == '['))
		return optional_argument;
	return row->arg ? required_argument : no_argument;
}

static void add_letter(struct unc_options *o, const struct unc_option *row, char letter)
{
	static const char *const values[] = {
		[no_argument] = "", [required_argument] = ":", [optional_argument] = "::"};
	const size_t n = strlen(o->letters);

	o->of_letter[letter & 127] = row;
	snprintf(o->letters + n, sizeof(o->letters) - n, "%c%s", letter, values[has_value(row)]);
}

static void add_name(struct unc_options *o, const struct unc_option *row, const char *name,
		     size_t len)
{
	if (o->n == UNC_OPTIONS_MOST)
		return;
	snprintf(o->names[o->n], UNC_OPTION_NAME, "%.*s", (int)len, name);
	o->list[o->n] = (struct option){o->names[o->n], has_value(row), NULL, FIRST_NAME + o->n};
	o->of_name[o->n++] = row;
}

void unc_options_make(struct unc_options *o, const struct unc_option *rows, bool ordered)
{
	const char *name;
	size_t len;

	memset(o, 0, sizeof(*o));
	if (ordered)
		o->letters[0] = '+';
	for (; rows->names; rows++)
		for (unsigned i = 0; (name = unc_option_name(rows, i, &len)); i++)
			if (name[1] == '-')
				add_name(o, rows, name + 2, len - 2);
			else
				add_letter(o, rows, name[1]);
}

const struct unc_option *unc_options_next(const struct unc_options *o, int argc, char **argv,
					  bool *invalid)
{
	const int c = getopt_long(argc, argv, o->letters, o->list, NULL);

	*invalid = c == '?';
	if (c < 0 || c == '?')
		return NULL;
	return c >= FIRST_NAME ? o->of_name[c - FIRST_NAME] : o->of_letter[c];
}

int unc_option_store(const struct unc_option *row, void *into, const char *text)
{
	char *member = (char *)into + row->at;

	switch (row->kind) {
	case UNC_OPTION_FLAG:
		*(bool *)member = true;
		break;
	case UNC_OPTION_TEXT:
		memcpy(member, &text, sizeof(text));
		break;
	case UNC_OPTION_CHOICE:
		memcpy(member, &row->value, sizeof(row->value));
		break;
	case UNC_OPTION_CALL:
		return row->take(into, text);
	case UNC_OPTION_IGNORED:
	case UNC_OPTION_PROGRAM:
		break;
	}
	return 0;
}
