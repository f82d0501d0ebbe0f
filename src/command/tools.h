/* SPDX-License-Identifier: BSD-3-Clause */
/* tools.h - functions shared by the subcommands of `uncore`. */
#ifndef UNC_TOOLS_H
#define UNC_TOOLS_H

#include <getopt.h>
#include <stdio.h>

#include "base/options.h"
#include "command/base/box.h"
#include "command/emit/emit.h"
#include "screen.h"
#include "uncore_inspect.h"

/* Exit statuses; docs/uncore.1. */
enum { TOOL_OK = 0, TOOL_NO_FIT = 1, TOOL_WRONG = 2, TOOL_FAILED = STATUS_FAILED, TOOL_BUSY = 4 };

struct command {
	const char *name;
	const char *summary; /* what it does, for the list of commands */
	int (*run)(int argc, char **argv, const char *machine);
	bool as_caller;   /* needs no register */
	const char *help; /* paragraphs, one a line */
	const struct unc_option *options;
	bool ordered;        /* the first operand ends the options */
	const char *usage;   /* the operands, behind the options; NULL: none */
	const char *example; /* works on every simulated machine; NULL: none */
};

extern const struct command list_command, show_command, plan_command, stat_command, sim_command,
	allowlist_command, restore_command, record_command, decode_command, doctor_command,
	selftest_command, slices_command, explain_command, ceilings_command, queue_command,
	clients_command, top_command, exporter_command, who_command, memory_command;

/* ---- command line; options.c ---- */

/* Rows of a table of options; with other members as struct unc_option has them. */
#define FLAG_OPTION(names_, help_, type, member)                             \
	{                                                                    \
		.names = (names_), .help = (help_), .kind = UNC_OPTION_FLAG, \
		.at = offsetof(type, member)                                 \
	}
#define TEXT_OPTION(names_, arg_, help_, type, member)                                      \
	{                                                                                   \
		.names = (names_), .arg = (arg_), .help = (help_), .kind = UNC_OPTION_TEXT, \
		.at = offsetof(type, member)                                                \
	}
#define CALL_OPTION(names_, arg_, help_, take_)                                             \
	{                                                                                   \
		.names = (names_), .arg = (arg_), .help = (help_), .kind = UNC_OPTION_CALL, \
		.take = (take_)                                                             \
	}
/* The last rows of every table; machines: what --machine may name, NULL: not shown. */
#define COMMON_OPTIONS(machines)                                                  \
	{.names = "--machine",                                                    \
	 .arg = "MACHINE",                                                        \
	 .help = (machines),                                                      \
	 .kind = UNC_OPTION_PROGRAM,                                              \
	 .usage = ""},                                                            \
		{.names = "-h, --help", .kind = UNC_OPTION_PROGRAM, .usage = ""}, \
	{                                                                         \
		.names = NULL                                                     \
	}

/*
 * Store the options of a command in a struct; optind is the first operand.  TOOL_OK, or an exit
 * status after a message.  Prints the help, and exits, if that is asked for.
 */
int read_options(const struct command *command, int argc, char **argv, void *into,
		 const char **machine);
/* The same of a command without operands. */
int read_only_options(const struct command *command, int argc, char **argv, void *into,
		      const char **machine);

/* Point to the help; returns TOOL_WRONG. */
int wrong_option(const struct command *command);

