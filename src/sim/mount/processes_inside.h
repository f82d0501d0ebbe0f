/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes_inside.h - definitions shared by activity.c (traffic), description.c (the file),
 * procfs.c and resctrl_files.c.
 */
#ifndef MOUNT_PROCESSES_INSIDE_H
#define MOUNT_PROCESSES_INSIDE_H

#include <pthread.h>

#include "processes.h"

#define MOST_MOVES    8
#define MOST_PACKAGES 8

/* From a time on, the threads run on the CPUs from `cpu` on. */
struct move {
	double at; /* s */
	unsigned cpu;
};

struct thread {
	struct group *group; /* resctrl */
	double owed[2][2];   /* parts of lines not moved yet: read, written; local, remote */
};

struct process {
	unsigned pid; /* threads have the numbers from pid on */
	char *name, *cgroup;
	unsigned uid, cpu, n_threads;
	double read, write; /* bytes/s of all threads */
	double remote;      /* share of them that is in the memory of other packages */
	double llc;         /* bytes in the last-level cache */
	double from, until; /* s; until 0: forever */
	struct move moves[MOST_MOVES];
	size_t n_moves;
	unsigned parent;
	unsigned evicted_by; /* the process whose misses write its lines back; 0: itself */
	struct thread *threads;
	struct process *next;
};

/* A control group (no parent) or a monitoring group. */
struct group {
	struct group *parent, *next;
	struct node *dir;
	struct processes_caller owner;
	unsigned rmid;
	double total[MOST_PACKAGES], local[MOST_PACKAGES]; /* bytes */
	double joules[MOST_PACKAGES];
};

struct processes {
	pthread_mutex_t lock;
	struct process *first;
	uint64_t then;     /* time up to which the traffic is accounted, ns */
	double background; /* factor of the machine's own traffic */
	char *kernel;      /* release; NULL: a new one */
	struct {
		unsigned package;
		double from, until; /* s; until 0: never */
	} offline; /* all CPUs of a package: its threads do not run, resctrl lacks its cache */
	/* resctrl */
	bool unavailable;
	bool shared;            /* any user may make groups, and remove own ones */
	bool bandwidth, energy; /* what is monitored, in addition to occupancy */
	unsigned rmids;         /* number of groups, with the default group */
	struct group *groups;   /* the first is the default group */
};

/* description.c: processes without threads, the options of resctrl; -1 with a message in why. */
int processes_describe(struct processes *all, const char *file, char *why, size_t len);

/* activity.c: account for the traffic up to now; locked. */
void processes_count(struct tree *tree);

/* The CPU of a thread at a time in s. */
unsigned process_cpu(const struct process *p, unsigned thread, double at);
bool process_lives(const struct process *p, double at);

bool package_is_offline(const struct processes *all, unsigned package, double at);

void procfs_add(struct tree *tree);
/* 0, or -1: out of memory */
int resctrl_add(struct tree *tree);

#endif
