/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - uncored: counts uncore events for users without access to the registers
 * (docs/daemon.md).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/documents.h"
#include "base/files.h"
#include "base/options.h"
#include "base/own_library.h"
#include "daemon/daemon.h"
#include "daemon/say.h"
#include "daemon/traffic.h"
#include "uncore_inspect.h"

#define NICE        (-10)
#define PATIENCE_MS 200 /* how long to wait for other processes, while all clients wait */

enum { DONE = 1, WRONG = 3 }; /* exit status plus 1 */

struct settings {
	const char *path, *group, *user, *policy, *machine, *sysroot;
	unsigned rate, memory;
	unsigned latency; /* user whose requests are timed; 0: none */
	bool energy, unfiltered;
};

/* ---- options ---- */

static int read_number(const char *option, const char *unit, const char *text, unsigned *number)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text || *text == '-' || n < 1 || n > 1000000) {
		daemon_say(SAY_ERROR, "invalid %s \"%s\": expected 1 to 1000000 %s", option, text,
			   unit);
		return WRONG;
	}
	*number = (unsigned)n;
	return 0;
}

static int take_rate(void *into, const char *text)
{
	struct settings *s = into;

	return read_number("--rate", "requests per second", text, &s->rate);
}

static int take_memory(void *into, const char *text)
{
	struct settings *s = into;

	return read_number("--memory", "MB", text, &s->memory);
}

static int take_latency(void *into, const char *text)
{
	struct settings *s = into;

	return read_number("--latency", "as a user ID", text, &s->latency);
}

static int print_version(void *into, const char *text)
{
	(void)into;
	(void)text;
	printf("uncored %s\n", uncore_version());
	return DONE;
}

static int print_help(void *into, const char *text);

#define TEXT(name, arg_, help_, member)                                                   \
	{                                                                                 \
		.names = (name), .arg = (arg_), .help = (help_), .kind = UNC_OPTION_TEXT, \
		.at = offsetof(struct settings, member)                                   \
	}
#define FLAG(name, help_, member)                                          \
	{                                                                  \
		.names = (name), .help = (help_), .kind = UNC_OPTION_FLAG, \
		.at = offsetof(struct settings, member)                    \
	}
#define CALL(name, arg_, help_, take_)                                                    \
	{                                                                                 \
		.names = (name), .arg = (arg_), .help = (help_), .kind = UNC_OPTION_CALL, \
		.take = (take_)                                                           \
	}

/* A line of help ends where the text has a line end. */
static const struct unc_option known[] = {
	TEXT("--socket", "PATH", "socket to listen on (default " UNC_WIRE_SOCKET ")", path),
	TEXT("--group", "NAME",
	     "group whose members may connect; default: only the user who\nstarts uncored", group),
	TEXT("--user", "NAME",
	     "user to run as once all files are open (default " UNCORED_USER
	     ",\nif this user exists and root starts uncored)",
	     user),
	TEXT("--policy", "FILE",
	     "rights of users: count, see, stop, energy, traffic (default\n" UNCORED_POLICY
	     ", if it exists; see uncored(8))",
	     policy),
	CALL("--rate", "N",
	     "maximum requests per second and client (default 100000);\nfurther requests are "
	     "delayed",
	     take_rate),
	CALL("--memory", "MB", "memory for the event sets of a user other than root (default 64)",
	     take_memory),
	FLAG("--energy", "allow all users to count energy (see uncored(8))", energy),
	CALL("--latency", "UID",
	     "time the requests of a user, and report them at the end; without\nthe filter of "
	     "system calls (for make bench)",
	     take_latency),
	FLAG("--no-seccomp", "do not filter system calls (for debugging)", unfiltered),
	TEXT("--machine", "NAME", "use a simulated machine, like UNCORE_MACHINE", machine),
	TEXT("--sysroot", "DIR", "root directory of the machine's files, like UNCORE_SYSROOT",
	     sysroot),
	CALL("-h, --help", NULL, NULL, print_help),
	CALL("--version", NULL, NULL, print_version),
	{.names = NULL},
};

#define COLUMN 18 /* of the descriptions */
#define WIDTH  80

static void print_usage(FILE *out)
{
	int at = fprintf(out, "Usage: uncored");

	for (const struct unc_option *row = known; row->help; row++) {
		const int n = (int)(strlen(row->names) + (row->arg ? strlen(row->arg) + 1 : 0));

		if (at + n + 3 > WIDTH)
			at = fprintf(out, "\n%*s", 14, "") - 1;
		at += fprintf(out, " [%s%s%s]", row->names, row->arg ? " " : "",
			      row->arg ? row->arg : "");
	}
	fputs("\n\n", out);
}

