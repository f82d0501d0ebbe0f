/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c - see environment.h. */
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

bool unc_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

const char *unc_variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value && *value ? value : NULL;
}

static bool is_ignored(const char *name)
{
	const char *value = getenv(name);

	return value && *value && !unc_variable(name);
}

void unc_ignored_variables(const char *const *names, char *text, size_t len)
{
	size_t n = 0;

	*text = '\0';
	for (; *names; names++) {
		if (!is_ignored(*names))
			continue;
		n = strlen(text);
		snprintf(text + n, len - n, "%s%s", n ? ", " : "", *names);
	}
	n = strlen(text);
	if (n)
		snprintf(text + n, len - n,
			 ": ignored, because this program runs with elevated privileges (setuid, "
			 "setgid or file capabilities); run it without them, or have it set "
			 "uncore_options");
}
