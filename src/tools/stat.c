/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.c - `uncore stat`: count while a command runs, or for a while. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

/* *fd: -1 if none was asked for. */
static int find_process(long pid, int *fd)
{
	*fd = pid ? (int)syscall(SYS_pidfd_open, (pid_t)pid, 0) : -1;
	if (pid && *fd < 0) {
		say("process %ld: %s", pid, strerror(errno));
		return TOOL_FAILED;
	}
	if (pid)
		say("until process %ld ends; all processes of the machine are counted", pid);
	return TOOL_OK;
}

static FILE *open_output(const struct request *r)
{
	FILE *out = r->command ? stderr : stdout;

	if (!r->file)
		return out;
	out = fopen(r->file, r->append ? "ae" : "we");
	if (!out)
		say("%s: %s", r->file, strerror(errno));
	return out;
}

/* A file that could not be written may tell so only now. */
static int close_output(const struct session *s, int status)
{
	const char *file = s->request->file;

	if (!file || !s->counts.screen.out || fclose(s->counts.screen.out) == 0 || s->broken)
		return status;
	say("%s: %s", file, strerror(errno));
	return status ? status : TOOL_FAILED;
}

static int count_all(struct uncore *u, const struct request *r, struct process *process,
		     const struct counted *counted)
{
	const size_t n = counted->n;
	int64_t *values = need_memory(3 * n, sizeof(*values));
	struct session s = {
		.request = r,
		.stop_after = &counted->stop_after,
		.process = process,
		.counts = {.u = u,
			   .ids = counted->ids,
			   .n = n,
			   .separator = r->separator,
			   .machine = {.size = sizeof(s.counts.machine)}},
		.now = values,
		.before = values + n,
		.delta = values + 2 * n,
	};
	int status = find_process(r->pid, &s.other);
	FILE *out = status == TOOL_OK ? open_output(r) : NULL;

	uncore_machine(u, &s.counts.machine);
	if (status == TOOL_OK && !out)
		status = TOOL_FAILED;
	if (out) {
		s.counts.screen = screen_of(out);
		status = measure(&s);
	}
	status = close_output(&s, status);
	if (s.other >= 0)
		close(s.other);
	end_measuring(&s);
	free(values);
	return status;
}

static int count_on(struct uncore *u, const struct request *r, struct process *process)
{
	struct counted counted;
	int status = find_counted(u, r, &counted);

	if (status == TOOL_OK)
		status = count_all(u, r, process, &counted);
	free(counted.ids);
	return status;
}

/* Unless the user asks for something else. */
static int add_defaults(struct request *r, struct uncore *u)
{
	const char *const *names = NULL;
	const int status = default_events(u, &names);

	for (size_t i = 0; status == TOOL_OK && names[i]; i++)
		add_name(r, names[i]);
	return status;
}

static int run(int argc, char **argv, const char *machine)
{
	struct request r = {.names = NULL};
	struct process process = {.child = 0};
	int status = read_request(&r, argc, argv, &machine);
	struct uncore *u = status == TOOL_OK ? open_machine(machine, &stat_command) : NULL;

	if (status == TOOL_OK && !u)
		status = TOOL_FAILED;
	if (status == TOOL_OK && r.n == 0)
		status = add_defaults(&r, u);
	if (status == TOOL_OK)
		tell_missing(u);
	if (status == TOOL_OK)
		status = count_on(u, &r, &process);
	if (u && uncore_restore(u) < 0) /* tried for the last time */
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	free((void *)r.names);
	return process_end(&process, end_output(status));
}

const struct command stat_command = {
	.name = "stat",
	.run = run,
	.usage = "[-a] [-e EVENT[,EVENT...]]... [-i TIME] [--json | --csv | -x SEP] "
		 "[-o FILE [--append]] [-d TIME | -p PID | [--] COMMAND [ARG...]] "
		 "[--until EVENT=N]... [--pmi-core CORE] "
		 "[--multiplex[=MS]]",
	.help = "Count while COMMAND runs, for the time of -d, or until it is interrupted. All of "
		"the machine is counted, not only COMMAND. Without -e: memory reads and writes. "
		"The counts go to standard error if there is a COMMAND, else to standard "
		"output. The exit status is COMMAND's; 127 and 126 if it cannot be run. "
		"SIGINT, SIGTERM and their like end the counting and COMMAND, and show the "
		"counts.\n\n"
		"-e, --event EVENT,...\twhat to count; may be given more than once. A list, a range or * "
		"for box= or pkg= (box=0-3,8) is a line for each box or package\n"
		"-a, --all-cpus\tas it is anyway\n"
		"-i, -I, --interval TIME\tprint the counts of every such interval, too: 100 (ms), 1s\n"
		"-d, --duration TIME\tcount that long: 2.5 (seconds), 500ms, 10m, 1h\n"
		"--timeout TIME\tthe same; without a unit ms\n"
		"-p, --pid PID\tcount until this process ends\n"
		"-o, --output FILE\twrite the counts to FILE\n"
		"--append\tbehind what is in it\n"
		"-x, --field-separator SEP\ta line for each count: seconds, count, units, event, percent "
		"of the time that it was counted, with SEP between them\n"
		"--csv\tthe same with commas\n"
		"--until EVENT=N\tstop when EVENT, which is counted, too, has occurred N "
		"times in its one box: by hardware where it can\n"
		"--pmi-core CORE\twith --until: this core of the package gets an interrupt, "
		"too, which a kernel may report as an unknown NMI; default: none\n"
		"--multiplex[=MS]\tlet events that do not fit take turns, in windows of 10 ms or MS\n"
		"--json\tone JSON object per line\n"
		"--machine MACHINE\tnative or sim:NAME\n",
	.example = "stat -- sleep 1",
};
