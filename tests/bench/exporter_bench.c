/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exporter_bench.c - cost of a scrape of `uncore exporter`: by HTTP, on a simulated machine with
 * 2 x 128 CHAs, against reading the same events once in this process.
 *
 * The goal is 10 ms with a series for each CHA.
 */
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

#include "uncore_inspect.h"

#define MACHINE "sim:gnr:packages=2,cores=128"
#define BOXES   "UNC_CHA_CLOCKTICKS:box=*:pkg=*"

enum { ROUNDS = 21, READS = 10, ANSWER = 1 << 20 };

static char answer[ANSWER + 1];

static void die(const char *what)
{
	fprintf(stderr, "exporter_bench: %s\n", what);
	exit(1);
}

/* ---- the exporter ---- */

/* Its port, from what it says when it is ready. */
static unsigned wait_until_ready(int from)
{
	FILE *said = fdopen(from, "r");
	char line[1000];
	unsigned port = 0;

	while (said && !port && fgets(line, sizeof(line), said)) {
		const char *at = strstr(line, "http://127.0.0.1:");

		if (at)
			port = (unsigned)strtoul(at + strlen("http://127.0.0.1:"), NULL, 10);
	}
	return port;
}

static pid_t start_exporter(char **argv, unsigned *port)
{
	posix_spawn_file_actions_t actions;
	int ends[2];
	pid_t child;

	if (pipe(ends) < 0)
		die("no pipe");
	setenv("COLUMNS", "1000", 1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	if (posix_spawn(&child, argv[0], &actions, NULL, argv, environ) != 0)
		die("cannot start uncore exporter");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*port = wait_until_ready(ends[0]);
	return child;
}

/* The length of the answer. */
static size_t scrape(unsigned port)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n"
				      "Accept: application/openmetrics-text\r\n\r\n";
	const struct sockaddr_in to = {.sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t length = 0;
	ssize_t n;

	if (s < 0 || connect(s, (const struct sockaddr *)&to, sizeof(to)) < 0 ||
	    write(s, request, sizeof(request) - 1) != sizeof(request) - 1)
		die("no connection");
	while (length < ANSWER && (n = read(s, answer + length, ANSWER - length)) > 0)
		length += (size_t)n;
	close(s);
	answer[length] = '\0';
	return length;
}

static unsigned samples(const char *text)
{
	unsigned n = 0;

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		n += strncmp(text, "uncore_", 7) == 0;
	return n;
}

/* ---- the same in this process ---- */

static struct uncore_set *start_set(struct uncore *u, int64_t **values)
{
	struct uncore_set *set;
	unsigned ids[1024], n = 0;

	while (n < 1024 && uncore_event_part(u, BOXES, n, &ids[n]) == 1)
		n++;
	*values = calloc(n + 1, sizeof(**values));
	if (!n || !*values || uncore_set_create(u, &set) < 0 ||
	    uncore_set_assign(set, ids, n) < 0 || uncore_set_start(set) < 0)
		die("the set does not start");
	return set;
}

static double time_read(struct uncore_set *set, int64_t *values)
{
	const double start = now_ns();

	for (int i = 0; i < READS; i++)
		uncore_set_read(set, values);
	return (now_ns() - start) / READS;
}

static double time_scrape(unsigned port)
{
	const double start = now_ns();

	scrape(port);
	return now_ns() - start;
}

static void bench(const char *title, char **argv, struct uncore_set *set, int64_t *values)
{
	double took[ROUNDS], ratio[ROUNDS];
	unsigned port;
	const pid_t child = start_exporter(argv, &port);

	if (!port)
		die("uncore exporter does not start; was it built with libmicrohttpd?");
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double read = time_read(set, values);

		took[i] = time_scrape(port);
		ratio[i] = took[i] / read;
	}
	printf("  %-34s %4u series, %3zu KiB: %5.2f ms, %4.1f x one read of 256 boxes\n", title,
	       samples(answer), scrape(port) / 1024, median(took, repeats(ROUNDS)) / 1e6,
	       median(ratio, repeats(ROUNDS)));
	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
}

int main(void)
{
	const struct uncore_options options = {.size = sizeof(options), .machine = MACHINE};
	const char *build = getenv("BUILD");
	static char tool[4096], max[] = "--max-series", many[] = "1000", e[] = "-e",
				boxes[] = "UNC_CHA_CLOCKTICKS:box=*", group[] = "--group",
				none[] = "none", exporter[] = "exporter", machine[] = "--machine",
				gnr[] = MACHINE, listen_at[] = "--listen", any[] = "127.0.0.1:0";
	char *plain[] = {tool, exporter, machine, gnr, listen_at, any, NULL};
	char *only[] = {tool, exporter, machine, gnr, listen_at, any, group,
			none, max,      many,    e,   boxes,     NULL};
	char *all[] = {tool, exporter, machine, gnr, listen_at, any, max, many, e, boxes, NULL};
	struct uncore_set *set;
	struct uncore *u;
	int64_t *values;

	snprintf(tool, sizeof(tool), "%s/uncore", build ? build : "build");
	if (uncore_open(&u, &options) < 0)
		die("the machine cannot be opened");
	set = start_set(u, &values);
	printf("a scrape of uncore exporter, " MACHINE ":\n");
	bench("default", plain, set, values);
	bench("each CHA", only, set, values);
	bench("default and each CHA", all, set, values);
	uncore_close(u);
	free(values);
	return 0;
}
