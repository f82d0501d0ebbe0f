/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_inspect.h - look at a machine and at what counting would do: boxes, registers, lists
 * of events, sets, plans, discovery tables, the CPUs' own counters.  Programs that only count
 * need uncore.h alone, which tells of errors, walks and sizes.  Compiles as C99 and later and
 * as C++98 and later.
 */
#ifndef UNCORE_INSPECT_H
#define UNCORE_INSPECT_H

#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine ---- */

/* The boxes of the uncore; uncore_box() shows each, uncore_cpu() the CPUs' own counters. */
struct uncore_machine_info {
	size_t size;
	const char *platform; /**< "snbep" */
	const char *title;    /**< "Intel Xeon E5-2600 (Sandy Bridge-EP)" */
	unsigned packages;    /**< physical packages online */
	unsigned dies;        /**< of a package that have an uncore each: 1, on Cascade Lake-AP 2 */
	unsigned cpus;        /**< logical CPUs online */
	unsigned boxes;       /**< boxes, absent ones included */
	unsigned boxes_present;   /**< boxes whose registers can be reached */
	unsigned boxes_unreached; /**< boxes that are, or may be, there and could not be reached */
	unsigned events;          /**< listed events, without umasks: uncore_listed_event() */
	bool partial;   /**< sums lack some of these, by uncore_options.partial: say so, too */
	bool simulated; /**< the numbers are not real: say so when you show them */
	/**
	 * Longest time between two uncore_poll_wraps() that loses no wrap, in ms, whichever
	 * counters of this machine run.  The wrap poller looks at those that do run.
	 */
	uint64_t wrap_interval_ms;
	bool recorded; /**< it answers from a file: nothing can be counted */
	bool daemon;   /**< uncored has its registers, and counts (docs/daemon.md) */
	bool kernel;   /**< the kernel's driver has its registers, and counts (docs/kernel.md) */
};

/**
 * Describe the machine; also of a handle that uncore_open() has refused.  The strings live as
 * long as the handle.
 * @return 0 or UNCORE_EINVAL (size).  Any thread.
 */
UNCORE_API int uncore_machine(struct uncore *u, struct uncore_machine_info *info);

/**
 * Walk what uncore_open() left out although somebody meant it to be used, or took
 * only with reservations: single events of a list (the first 20 of a file one by one), lists of
 * events in the installed directory that are damaged or for another CPU, lists
 * that do not tell which CPU they are for, boxes of a discovery table that is
 * damaged or hidden, C-Boxes without a core whose registers do not answer, boxes that
 * could not be reached, UBoxes that contradict each other.  The first one tells of
 * environment variables that this program ignores because it has rights that its caller
 * lacks.
 *
 * uncore_set_start(), uncore_set_stop() and uncore_recover() may add warnings: what was
 * restored for processes that ended without doing so, and journals that could not be used.
 * Those that were there keep their numbers.
 *
 * @param text  receives a sentence that is valid until uncore_close()
 * @return 1, 0 at the end.  Any thread.
 */
UNCORE_API int uncore_warning(struct uncore *u, unsigned i, const char **text);

struct uncore_box_info {
	size_t size;
	const char *kind;   /**< "cbo", as in uncore_assignment_info and uncore_event_info */
	const char *title;  /**< "C-Box (last-level cache coherence engine)" */
	unsigned index;     /**< the N of box=N */
	unsigned package;   /**< the N of pkg=N */
	unsigned die;       /**< the N of die=N; boxes are numbered through a package */
	unsigned counters;  /**< programmable counters */
	bool fixed;         /**< has a fixed counter beside them */
	unsigned width;     /**< width of a programmable counter in bits */
	const char *absent; /**< NULL, or why the box cannot be used */
	bool unreached;     /**< absent only because it could not be reached: sums are refused */
	char location[40];  /**< "msr 0xd04" or "pci 0000:7f:10.0" */
	const char *basis;  /**< what tells how many such boxes the package has; NULL: each of
				 them tells by itself whether it is there */
	/** of a kind that firmware hides on many machines: what can be counted in place of an
	 * absent one; else NULL */
	const char *instead;
	/**
	 * Of a slice of the last-level cache: its share of the lines in the package's memory, from
	 * above 0 to 1; the shares of a package add up to 1.  Known for some numbers of slices of
	 * some processors, with sub-NUMA clustering off (docs/pictures.md).  0: not known, or not a
	 * slice.
	 */
	double line_share;
};

