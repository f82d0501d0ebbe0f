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
	int status;              /* of the command, as a shell would tell it */
	int signal;              /* that asks for the end; 0: none has come */
	int typed;               /* SIGINT or SIGQUIT of the terminal, which the command got, too */
	int sent;                /* last signal that the command got from here */
	bool stopped;            /* its time is over: it was sent SIGTERM */
	double since;            /* when signal came or time was over, seconds of seconds_now() */
};

/* From here on no signal that can wait ends the program unseen. */
void process_begin(struct process *p);

/* Run the command, one after the other has ended; TOOL_OK, or the exit status that shells have for
 * the failure. */
int process_spawn(struct process *p, char **command);

/* Until a signal comes, at most that many seconds; forever if negative. */
void process_wait(struct process *p, double seconds);

/* Send the command SIGTERM because its time is over: its status is that of timeout(1) then. */
void process_stop(struct process *p);

/*
 * Nothing is left to be counted: the command has ended, or the signal that is to end it has had
 * its second.
 */
bool process_is_over(const struct process *p);

/* Until the command has ended, too. */
void process_finish(struct process *p);

/* The last act: end by the signal that ended the counting, if one did; otherwise status. */
int process_end(const struct process *p, int status);

#endif
