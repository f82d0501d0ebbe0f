/* SPDX-License-Identifier: BSD-3-Clause */
/* exporter.c - `uncore exporter`: count continuously, and serve Prometheus. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "command/base/root.h"
#include "command/exporter/http.h"
#include "command/exporter/listen.h"
#include "command/exporter/owners.h"
#include "command/stat/process.h"
#include "tools.h"

/* Another process that claims counters must not delay a scrape for long. */
#define LOCK_TIMEOUT_MS 200

struct exporter {
	struct exports_options exports;
	const char **events;
	const char *listen;
	bool shares; /* also export the traffic of owners */
	enum who_by by;
};

/* ---- the command line ---- */

static int take_number(const char *option, const char *text, unsigned long min, unsigned long max,
		       unsigned *value)
{
	if (whole_number(text, min, max, value))
		return TOOL_OK;
	return wrong_usage(&exporter_command,
			   "invalid %s \"%s\": expected a number from %lu to "
			   "%lu",
			   option, text, min, max);
}

static int take_listen(void *into, const char *text)
{
	struct exporter *x = into;

	x->listen = text;
	return listen_is_place(text)
		       ? TOOL_OK
		       : wrong_usage(&exporter_command,
				     "invalid --listen \"%s\": expected ADDRESS:PORT, for example "
				     "127.0.0.1:19836, [::1]:19836 or :19836 (all addresses)",
				     text);
}

static int take_event(void *into, const char *text)
{
	struct exporter *x = into;
	struct exports_options *o = &x->exports;

	x->events = need_more((void *)x->events, o->n_events + 1, sizeof(*x->events));
	x->events[o->n_events++] = text;
	o->events = x->events;
	return TOOL_OK;
}

static int take_owner(void *into, const char *text)
{
	struct exporter *x = into;

	x->shares = true;
	return who_by_named(text, &x->by) && x->by != BY_SOCKET
		       ? TOOL_OK
		       : wrong_usage(&exporter_command,
				     "invalid owner \"%s\": use job, user, container, cgroup or "
				     "process",
				     text);
}

static int take_series(void *into, const char *text)
{
	struct exporter *x = into;

	return take_number("--max-series", text, 1, 1000000, &x->exports.max_series);
}

static int take_window(void *into, const char *text)
{
	struct exporter *x = into;
	const int status = take_number("--window", text, 1, 1000, &x->exports.window_us);

	x->exports.window_us *= 1000;
	return status;
}

/* ---- main loop until a signal arrives ---- */

static void write_line(void *context, const char *text)
{
	(void)context;
	say("%s", text);
}

/* Signals used by service managers and users to stop it are not failures. */
static bool is_end(struct process *process, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info) || info.ssi_signo == SIGCHLD)
		return false;
	if (info.ssi_signo != SIGTERM && info.ssi_signo != SIGINT)
		process->signal = (int)info.ssi_signo;
	return true;
}

static void serve(struct exports *e, struct http *http, struct process *process, int signals)
{
	struct pollfd at[] = {{.fd = signals, .events = POLLIN},
			      {.fd = http_descriptor(http), .events = POLLIN}};

	for (;;) {
		double wait = http_wait(http);

		wait = wait < 0 ? exports_wait(e) : fmin(wait, exports_wait(e));
		poll(at, 2, (int)ceil(wait * 1e3));
		if (at[0].revents && is_end(process, signals))
			return;
		http_run(http);
		exports_look(e);
	}
}

static int count(struct exports *e, int listening, const char *name, struct process *process)
{
	struct http *http;
	size_t up;
	int signals;

	signal(SIGPIPE, SIG_IGN); /* a client may have disconnected */
	process_begin(process);
	signals = signalfd(-1, &process->waited, SFD_CLOEXEC | SFD_NONBLOCK);
	http = signals < 0 ? NULL : http_open(listening, e);
	if (!http) {
		say("cannot start the HTTP server: %s", strerror(errno));
		return TOOL_FAILED;
	}
	up = exports_start(e);
	if (e->machine.simulated)
		say("SIMULATED: counts do not describe a real machine");
	say("http://%s/metrics: %zu series, counting %zu of %zu groups", name, exports_samples(e),
	    up, e->n_parts);
	serve(e, http, process, signals);
	http_close(http);
	close(signals);
	return TOOL_OK;
}

/* ---- command ---- */

static int listen_and_count(struct exports *e, const char *where, struct process *process)
{
	struct caller before;
	char *text;
	int listening, status = TOOL_FAILED;

	caller_begin(&before);
	listening = listen_at(where, &text);
	caller_end(&before);
	if (listening < 0)
		say("%s", text);
	else
		status = count(e, listening, text, process);
	free(text);
	return status;
}