/**
 * Walk the boxes; the number of one is i.
 * @return 1, 0 at the end, UNCORE_EINVAL (size).  Any thread.
 */
UNCORE_API int uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info);

enum uncore_space {
	UNCORE_MSR, /**< of a package: any of its CPUs reaches it */
	UNCORE_PCI,
	UNCORE_MMIO,
	UNCORE_CPU /**< MSR of one logical CPU */
};
enum uncore_op_kind { UNCORE_READ, UNCORE_WRITE, UNCORE_RMW };

/** A register operation, and where the register is: who has the rights can carry it out. */
struct uncore_op_info {
	size_t size;
	enum uncore_op_kind kind;
	enum uncore_space space;
	unsigned width;        /**< bits accessed: 32 or 64 */
	unsigned package, die; /**< the N of pkg=N and of die=N */
	unsigned cpu;          /**< MSR: a logical CPU that reaches it; CPU: the one that has it */
	unsigned segment, bus, device, function; /**< PCI */
	uint64_t address; /**< MSR number, offset in the config space, or physical address */
	uint64_t value; /**< write: the value; rmw: the new bits; read with mask: what must be there
			 */
	uint64_t mask;  /**< rmw: the bits to change; read: the bits to compare, if any */
	bool saved;     /**< restore, stop: write what setup's read of the register gave;
			   of that read: the bits under mask will be put back, if there is a mask */
	bool fixed;     /**< uncore_register(): it belongs to the fixed counter */
};

/** Kinds of registers of a box. */
enum uncore_register { UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_COUNTER, UNCORE_FILTER };

/**
 * Walk the registers of one kind that a box has.
 *
 * @param box    number of the box
 * @param which  the kind; controls and counters in the order of the counters, with the fixed
 *               one's last
 * @param op     receives the operation that reads the register
 * @return 1, 0 at the end, UNCORE_EINVAL (no such box or kind, size), UNCORE_ENODEV (the box is
 *         absent).  Any thread.
 */
UNCORE_API int uncore_register(struct uncore *u, unsigned box, enum uncore_register which,
			       unsigned i, struct uncore_op_info *op);

/**
 * Read one of these registers as it is now.
 *
 * @param box, which, i  as above
 * @param value          receives what the register holds
 * @return 1, 0 at the end, UNCORE_EINVAL (no such box or kind), UNCORE_ENODEV (the box is
 *         absent), UNCORE_EACCESS, UNCORE_EIO, UNCORE_EFORK, UNCORE_ENOSUPP (uncored has them)
 * Threads: any.  Blocks signals for its duration.
 */
UNCORE_API int uncore_register_value(struct uncore *u, unsigned box, enum uncore_register which,
				     unsigned i, uint64_t *value);

/** For uncore_record(): the boxes' registers as they are now, too. */
#define UNCORE_RECORD_REGISTERS 1u

/**
 * Write down what the machine answered when this handle was opened with uncore_options.record: CPU,
 * topology, Intel's PCI devices, registers and CPUID leaves that were looked at, kernel.  The
 * file is JSON (docs/recordings.md); "file:FILE" as the name of a machine opens it.  It has no
 * serial numbers and names of hosts.  Also of a handle that uncore_open() has refused: then the
 * file has the reason.
 *
 * @param fd     a file open for writing, which stays open
 * @param flags  0 or UNCORE_RECORD_REGISTERS; these are read, nothing is written
 * @return 0, UNCORE_ESTATE (not opened for it), UNCORE_EIO, UNCORE_ENOMEM, UNCORE_EINVAL (flags),
 *         UNCORE_ENOSUPP (built without json-c)
 * Threads: any, one at a time.  Implements: docs/recordings.md.
 */
UNCORE_API int uncore_record(struct uncore *u, int fd, unsigned flags);

