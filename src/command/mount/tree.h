/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - the files of a mounted machine.  Built once, then only read, but for what is
 * below run/uncore (run.h); every access to a register goes to the simulated machine.
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
	NODE_MSR,     /* dev/cpu/N/msr */
	NODE_CPUID,   /* dev/cpu/N/cpuid */
	NODE_CONFIG,  /* config space of a PCI function */
	NODE_MEMORY,  /* physical memory from `base` on */
	NODE_NOW,     /* the machine's clock */
	NODE_CALLS,   /* how many reads and writes of register files there were */
	NODE_ADVANCE, /* lets virtual time pass */
	NODE_KILL_AT, /* which write to a register is the last of its process */
	NODE_RUN,     /* the directory run/uncore */
	NODE_FILE     /* a file in it */
};

struct node {
	char *name;
	enum node_kind kind;
	uint64_t ino;
	unsigned unit; /* number of the CPU; position in sim_pci_devices */
	uint64_t base;
	size_t size;
	char *text;
	struct node *next, *first, *last; /* of its directory; its own files */
};

/* Every register access as one line. */
struct trace {
	FILE *out; /* NULL: none */
	pthread_mutex_t lock;
	uint64_t birth; /* CLOCK_MONOTONIC, ns */
};

struct tree {
	struct sim *sim;
	bool virtual_time;
	bool no_memory; /* something could not be added */
	struct node *root;
	uint64_t nodes;
	struct run *run;
	unsigned long calls; /* of register files; atomic */
	int64_t kill_at;     /* writes that are left; below 0: the last one is not done; atomic */
	struct trace trace;
};

/* machine is "sim:...".  NULL with a sentence in why. */
struct tree *tree_open(const char *machine, char *why, size_t len);
void tree_close(struct tree *tree);

/* NULL: no such file. */
struct node *tree_child(const struct node *dir, const char *name);

/*
 * As pread and pwrite for the thread pid: bytes, or -errno as the kernel's own file would
 * say.
 */
ssize_t file_read(struct tree *tree, const struct node *node, pid_t pid, char *to, size_t len,
		  uint64_t offset);
ssize_t file_write(struct tree *tree, const struct node *node, pid_t pid, const char *from,
		   size_t len, uint64_t offset);
bool file_can_write(const struct node *node);

/* Physical addresses behind `base` that registers answer to, in bytes. */
uint64_t memory_size(struct sim *sim, uint64_t base);

/* ---- while the tree is built: a NULL directory is that of a failure before ---- */

struct node *tree_add(struct tree *tree, struct node *dir, enum node_kind kind, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));
/* A directory, which may be there already; name may have slashes. */
struct node *tree_dir(struct tree *tree, struct node *dir, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void tree_text(struct tree *tree, struct node *dir, const char *name, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Takes the text, which malloc gave. */
void tree_take_text(struct tree *tree, struct node *dir, const char *name, char *text);

void tree_add_cpus(struct tree *tree); /* cpus.c */
/* Add a list and a mask of the CPUs of a package, or of all CPUs for an unknown package. */
void tree_add_package_cpus(struct tree *tree, struct node *dir, const char *list, const char *mask,
			   int package);
void tree_add_pci(struct tree *tree); /* pci.c */

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

/* Before anything is read. */
void trace_start(struct trace *trace, FILE *out);

struct request trace_request(struct tree *tree, pid_t pid);
/*
 * Carry out and record in one step, so that lines have the order of the accesses.  -EINTR:
 * this was the write that the caller was not to survive.
 */
int trace_access(struct tree *tree, const struct request *request, struct access *access);

/* ---- kill.c ---- */

/* Counts a write to a register: 1 if it is the last of its process, -1 if it is not done. */
int kill_at_write(struct tree *tree);
/* The process of a thread; -EINTR, or why it lives. */
int kill_caller(pid_t pid);

#ifdef __cplusplus
}
#endif
#endif