static void print_option(FILE *out, const struct unc_option *row)
{
	int at =
		fprintf(out, "  %s%s%s", row->names, row->arg ? " " : "", row->arg ? row->arg : "");

	for (const char *line = row->help; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		fprintf(out, "%*s%.*s\n", COLUMN - at, "", (int)strcspn(line, "\n"), line);
		at = 0;
	}
}

static void usage(FILE *out)
{
	print_usage(out);
	fputs("Count uncore events for users without access to the registers. Programs need no\n"
	      "change; UNCORE_ACCESS=daemon makes them fail if uncored is not running.\n\n",
	      out);
	for (const struct unc_option *row = known; row->help; row++)
		print_option(out, row);
	fputs("\nOn SIGTERM uncored stops counting, restores the registers and exits.  SIGHUP\n"
	      "reloads the policy.\n",
	      out);
}

static int print_help(void *into, const char *text)
{
	(void)into;
	(void)text;
	usage(stdout);
	return DONE;
}

/* 0: continue; else exit status plus 1. */
static int read_options(int argc, char **argv, struct settings *s)
{
	const struct unc_option *row;
	struct unc_options o;
	bool invalid = false;
	int status = 0;

	unc_options_make(&o, known, false);
	while (status == 0 && (row = unc_options_next(&o, argc, argv, &invalid)))
		status = unc_option_store(row, s, optarg);
	if (invalid)
		usage(stderr);
	if (status != 0 || invalid)
		return invalid ? WRONG : status;
	if (optind == argc)
		return 0;
	daemon_say(SAY_ERROR, "unexpected argument: \"%s\"; see uncored --help", argv[optind]);
	return WRONG;
}

/* ---- start ---- */

static int open_machine(struct server *server, const struct settings *s)
{
	struct uncore_options options = {.size = sizeof(options)};
	char text[UNCORE_ERRMSG_MAX];
	int r;

	options.machine = s->machine;
	options.sysroot = s->sysroot;
	options.record = 1;
	options.readers = 1;
	options.wrap_poller = -1; /* daemon_serve() reads the counters */
	options.access = "direct";
	options.share = "refuse"; /* whatever has started it */
	options.lock_timeout_ms = PATIENCE_MS;
	r = uncore_open(&server->u, &options);
	if (r < 0)
		daemon_say(SAY_ERROR, "%s",
			   server->u ? uncore_errmsg(server->u, text, sizeof(text))
				     : uncore_strerror(r));
	return r;
}