/** What a program on one CPU did to memory, and where. */
struct uncore_load {
	size_t size;
	unsigned cpu;        /**< logical CPU that ran it */
	unsigned memory_cpu; /**< one of the package, or die, whose memory it was */
	uint64_t reads;    /**< lines of 64 bytes that missed the cache and were read from memory */
	uint64_t writes;   /**< lines of 64 bytes written to memory by non-temporal stores */
	uint64_t ns;       /**< that it took, until now */
	double latency_ns; /**< of a read; 0: that of the machine's other reads */
};

/**
 * Tell a simulated machine of traffic: what counts at this moment gains what it sees of it, beside
 * the traffic that such a machine always has.  So a test whose traffic is known by its size runs
 * there, too.  Free-running counters do not gain, and nothing stops by it
 * (uncore_set_stop_after()).
 *
 * @return 0, UNCORE_ENOSUPP (the machine is not simulated in this process), UNCORE_ENODEV (no such
 *         CPU), UNCORE_EINVAL (size; ns is 0)
 * Threads: any.  Implements: docs/selftest.md.
 */
UNCORE_API int uncore_simulate_load(struct uncore *u, const struct uncore_load *load);

/* ---- lists of events ---- */

/**
 * Walk the listed events: each event of each box kind that the machine has,
 * once, without boxes, packages and umasks; each can be counted as it is.
 *
 * @param id  receives the number of the event, which is i itself
 * @return 1, 0 at the end.  Any thread.
 */
UNCORE_API int uncore_listed_event(struct uncore *u, unsigned i, unsigned *id);

/**
 * Walk the umasks of a listed event, and then its qualifiers ("EVENT:t=0").
 *
 * @param event  the listed event; or what this function gave for it: then those behind that,
 *               so that i = 0 is the next one
 * @param id     receives the number of the event with that umask or qualifier; may be where
 *               event was from
 * @return 1, 0 at the end and for events that are not listed, UNCORE_EINVAL (no such event),
 *         UNCORE_ENOMEM.  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_umask(struct uncore *u, unsigned event, unsigned i, unsigned *id);

/** What an event is, whatever table or list its name is from. */
struct uncore_encoding {
	size_t size;
	uint64_t control;  /**< of its counters, without the enable bit */
	uint32_t counters; /**< programmable ones that may count it, bit i: counter i; 0: a fixed
			      one */
	/**
	 * Events of one code are the same: kind of box, control, filters, counters.  The same in
	 * all processes with this version of the library.
	 */
	uint64_t code;
};

/**
 * Tell how an event is encoded.
 * @return 0, UNCORE_EINVAL (no such event, size; a metric is made of several), or why it cannot be
 *         encoded, as uncore_event().  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_encoding(struct uncore *u, unsigned id,
				     struct uncore_encoding *encoding);

/** What the count of an event is the sum of. */
struct uncore_sum {
	size_t size;
	unsigned packages; /**< packages that it counts in */
	/**
	 * Counters whose counts are added up: sum / counters is the mean of a box.  A counter
	 * that a metric counts several times is as many, and may be a fraction.  0: the event is
	 * `real`, so it is not a sum.
	 */
	double counters;
	/**
	 * What a count is divided by before it is a rate: of cycles `counters`, because no clock
	 * has the sum of several frequencies; else 1.
	 */
	double rate_divisor;
	/**
	 * Packages to name beside the event, as in "EVENT:box=0 of 2 packages": with box= and
	 * without pkg= it looks like one box, but is the sum of one in each package.  0: there is
	 * no need.
	 */
	unsigned of_packages;
};

/**
 * Tell how many packages and counters an event is the sum of: without box= and pkg= it is the sum
 * over all boxes of its kind, with box= alone still over all packages.
 *
 * @param id   the event
 * @param sum  receives the numbers
 * @return 0, UNCORE_EINVAL (no such event, size), or why the event cannot be encoded, as
 *         uncore_event()
 * Threads: as uncore_event().  Not for signal handlers.
 */
UNCORE_API int uncore_event_sum(struct uncore *u, unsigned id, struct uncore_sum *sum);

