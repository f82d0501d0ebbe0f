/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * misplaced.c - events that the Linux driver may put on a counter that does not count them,
 * because its constraints allow more counters than Intel's tables (docs/reference/differences.md,
 * "Counters, event by event"). 6.1 to 7.2.
 */
#include <string.h>

#include "backend/kernel/perf.h"

#define MOST 4

static const struct row {
	char platforms[16], kind[8]; /* " a b " */
	uint8_t events[MOST];        /* event codes; 0 ends the list */
} rows[] = {
	{" snbep ivbep ", "cbo", {0x03, 0x06, 0x14}},
	{" ivbep ", "cbo", {0x3c}},
	{" snbep ", "r2pcie", {0x23, 0x24, 0x25}},
	{" ivbep ", "r2pcie", {0x13, 0x23, 0x25, 0x26}},
	{" ivbep ", "r2pcie", {0x28}},
	{" hswep ", "cbo", {0x1f}},
	{" hswep bdx ", "ha", {0x0b}},
	{" hswep bdx ", "ha", {0x61, 0x62, 0x64, 0x65}},
	{" hswep bdx ", "r3qpi", {0x2a, 0x2b}},
	{" hswep ", "sbo", {0x11}},
	{" bdx ", "r2pcie", {0x2a, 0x32, 0x33}},
	{" skx ", "cha", {0x3b}},
	{" skx ", "m3upi", {0x1c, 0x3c, 0x8e}},
};

static bool is_in(const char *list, const char *word)
{
	const char *at = strstr(list, word);

	return at && at[-1] == ' ' && at[strlen(word)] == ' ';
}

bool unc_perf_misplaced(const struct unc_machine *m, const struct unc_box_type *type,
			uint64_t control)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (!is_in(r->platforms, m->platform->name) || strcmp(r->kind, type->name) != 0)
			continue;
		for (unsigned e = 0; e < MOST && r->events[e]; e++)
			if ((control & 0xff) == r->events[e])
				return true;
	}
	return false;
}
