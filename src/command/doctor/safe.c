/* SPDX-License-Identifier: BSD-3-Clause */
/* safe.c - msr-safe's allowlist compared with the registers events need; docs/permissions.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "command/doctor/patient.h"

/* Find the write mask of a register in lines "0xMSR 0xMASK"; false: not listed. */
static bool find_mask(const char *list, uint32_t msr, uint64_t *mask)
{
	for (const char *line = list; line && *line; line = strchr(line, '\n')) {
		char *end;
		unsigned long long number;

		line += *line == '\n';
		number = strtoull(line, &end, 16);
		if (end != line && number == msr) {
			*mask = strtoull(end, NULL, 16);
			return true;
		}
	}
	return false;
}

struct gaps {
	unsigned registers, missing, narrow;
	uint32_t first;
};

static void compare(struct patient *p, const char *list, struct gaps *gaps)
{
	struct uncore_msr_info m = {.size = sizeof(m)};

	for (unsigned i = 0; uncore_msr(p->u, i, &m) == 1; i++) {
		uint64_t mask = 0;
		const bool listed = find_mask(list, m.msr, &mask);

		if (m.stop_after_only || strcmp(m.kind, "core") == 0)
			continue;
		gaps->registers++;
		gaps->missing += !listed;
		gaps->narrow += listed && (m.writable & ~mask);
		if (!gaps->first && (!listed || (m.writable & ~mask)))
			gaps->first = m.msr;
	}
}

static char *read_list(const struct patient *p)
{
	char *text = unc_read_all(p->root, "dev/cpu/msr_allowlist");

	return text ? text : unc_read_all(p->root, "dev/cpu/msr_whitelist");
}

void check_msr_safe(struct patient *p)
{
	char *list = read_list(p);
	struct gaps gaps = {.registers = 0};

	if (!list)
		return;
	compare(p, list, &gaps);
	free(list);
	if (gaps.missing + gaps.narrow == 0)
		found_fine(p, "msr-safe",
			   "the allow-list contains all %u registers that events "
			   "use",
			   gaps.registers);
	else
		found_note(p, "msr-safe",
			   text_of("of the %u registers that events use, the allow-list lacks %u "
				   "and restricts writes to %u; the first is %#" PRIx32,
				   gaps.registers, gaps.missing, gaps.narrow, gaps.first),
			   text_of("ask an administrator to add the output of uncore allowlist"));
}
