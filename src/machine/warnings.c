/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c - what was found to be wrong with a machine, in sentences. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/machine.h"

const char *unc_machine_warning(const struct unc_machine *m, size_t i)
{
	return i < m->n_warnings ? m->warnings[i] : NULL;
}

int unc_machine_warn(struct unc_machine *m, const char *format, ...)
{
	char **warnings = realloc(m->warnings, (m->n_warnings + 1) * sizeof(*warnings));
	va_list args;
	int len;

	if (!warnings)
		return UNCORE_ENOMEM;
	m->warnings = warnings;
	va_start(args, format);
	len = vasprintf(&warnings[m->n_warnings], format, args);
	va_end(args);
	if (len < 0)
		return UNCORE_ENOMEM;
	m->n_warnings++;
	return 0;
}
