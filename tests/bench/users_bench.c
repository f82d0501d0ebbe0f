/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users_bench.c - how long a read through uncored takes while five other users do their worst
 * (docs/daemon.md, "Limits for clients").
 *
 * usage: users_bench [MACHINE | --sysroot DIR]
 *
 * The machine is sim:gnr by default.  The bench must run as root, because uncored tells users apart
 * by the user id of their processes.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "backend/daemon/wire.h"
#include "clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	READS = 2000,
	LONGEST_S = 6,
	PAUSE_US = 2000,
	FIRST_USER = 61000,
	SETS = 16,
	MAX_CHILDREN = 300
};

static char socket_path[64];
static pid_t children[MAX_CHILDREN];
static size_t n_children;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void pause_us(long us)
{
	const struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

	nanosleep(&t, NULL);
}

/* ---- requests ---- */

static int dial(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return fd;
}

struct message {
	struct unc_wire_request head;
	char names[UNC_WIRE_BYTES];
};

/* The answer's head, and all of it in bytes; false: the connection has ended. */
static bool ask(int fd, const struct message *m, struct unc_wire_reply *reply)
{
	static char bytes[1 << 17];

	if (send(fd, m, sizeof(m->head) + m->head.bytes, MSG_NOSIGNAL) < 0 ||
	    recv(fd, bytes, sizeof(bytes), 0) < (ssize_t)sizeof(*reply))
		return false;
	memcpy(reply, bytes, sizeof(*reply));
	return true;
}

static void add_name(struct message *m, const char *name)
{
	memcpy(m->names + m->head.bytes, name, strlen(name) + 1);
	m->head.bytes += (uint32_t)strlen(name) + 1;
	m->head.n++;
}

/* Events of the kind of box of which there are most, each of them many times. */
static void fill_large(struct message *m, unsigned n)
{
	static const char *const names[] = {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS",
					    "UNC_CHA_SF_EVICTION:M_STATE",
					    "UNC_CHA_REQUESTS:READS"};

	m->head = (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_START};
	for (unsigned i = 0; i < n; i++)
		add_name(m, names[i % 4]);
}

static void fill_rounds_of(struct message *m, unsigned interval_us)
{
	static const char *const names[] = {"UNC_M_CAS_COUNT_SCH0:RD",  "UNC_M_CAS_COUNT_SCH0:WR",
					    "UNC_M_CAS_COUNT_SCH0:ALL", "UNC_M_CAS_COUNT_SCH1:RD",
					    "UNC_M_CAS_COUNT_SCH1:WR",  "UNC_M_CAS_COUNT_SCH1:ALL",
					    "UNC_M_ACT_COUNT:ALL",      "UNC_M_PRE_COUNT:ALL"};

	m->head = (struct unc_wire_request){
		.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_START, .interval_us = interval_us};
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_name(m, names[i]);
}

static void of_set(struct message *m, unsigned kind, uint32_t set)
{
	m->head = (struct unc_wire_request){
		.version = UNC_WIRE_VERSION, .kind = (uint16_t)kind, .set = set};
}

/* ---- work of the five users ---- */

/* Start and stop large sets. */
static void plan(int fd, unsigned number)
{
	static struct message start, stop;
	struct unc_wire_reply reply;

	(void)number;
	for (fill_large(&start, 256); ask(fd, &start, &reply);) {
		of_set(&stop, UNC_WIRE_STOP, reply.set);
		if (reply.code < 0 || !ask(fd, &stop, &reply))
			pause_us(10000);
	}
}

/* Have as many large sets as possible refreshed as often as possible. */
static void refresh(int fd, unsigned number)
{
	static struct message start;
	struct unc_wire_reply reply;

	fill_large(&start, 256);
	start.head.refresh_us = 10000;
	for (int i = 0; i < SETS; i++)
		ask(fd, &start, &reply);
	(void)number;
	for (;;)
		pause();
}

/* Multiplex as fast as possible, each client with windows of its own. */
static void multiplex(int fd, unsigned number)
{
	static struct message start;
	struct unc_wire_reply reply;

	fill_rounds_of(&start, 1000 + number);
	ask(fd, &start, &reply);
	for (;;)
		pause();
}

/* Read a large set all the time. */
static void read_on(int fd, unsigned number)
{
	static struct message start, read;
	struct unc_wire_reply reply = {.code = 0};
	uint32_t set;

	(void)number;
	fill_large(&start, 1024);
	while (ask(fd, &start, &reply) && reply.code < 0 && start.head.n > 4)
		fill_large(&start, start.head.n / 2);
	for (set = reply.set;;) {
		of_set(&read, UNC_WIRE_READ, set);
		if (!ask(fd, &read, &reply))
			break;
	}
}