/**
 * Walk the events of single boxes and packages that a name stands for: with a list, a range or *
 * for box= one for each box, for pkg= one for each package, for both one for each box of each
 * package, package by package; with neither the event itself.  uncore_event() makes one event of
 * such a name, which is the sum of these.
 *
 * Boxes in which the event is not counted, such as those that are hidden, are no parts.
 *
 * @param id  receives the number of the event
 * @return 1, 0 behind the last, or what uncore_event() returns.  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_part(struct uncore *u, const char *name, unsigned i, unsigned *id);

struct uncore_qualifier_info {
	size_t size;
	const char *name; /**< "t", "nf", "box", ... */
	const char *text; /**< meaning and range */
};

/**
 * Walk the qualifiers of an event.  The strings live as long as the handle.
 * @return 1, 0 at the end, UNCORE_EINVAL (no such event, size), UNCORE_ENOMEM.  Threads: as
 *         uncore_event().
 */
UNCORE_API int uncore_event_qualifier(struct uncore *u, unsigned event, unsigned i,
				      struct uncore_qualifier_info *info);

/* ---- plans ---- */

struct uncore_plan;

/** What a plan is for, besides its events.  Zeros: counting until it is stopped. */
struct uncore_plan_options {
	size_t size;
	/** for a set that stops by itself: what uncore_set_stop_after() is given */
	const struct uncore_stop_after *stop_after;
	size_t n_stop_after;
	uint64_t cores;
};

/**
 * Plan a list of events on an idle machine.  Touches no register.
 *
 * @param ids, n   events; the same one may be given more than once
 * @param options  NULL for none
 * @param out      receives the plan, also an infeasible one (uncore_plan_info() tells), NULL on
 *                 failure; free it with uncore_plan_free(), before the handle
 * @return 0, UNCORE_ENODEV (a box or package is absent), UNCORE_EINVAL, UNCORE_ENOMEM; with
 *         stop_after also what uncore_set_stop_after() returns
 * Threads: any.  Implements: design.md 4-8, docs/hardware/README.md.
 */
UNCORE_API int uncore_plan(struct uncore *u, const unsigned *ids, size_t n,
			   const struct uncore_plan_options *options, struct uncore_plan **out);
UNCORE_API void uncore_plan_free(struct uncore_plan *plan);

struct uncore_plan_info {
	size_t size;
	bool feasible;
	char reason[1024]; /**< why not, in one sentence, or "" */
};

/** Describe a plan.  @return 0 or UNCORE_EINVAL (size).  Any thread. */
UNCORE_API int uncore_plan_info(const struct uncore_plan *plan, struct uncore_plan_info *info);

/** An event on a counter. */
struct uncore_assignment_info {
	size_t size;
	unsigned event;        /**< index into the list that was planned */
	unsigned counted;      /**< number of the event that is counted: that one, or one that it
				  is made of */
	unsigned package, die; /**< the N of pkg=N and of die=N */
	const char *kind;      /**< box kind */
	unsigned box;          /**< the N of box=N */
	/** counter number; the number of counters for the fixed one; a CPU's fixed ones follow its
	 * others */
	unsigned counter;
	bool fixed;
	uint64_t control; /**< control value without the enable bit */
};

/**
 * Walk the assignments of a feasible plan.
 * @return 1, 0 at the end, UNCORE_EINVAL (size).  Any thread.
 */
UNCORE_API int uncore_plan_assignment(const struct uncore_plan *plan, unsigned i,
				      struct uncore_assignment_info *info);

enum uncore_phase {
	UNCORE_PHASE_SETUP,
	UNCORE_PHASE_START,
	UNCORE_PHASE_READ,
	UNCORE_PHASE_STOP,
	UNCORE_PHASE_RESTORE
};

/**
 * Walk the register operations of one phase of a feasible plan, in their order.
 * @return 1, 0 at the end, UNCORE_EINVAL (no such phase, size).  Any thread.
 */
UNCORE_API int uncore_plan_op(const struct uncore_plan *plan, enum uncore_phase phase, unsigned i,
			      struct uncore_op_info *op);