/* In memory and sealed, since all clients get the same file. */
static int record_machine(struct server *server)
{
	const int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
	const int fd = memfd_create("uncored", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char text[UNCORE_ERRMSG_MAX];

	if (fd >= 0 && uncore_record(server->u, fd, 0) == 0 && fcntl(fd, F_ADD_SEALS, seals) == 0)
		return fd;
	daemon_say(SAY_ERROR, "cannot record the machine for clients: %s",
		   fd < 0 ? strerror(errno) : uncore_errmsg(server->u, text, sizeof(text)));
	return -1;
}

/*
 * Blocked before any thread is created, so that they are read from a descriptor and interrupt
 * nothing.
 */
static int catch_signals(void)
{
	sigset_t all;

	sigemptyset(&all);
	sigaddset(&all, SIGTERM);
	sigaddset(&all, SIGINT);
	sigaddset(&all, SIGHUP);
	sigprocmask(SIG_BLOCK, &all, NULL);
	return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

static struct server *new_server(const struct settings *s)
{
	struct server *server = calloc(1, sizeof(*server));

	if (!server)
		return NULL;
	server->policy.energy = s->energy;
	server->policy.owner = geteuid();
	server->policy_file = s->policy;
	server->limits.requests = s->rate;
	server->users.memory = s->memory;
	server->latency = (struct latency){.measured = s->latency != 0, .user = s->latency};
	for (size_t i = 0; i < MAX_CLIENTS; i++)
		server->clients[i] = (struct client){.fd = -1, .process = -1};
	server->signals = catch_signals();
	unc_allow_many_files(); /* a client needs two descriptors, a machine some hundreds */
	return server;
}

/* ---- rights ---- */

static const char *root_of(const struct settings *s)
{
	const char *root = s->sysroot ? s->sysroot : getenv("UNCORE_SYSROOT");

	return root ? root : "";
}

/* Where the library will keep journals; not for machines in memory. */
static const char *journals(const struct settings *s, char *path, size_t len)
{
	const char *named = getenv("UNCORE_JOURNAL");

	if (s->machine || getenv("UNCORE_MACHINE"))
		return "none";
	if (named && *named)
		return named;
	snprintf(path, len, "%s/run/uncore", root_of(s));
	return path;
}

/*
 * A client that is answered runs at once, and with many of them the loop would wait for its turn.
 * A value that was chosen for uncored stays.
 */
static int raise_priority(void)
{
	if (getpriority(PRIO_PROCESS, 0) == 0)
		setpriority(PRIO_PROCESS, 0, NICE); /* only root can; it also works without */
	return getpriority(PRIO_PROCESS, 0);
}

static int take_rights(const struct server *server, const struct settings *s,
		       const struct identity *who)
{
	char path[PATH_MAX];

	traffic_let_make(root_of(s), &server->policy, who);

	if (daemon_let_write_journals(journals(s, path, sizeof(path)), who) < 0)
		return -1;
	if (daemon_drop_rights(who->becomes) == 0)
		return 0;
	daemon_say(SAY_ERROR, "cannot drop unneeded capabilities: %s", strerror(errno));
	return -1;
}

/* No privileges are needed from here on. */
static int give_up_rights(const struct server *server, const struct settings *s,
			  const struct identity *who)
{
	struct uncore_sharing_info sharing = {.size = sizeof(sharing)};
	const char *why = "--no-seccomp";
	int filtered = 0;

	uncore_sharing(server->u, &sharing);
	if (daemon_become(who) < 0 || daemon_check_journals(sharing.journal, who) < 0)
		return -1;
	if (!s->unfiltered && !s->latency)
		filtered = daemon_filter_calls(&why);
	if (filtered < 0)
		return -1;
	if (!who->becomes && who->uid == 0)
		daemon_say(SAY_WARNING, "running as root: user %s %s (" UNC_DOC_DAEMON ")",
			   s->user ? s->user : UNCORED_USER,
			   *who->name ? "is root" : "does not exist");
	daemon_say(SAY_INFO, "ready (%s%s%s, %s%s)", who->becomes ? "user " : "",
		   who->becomes ? who->name : "same user", who->becomes ? ", no capabilities" : "",
		   filtered ? "seccomp filter" : "no seccomp filter: ", filtered ? "" : why);
	return 0;
}

static int open_all(struct server *server, const struct settings *s)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	char text[UNCORE_ERRMSG_MAX];

	if (open_machine(server, s) < 0)
		return -1;
	uncore_limit_names(server->u, MAX_NAMES);
	uncore_machine(server->u, &machine);
	server->wrap_interval = (int64_t)machine.wrap_interval_ms * 1000000;
	/* another process is claiming counters: recovery takes place at the first start */
	if (uncore_open_files(server->u) < 0)
		daemon_say(SAY_ERROR, "%s", uncore_errmsg(server->u, text, sizeof(text)));
	server->traffic = traffic_open(root_of(s));
	server->recording = record_machine(server);
	if (server->recording < 0)
		return -1;
	server->listener = daemon_listen(s->path, s->group, &server->socket);
	return server->listener < 0 ? -1 : 0;
}

static int run(struct server *server, const struct settings *s)
{
	struct identity who;
	int r;

	server->nice = raise_priority();
	if (policy_read(&server->policy, s->policy) < 0 || daemon_find_user(s->user, &who) < 0 ||
	    take_rights(server, s, &who) < 0 || open_all(server, s) < 0)
		return 1;
	r = give_up_rights(server, s, &who) < 0 ? 1 : daemon_serve(server);
	latency_report(&server->latency);
	daemon_remove_socket(&server->socket);
	return r;
}

int main(int argc, char **argv)
{
	struct settings s = {.path = UNC_WIRE_SOCKET};
	struct server *server;
	int r = unc_is_own_library("uncored") ? read_options(argc, argv, &s) : 2;

	if (r != 0)
		return r - 1;
	daemon_close_inherited();
	server = new_server(&s);
	r = server ? run(server, &s) : 1;
	if (server) {
		uncore_close(server->u);
		users_free(&server->users);
		traffic_close(server->traffic);
	}
	free(server);
	return r;
}