/* Connect, start, leave. */
static void come_and_go(int fd, unsigned number)
{
	static struct message start;
	struct unc_wire_reply reply;

	(void)number;
	fill_large(&start, 256);
	for (;;) {
		if (fd < 0 || !ask(fd, &start, &reply))
			pause_us(1000);
		close(fd);
		fd = dial();
	}
}

static const struct worst {
	const char *what;
	unsigned clients;
	void (*run)(int fd, unsigned number);
} worst[] = {{"start and stop sets of 256 events", 16, plan},
	     {"pages of 16 sets of 256 events each, every 10 ms", 16, refresh},
	     {"multiplex every 1 ms", 16, multiplex},
	     {"read a set of 1024 events without a pause", 16, read_on},
	     {"connect, start a set of 256 events, disconnect", 32, come_and_go}};

enum { READ_ON = 3 };
enum { USERS = sizeof(worst) / sizeof(*worst) };

static void become(unsigned user)
{
	const uid_t uid = FIRST_USER + user;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setgid(uid) < 0 || setuid(uid) < 0)
		die("users_bench: setuid");
}

static void start_client(unsigned user, unsigned number)
{
	const pid_t pid = fork();

	if (pid < 0)
		die("users_bench: fork");
	if (pid > 0) {
		children[n_children++] = pid;
		return;
	}
	become(user);
	worst[user].run(dial(), number);
	_exit(0);
}

static void end_clients(void)
{
	for (size_t i = 0; i < n_children; i++)
		kill(children[i], SIGKILL);
	for (size_t i = 0; i < n_children; i++)
		waitpid(children[i], NULL, 0);
	n_children = 0;
}

/* ---- one user with as many clients as it may have ---- */

enum { STORM = 60, TURNS = 200, SETTLE_US = 4000000 };

/* Sets of one counter, so that the time of the answers is that of waiting. */
static void start_and_stop(int fd, double *took, int *n)
{
	static struct message m;
	struct unc_wire_reply reply;
	double begin = now_ns();

	m.head = (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_START};
	add_name(&m, "UNC_UPI_CLOCKTICKS");
	if (!ask(fd, &m, &reply) || reply.code < 0)
		die("users_bench: a start during the storm");
	took[(*n)++] = now_ns() - begin;
	begin = now_ns();
	of_set(&m, UNC_WIRE_STOP, reply.set);
	if (!ask(fd, &m, &reply) || reply.code < 0)
		die("users_bench: a stop during the storm");
	took[(*n)++] = now_ns() - begin;
}

static void print_times(const char *what, double *took, int n)
{
	qsort(took, (size_t)n, sizeof(*took), by_value);
	printf("    end to end: %4d %s: median %7.3f ms, p99 %7.3f ms, max %7.3f ms\n", n, what,
	       took[n / 2] / 1e6, took[n * 99 / 100] / 1e6, took[n - 1] / 1e6);
}

static void measure_in_storm(void)
{
	static double reads[READS], starts[2 * TURNS];
	static struct message m;
	struct unc_wire_reply reply;
	const int fd = dial();
	int n_reads = 0, n_starts = 0;
	const double until = now_ns() + LONGEST_S * 1e9;

	m.head = (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_START};
	add_name(&m, "UNC_UPI_CLOCKTICKS");
	if (fd < 0 || !ask(fd, &m, &reply) || reply.code < 0)
		die("users_bench: the start before the storm's reads");
	for (const uint32_t set = reply.set; n_reads < repeats(READS) && now_ns() < until;) {
		const double begin = now_ns();

		of_set(&m, UNC_WIRE_READ, set);
		if (!ask(fd, &m, &reply) || reply.code < 0)
			die("users_bench: a read during the storm");
		reads[n_reads++] = now_ns() - begin;
		pause_us(PAUSE_US);
		if (n_reads % 10 == 0 && n_starts < 2 * TURNS)
			start_and_stop(fd, starts, &n_starts);
	}
	print_times("reads", reads, n_reads);
	print_times("starts and stops", starts, n_starts);
	fflush(stdout);
	close(fd);
}

/* ---- the sixth user ---- */

