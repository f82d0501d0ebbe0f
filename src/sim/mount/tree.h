/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - the files of a mounted machine.  The tree is built once and does not change, except
 * below run/uncore (run.h).  Every register access goes to the simulated machine.
 */
#ifndef MOUNT_TREE_H
#define MOUNT_TREE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sim/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

enum node_kind {
	NODE_DIR,
	NODE_TEXT,
	NODE_LINK,    /* text: where it leads */
	NODE_MSR,     /* dev/cpu/N/msr */
	NODE_CPUID,   /* dev/cpu/N/cpuid */
	NODE_CONFIG,  /* config space of a PCI function */
	NODE_MEMORY,  /* physical memory from `base` on */
	NODE_NOW,     /* the machine's clock */
	NODE_CALLS,   /* number of reads and writes of register files */
	NODE_ADVANCE, /* advances virtual time */
	NODE_KILL_AT, /* the register write at which a process is killed */
	NODE_RUN,     /* the directory run/uncore */
	NODE_FILE,    /* a file in it */
	NODE_MADE     /* text that is made when it is read */
};

struct tree;

struct node {
	char *name;
	enum node_kind kind;
	uint64_t ino;
	unsigned unit; /* number of the CPU; position in sim_pci_devices */
	uint64_t base;
	size_t size;
	char *text;
	struct node *next, *first, *last; /* next: in its directory; first, last: its files */
	/* below proc and sys/fs/resctrl; processes.h */
	struct process *process;
	struct group *group;
	char *(*make)(struct tree *tree, const struct node *node); /* NODE_MADE; to be freed */
	/* 0 or -errno; by: the user */
	int (*take)(struct tree *tree, const struct node *node, uid_t by, const char *text);
	bool changes; /* a directory whose names change */
	bool gone;    /* was removed */
};

/* Log of register accesses, one line each. */
struct trace {
	FILE *out; /* NULL: none */
	pthread_mutex_t lock;
	uint64_t birth; /* CLOCK_MONOTONIC, ns */
};

struct tree {
	struct sim *sim;
	bool virtual_time;
	bool no_memory; /* out of memory while adding a node */
	struct node *root;
	uint64_t nodes;
	struct run *run;
	struct processes *processes; /* NULL: none */
	unsigned long calls;         /* on register files; atomic */
	int64_t kill_at; /* remaining writes; negative: the last one is not carried out; atomic */
	struct trace trace;
};

/* machine is "sim:...".  NULL with a message in why. */
struct tree *tree_open(const char *machine, char *why, size_t len);
void tree_close(struct tree *tree);

/* NULL: no such file. */
struct node *tree_child(const struct node *dir, const char *name);

/* A thread, and its user. */
struct writer {
	pid_t pid;
	uid_t uid;
};

/*
 * Like pread and pwrite for the thread pid: bytes, or -errno as the kernel's file would return.
 */
ssize_t file_read(struct tree *tree, const struct node *node, pid_t pid, char *to, size_t len,
		  uint64_t offset);
ssize_t file_write(struct tree *tree, const struct node *node, const struct writer *by,
		   const char *from, size_t len, uint64_t offset);
bool file_can_write(const struct node *node);

/* Size of the physical address range with registers, from `base` on. */
uint64_t memory_size(struct sim *sim, uint64_t base);

/* ---- building the tree: a NULL directory means an earlier failure ---- */

struct node *tree_add(struct tree *tree, struct node *dir, enum node_kind kind, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));
/* Add a directory unless it exists; name may contain slashes. */
struct node *tree_dir(struct tree *tree, struct node *dir, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void tree_text(struct tree *tree, struct node *dir, const char *name, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Takes ownership of the text, which is freed with free(). */
void tree_take_text(struct tree *tree, struct node *dir, const char *name, char *text);

void tree_add_cpus(struct tree *tree); /* cpus.c */
/* Add a list and a mask of the CPUs of a package, or of all CPUs for an unknown package. */
void tree_add_package_cpus(struct tree *tree, struct node *dir, const char *list, const char *mask,
			   int package);
void tree_add_pci(struct tree *tree);     /* pci.c */
void tree_add_devices(struct tree *tree); /* devices.c */

/* ---- trace.c ---- */

struct access {
	enum { ACCESS_MSR, ACCESS_CONFIG, ACCESS_MEMORY } space;
	unsigned unit; /* CPU, PCI function, package */
	uint64_t address;
	unsigned width; /* bits */
	bool write;
	uint64_t value;
};

/* One call of a program. */
struct request {
	pid_t pid;
	unsigned long number;
};

/* Call it before the first read. */
void trace_start(struct trace *trace, FILE *out);

struct request trace_request(struct tree *tree, pid_t pid);
/*
 * Carry out an access and log it in one step, so that lines are in the order of the accesses.
 * -EINTR: this was the write at which the caller is killed.
 */
int trace_access(struct tree *tree, const struct request *request, struct access *access);

/* ---- kill.c ---- */

/* Count a register write: 1: kill the process after it, -1: kill without carrying it out. */
int kill_at_write(struct tree *tree);
/* Kill the process of a thread; -EINTR, or the error of a failure. */
int kill_caller(pid_t pid);

#ifdef __cplusplus
}
#endif
#endif