static struct uncore *open_shared(const char *machine)
{
	const struct uncore_options options = {.size = sizeof(options),
					       .machine = machine,
					       .share = "refuse",
					       .lock_timeout_ms = LOCK_TIMEOUT_MS,
					       .readers = 1};
	struct uncore *u;
	int code;

	give_up_rights_unless_native(machine);
	code = uncore_open(&u, &options);
	if (code == 0)
		return u;
	report_machine(u, code, &exporter_command);
	uncore_close(u);
	return NULL;
}

/* Owners have up to four series each. */
static bool add_owners(struct exports *e, const struct exporter *x)
{
	char why[UNCORE_ERRMSG_MAX];

	e->owners = owners_export_open(files_root(), e->u, x->by, e->max_series / OWNER_FAMILIES,
				       why, sizeof(why));
	if (!e->owners)
		say("cannot divide the traffic of this machine: %s", why);
	return e->owners;
}

static int export(struct uncore *u, const struct exporter *x, struct process *process)
{
	struct exports *e;
	const int code = exports_open(&e, u, &x->exports);
	int status = TOOL_WRONG;

	if (code == 0 && x->shares && !add_owners(e, x))
		status = TOOL_FAILED;
	else if (code == 0 && e->n_series == 0 && !e->owners)
		say("no metrics to export: none of the selected groups and events is supported "
		    "on this machine");
	else if (code == 0)
		status = listen_and_count(e, x->listen, process);
	else if (code < 0)
		status = report_name(u, code);
	exports_close(e);
	return status;
}

static int check_http(void)
{
	char *missing = http_missing();
	const int status = missing ? TOOL_FAILED : TOOL_OK;

	if (missing)
		say("exporter is not supported: %s", missing);
	free(missing);
	return status;
}

static int run(int argc, char **argv, const char *machine)
{
	struct exporter x = {.exports = {.listener = {.report = write_line}},
			     .listen = LISTEN_DEFAULT};
	struct process process = {.child = 0};
	int status = read_only_options(&exporter_command, argc, argv, &x, &machine);
	struct uncore *u = NULL;

	if (status == TOOL_OK)
		status = check_http();
	if (status == TOOL_OK) {
		u = open_shared(machine);
		status = u ? export(u, &x, &process) : TOOL_FAILED;
	}
	if (u && uncore_restore(u) < 0)
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	free((void *)x.events);
	return process_end(&process, end_output(status));
}

static const struct unc_option options[] = {
	{.names = "-l, --listen",
	 .arg = "ADDRESS:PORT",
	 .help = "address and port to listen on; default " LISTEN_DEFAULT
		 "; [::1]:PORT for IPv6; :PORT for all addresses",
	 .kind = UNC_OPTION_CALL,
	 .take = take_listen,
	 .usage = "[--listen ADDRESS:PORT]"},
	{.names = "-g, --group",
	 .arg = "GROUP,...",
	 .help = "export only these groups: memory, latency, links, pcie, cache, energy, power, "
		 "frequency, dram (never exported by default); none",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct exporter, exports.groups),
	 .usage = "[--group GROUP[,GROUP...]]",
	 .values = "memory latency links pcie cache energy power frequency dram none"},
	{.names = "-e, --event",
	 .arg = "EVENT",
	 .help = "also export this event for each package; with box=* or a list of boxes, a "
		 "series for each box; may be repeated",
	 .kind = UNC_OPTION_CALL,
	 .take = take_event,
	 .usage = "[-e EVENT]..."},
	{.names = "--by",
	 .arg = "OWNER",
	 .help = "also export the memory traffic of each job, user, container, cgroup or "
		 "process, by the kernel's monitoring groups (resctrl, see uncore(1)); requires root",
	 .kind = UNC_OPTION_CALL,
	 .take = take_owner,
	 .values = "job user container cgroup process"},
	{.names = "--max-series",
	 .arg = "N",
	 .help = "omit groups and events that would exceed N series; default 200",
	 .kind = UNC_OPTION_CALL,
	 .take = take_series},
	{.names = "--window",
	 .arg = "MS",
	 .help = "length of a multiplexing window; default 100, or longer, so that switching "
		 "takes at most 500 register accesses a second",
	 .kind = UNC_OPTION_CALL,
	 .take = take_window,
	 .before = "in windows of",
	 .unit = "ms"},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command exporter_command = {
	.name = "exporter",
	.summary = "serve counts to Prometheus",
	.run = run,
	.help = "Count continuously and serve Prometheus at http://ADDRESS:PORT/metrics, in "
		"OpenMetrics or the older text format: the portable metrics of each package as "
		"counters, and selected events. Metrics that cannot be counted, because of "
		"another process or missing permissions, are omitted, logged and retried. On "
		"SIGTERM and SIGINT the registers are restored, and the exit status is 0.",
	.options = options,
	.example = "exporter",
};