static void measure(const char *title)
{
	static double took[READS];
	static struct message m;
	struct unc_wire_reply reply;
	const int fd = dial();
	uint32_t set;
	double begin = now_ns(), until;
	int n = 0;

	m.head = (struct unc_wire_request){.version = UNC_WIRE_VERSION, .kind = UNC_WIRE_START};
	add_name(&m, "UNC_UPI_CLOCKTICKS");
	if (fd < 0 || !ask(fd, &m, &reply) || reply.code < 0)
		die("users_bench: the sixth user's start");
	printf("  %-52s start %6.1f ms,", title, (now_ns() - begin) / 1e6);
	set = reply.set;
	for (until = now_ns() + LONGEST_S * 1e9; n < repeats(READS) && now_ns() < until; n++) {
		of_set(&m, UNC_WIRE_READ, set);
		begin = now_ns();
		if (!ask(fd, &m, &reply) || reply.code < 0)
			die("users_bench: the sixth user's read");
		took[n] = now_ns() - begin;
		pause_us(PAUSE_US);
	}
	qsort(took, (size_t)n, sizeof(*took), by_value);
	printf(" %4d reads: median %7.3f ms, p99 %7.3f ms, max %7.3f ms\n", n, took[n / 2] / 1e6,
	       took[n * 99 / 100] / 1e6, took[n - 1] / 1e6);
	fflush(stdout);
	close(fd);
}

/* In a process of its own, which is the sixth user's. */
static void measure_as_user(const char *title)
{
	const bool storm = title == NULL;

	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		become(USERS);
		if (storm)
			measure_in_storm();
		else
			measure(title);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* ---- the daemon ---- */

/* err: a file for its messages; NULL: none. */
static pid_t start_daemon(const char *how, const char *machine, const char *err)
{
	const char *build = getenv("BUILD");
	char program[512], sixth[16];
	pid_t pid;

	snprintf(program, sizeof(program), "%s/uncored", build ? build : "build");
	pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!freopen(err ? err : "/dev/null", "w", stderr))
		_exit(1);
	snprintf(sixth, sizeof(sixth), "%d", FIRST_USER + USERS);
	execl(program, program, how, machine, "--socket", socket_path, err ? "--latency" : NULL,
	      sixth, (char *)NULL);
	_exit(1);
}

static void wait_for_socket(void)
{
	for (int i = 0; i < 1000 && access(socket_path, F_OK) != 0; i++)
		pause_us(10000);
	pause_us(100000);
	if (chmod(socket_path, 0666) < 0)
		die("users_bench: uncored did not start");
}

/* kB */
static long memory_of(pid_t pid)
{
	char path[64], line[256];
	long kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

static void run(pid_t daemon)
{
	const long before = memory_of(daemon);
	long most;

	measure_as_user("alone");
	for (unsigned user = 0; user < USERS; user++) {
		for (unsigned i = 0; i < worst[user].clients; i++)
			start_client(user, i);
		pause_us(1000000);
		measure_as_user(worst[user].what);
		end_clients();
		pause_us(2000000);
	}
	for (unsigned user = 0; user < USERS; user++)
		for (unsigned i = 0; i < worst[user].clients; i++)
			start_client(user, i);
	pause_us(2000000);
	measure_as_user("all five users at once");
	most = memory_of(daemon);
	end_clients();
	pause_us(5000000);
	printf("  memory of uncored: %ld MB before, %ld MB with five users, %ld MB after they left\n",
	       before / 1024, most / 1024, memory_of(daemon) / 1024);
}

static void print_latency(const char *file)
{
	char line[256];
	FILE *f = fopen(file, "r");

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "latency of user"))
			printf("    in %s", line);
	if (f)
		fclose(f);
	unlink(file);
}

/* Reads of a large set by one user's clients: from arrival to answer, and end to end. */
static void run_storm(const char *how, const char *machine)
{
	char file[80];
	pid_t daemon;

	snprintf(file, sizeof(file), "%s.messages", socket_path);
	daemon = start_daemon(how, machine, file);
	wait_for_socket();
	printf("  %d clients of one user read without a pause (goal, in uncored: reads 5 ms, starts and "
	       "stops 50 ms)\n",
	       STORM);
	for (unsigned i = 0; i < STORM; i++)
		start_client(READ_ON, i);
	pause_us(SETTLE_US); /* until all sets have started */
	measure_as_user(NULL);
	end_clients();
	kill(daemon, SIGTERM);
	waitpid(daemon, NULL, 0);
	print_latency(file);
	unlink(socket_path);
}

int main(int argc, char **argv)
{
	const bool root = argc == 3 && strcmp(argv[1], "--sysroot") == 0;
	const char *machine = root ? argv[2] : argc > 1 ? argv[1] : "sim:gnr";
	pid_t daemon;

	if (geteuid() != 0) {
		printf("reads of a sixth user: skipped, only root can be several users\n");
		return 0;
	}
	snprintf(socket_path, sizeof(socket_path), "/tmp/users_bench.%d", (int)getpid());
	printf("reads of a sixth user (%s; goal: median 5 ms, p99 20 ms)\n", machine);
	daemon = start_daemon(root ? "--sysroot" : "--machine", machine, NULL);
	wait_for_socket();
	run(daemon);
	kill(daemon, SIGTERM);
	waitpid(daemon, NULL, 0);
	unlink(socket_path);
	run_storm(root ? "--sysroot" : "--machine", machine);
	return 0;
}
