/* SPDX-License-Identifier: BSD-3-Clause */
/* tools.h - what the subcommands of `uncore` share. */
#ifndef UNC_TOOLS_H
#define UNC_TOOLS_H

#include <getopt.h>
#include <stdio.h>

#include "command/base/box.h"
#include "screen.h"
#include "uncore_inspect.h"

/* Exit statuses; docs/uncore.1. */
enum { TOOL_OK = 0, TOOL_NO_FIT = 1, TOOL_WRONG = 2, TOOL_FAILED = STATUS_FAILED, TOOL_BUSY = 4 };

struct command {
	const char *name;
	int (*run)(int argc, char **argv, const char *machine);
	bool as_caller;    /* needs no register */
	const char *usage; /* what comes behind the name */
	/* Paragraphs, one a line, and options: "-v, --verbose\twhat it does". */
	const char *help;
	const char *example; /* that works on every simulated machine; NULL: none */
};

extern const struct command list_command, show_command, plan_command, stat_command, sim_command,
	allowlist_command, restore_command, record_command, doctor_command, selftest_command,
	clients_command, top_command, exporter_command;

/* ---- command line; options.c ---- */

#define OPTION_MACHINE 256 /* long options without a letter have values behind all letters */

/* The one long option that every subcommand takes; the others come behind it. */
/* clang-format off */
#define COMMON_OPTIONS                                          \
	{"machine", required_argument, NULL, OPTION_MACHINE},   \
	{"help", no_argument, NULL, 'h'}
/* clang-format on */

/*
 * The next option of a subcommand, -1 after the last one.  Deals with --machine
 * and --help itself; a wrong option ends the program.
 */
int next_option(int argc, char **argv, const char *letters, const struct option *options,
		const struct command *command, const char **machine);

/* Point to the help; returns TOOL_WRONG. */
int wrong_option(const struct command *command);

/* Report an error in the command line; returns TOOL_WRONG. */
int wrong_usage(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Of a command that takes options only; returns TOOL_WRONG. */
int unexpected_argument(const struct command *command, const char *argument);

/* How the command is called, after `before`; what its help says.  A tab begins a column. */
void print_usage(const struct screen *s, const char *before, const struct command *c);
void print_lines(const struct screen *s, const char *help);
void print_command_help(const struct command *c);

/* ---- the library; common.c ---- */

/* Print the last error of a handle; returns the exit status that code stands for. */
int report(struct uncore *u, int code);

/* Of a machine that could not be opened: say why, and what to try if it has no uncore. */
void report_machine(struct uncore *u, int code, const struct command *command);

/* Open a machine for a command, NULL with a message if that fails. */
/* Only a real machine needs rights that the caller lacks: for others they are given up. */
void give_up_rights_unless_native(const char *machine);

struct uncore *open_machine(const char *machine, const struct command *command);

/* Print all warnings from number *told on and advance it. */
void report_warnings(struct uncore *u, unsigned *told);

/* Report why a name is invalid; an exit status. */
int report_name(struct uncore *u, int code);

/* Event names into numbers; TOOL_OK, or an exit status after a message. */
int find_events(struct uncore *u, const char *const *names, size_t n, unsigned *ids);

/* What `stat` counts without -e: a list that ends with NULL; an exit status. */
int default_events(struct uncore *u, const char *const **names);

/* ---- output ---- */

/* A file that the caller names, opened for writing as the caller; -1 and errno. */
int create_file(const char *name);

/* Write out what is buffered; TOOL_OK, or TOOL_FAILED after a message that calls it name. */
int flush_output(FILE *out, const char *name);

/* The same of standard output, at the end: the program's exit status. */
int end_output(int status);

/* A box as it is named. */
struct numbered_box {
	const char *kind;
	unsigned box, package;
};

/*
 * "ha0, imc0-3 of packages 0-1; imc2 of package 2", to be freed.  The list is in the order
 * of kinds and numbers, as far as one package goes.
 */
char *boxes_text(const struct numbered_box *list, size_t n);

/* Which machine this is: the first lines of a screen. */
void print_machine(const struct screen *s, const struct uncore_machine_info *m);

struct json_object;
void add_json_text(struct json_object *o, const char *key, const char *text);
/* In one line; frees it. */
void print_json_object(FILE *out, struct json_object *o);

void print_machine_json(FILE *out, struct uncore *u);

/* What `uncore restore` did. */
void print_restored_json(FILE *out, struct uncore *u);

/* How the machine is shared, and who counts on it now. */
void print_sharing(const struct screen *s, struct uncore *u);
/* Print the clients of uncored, if it is running; returns how many. */
unsigned print_served(const struct screen *s);

/* Where an operation goes: "package 0, MSR 0xd04". */
void place_of_operation(char *text, size_t len, const struct uncore_op_info *op);

/* Each box with its registers, and each record of discovery tables. */
void print_registers(const struct screen *s, struct uncore *u);

/* The CPUs' own counters; an exit status. */
int print_cores(const struct screen *s, struct uncore *u);

/* ---- plans ---- */

#define N_PHASES (UNCORE_PHASE_RESTORE + 1)
extern const char *const phase_names[N_PHASES];

void print_plan(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan *plan);
void print_operations(const struct screen *s, struct uncore *u, const struct uncore_plan *plan);
void print_plan_json(FILE *out, struct uncore *u, const unsigned *ids, size_t n,
		     const struct uncore_plan *plan);

/* ---- --until; stop_after.c ---- */

#define STOP_AFTER_MAX 8 /* the library takes no more */

struct stop_after {
	struct uncore_stop_after list[STOP_AFTER_MAX];
	size_t n;
	uint64_t cores; /* interrupted by the overflow; bit 0 is the package's first core */
};

/* "EVENT=N": cuts text off behind the event, which gets the number event; an exit status. */
int add_stop_after(struct stop_after *stop_after, char *text, size_t event,
		   const struct command *command);

/* Add "CORE", which the overflow interrupts; an exit status. */
int add_pmi_core(struct stop_after *stop_after, const char *text, const struct command *command);
/* Check the options together after all are read; an exit status. */
int check_stop_after(const struct stop_after *stop_after, const struct command *command);
/* Tell the set, and warn of what a core may not be prepared for; the library's code. */
int set_stop_after(struct uncore_set *set, const struct stop_after *stop_after);

#endif
