/* SPDX-License-Identifier: BSD-3-Clause */
/* format.c - the format files of a PMU: "config:0-7,21" is a field of the config words. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kernel/perf.h"
#include "base/files.h"
#include "event/foreign.h"
#include "hw/sysfs.h"

#define LINE 128

/* "config", "config1", "config2"; *rest: the text after the colon. -1: another word. */
static int word_of(const char *line, const char **rest)
{
	static const char *const words[UNC_PERF_WORDS] = {"config:", "config1:", "config2:"};

	for (int i = 0; i < UNC_PERF_WORDS; i++) {
		*rest = line + strlen(words[i]);
		if (strncmp(line, words[i], strlen(words[i])) == 0)
			return i;
	}
	return -1;
}

bool unc_perf_format(const char *root, const char *pmu, uint64_t taken[UNC_PERF_WORDS])
{
	char path[PATH_MAX], line[LINE];
	const struct dirent *entry;
	const char *list;
	DIR *dir;
	int word;

	memset(taken, 0, UNC_PERF_WORDS * sizeof(*taken));
	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/format", root, pmu);
	dir = unc_opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' ||
		    !unc_read_word(line, sizeof(line), path, "%s", entry->d_name))
			continue;
		word = word_of(line, &list);
		if (word >= 0)
			taken[word] |= unc_bit_list(list);
	}
	if (dir)
		closedir(dir);
	return dir != NULL;
}

/* "umask=8-15,32-55 filter_nid=1:10-17" */
void unc_perf_known_format(const struct unc_machine *machine, const struct unc_box_type *type,
			   uint64_t taken[UNC_PERF_WORDS])
{
	const char *at = unc_perf_fields(machine->platform, type);

	memset(taken, 0, UNC_PERF_WORDS * sizeof(*taken));
	while ((at = strchr(at, '='))) {
		const bool other = at[1] && at[2] == ':';

		taken[other ? at[1] - '0' : 0] |= unc_bit_list(at + (other ? 3 : 1));
		at++;
	}
}
