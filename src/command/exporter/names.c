/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - see names.h. */
#include "command/exporter/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/base/encode.h"
#include "command/base/text.h"

bool name_has_package(const char *name)
{
	struct event_name n;

	take_name_apart(&n, name);
	return *n.package || *n.die || *n.cpu;
}

const char *family_of_event(char family[NAME_TEXT], const char *base)
{
	size_t n = (size_t)sprintf(family, "uncore_");

	if (strncasecmp(base, "UNC_", 4) == 0)
		base += 4;
	else if (strncasecmp(base, "UNCORE_", 7) == 0)
		base += 7;
	for (; *base && n + 1 < NAME_TEXT; base++) {
		const unsigned char c = (unsigned char)*base;

		if (isalnum(c))
			family[n++] = (char)tolower(c);
		else if (family[n - 1] != '_')
			family[n++] = '_';
	}
	while (family[n - 1] == '_')
		n--;
	family[n] = '\0';
	if (n > 13 && strcmp(family + n - 6, "_total") == 0)
		family[n - 6] = '\0';
	return family;
}

static void write_label(FILE *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(out, "%s%s=\"", ftell(out) ? "," : "", name);
	put_openmetrics(out, value, true);
	fputc('"', out);
}

char *labels_of(const struct event_name *n, const char *label, const char *value)
{
	char *text = NULL;
	size_t length;
	FILE *out = begin_text(&text, &length);

	write_label(out, label, value);
	write_label(out, "package", n->package);
	write_label(out, "die", n->die);
	write_label(out, "cpu", n->cpu);
	write_label(out, "box", n->box);
	end_text(out);
	return text;
}
