/* stat.c - `uncore stat`: count while a command runs, or for a while. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools.h"

#define NOT_EXECUTABLE 126 /* as shells have it */
#define NOT_FOUND      127

struct request {
	char **names; /* events */
	size_t n;
	long interval_ms;      /* 0: the total only */
	unsigned multiplex_us; /* 0: events have to fit */
	double duration;       /* seconds, 0: until the command ends or SIGINT */
	bool json;
	const char *file;
	char **command; /* NULL: none */
	struct untils untils;
};

struct session {
	const struct request *request;
	struct uncore_set *set;
	/* Means have no difference: with them, intervals have a set that is reset after each. */
	struct uncore_set *intervals;
	struct counts counts;
	int64_t *now, *before, *delta;
	double begin;
	sigset_t waited, mask; /* signals waited for; the mask that was set before */
	pid_t child;
	int status; /* of the child, as a shell would tell it */
};

/* ---- what was asked for ---- */

static int add_name(struct request *r, char *name)
{
	r->names = realloc(r->names, (r->n + 1) * sizeof(*r->names));
	if (!r->names)
		exit(TOOL_FAILED);
	r->names[r->n++] = name;
	return TOOL_OK;
}

static int add_names(struct request *r, char *list)
{
	const size_t before = r->n;

	for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
		add_name(r, name);
	return r->n > before ? TOOL_OK : wrong_usage(&stat_command, "-e needs an event");
}

static bool number(const char *text, double min, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= min && *value <= max;
}

static int take_option(struct request *r, int option)
{
	double value;
	int status;

	switch (option) {
	case 'u':
		status = add_until(&r->untils, optarg, r->n, &stat_command);
		return status == TOOL_OK ? add_name(r, optarg) : status;
	case 'e':
		return add_names(r, optarg);
	case 'm':
		r->multiplex_us = UNCORE_MULTIPLEX_US;
		if (optarg && !number(optarg, 1, 1e6, &value))
			return wrong_usage(&stat_command,
					   "--multiplex takes milliseconds, as in "
					   "--multiplex=10, not %s",
					   optarg);
		if (optarg)
			r->multiplex_us = (unsigned)(value * 1000);
		return TOOL_OK;
	case 'j':
		r->json = true;
		return TOOL_OK;
	case 'o':
		r->file = optarg;
		return TOOL_OK;
	case 'd':
		if (number(optarg, 0.001, 1e9, &r->duration))
			return TOOL_OK;
		return wrong_usage(&stat_command, "-d takes seconds, as in -d 2.5, not %s", optarg);
	default:
		if (!number(optarg, 1, 1e9, &value) || value != floor(value))
			return wrong_usage(&stat_command,
					   "-i takes milliseconds, as in -i 1000, not %s", optarg);
		r->interval_ms = (long)value;
		return TOOL_OK;
	}
}

static int read_options(struct request *r, int argc, char **argv, const char **machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"event", required_argument, NULL, 'e'},
						{"interval", required_argument, NULL, 'i'},
						{"duration", required_argument, NULL, 'd'},
						{"output", required_argument, NULL, 'o'},
						{"json", no_argument, NULL, 'j'},
						{"until", required_argument, NULL, 'u'},
						{"multiplex", optional_argument, NULL, 'm'},
						{NULL, 0, NULL, 0}};
	int c, status = TOOL_OK;

	while (status == TOOL_OK &&
	       (c = next_option(argc, argv, "+he:i:d:o:", options, &stat_command, machine)) != -1)
		status = take_option(r, c);
	if (status != TOOL_OK)
		return status;
	r->command = optind < argc ? argv + optind : NULL;
	if (r->command && r->duration > 0)
		return wrong_usage(&stat_command, "-d and a command exclude each other");
	return TOOL_OK;
}

/* ---- time and signals ---- */

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Before the counters start, so that no signal can end the program unseen. */
static void block_signals(struct session *s)
{
	sigemptyset(&s->waited);
	sigaddset(&s->waited, SIGCHLD);
	sigaddset(&s->waited, SIGINT);
	sigaddset(&s->waited, SIGTERM);
	sigprocmask(SIG_BLOCK, &s->waited, &s->mask);
}

/* The signal that came, or 0 after that many seconds; forever if negative. */
static int wait_signal(const struct session *s, double seconds)
{
	struct timespec t;
	double whole;
	int sig;

	if (seconds < 0)
		sig = sigwaitinfo(&s->waited, NULL);
	else {
		t.tv_nsec = (long)(modf(seconds, &whole) * 1e9);
		t.tv_sec = (time_t)whole;
		sig = sigtimedwait(&s->waited, NULL, &t);
	}
	return sig < 0 ? 0 : sig;
}

