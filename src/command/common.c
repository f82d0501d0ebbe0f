/* SPDX-License-Identifier: BSD-3-Clause */
/* common.c - the library as the subcommands use it. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "tools.h"

int report(struct uncore *u, int code)
{
	char text[UNCORE_ERRMSG_MAX];

	say("%s", u ? uncore_errmsg(u, text, sizeof(text)) : uncore_strerror(code));
	switch (code) {
	case UNCORE_ECONFLICT:
		return TOOL_NO_FIT;
	case UNCORE_ENOEVENT:
	case UNCORE_EATTR:
	case UNCORE_ECOMBO:
		return TOOL_WRONG;
	default:
		return TOOL_FAILED;
	}
}

/* The name the program was called by; getopt has changed argv[0]. */
void report_machine(struct uncore *u, int code, const struct command *command)
{
	report(u, code);
	if (code == UNCORE_ENOSUPP && command->example)
		fprintf(stderr, "Try a simulated machine: %s --machine sim:icx %s\n",
			program_invocation_name, command->example);
}

int create_file(const char *name)
{
	struct caller before;
	int fd;

	caller_begin(&before);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	caller_end(&before);
	return fd;
}

int check_file(const char *name)
{
	char *copy = text_of("%s", name);
	const char *directory = dirname(copy);
	struct caller before;
	struct stat s;
	int error = 0;

	caller_begin(&before);
	if (stat(name, &s) == 0)
		error = S_ISDIR(s.st_mode) ? EISDIR : access(name, W_OK) < 0 ? errno : 0;
	else if (!*name || stat(directory, &s) < 0)
		error = ENOENT;
	else
		error = !S_ISDIR(s.st_mode) ? ENOTDIR : access(directory, W_OK) < 0 ? errno : 0;
	caller_end(&before);
	free(copy);
	return error;
}

void say_file(const char *name, int error)
{
	say("%s: %s", *name ? name : "empty file name", strerror(error));
}

void give_up_rights_unless_native(const char *machine)
{
	if (machine && strcmp(machine, "native") != 0)
		caller_become();
}

const char *share_option(void)
{
	const char *share = getenv("UNCORE_SHARE");

	return share && *share ? NULL : "refuse";
}

static struct uncore *open_with(const char *machine, const char *share,
				const struct command *command)
{
	const struct uncore_options options = {
		.size = sizeof(options), .machine = machine, .share = share};
	struct uncore *u;
	int code;

	give_up_rights_unless_native(machine);
	code = uncore_open(&u, &options);
	if (code == 0)
		return u;
	report_machine(u, code, command);
	uncore_close(u);
	return NULL;
}

struct uncore *open_machine(const char *machine, const struct command *command)
{
	return open_with(machine, share_option(), command);
}

struct uncore *open_machine_of_ranks(const char *machine, const struct command *command)
{
	return open_with(machine, NULL, command);
}

static unsigned count_warnings(struct uncore *u)
{
	const char *warning;
	unsigned n = 0;

	while (uncore_warning(u, n, &warning) == 1)
		n++;
	return n;
}

void report_warnings(struct uncore *u, unsigned *reported)
{
	const char *warning;

	for (; uncore_warning(u, *reported, &warning) == 1; ++*reported)
		say("%s", warning);
}

static bool is_machines_fault(int code)
{
	return code == UNCORE_ENOMEM || code == UNCORE_EACCESS || code == UNCORE_EIO;
}

/* For any other error in a name, the command line must change. */
int report_name(struct uncore *u, int code)
{
	report(u, code);
	return is_machines_fault(code) ? TOOL_FAILED : TOOL_WRONG;
}

int find_events(struct uncore *u, const char *const *names, size_t n, unsigned *ids)
{
	unsigned reported = count_warnings(u);

	for (size_t i = 0; i < n; i++) {
		const int code = uncore_event(u, names[i], &ids[i]);

		if (code < 0)
			return report_name(u, code);
	}
	report_warnings(u, &reported);
	return TOOL_OK;
}

static bool is_pending(int sig)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, sig);
}

/* A process about to be killed by SIGPIPE prints nothing, like other programs. */
int flush_output(FILE *out, const char *name)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return TOOL_OK;
	if (errno != EPIPE || !is_pending(SIGPIPE))
		say("%s: %s", name, errno ? strerror(errno) : "incomplete write");
	return TOOL_FAILED;
}

int flush_screen(FILE *out)
{
	return flush_output(out, out == stderr ? "standard error" : "standard output");
}

/* A failure has already been reported. */
int end_output(int status)
{
	return status == TOOL_FAILED || flush_output(stdout, "standard output") == TOOL_OK
		       ? status
		       : TOOL_FAILED;
}
