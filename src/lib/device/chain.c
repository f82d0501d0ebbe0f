/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.c - the path of a device below /sys/devices: its root bus, the devices between it and the
 * root bus, and itself (docs/hardware/stacks.md, "From a name to a port").
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

#define REAL_SEGMENTS 0x10000 /* higher ones are virtual, made by VMD */

/* A hexadecimal number of `low` to `high` digits and the character after it; NULL: another text. */
static const char *next_number(const char *text, int low, int high, char end, unsigned *number)
{
	char digits[9];
	int n = 0;

	while (n < high && isxdigit((unsigned char)text[n]))
		n++;
	if (n < low || (end && text[n] != end))
		return NULL;
	snprintf(digits, sizeof(digits), "%.*s", n, text);
	*number = (unsigned)strtoul(digits, NULL, 16);
	return text + n + (end != '\0');
}

const char *unc_at_parse(const char *text, struct unc_at *at)
{
	text = next_number(text, 4, 8, ':', &at->segment);
	text = text ? next_number(text, 2, 2, ':', &at->bus) : NULL;
	text = text ? next_number(text, 2, 2, '.', &at->slot) : NULL;
	text = text ? next_number(text, 1, 1, '\0', &at->function) : NULL;
	return text && at->slot < 32 && at->function < 8 ? text : NULL;
}

const char *unc_at_text(const struct unc_at *at, char text[UNC_AT_TEXT])
{
	snprintf(text, UNC_AT_TEXT, "%04x:%02x:%02x.%x", at->segment, at->bus, at->slot,
		 at->function);
	return text;
}

bool unc_at_same(const struct unc_at *a, const struct unc_at *b)
{
	return a->segment == b->segment && a->bus == b->bus && a->slot == b->slot &&
	       a->function == b->function;
}

/* "pci0000:5d" */
static const char *parse_root(const char *text, struct unc_root_bus_name *root)
{
	if (strncmp(text, "pci", 3) != 0)
		return NULL;
	text = next_number(text + 3, 4, 8, ':', &root->segment);
	return text ? next_number(text, 2, 2, '\0', &root->bus) : NULL;
}

static bool ends(const char *end)
{
	return end && (*end == '/' || *end == '\0');
}

/* The next part of a path, or its end. */
static const char *next_part(const char *path)
{
	path += strcspn(path, "/");
	return path + (*path == '/');
}

static const char *find_root(const char *path, struct unc_root_bus_name *root)
{
	for (path += *path == '/'; *path; path = next_part(path))
		if (ends(parse_root(path, root)))
			return next_part(path);
	return NULL;
}

/* In the domain of VMD, the first device is the port. */
bool unc_chain_parse(const char *path, struct unc_chain *chain)
{
	const char *at = find_root(path, &chain->root);
	struct unc_root_bus_name domain;
	struct unc_at here;
	bool any = false, first = true;

	chain->vmd = false;
	for (; at && *at; at = next_part(at)) {
		if (any && ends(parse_root(at, &domain)) && domain.segment >= REAL_SEGMENTS) {
			chain->vmd = first = true;
			continue;
		}
		if (!ends(unc_at_parse(at, &here)))
			break;
		chain->port = first ? here : chain->port;
		chain->device = here;
		any = true;
		first = false;
	}
	return any && !(chain->vmd && first) && chain->root.segment < REAL_SEGMENTS;
}