/**
 * Walk the smallest set of events that conflict, of a plan that is not feasible.
 * @param event  receives the event's index into the list that was planned
 * @return 1, 0 at the end.  Any thread.
 */
UNCORE_API int uncore_plan_conflict(const struct uncore_plan *plan, unsigned i, unsigned *event);

/* ---- the kernel's driver ---- */

/** How the kernel's driver counts an event in one box: what perf_event_open() takes. */
struct uncore_perf_info {
	size_t size;
	unsigned counted; /**< number of the event that is counted: that one, or one that it is
			     made of */
	unsigned box;     /**< number of the box, for uncore_box() */
	char pmu[40];     /**< "uncore_cbox_0", in /sys/bus/event_source/devices */
	unsigned type;    /**< of that PMU */
	unsigned cpu;     /**< of its cpumask, in the package of the box */
	uint64_t config, config1, config2;
};

/**
 * Walk the boxes that an event is counted in, and tell how the kernel's driver would count it
 * there.  What the driver would drop without an error is refused.  Touches no register.
 *
 * @param id    the event
 * @param i     number of the box among these; of a metric those of each event that it is made of
 * @param info  receives what perf_event_open() takes, with pid -1
 * @return 1, 0 at the end, UNCORE_EINVAL (no such event, size), UNCORE_ENODEV (the kernel has no
 *         PMU for the box: its driver is not loaded, or does not know it), UNCORE_ENOSUPP (the
 *         driver lacks a field that the event needs, or gets it wrong; the machine is simulated
 *         or a recording), UNCORE_ENOMEM
 * Threads: any, but none may call uncore_event() or its neighbours meanwhile.
 * Signals: not in handlers.  Implements: docs/hardware, the drivers' formats.
 */
UNCORE_API int uncore_perf_event(struct uncore *u, unsigned id, unsigned i,
				 struct uncore_perf_info *info);

/* ---- other processes ---- */

/** A register that was restored for a process that ended without doing so, or left. */
struct uncore_restored_info {
	size_t size;
	const char *owner; /**< "lulesh (pid 4711, user anna)"; valid until the next start */
	struct uncore_op_info op;
	uint64_t held;  /**< before */
	uint64_t value; /**< now */
	bool left;      /**< somebody else has changed it since: it was left as it was */
};

/**
 * Restore what processes have left that ended without giving their counters back.
 *
 * Each start of a set does that for the packages in which it counts; this does it for all of
 * them, and starts nothing.
 *
 * @return 0, UNCORE_EBUSY (another process is claiming counters: uncore_errmsg() names it),
 *         UNCORE_EACCESS, UNCORE_ENOMEM, UNCORE_EFORK
 * Threads: any.  Blocks signals for its duration.  Implements: docs/reliability.md.
 */
UNCORE_API int uncore_recover(struct uncore *u);

/**
 * Open now every file that counting may need later, and restore what dead processes have left as
 * uncore_recover() does: a process can then give up the rights that opening takes.
 *
 * Device files that cannot be opened are told by the start that needs them.  The directory of
 * journals has to be writable for the user that the process becomes (uncore_sharing() names it).
 *
 * @return as uncore_recover()
 * Threads: any.  Blocks signals for its duration.
 */
UNCORE_API int uncore_open_files(struct uncore *u);

/**
 * Bound the memory for event names.  Each event that uncore_event() is asked for, with its umasks
 * and qualifiers, stays until uncore_close(): a program that asks for what others write has a
 * limit.
 *
 * @param names  how many there may be beside those that are listed; 0: any number.  Further ones
 *               are refused with UNCORE_ENOMEM
 * @return how many there are, beside those that are listed
 * Threads: any.
 */
UNCORE_API unsigned uncore_limit_names(struct uncore *u, unsigned names);

/** Walk over what this handle has restored for others.  @return 1, 0, UNCORE_EINVAL (size). */
UNCORE_API int uncore_restored(struct uncore *u, unsigned i, struct uncore_restored_info *info);

