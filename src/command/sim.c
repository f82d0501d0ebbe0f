/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - `uncore sim mount`: mount a simulated machine as a file tree. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "sim/mount/mount.h"
#include "tools.h"

static int usage_of_mount(int argc, char **argv)
{
	if (optind == argc || strcmp(argv[optind], "mount") != 0)
		return wrong_usage(&sim_command, "unknown action: use uncore sim mount DIR");
	return wrong_usage(&sim_command, optind + 1 == argc ? "missing directory: name the "
							      "directory to mount at"
							    : "too many arguments: name one "
							      "directory");
}

/* A decimal number; kill_at may be below 0. */
static bool whole(const char *text, int64_t least, int64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *value >= least;
}

static int take_kill_at(void *into, const char *text)
{
	struct mount_options *o = into;

	return whole(text, -INT64_MAX, &o->kill_at)
		       ? TOOL_OK
		       : wrong_usage(
				 &sim_command,
				 "invalid --kill-at \"%s\": expected the number of a write, for "
				 "example 12",
				 text);
}

static int take_run_size(void *into, const char *text)
{
	struct mount_options *o = into;
	int64_t value;

	if (!whole(text, 0, &value))
		return wrong_usage(&sim_command,
				   "invalid --run-size \"%s\": expected a number of bytes, for "
				   "example 65536",
				   text);
	o->run_size = (uint64_t)value;
	return TOOL_OK;
}

static int run_sim(int argc, char **argv, const char *machine)
{
	struct mount_options o = {.run_size = MOUNT_RUN_SIZE};
	char why[512];
	const int status = read_options(&sim_command, argc, argv, &o, &machine);

	if (status != TOOL_OK)
		return status;
	if (optind + 2 != argc || strcmp(argv[optind], "mount") != 0)
		return usage_of_mount(argc, argv);
	if (o.background && o.trace && strcmp(o.trace, "-") == 0)
		return wrong_usage(&sim_command,
				   "--background and --trace - cannot be combined: name a trace "
				   "file");
	o.dir = argv[optind + 1];
	o.machine = machine ? machine : unc_variable("UNCORE_MACHINE");
	if (!o.machine)
		return wrong_usage(&sim_command,
				   "missing machine: use --machine, for example --machine "
				   "sim:snbep");
	if (mount_machine(&o, why, sizeof(why)) == 0)
		return TOOL_OK;
	say("%s", why);
	return TOOL_FAILED;
}

static const struct unc_option options[] = {
	{.names = "--machine",
	 .arg = "sim:...",
	 .help = "the machine to simulate; with time=virtual its clock advances only by the "
		 "nanoseconds written to DIR/sim/advance",
	 .kind = UNC_OPTION_PROGRAM,
	 .usage = "mount"},
	{.names = "-t, --trace",
	 .arg = "FILE",
	 .help = "write a line to FILE for every register access; - is standard error",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct mount_options, trace),
	 .usage = "[--trace FILE]"},
	{.names = "-b, --background",
	 .help = "run in the background once DIR is mounted",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct mount_options, background),
	 .usage = "[--background]"},
	{.names = "--processes",
	 .arg = "FILE",
	 .help = "add the processes that FILE describes to /proc, their traffic to the memory, "
		 "and resctrl, see uncore(1)",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct mount_options, processes)},
	{.names = "--kill-at",
	 .arg = "N",
	 .help = "kill (SIGKILL) the process that does the Nth register write after the write, "
		 "with -N before it. Writing to DIR/sim/kill_at sets a new N",
	 .kind = UNC_OPTION_CALL,
	 .take = take_kill_at},
	{.names = "--run-size",
	 .arg = "BYTES",
	 .help = "maximum size of the files in DIR/run/uncore; default 64 MiB",
	 .kind = UNC_OPTION_CALL,
	 .take = take_run_size},
	COMMON_OPTIONS(NULL),
};

const struct command sim_command = {
	.name = "sim",
	.summary = "mount a simulated machine as files for other programs",
	.as_caller = true,
	.run = run_sim,
	.usage = "--machine sim:... DIR",
	.help = "Mount a simulated machine as files in DIR, which must be an empty directory: "
		"dev/cpu/N/msr, the config space of PCI devices, dev/mem, and the files of /proc "
		"and /sys. Programs that use the uncore library find it with UNCORE_SYSROOT=DIR, "
		"other programs in a mount namespace, see uncore(1). Ends with Ctrl-C or when "
		"DIR is unmounted (fusermount3 -u DIR).",
	.options = options,
};