/* ---- the command ---- */

static int spawn(struct session *s)
{
	char **command = s->request->command;
	posix_spawnattr_t attr;
	int r;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &s->mask);
	r = posix_spawnp(&s->child, command[0], NULL, &attr, command, environ);
	posix_spawnattr_destroy(&attr);
	if (r == 0)
		return TOOL_OK;
	s->child = 0;
	fprintf(stderr, "uncore: %s: %s\n", command[0], strerror(r));
	return r == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

/* Has it ended?  Then its status is known. */
static bool command_ended(struct session *s)
{
	int status;

	if (waitpid(s->child, &status, WNOHANG) != s->child)
		return false;
	s->child = 0;
	s->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

/* ---- counting ---- */

static int read_interval(struct session *s)
{
	int code = uncore_set_read(s->intervals ? s->intervals : s->set, s->now);

	for (size_t i = 0; code == 0 && i < s->counts.n; i++)
		s->delta[i] = s->intervals ? s->now[i] : s->now[i] - s->before[i];
	if (code == 0 && s->intervals)
		code = uncore_set_reset(s->intervals);
	memcpy(s->before, s->now, s->counts.n * sizeof(*s->now));
	return code;
}

static void show_interval(struct session *s)
{
	const double t = seconds_now() - s->begin;

	if (read_interval(s) < 0)
		return; /* stop will tell */
	if (s->request->json)
		print_counts_json(&s->counts, s->delta, t, true);
	else
		print_interval(&s->counts, s->delta, t);
}

/* SIGINT reaches the command from the terminal, SIGTERM only from here. */
static bool is_over(struct session *s, int sig)
{
	const struct request *r = s->request;

	if (sig == SIGTERM && s->child)
		kill(s->child, SIGTERM);
	if (r->command)
		return command_ended(s);
	return sig == SIGINT || sig == SIGTERM ||
	       (r->duration > 0 && seconds_now() - s->begin >= r->duration);
}

#define LOOK_EVERY 0.001 /* seconds; hardware needs no looking, polling is as exact as this */

static bool has_stopped(struct session *s)
{
	return s->request->untils.n && uncore_set_wait(s->set, 0) != 0;
}

static void wait_for_end(struct session *s)
{
	const double interval = (double)s->request->interval_ms / 1000;
	double next = s->request->interval_ms ? interval : INFINITY;
	int sig;

	do {
		const double t = seconds_now() - s->begin;
		double until = s->request->duration > 0 ? s->request->duration : INFINITY;

		if (t >= next) {
			show_interval(s);
			next += interval * (floor((t - next) / interval) + 1);
		}
		until = fmin(until, next);
		if (s->request->untils.n)
			until = fmin(until, t + LOOK_EVERY);
		sig = wait_signal(s, isinf(until) ? -1 : fmax(until - t, 0));
	} while (!has_stopped(s) && !is_over(s, sig));
}

/* The counting may have come to its end before the command does. */
static void wait_for_command(struct session *s)
{
	while (s->child && !command_ended(s))
		if (wait_signal(s, -1) == SIGTERM)
			kill(s->child, SIGTERM);
}

/* Nothing else tells that wraps may be missing: no keeper, or a stopped process. */
static void warn_of_doubt(const struct session *s)
{
	struct uncore_doubt doubt;
	char text[UNCORE_ERRMSG_MAX];

	if (uncore_set_doubt(s->set, &doubt))
		fprintf(stderr, "uncore: warning: %s\n",
			uncore_doubt_text(s->set, &doubt, text, sizeof(text)));
}

static void take_shares(struct session *s)
{
	if (uncore_set_rounds(s->set) == 1)
		return;
	s->counts.shares = need_memory(s->counts.n, sizeof(*s->counts.shares));
	uncore_set_shares(s->set, s->counts.shares);
}

/* The counts are taken before the registers are restored: stop keeps them. */
static int finish(struct session *s)
{
	const int code = uncore_set_stop(s->set);
	const double t = seconds_now() - s->begin;

	if (code < 0)
		return report(s->counts.u, code);
	warn_of_doubt(s);
	uncore_set_read(s->set, s->now);
	take_shares(s);
	if (s->request->json)
		print_counts_json(&s->counts, s->now, t, false);
	else
		print_counts(&s->counts, s->now, t);
	return TOOL_OK;
}

static bool any_real(const struct counts *c)
{
	struct uncore_event_info info;

	for (size_t i = 0; i < c->n; i++)
		if (uncore_event_info(c->u, c->ids[i], &info) == 0 && info.real)
			return true;
	return false;
}

static int start(const struct session *s, struct uncore_set **set, const struct untils *untils)
{
	int code = uncore_set_create(s->counts.u, set);

	if (code == 0)
		code = uncore_set_multiplex(*set, s->request->multiplex_us);
	if (code == 0)
		code = uncore_set_assign(*set, s->counts.ids, s->counts.n);
	if (code == 0 && untils->n)
		code = uncore_set_until(*set, untils->list, untils->n, 0);
	return code == 0 ? uncore_set_start(*set) : code;
}

static int count(struct session *s)
{
	static const struct untils none;
	const struct untils *untils = &s->request->untils;
	struct uncore *u = s->counts.u;
	int status, ended, code;

	block_signals(s);
	code = start(s, &s->set, untils);
	s->counts.set = untils->n ? s->set : NULL;
	if (code == 0 && s->request->interval_ms && any_real(&s->counts))
		code = start(s, &s->intervals, &none);
	if (code < 0)
		return report(u, code);
	s->begin = seconds_now();
	status = s->request->command ? spawn(s) : TOOL_OK;
	if (status != TOOL_OK)
		return status;
	wait_for_end(s);
	ended = finish(s);
	wait_for_command(s);
	return s->status ? s->status : ended;
}

/* ---- command ---- */

static FILE *open_output(const struct request *r)
{
	FILE *out = r->command ? stderr : stdout;

	if (!r->file)
		return out;
	out = fopen(r->file, "we");
	if (!out)
		fprintf(stderr, "uncore: %s: %s\n", r->file, strerror(errno));
	return out;
}

static int count_on(struct uncore *u, const struct request *r)
{
	const size_t n = r->n;
	unsigned *ids = need_memory(n, sizeof(*ids));
	int64_t *values = need_memory(3 * n, sizeof(*values));
	struct session s = {
		.request = r,
		.counts = {.u = u, .ids = ids, .n = n},
		.now = values,
		.before = values + n,
		.delta = values + 2 * n,
	};
	int status = find_events(u, r->names, n, ids);

	uncore_machine(u, &s.counts.machine);
	if (status == TOOL_OK) {
		s.counts.out = open_output(r);
		status = s.counts.out ? count(&s) : TOOL_FAILED;
	}
	if (r->file && s.counts.out && fclose(s.counts.out) != 0 && status == TOOL_OK) {
		fprintf(stderr, "uncore: %s: %s\n", r->file, strerror(errno));
		status = TOOL_FAILED;
	}
	uncore_set_destroy(s.intervals);
	uncore_set_destroy(s.set);
	free(s.counts.shares);
	free(values);
	free(ids);
	return status;
}

static int run(int argc, char **argv, const char *machine)
{
	/* unless the user asks for something else */
	static char defaults[] = "UNC_M_CAS_COUNT:RD,UNC_M_CAS_COUNT:WR";
	struct request r = {.names = NULL};
	int status = read_options(&r, argc, argv, &machine);
	struct uncore *u = NULL;

	if (status == TOOL_OK && r.n == 0)
		add_names(&r, defaults);
	if (status == TOOL_OK) {
		u = open_machine(machine);
		status = u ? count_on(u, &r) : TOOL_FAILED;
	}
	uncore_close(u);
	free(r.names);
	return status;
}

const struct command stat_command = {
	.name = "stat",
	.run = run,
	.usage = " [-e EVENT[,EVENT...]]... [-i MS] [--json] [-o FILE] [-d SECONDS | [--] COMMAND "
		 "[ARG...]]\n"
		 "              [--until EVENT=N]... [--multiplex[=MS]]",
	.help = "Count while COMMAND runs, for -d SECONDS, or until it is interrupted.  All of\n"
		"the machine is counted, not only COMMAND.  Without -e: memory reads and writes.\n"
		"The counts go to standard error if there is a COMMAND, else to standard\n"
		"output.  The exit status is COMMAND's; 127 and 126 if it cannot be run.\n\n"
		"  -e, --event EVENT,...   what to count; may be given more than once\n"
		"  -i, --interval MS       print the counts of every interval of MS ms, too\n"
		"  -d, --duration SECONDS  count that long\n"
		"  -o, --output FILE       write the counts to FILE\n"
		"  --until EVENT=N         stop when EVENT, which is counted, too, has occurred N\n"
		"                          times in its one box: by hardware where it can\n"
		"  --multiplex[=MS]        let events that do not fit take turns, of 10 ms or MS\n"
		"  --json                  one JSON object per line\n"
		"  --machine MACHINE       native or sim:NAME\n",
};
