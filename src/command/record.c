/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - `uncore record`: a machine as a file. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools.h"

/* Report what is missing on standard error, so that the user can retry with more permissions. */
static void report_missing(struct uncore *u, int code)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	char text[UNCORE_ERRMSG_MAX];

	if (code < 0)
		say("recording is incomplete: %s", uncore_errmsg(u, text, sizeof(text)));
	else if (uncore_machine(u, &m) == 0 && m.boxes_unreached)
		say("recording is incomplete: %u of %u boxes are not accessible; see `uncore "
		    "show` for the reasons",
		    m.boxes_unreached, m.boxes);
}

static int write_to(struct uncore *u, const char *file, unsigned flags, int opened)
{
	const int fd = file ? create_file(file) : STDOUT_FILENO;
	int code;

	if (fd < 0) {
		say("%s: %s", file, strerror(errno));
		return TOOL_FAILED;
	}
	report_missing(u, opened);
	code = uncore_record(u, fd, flags);
	if (file && close(fd) != 0 && code == 0) {
		say("%s: %s", file, strerror(errno));
		return TOOL_FAILED;
	}
	return code < 0 ? report(u, code) : TOOL_OK;
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"output", required_argument, NULL, 'o'},
						{"registers", no_argument, NULL, 'r'},
						{NULL, 0, NULL, 0}};
	struct uncore_options o = {.size = sizeof(o), .record = 1};
	const char *file = NULL;
	unsigned flags = 0;
	struct uncore *u;
	int c, status;

	while ((c = next_option(argc, argv, "ho:", options, &record_command, &machine)) != -1) {
		if (c == 'o')
			file = strcmp(optarg, "-") == 0 ? NULL : optarg;
		flags |= c == 'r' ? UNCORE_RECORD_REGISTERS : 0;
	}
	if (optind < argc)
		return unexpected_argument(&record_command, argv[optind]);
	o.machine = machine;
	give_up_rights_unless_native(machine);
	c = uncore_open(&u, &o);
	if (!u || (c < 0 && c != UNCORE_EACCESS && c != UNCORE_ENOSUPP && c != UNCORE_ENODEV &&
		   c != UNCORE_EIO)) {
		status = u ? report(u, c) : TOOL_FAILED;
		uncore_close(u);
		return status;
	}
	status = write_to(u, file, flags, c);
	uncore_close(u);
	return status;
}

const struct command record_command = {
	.name = "record",
	.summary = "record the machine for a bug report or a simulation",
	.run = run,
	.usage = "[-o FILE] [--registers]",
	.help = "Record a description of this machine as JSON: its CPUs, packages and PCI "
		"devices, the registers and CPUID leaves used to find boxes, and the relevant "
		"kernel settings. On another computer, --machine file:FILE makes show, list and "
		"plan work on the recorded machine. The recording contains no serial numbers, "
		"network addresses or host names. Nothing is written to registers; values that "
		"cannot be read without privileges are marked.\n\n"
		"-o, --output FILE\twrite to FILE instead of standard output (-)\n"
		"--registers\talso record the current values of each box's registers\n"
		"--machine MACHINE\tnative, sim:NAME or file:FILE\n",
	.example = "record",
};