/** Another process, or another handle of this one, that counts on this machine. */
struct uncore_owner_info {
	size_t size;
	char name[128];   /**< "lulesh (pid 4711, user anna)" */
	char events[896]; /**< what it counts, with spaces between; may be cut */
	int64_t since;    /**< s since 1970 */
	unsigned pid, uid;
	unsigned registers; /**< that it has changed */
};

/**
 * Walk over the others that count now: number 0 looks anew.
 * @return 1, 0 (no more), UNCORE_EINVAL (size), UNCORE_ENOMEM, UNCORE_EFORK.  Threads: any.
 */
UNCORE_API int uncore_owner(struct uncore *u, unsigned i, struct uncore_owner_info *info);

/** How this handle shares the machine with others. */
struct uncore_sharing_info {
	size_t size;
	const char *journal; /**< directory of the journals, NULL: there is none */
	/** NULL, or a sentence: what is missing for processes to see each other */
	const char *missing;
	bool owner; /**< UNCORE_SHARE=owner */
	unsigned lock_timeout_ms;
	unsigned ended; /**< processes that have ended, and whose registers wait to be restored */
};

/**
 * Look who counts.  @return 0, UNCORE_EINVAL (size), UNCORE_ENOMEM, UNCORE_EFORK.  Threads: any.
 */
UNCORE_API int uncore_sharing(struct uncore *u, struct uncore_sharing_info *info);

/* ---- sets ---- */

struct uncore_set_info {
	size_t size;
	unsigned events; /**< assigned */
	unsigned rounds; /**< that these take turns in; 1: they are all counted at once */
	bool running;
	/** values of the present, or last, run that another process counts: here they are 0 */
	unsigned elsewhere;
};

/** Describe a set.  @return 0 or UNCORE_EINVAL (size).  Any thread. */
UNCORE_API int uncore_set_info(struct uncore_set *set, struct uncore_set_info *info);

/** An event that stops a set, and how. */
struct uncore_stop_after_info {
	size_t size;
	unsigned event; /**< index into the set's list */
	uint64_t count;
	const char *kind; /**< box kind */
	unsigned box, package, counter, width;
	uint64_t preload; /**< what the counter is loaded with */
	/**
	 * NULL: exact; or why it is done by polling and is not exact.  After the set has stopped,
	 * also what its overflow turned out not to stop: that is looked at each time.
	 */
	const char *polled;
};

/**
 * Walk what uncore_set_stop_after() was given.
 * @return 1, 0 at the end, UNCORE_EINVAL (size).  Threads: any, but none may change it meanwhile.
 */
UNCORE_API int uncore_set_stop_after_info(struct uncore_set *set, unsigned i,
					  struct uncore_stop_after_info *info);

/** Who says that a counter overflowed. */
enum uncore_reported_by {
	UNCORE_BY_BOX,     /**< the box's status register */
	UNCORE_BY_COUNTER, /**< the counter itself: its box has no status register that is known */
	UNCORE_BY_PACKAGE  /**< the package's: of a fixed counter its own bit, else the box's */
};

struct uncore_overflow_source {
	size_t size;
	int event; /**< index into the set's list, -1: none of those that stop it */
	unsigned package;
	const char *kind;
	unsigned box;
	int counter; /**< -1: unknown */
	enum uncore_reported_by reported_by;
};

/**
 * Walk the counters that stopped the set, after uncore_set_wait() or uncore_set_stop(): more than
 * one if several overflowed before the boxes stood.  Also those of others that stop the package.
 * @return 1, 0 at the end, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_set_overflow_source(struct uncore_set *set, unsigned i,
					  struct uncore_overflow_source *source);

/** The sentence that tells about a missed wrap; returns buf.  Any thread. */
UNCORE_API char *uncore_missed_wrap_text(struct uncore_set *set,
					 const struct uncore_missed_wrap *missed_wrap, char *buf,
					 size_t len);

/* ---- discovery tables, CPUs, model-specific registers ---- */

