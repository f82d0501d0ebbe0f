/* SPDX-License-Identifier: BSD-3-Clause */
/* pmu_name.c - the kind of box that a name begins with: "snbep_unc_cbo3::". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

static int unknown_pmu(struct unc_names *names, const char *text)
{
	struct unc_nearest near;
	char hint[160];

	unc_nearest_start(&near, text);
	for (unsigned i = 0; i < names->n_pmus; i++)
		unc_nearest_offer(&near, names->pmus[i].name);
	return unc_fail(names->err, UNCORE_ENOEVENT, "no PMU %s on this machine (%s)%s", text,
			names->machine->platform->title,
			unc_nearest_hint(&near, hint, sizeof(hint)));
}

/* The box number after a PMU's name, with a _ in between if the name ends in a digit. */
static const char *box_number(const char *text, const char *pmu)
{
	const size_t len = strlen(pmu);
	const char *digits = text + len;

	if (strncasecmp(text, pmu, len) != 0)
		return NULL;
	if (*digits && isdigit((unsigned char)pmu[len - 1]) && *digits++ != '_')
		return NULL;
	return strlen(digits) <= 4 && strspn(digits, "0123456789") == strlen(digits) ? digits
										     : NULL;
}

/* Other names in libpfm4: icx_unc_ubox, with the box as in Linux, and knm_unc_cha. */
static const char *other_number(const struct unc_names *names, const char *text,
				const struct unc_box_type *type)
{
	const struct unc_platform_desc *desc = names->machine->platform->desc;
	const char *const prefixes[] = {desc->pfm_prefix, desc->also_prefix};
	const char *digits = NULL;
	char other[UNC_PFM_NAME];

	for (unsigned i = 0; !digits && !type->pmu && i < 2 && prefixes[i]; i++) {
		snprintf(other, sizeof(other), "%s%s", prefixes[i], type->name);
		digits = box_number(text, other);
		if (digits || !*type->sysfs_name)
			continue;
		snprintf(other, sizeof(other), "%s%s", prefixes[i], type->sysfs_name);
		digits = box_number(text, other);
	}
	return digits;
}

/* "snbep_unc_cbo3", "snbep_unc_cbo", "uncore_type_12_3"; our own names take precedence. */
int unc_parse_pmu(struct unc_names *names, const char *text, struct unc_parsed *p)
{
	const size_t n = names->n_pmus;

	for (size_t i = 0; n && i < 2 * n; i++) {
		const struct unc_pmu *pmu = &names->pmus[i % n];
		const char *digits =
			i < n ? box_number(text, pmu->name) : other_number(names, text, pmu->type);

		if (!digits)
			continue;
		p->pmu = pmu;
		if (*digits)
			p->where.boxes = unc_numbers_one((unsigned)atoi(digits));
		return 0;
	}
	return unknown_pmu(names, text);
}
