/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.c - `uncore stat`: count while a command runs, or for a while. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"
#include "request.h"
#include "tools.h"

struct session {
	const struct request *request;
	const struct stop_after *stop_after;
	struct process *process;
	int other; /* pidfd of the process whose end is waited for, -1: none */
	struct uncore_set *set;
	/* Means have no difference: with them, intervals have a set that is reset after each. */
	struct uncore_set *intervals;
	struct counts counts;
	int64_t *now, *before, *delta;
	double begin;
	int failed;  /* TOOL_OK, or what became of a read or of the output */
	bool broken; /* the output: nobody will see what is written */
};

/* ---- counting ---- */

/* After a failure the counts are those of before, and part of the next interval. */
static int read_interval(struct session *s)
{
	const int code = uncore_set_read(s->intervals ? s->intervals : s->set, s->now);

	for (size_t i = 0; i < s->counts.n; i++)
		s->delta[i] = s->intervals ? s->now[i] : s->now[i] - s->before[i];
	if (code < 0)
		return code;
	memcpy(s->before, s->now, s->counts.n * sizeof(*s->now));
	return s->intervals ? uncore_set_reset(s->intervals) : 0;
}

/* What is written is looked at once for each interval; the message comes once. */
static void look_at_output(struct session *s)
{
	const struct request *r = s->request;
	const char *name = r->file ? r->file : r->command ? "standard error" : "standard output";

	if (!s->broken)
		s->broken = flush_output(s->counts.screen.out, name) != TOOL_OK;
	if (s->broken)
		s->failed = TOOL_FAILED;
}

static void show_interval(struct session *s)
{
	const double t = seconds_now() - s->begin;
	const int code = read_interval(s);

	if (code < 0) {
		say("at %.3f s there are no counts, the next ones have them:", t);
		s->failed = report(s->counts.u, code);
		return;
	}
	if (s->request->json)
		print_counts_json(&s->counts, s->delta, t, true);
	else
		print_interval(&s->counts, s->delta, t);
	look_at_output(s);
}

static bool has_ended(int process)
{
	struct pollfd at = {.fd = process, .events = POLLIN};

	return process >= 0 && poll(&at, 1, 0) > 0;
}

/* A command goes on without a reader of its counts; what only counts does not. */
static bool is_over(struct session *s)
{
	const struct request *r = s->request;

	if (process_is_over(s->process) || has_ended(s->other))
		return true;
	return !r->command &&
	       (s->broken || (r->duration > 0 && seconds_now() - s->begin >= r->duration));
}

#define LOOK_EVERY 0.001 /* seconds; hardware needs no looking, polling is as exact as this */
#define LOOK_PID   0.01

static bool has_stopped(struct session *s)
{
	return s->stop_after->n && uncore_set_wait(s->set, 0) != 0;
}

static void wait_for_end(struct session *s)
{
	const double interval = (double)s->request->interval_ms / 1000;
	double next = s->request->interval_ms ? interval : INFINITY;

	do {
		const double t = seconds_now() - s->begin;
		double end = s->request->duration > 0 ? s->request->duration : INFINITY;

		if (t >= next) {
			show_interval(s);
			next += interval * (floor((t - next) / interval) + 1);
		}
		end = fmin(end, next);
		if (s->stop_after->n)
			end = fmin(end, t + LOOK_EVERY);
		if (s->other >= 0)
			end = fmin(end, t + LOOK_PID);
		process_wait(s->process, isinf(end) ? -1 : fmax(end - t, 0));
	} while (!has_stopped(s) && !is_over(s));
}

/* Nothing else tells that wraps may be missing: no wrap poller, or a stopped process. */
static void warn_of_missed_wrap(const struct session *s)
{
	struct uncore_missed_wrap missed_wrap = {.size = sizeof(missed_wrap)};
	char text[UNCORE_ERRMSG_MAX];

	if (uncore_set_missed_wrap(s->set, &missed_wrap) == 1)
		say("warning: %s",
		    uncore_missed_wrap_text(s->set, &missed_wrap, text, sizeof(text)));
}

static int take_times(struct session *s)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	if (uncore_set_info(s->set, &info) < 0 || info.rounds == 1)
		return 0;
	s->counts.times = need_memory(s->counts.n, sizeof(*s->counts.times));
	s->counts.times->size = sizeof(*s->counts.times);
	return uncore_set_times(s->set, s->counts.times);
}

/* The counts are taken before the registers are restored: stop keeps them. */
static int finish(struct session *s)
{
	/* among lines for programs a total would pass for an interval */
	const bool intervals = s->request->separator && s->request->interval_ms;
	double t;
	int code;

	if (intervals)
		show_interval(s);
	code = uncore_set_stop(s->set);
	t = seconds_now() - s->begin;

	if (code == 0)
		code = uncore_set_read(s->set, s->now);
	if (code == 0)
		code = take_times(s);
	if (code < 0)
		return report(s->counts.u, code);
	warn_of_missed_wrap(s);
	if (s->request->json)
		print_counts_json(&s->counts, s->now, t, false);
	else if (!intervals)
		print_counts(&s->counts, s->now, t);
	look_at_output(s);
	return s->failed;
}

static bool any_real(const struct counts *c)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	for (size_t i = 0; i < c->n; i++)
		if (uncore_event_info(c->u, c->ids[i], &info) == 0 && info.real)
			return true;
	return false;
}

static int start(const struct session *s, struct uncore_set **set,
		 const struct stop_after *stop_after)
{
	int code = uncore_set_create(s->counts.u, set);

	if (code == 0)
		code = uncore_set_multiplex(*set, s->request->multiplex_us);
	if (code == 0)
		code = uncore_set_assign(*set, s->counts.ids, s->counts.n);
	if (code == 0 && stop_after->n)
		code = set_stop_after(*set, stop_after);
	return code == 0 ? uncore_set_start(*set) : code;
}

/* A 0 that is another process's count must not pass for one, nor simulated counts for real. */
static void look_at_set(struct session *s)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	if (uncore_set_info(s->set, &info) < 0)
		return;
	s->counts.in_turns = info.rounds != 1;
	if (s->request->separator && s->counts.machine.simulated)
		say("SIMULATED: these numbers describe no real machine");
	if (info.elsewhere)
		say("%u of %u events are counted by another process of this user and read 0 here "
		    "(UNCORE_SHARE=owner); `uncore show` names it",
		    info.elsewhere, info.events);
}

static int count(struct session *s)
{
	static const struct stop_after none;
	const struct stop_after *stop_after = s->stop_after;
	struct uncore *u = s->counts.u;
	const char *warning;
	unsigned told = 0;
	int status, ended, code;

	while (uncore_warning(u, told, &warning) == 1)
		told++;
	process_begin(s->process);
	code = start(s, &s->set, stop_after);
	s->counts.set = stop_after->n ? s->set : NULL;
	if (code == 0 && s->request->interval_ms && any_real(&s->counts))
		code = start(s, &s->intervals, &none);
	tell_warnings(u, &told);
	if (code < 0)
		return report(u, code);
	look_at_set(s);
	s->begin = seconds_now();
	status = s->request->command ? process_spawn(s->process, s->request->command) : TOOL_OK;
	if (status != TOOL_OK)
		return status;
	wait_for_end(s);
	ended = finish(s);
	process_finish(s->process);
	return s->process->status ? s->process->status : ended;
}

/* ---- command ---- */

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
		status = count(&s);
	}
	status = close_output(&s, status);
	if (s.other >= 0)
		close(s.other);
	uncore_set_destroy(s.intervals);
	uncore_set_destroy(s.set);
	free(s.counts.times);
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