/** A discovery table: on machines that have some, what they say is where the boxes are. */
struct uncore_discovery_table_info {
	size_t size;
	unsigned package;      /**< the N of pkg=N */
	char device[16];       /**< who tells where it is: PCI device "0000:00:00.1", "msr 0x710" */
	unsigned bar;          /**< of a PCI device: number of the BAR that it is behind */
	uint64_t address;      /**< physical address of its head */
	unsigned stride;       /**< bytes from one record to the next */
	unsigned slots, empty; /**< records that it has room for, and those that say nothing */
	unsigned status_offset, n_status; /**< global status registers, behind the control */
	const char *damage;               /**< NULL, or what is wrong with the table */
	char control[40]; /**< register that holds all its boxes, "msr 0x2ff0", or "" */
};

/** A unit record of a discovery table: a box as the firmware describes it. */
struct uncore_discovered_unit_info {
	size_t size;
	unsigned table, slot; /**< number of the table, and of the record in it, both from 0 */
	unsigned package;     /**< the N of pkg=N */
	unsigned type, id;    /**< as in the record */
	unsigned access;      /**< as in the record: 0 MSR, 1 MMIO, 2 PCI */
	uint64_t address;     /**< unit control as in the record */
	char location[40];    /**< the same, "mmio 0xc8aa2800" or "pci 0000:fe:0c.0+0x438" */
	unsigned counters, width;
	unsigned control_offset, counter_offset, status_offset; /**< from the unit control */
	unsigned position;                                      /**< of its global status bit */
	int box;             /**< its number for uncore_box(), -1: it is no box */
	const char *refused; /**< NULL, or why it is no box */
};

/**
 * Walk the discovery tables, in the order of their devices; and the unit records, in the order
 * of their tables.
 * @return 1, 0 at the end, UNCORE_EINVAL (size).  Any thread.
 */
UNCORE_API int uncore_discovery_table(struct uncore *u, unsigned i,
				      struct uncore_discovery_table_info *info);
UNCORE_API int uncore_discovered_unit(struct uncore *u, unsigned i,
				      struct uncore_discovered_unit_info *info);

/** The counters that a CPU has of its own. */
struct uncore_cpu_info {
	size_t size;
	unsigned cpu;     /**< logical CPU */
	unsigned package; /**< the N of pkg=N */
	unsigned version; /**< of architectural performance monitoring, from 1 */
	unsigned counters, width;
	unsigned fixed, fixed_width; /**< bit i: fixed counter i is there */
	/** Version 2: the next four registers are there, and this process has the registers. */
	bool has_global;
	uint64_t global_ctrl, global_status, fixed_ctrl, debugctl;
	bool has_in_use; /**< version 4, and this process has the registers */
	uint64_t in_use;
};

/**
 * Walk the CPUs that are online: describe the counters that each has of its own, and read their
 * registers.
 *
 * @return 1, 0 at the end, UNCORE_EINVAL (size), UNCORE_ENOSUPP (the CPUs have none),
 *         UNCORE_EACCESS, UNCORE_EIO, UNCORE_EFORK
 * Threads: any.  Blocks signals for its duration.  Implements: SDM vol. 3B 18.2.
 */
UNCORE_API int uncore_cpu(struct uncore *u, unsigned i, struct uncore_cpu_info *info);

/** A model-specific register that events of this machine need. */
struct uncore_msr_info {
	size_t size;
	uint32_t msr;
	uint64_t writable;    /**< bits that are written; 0: it is only read */
	uint64_t stop_after;  /**< further bits that only uncore_set_stop_after() needs */
	bool stop_after_only; /**< nothing else needs this register */
	const char *kind;     /**< of its box, "core" for CPUs, "" for a package's own */
	char what[40];        /**< "cbo3 control 1", "PERFEVTSEL 0", "global control" */
};

/**
 * Walk the MSRs that sets of events may read or write: ascending, each once, for all packages. This
 * is what msr-safe's allow-list has to have.  Boxes that cannot be used are included, so it works,
 * too, on a handle that uncore_open() has refused with UNCORE_EACCESS.
 *
 * @return 1, 0 at the end, UNCORE_EINVAL (size), UNCORE_ENOMEM.  Any thread.
 */
UNCORE_API int uncore_msr(struct uncore *u, unsigned i, struct uncore_msr_info *info);

#ifdef __cplusplus
}
#endif
#endif
