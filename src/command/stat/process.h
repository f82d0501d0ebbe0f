/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h - the command that `uncore stat` runs, and the signals that end the counting. */
#ifndef UNC_PROCESS_H
#define UNC_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct process {
	sigset_t waited, before; /* signals waited for; the mask that was set before */
	char **command;          /* NULL: none */
	pid_t child;             /* 0: none, or it has ended */
	int status;              /* of the command, as a shell reports it */
	int signal;              /* signal that requests the end; 0: none received */
	int typed;    /* SIGINT or SIGQUIT from the terminal, which the command also received */
	int sent;     /* last signal sent to the command */
	bool stopped; /* timed out: SIGTERM was sent */
	double since; /* time of the signal or timeout, seconds of seconds_now() */
};

/* Block all signals that would end the program, except synchronous ones. */
void process_begin(struct process *p);

/* Run the command; a previous one must have ended.  TOOL_OK, or a shell's exit status for the
 * failure. */
int process_spawn(struct process *p, char **command);

/* Wait for a signal for at most this many seconds; forever if negative. */
void process_wait(struct process *p, double seconds);

/* Send the command SIGTERM after its timeout; its status is then that of timeout(1). */
void process_stop(struct process *p);

/*
 * Whether counting is over: the command has ended, or has had a second since the signal to end.
 */
bool process_is_over(const struct process *p);

/* Wait until the command has ended. */
void process_finish(struct process *p);

/* Exit with status, or by the signal that ended the counting.  Call it last. */
int process_end(const struct process *p, int status);

#endif