/* Report an error in the command line; returns TOOL_WRONG. */
int wrong_usage(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Decimal digits, from least to most; else false. */
bool whole_number(const char *text, unsigned long least, unsigned long most, unsigned *value);

/* Report an argument of a command that accepts only options; returns TOOL_WRONG. */
int unexpected_argument(const struct command *command, const char *argument);

/* Paragraphs, one a line, and rows: a tab begins a column. */
void print_lines(const struct screen *s, const char *help);
void print_command_help(const struct command *c);
/* The rows of a table that are shown. */
void print_options(const struct screen *s, const struct unc_option *rows);
/* Its options and operands, to be freed: "[-v] [--json] EVENT...". */
char *usage_of(const struct command *c);
/* A row of help for an option, "-v, --verbose\ttext", to be freed. */
char *option_line(const struct unc_option *row);

/*
 * A time in s from the value of an option: of -d, seconds without a unit; of an interval,
 * milliseconds, with an example for the message.  TOOL_OK, or the exit status after a message.
 */
int duration_value(const struct command *command, const char *text, double *seconds);
int interval_value(const struct command *command, const char *text, const char *example,
		   double *seconds);

/* ---- the library; common.c ---- */

/* Print the last error of a handle; returns the exit status that code stands for. */
int report(struct uncore *u, int code);

/* Report why a machine could not be opened, with a hint if it has no uncore. */
void report_machine(struct uncore *u, int code, const struct command *command);

/* Open a machine for a command, NULL with a message if that fails. */
/* Additional privileges are dropped unless the machine is a real one. */
void give_up_rights_unless_native(const char *machine);

struct uncore *open_machine(const char *machine, const struct command *command);
/* The same for a command that all ranks of a job run: one of them counts (UNCORE_SHARE). */
struct uncore *open_machine_of_ranks(const char *machine, const struct command *command);
/*
 * uncore_options.share of the other commands: what they show is the machine, not the share of a
 * rank.
 */
const char *share_option(void);

/* Print all warnings from number *reported on and advance it. */
void report_warnings(struct uncore *u, unsigned *reported);

/* Report why a name is invalid; an exit status. */
int report_name(struct uncore *u, int code);

/* Convert event names to numbers; TOOL_OK, or an exit status after a message. */
int find_events(struct uncore *u, const char *const *names, size_t n, unsigned *ids);

/* ---- output ---- */

/* Open a file for writing with the caller's permissions; -1 and errno on failure. */
int create_file(const char *name);

/* 0 if a file can be written with the caller's permissions, else an errno; nothing is created. */
int check_file(const char *name);

/* Report an errno for a file, whose name may be empty. */
void say_file(const char *name, int error);

/* Flush a stream; TOOL_OK, or TOOL_FAILED after a message that mentions name. */
int flush_output(FILE *out, const char *name);

/* The same of standard output or standard error. */
int flush_screen(FILE *out);

/* Flush standard output at the end; returns the program's exit status. */
int end_output(int status);

/* The name of a box. */
struct numbered_box {
	const char *kind;
	unsigned box, package;
};

/*
 * "ha0, imc0-3 of packages 0-1; imc2 of package 2", to be freed.  Within a package, the list is
 * sorted by kind and number.
 */
char *boxes_text(const struct numbered_box *list, size_t n);

/* Describe the machine: the first lines of a screen. */
void print_machine(const struct screen *s, const struct uncore_machine_info *m);

struct json_object;
/* Of an event that has one. */
void add_erratum_json(struct json_object *o, const struct uncore_event_info *event);

struct json_object *json_of_machine(struct uncore *u);

/*
 * Write a recording like that of `uncore record` to a file that is open, with a result as another
 * member, which is freed.  False after a message.
 */
bool write_recording(struct uncore *u, const char *file, int fd, const char *name,
		     struct json_object *result);

/* The sharing settings, and the processes that are counting. */
void print_sharing(const struct screen *s, struct uncore *u);
/* Print the clients of uncored, if it is running; returns how many. */
unsigned print_served(const struct screen *s);

/* The target of an operation: "package 0, MSR 0xd04". */
void place_of_operation(char *text, size_t len, const struct uncore_op_info *op);

/* Print each box with its registers, and each record of discovery tables. */
void print_registers(const struct screen *s, struct uncore *u);

/* Print the counters of the cores; an exit status. */
int print_cores(const struct screen *s, struct uncore *u, bool json);

/* Print the PCI devices, and the box that counts each; an exit status. */
int print_devices(const struct screen *s, struct uncore *u, bool json);
/* Find the box of a device by the traffic of a command.  Closes the handle. */
int measure_device(const struct screen *s, struct uncore *u, const char *name, bool json,
		   char **command);

/* ---- plans ---- */

#define N_PHASES (UNCORE_PHASE_RESTORE + 1)
extern const char *const phase_names[N_PHASES];

void print_plan(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n,
		const struct uncore_plan *plan, const struct uncore_plan_info *info);
void print_operations(const struct screen *s, struct uncore *u, const struct uncore_plan *plan);
struct json_object *json_of_plan(struct uncore *u, const unsigned *ids, size_t n,
				 const struct uncore_plan *plan,
				 const struct uncore_plan_info *info);

/* Events that are counted together while others wait. */
struct plan_round {
	unsigned *ids;
	size_t n;
	struct uncore_plan *plan;
};

struct json_object *json_of_rounds(struct uncore *u, const struct plan_round *rounds, size_t n);

/* ---- known errors of events; errata.c ---- */

/* "undercounts: ...; use instead: ... (source)", to be freed; NULL: nothing is known. */
char *erratum_text(const struct uncore_event_info *event);
/* A list of the events that have one, below a heading. */
void print_errata_of(const struct screen *s, struct uncore *u, const unsigned *ids, size_t n);
/* All of this machine; an exit status. */
int list_errata(struct uncore *u, const struct screen *s, bool json);

/* ---- --until; stop_after.c ---- */

#define STOP_AFTER_MAX 8 /* limit of the library */

struct stop_after {
	struct uncore_stop_after list[STOP_AFTER_MAX];
	size_t n;
	uint64_t cores; /* interrupted by the overflow; bit 0 is the package's first core */
};

/* Parse "EVENT=N": truncates text after the event, whose number is event; an exit status. */
int add_stop_after(struct stop_after *stop_after, char *text, size_t event,
		   const struct command *command);

/* Add "CORE", which the overflow interrupts; an exit status. */
int add_pmi_core(struct stop_after *stop_after, const char *text, const struct command *command);
/* Check the combination after all options are parsed; an exit status. */
int check_stop_after(const struct stop_after *stop_after, const struct command *command);
/* Configure the set, and warn if a core may not be prepared; the library's error. */
int set_stop_after(struct uncore_set *set, const struct stop_after *stop_after);

#endif
