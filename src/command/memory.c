/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - `uncore memory`: the traffic of each memory channel, as a preset of `uncore stat`. */
#include <stdlib.h>
#include <string.h>

#include "tools.h"

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && *argv[i] == '-' && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
			return true;
	return false;
}

/* The options of the caller follow, so that they have precedence. */
static int run(int argc, char **argv, const char *machine)
{
	char name[] = "uncore", channels[] = "--per-channel",
	     group[] = "-Mmemory"; /* stat cuts them */
	char interval[] = "-i1s", *const preset[] = {name, channels, group, interval};
	const size_t n = sizeof(preset) / sizeof(*preset);
	char **all;
	int status;

	if (wants_help(argc, argv)) {
		print_command_help(&memory_command);
		return TOOL_OK;
	}
	all = need_memory(n + (size_t)argc, sizeof(*all));
	memcpy(all, preset, sizeof(preset));
	memcpy(all + n, argv + 1, (size_t)argc * sizeof(*argv)); /* with the final NULL */
	status = stat_command.run((int)n + argc - 1, all, machine);
	free(all);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-i, -I, --interval",
	 .arg = "TIME",
	 .help = "time between the tables: 500 (ms), 2s; default: 1s",
	 .kind = UNC_OPTION_PROGRAM},
	{.names = "-d, --duration",
	 .arg = "TIME",
	 .help = "stop after TIME: 2.5 (seconds), 500ms, 10m, 1h",
	 .kind = UNC_OPTION_PROGRAM},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command memory_command = {
	.name = "memory",
	.summary = "show the traffic of each memory channel, package and the system",
	.run = run,
	.help = "Print a table every second, until interrupted or until COMMAND ends: reads, writes "
		"and their sum of each memory channel, of each package, and of the system, and at the "
		"end the means of the whole time. HBM and MCDRAM have their own columns. This is "
		"`uncore stat` with a line for each channel, the metrics of memory, and an interval: "
		"all its options can follow, for example -o FILE, or -M with more metrics.",
	.options = options,
	.usage = "[STAT-OPTION...] [[--] COMMAND [ARG...]]",
	.example = "memory -d 1",
};
