/* SPDX-License-Identifier: BSD-3-Clause */
/* families.c - see families.h. */
#include "command/exporter/families.h"

#include <string.h>

/* Prometheus' base units for the library's units; other counts have no unit. */
static const struct {
	const char *units, *unit;
	int exponent;
} units[] = {
	{"bytes", "bytes", 0},         {"cycles", "cycles", 0}, {"entries*cycles", "cycles", 0},
	{"cores*cycles", "cycles", 0}, {"uJ", "joules", -6},    {"MHz", "hertz", 6},
};

bool family_of_row(const struct metric_row *row, struct family *family)
{
	const struct metric_row *named = row->same_family ? row->same_family : row;

	if (!named->family.name)
		return false;
	*family = (struct family){
		.name = named->family.name,
		.help = named->family.help,
		.kind = row->real ? FAMILY_GAUGE : FAMILY_COUNTER,
		.mean = named->family.mean,
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(row->units, units[i].units) == 0) {
			family->unit = units[i].unit;
			family->exponent = units[i].exponent;
		}
	return true;
}

bool family_of_metric(const char *metric, struct family *family)
{
	const struct metric_row *row = metric_row_named(metric);

	return row && family_of_row(row, family);
}
