/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - `uncore sim mount`: the simulated machine as a tree of files. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "command/mount/mount.h"
#include "tools.h"

static int usage_of_mount(int argc, char **argv)
{
	if (optind == argc || strcmp(argv[optind], "mount") != 0)
		return wrong_usage(&sim_command, "sim can only mount: uncore sim mount DIR");
	return wrong_usage(&sim_command, optind + 1 == argc ? "name the directory to mount at"
							    : "one directory, please");
}

/* A decimal number; kill_at may be below 0. */
static bool whole(const char *text, int64_t least, int64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *value >= least;
}

static int add_option(struct mount_options *o, int c)
{
	int64_t value;

	switch (c) {
	case 't':
		o->trace = optarg;
		return TOOL_OK;
	case 'k':
		if (whole(optarg, -INT64_MAX, &o->kill_at))
			return TOOL_OK;
		return wrong_usage(&sim_command,
				   "--kill-at takes the number of a write, as in --kill-at 12, "
				   "not %s",
				   optarg);
	case 'r':
		if (!whole(optarg, 0, &value))
			return wrong_usage(&sim_command,
					   "--run-size takes bytes, as in --run-size 65536, not %s",
					   optarg);
		o->run_size = (uint64_t)value;
		return TOOL_OK;
	default:
		o->background = true;
		return TOOL_OK;
	}
}

static int run_sim(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"trace", required_argument, NULL, 't'},
						{"background", no_argument, NULL, 'b'},
						{"kill-at", required_argument, NULL, 'k'},
						{"run-size", required_argument, NULL, 'r'},
						{NULL, 0, NULL, 0}};
	struct mount_options o = {.run_size = MOUNT_RUN_SIZE};
	char why[512];
	int c;

	while ((c = next_option(argc, argv, "hbt:", options, &sim_command, &machine)) != -1) {
		const int wrong = add_option(&o, c);

		if (wrong)
			return wrong;
	}
	if (optind + 2 != argc || strcmp(argv[optind], "mount") != 0)
		return usage_of_mount(argc, argv);
	if (o.background && o.trace && strcmp(o.trace, "-") == 0)
		return wrong_usage(&sim_command,
				   "in the background there is no standard error: name a file to "
				   "trace to");
	o.dir = argv[optind + 1];
	o.machine = machine ? machine : unc_variable("UNCORE_MACHINE");
	if (!o.machine)
		return wrong_usage(&sim_command,
				   "which machine? Say --machine sim:snbep, for example");
	if (mount_machine(&o, why, sizeof(why)) == 0)
		return TOOL_OK;
	say("%s", why);
	return TOOL_FAILED;
}

const struct command sim_command = {
	.name = "sim",
	.as_caller = true,
	.run = run_sim,
	.usage = " mount [--background] [--trace FILE] [--kill-at N] [--run-size BYTES] "
		 "--machine sim:... DIR",
	.help = "Show a simulated machine as files below DIR, an empty directory: dev/cpu/N/msr, "
		"config space of PCI devices, dev/mem, and what /proc and /sys tell. Programs find "
		"it with UNCORE_SYSROOT=DIR; others in a mount namespace (docs/tools.md). "
		"Ends with Ctrl-C, or when DIR is unmounted (fusermount3 -u DIR).\n\n"
		"--machine sim:...\twhich one; with time=virtual its clock stands still but for "
		"what is written to DIR/sim/advance, in nanoseconds\n"
		"-t, --trace FILE\ta line for every register access; - is standard error\n"
		"-b, --background\tgo on in the background once DIR is mounted\n"
		"--kill-at N\tthe process that does the Nth write to a register is killed "
		"(SIGKILL) by it; -N: before it is done. DIR/sim/kill_at begins anew\n"
		"--run-size BYTES\troom for the files in DIR/run/uncore, 64 MiB unless told\n",
};
