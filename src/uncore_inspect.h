/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_inspect.h - inspect the machine, its boxes, registers and events, and see what counting
 * would do: sets, plans, discovery tables, the counters of the CPUs.  Programs that only count need
 * uncore.h alone.  The rules in uncore.h about errors, iteration, sizes and threads apply here,
 * too. Compiles as C99 and later and as C++98 and later.
 */
#ifndef UNCORE_INSPECT_H
#define UNCORE_INSPECT_H

#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine ---- */

/** The machine as a whole.  uncore_box() describes its boxes, uncore_cpu() its CPUs' counters. */
struct uncore_machine_info {
	size_t size;
	const char *platform; /**< "snbep" */
	const char *title;    /**< "Intel Xeon E5-2600 (Sandy Bridge-EP)" */
	unsigned packages;    /**< physical packages online */
	unsigned dies;  /**< dies with an uncore of their own per package: 1, Cascade Lake-AP: 2 */
	unsigned cpus;  /**< logical CPUs online */
	unsigned boxes; /**< boxes, including absent ones */
	unsigned boxes_present;   /**< boxes whose registers are accessible */
	unsigned boxes_unreached; /**< boxes that exist or may exist but could not be reached */
	unsigned events;          /**< listed events, without umasks: uncore_listed_event() */
	bool partial;   /**< sums lack some of these boxes (uncore_options.partial): tell users */
	bool simulated; /**< the machine is simulated and the counts are not real: tell users */
	/**
	 * Longest time in ms between two calls of uncore_poll_wraps() in which no counter of this
	 * machine can wrap.  The wrap poller only reads the counters that are running.
	 */
	uint64_t wrap_interval_ms;
	bool recorded; /**< the machine is a recording; it cannot count, unless `replayed` */
	bool daemon;   /**< uncored accesses the registers and counts (docs/daemon.md) */
	bool kernel; /**< the kernel's driver accesses the registers and counts (docs/kernel.md) */
	bool replayed; /**< a recording with samples: sets count from them (docs/recordings.md) */
};

/**
 * Describe the machine.  Also works on the handle of a failed uncore_open().
 * @return 0 or UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_machine(struct uncore *u, struct uncore_machine_info *info);

/**
 * Iterate over the warnings: what uncore_open() ignored although it was requested or installed, or
 * used with reservations.  Examples are invalid events of a list (the first 20 per file), event
 * lists that are damaged, for another CPU or do not name their CPU, boxes of a discovery table that
 * is damaged or hidden, C-Boxes whose registers do not answer, boxes that could not be reached, and
 * UBoxes that contradict each other.  A warning about environment variables that a privileged
 * program ignores comes first.
 *
 * uncore_set_start(), uncore_set_stop() and uncore_recover() may append warnings: about registers
 * restored for processes that have ended, and about journals that could not be used; and
 * uncore_event() about devices that share the port of dev=.  Existing warnings keep their numbers.
 *
 * @param text  receives the message
 * @return 1, 0 past the last warning.  Threads: any.
 */
UNCORE_API int uncore_warning(struct uncore *u, unsigned i, const char **text);

/** Subjects of warnings.  The values never change. */
enum uncore_warning_code {
	UNCORE_WARNING_EVENT_LISTS = 1, /**< Intel's event lists, or events in them */
	UNCORE_WARNING_ENVIRONMENT,     /**< variables that a privileged program ignores */
	UNCORE_WARNING_BOXES_UNREACHED, /**< boxes marked by uncore_box_info.unreached */
	UNCORE_WARNING_BOXES_MISSING,   /**< cache slices that do not respond */
	UNCORE_WARNING_DISCOVERY,       /**< discovery tables: damaged, missing, unreadable */
	UNCORE_WARNING_PACKAGES,        /**< UBoxes that contradict each other */
	UNCORE_WARNING_RECOVERY,        /**< registers or journals of processes that have ended */
	UNCORE_WARNING_ACCESS,          /**< uncored is not usable */
	UNCORE_WARNING_SIMULATION,      /**< the simulated machine differs from the recorded one */
	UNCORE_WARNING_CPUS,            /**< CPUs that came online after uncore_open() */
	UNCORE_WARNING_TABLES, /**< sums may lack boxes: a discovery table is unreadable, missing,
				  or of an unknown package */
	UNCORE_WARNING_SHARED_PORT, /**< other devices are counted with the one of dev= */
	UNCORE_WARNING_NODES        /**< the boxes of node= are assumed, not measured */
};

/**
 * Get the subject of a warning, for programs that treat some subjects differently.
 *
 * @param i  as in uncore_warning()
 * @return enum uncore_warning_code (newer libraries may add values), 0 past the last warning.
 *         Threads: any.
 */
UNCORE_API int uncore_warning_code(struct uncore *u, unsigned i);

/** Why a box is absent; uncore_box_info.absent is the message.  The values never change. */
enum uncore_absence {
	UNCORE_PRESENT,               /**< the box can be used */
	UNCORE_ABSENT_HIDDEN,         /**< its PCI device is hidden */
	UNCORE_ABSENT_LOCATOR_HIDDEN, /**< the PCI device that holds its address is hidden */
	UNCORE_ABSENT_DEAD,           /**< its registers read as all ones */
	UNCORE_ABSENT_ZERO,           /**< its registers read as zero */
	UNCORE_ABSENT_INCOMPLETE,     /**< other devices of its memory controller are missing */
	UNCORE_ABSENT_NO_ADDRESS,     /**< the firmware assigned it no address */
	UNCORE_ABSENT_SAME_ADDRESS,   /**< the firmware assigned it the address of another box */
	UNCORE_ABSENT_NO_REGISTER,    /**< the CPU or the hypervisor rejects its register */
	UNCORE_ABSENT_NO_ENERGY,      /**< the firmware does not report energy */
	UNCORE_ABSENT_NO_LIMIT,       /**< the firmware does not report the power limit */
	UNCORE_ABSENT_NO_TPMI,        /**< TPMI does not list it */
	UNCORE_ABSENT_NOT_RECORDED,   /**< the recording lacks its registers */
	UNCORE_ABSENT_NO_DEVICE,      /**< no PCI device could be identified as its own */
	UNCORE_ABSENT_PACKAGE,        /**< the package of its PCI device is unknown */
	UNCORE_ABSENT_UNLISTED,       /**< not all PCI devices could be listed */
	UNCORE_ABSENT_LOCATOR,        /**< the PCI device that holds its address is unreadable */
	UNCORE_ABSENT_RIGHTS,         /**< no permission to access its registers */
	UNCORE_ABSENT_WRITES,         /**< the msr module rejects writes */
	UNCORE_ABSENT_CONFIG_64,      /**< no permission for config space beyond 64 bytes */
	UNCORE_ABSENT_CONFIG_256,     /**< config space is limited to 256 bytes */
	UNCORE_ABSENT_NO_FILE,        /**< its device file does not exist */
	UNCORE_ABSENT_IN_MEMORY,      /**< its address lies in main memory */
	UNCORE_ABSENT_NOT_OPENED,     /**< its device file could not be opened */
	UNCORE_ABSENT_SILENT,         /**< its registers do not respond */
	UNCORE_ABSENT_KERNEL_RIGHTS,  /**< perf_event_open() is not permitted */
	UNCORE_ABSENT_KERNEL_CPU,     /**< its PMU has no CPU in the package */
	UNCORE_ABSENT_KERNEL_PMU,     /**< the kernel has no PMU for it */
	UNCORE_ABSENT_KERNEL_BOX,     /**< its PMU rejects the package */
	UNCORE_ABSENT_FILES,          /**< too many open files */
	UNCORE_ABSENT_RECORD          /**< its record in the discovery table is unusable */
};

struct uncore_box_info {
	size_t size;
	const char *kind;   /**< "cbo", as in uncore_assignment_info and uncore_event_info */
	const char *title;  /**< "C-Box (last-level cache coherence engine)" */
	unsigned index;     /**< the N of box=N */
	unsigned package;   /**< the N of pkg=N */
	unsigned die;       /**< the N of die=N; boxes are numbered per package, not per die */
	unsigned counters;  /**< programmable counters */
	bool fixed;         /**< has a fixed counter in addition to them */
	unsigned width;     /**< width of a programmable counter in bits */
	const char *absent; /**< NULL, or why the box cannot be used */
	bool unreached;     /**< exists or may exist but could not be reached: sums are refused */
	char location[40];  /**< "msr 0xd04" or "pci 0000:7f:10.0" */
	const char *basis;  /**< source of the number of such boxes per package; NULL: each box is
				 detected individually */
	/** alternative to an absent box of a kind that firmware often hides, else NULL */
	const char *instead;
	/**
	 * Of a slice of the last-level cache: its share of the lines in the package's memory, in
	 * (0, 1]; the shares of a package add up to 1.  Known for some processors and numbers of
	 * slices, with sub-NUMA clustering disabled (docs/pictures.md).  0: unknown, or not a
	 * slice.
	 */
	double line_share;
	enum uncore_absence absence; /**< why the box is absent, else UNCORE_PRESENT */
	char pci_function[16]; /**< "0000:7f:10.0" if its registers are in config space, else "" */
	const char *pmu;       /**< "snbep_unc_cbo", the PMU of its raw events; NULL: none */
};

/**
 * Iterate over the boxes.  The number of a box is its i.
 * @return 1, 0 past the last box, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info);

enum uncore_space {
	UNCORE_MSR, /**< MSR of a package, accessible from each of its CPUs */
	UNCORE_PCI,
	UNCORE_MMIO,
	UNCORE_CPU /**< MSR of one logical CPU */
};
enum uncore_op_kind { UNCORE_READ, UNCORE_WRITE, UNCORE_RMW };

/** A register operation with everything needed to carry it out. */
struct uncore_op_info {
	size_t size;
	enum uncore_op_kind kind;
	enum uncore_space space;
	unsigned width;        /**< bits accessed: 32 or 64 */
	unsigned package, die; /**< the N of pkg=N and of die=N */
	unsigned cpu;          /**< MSR: a logical CPU of the package; CPU: the CPU itself */
	unsigned segment, bus, device, function; /**< PCI */
	uint64_t address; /**< MSR number, offset in config space, or physical address */
	uint64_t value;   /**< write: value; rmw: new bits; read with a mask: expected bits */
	uint64_t mask;    /**< rmw: bits to change; read: bits to compare, or 0 */
	bool saved; /**< restore, stop: write the value that setup's read of the register returned;
		       setup: the value read is used for that, only its bits under mask, if any */
	bool fixed; /**< uncore_register(): register of the fixed counter */
};

/** Kinds of registers of a box. */
enum uncore_register { UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_COUNTER, UNCORE_FILTER };

/**
 * Iterate over the registers of one kind of a box.
 *
 * @param box    number of the box
 * @param which  the kind; controls and counters are in the order of the counters, the fixed
 *               counter's last
 * @param op     receives the operation that reads the register
 * @return 1, 0 past the last register, UNCORE_EINVAL (unknown box or kind, size), UNCORE_ENODEV
 *         (the box is absent).  Threads: any.
 */
UNCORE_API int uncore_register(struct uncore *u, unsigned box, enum uncore_register which,
			       unsigned i, struct uncore_op_info *op);

/**
 * Read the current value of one of these registers.
 *
 * @param box, which, i  as in uncore_register()
 * @param value          receives the value
 * @return 1, 0 past the last register, UNCORE_EINVAL (unknown box or kind), UNCORE_ENODEV (the box
 *         is absent), UNCORE_EACCESS, UNCORE_EIO, UNCORE_EFORK, UNCORE_ENOSUPP (the registers are
 *         accessed by uncored or the kernel)
 * Threads: any.  Blocks signals.
 */
UNCORE_API int uncore_register_value(struct uncore *u, unsigned box, enum uncore_register which,
				     unsigned i, uint64_t *value);

/** Flag of uncore_record(): include the current values of the boxes' registers. */
#define UNCORE_RECORD_REGISTERS 1u

/**
 * Write a recording of the machine: everything uncore_open() has read with uncore_options.record
 * set, that is, the CPU, topology, Intel's PCI devices, registers, CPUID leaves and the kernel. The
 * file is JSON (docs/recordings.md) and is opened with the machine name "file:FILE".  It contains
 * no serial numbers and no host names.  Also works on the handle of a failed uncore_open(); the
 * file then includes the error.
 *
 * @param fd     file descriptor open for writing; it stays open
 * @param flags  0 or UNCORE_RECORD_REGISTERS, which reads registers and changes none
 * @return 0, UNCORE_ESTATE (opened without uncore_options.record), UNCORE_EIO, UNCORE_ENOMEM,
 *         UNCORE_EINVAL (flags), UNCORE_ENOSUPP (built without json-c)
 * Threads: any, but only one at a time.  Implements: docs/recordings.md.
 */
UNCORE_API int uncore_record(struct uncore *u, int fd, unsigned flags);

/**
 * Take a sample for a recording: the values of all counters that are counting, including those of
 * other programs, and of free-running counters.  The first call finds them.  With two samples or
 * more, uncore_record() writes them, and sets on "file:FILE" count from them.  Writes no register.
 *
 * @return 0, UNCORE_ESTATE (opened without uncore_options.record), UNCORE_ENODEV (nothing is
 *         counting), UNCORE_EIO, UNCORE_ENOMEM, UNCORE_ENOSUPP (the registers are accessed by
 *         uncored or the kernel), UNCORE_EFORK
 * Threads: any.  Blocks signals.  Implements: docs/recordings.md.
 */
UNCORE_API int uncore_record_sample(struct uncore *u);

/** Memory traffic of a program on one CPU. */
struct uncore_load {
	size_t size;
	unsigned cpu;        /**< logical CPU that ran the program */
	unsigned memory_cpu; /**< a CPU of the package or die whose memory was accessed */
	uint64_t reads;    /**< lines of 64 bytes that missed the cache and were read from memory */
	uint64_t writes;   /**< lines of 64 bytes written to memory by non-temporal stores */
	uint64_t ns;       /**< duration of the traffic in ns; it ends now */
	double latency_ns; /**< latency of a read in ns; 0: as the machine's other reads */
	/**
	 * Physical address of the lines, which determines the slices of the cache that see them,
	 * and their extent, 0 to 1 GiB; 0: spread over all memory.
	 */
	uint64_t address, bytes;
	/** NUMA node whose memory was accessed, plus 1; 0: that of memory_cpu */
	unsigned memory_node;
};

/**
 * Add traffic to a simulated machine: running counters advance by what they would count of it, in
 * addition to the machine's background traffic.  This lets tests with known traffic run on
 * simulated machines.  Free-running counters do not advance, and the traffic does not trigger
 * uncore_set_stop_after().
 *
 * @return 0, UNCORE_ENOSUPP (the machine is not simulated in this process), UNCORE_ENODEV (unknown
 *         CPU), UNCORE_EINVAL (size; ns is 0; more than 1 GiB)
 * Threads: any.  Implements: docs/selftest.md.
 */
UNCORE_API int uncore_simulate_load(struct uncore *u, const struct uncore_load *load);

/* ---- PCI devices ---- */

/** The parts of a whole stack (uncore_device_info.parts). */
#define UNCORE_ALL_PARTS 0xffffffffu

/** A PCI device, and the box that counts its traffic. */
struct uncore_device_info {
	size_t size;
	const char *address; /**< "0000:3b:00.0" */
	const char *names;   /**< "eth2 mlx5_0": its names for dev=, separated by spaces; or "" */
	const char *port;    /**< address of its root port; integrated devices: its own */
	/** NULL, or why parts is 0, or all of package to basis are unknown; and what to do */
	const char *problem;
	unsigned package, die, box; /**< the N of pkg=N, die=N, and box=N of kind iio */
	unsigned parts; /**< bit p: part p of the box; UNCORE_ALL_PARTS: all, as sources disagree */
	const char *stack;     /**< "PCIe1", as Intel calls the box; "": it is unknown */
	const char *basis;     /**< source of the box: "MSR 0x300" */
	const char *others;    /**< devices that are counted with it, separated by ", "; or "" */
	bool virtual_function; /**< of a device with SR-IOV */
	/** the link: lanes, and megatransfers per second of a lane; 0: unknown */
	unsigned width, speed, max_width, max_speed;
};

/**
 * Iterate over the PCI devices behind root ports, integrated ones that have a name, and
 * accelerators, without bridges and switches.  Entry 0 refreshes the list.
 *
 * @param info  receives the description; its texts are valid until entry 0 is requested again
 * @return 1, 0 past the last device, UNCORE_EINVAL (size), UNCORE_ENOSUPP (not the machine with the
 *         devices: a recording), UNCORE_ENOMEM
 * Threads: any, but only one at a time, and no other thread may call uncore_event() or a function
 * with its thread rules.  Implements: docs/devices.md.
 */
UNCORE_API int uncore_device(struct uncore *u, unsigned i, struct uncore_device_info *info);

/* ---- NUMA nodes ---- */

/** Contents of a NUMA node.  The values never change. */
enum uncore_node_kind {
	UNCORE_NODE_CPUS = 1, /**< CPUs, and their memory */
	UNCORE_NODE_HBM,      /**< high-bandwidth memory of a package, without CPUs */
	UNCORE_NODE_CXL,      /**< CXL memory, without CPUs */
	UNCORE_NODE_MEMORY    /**< other memory without CPUs */
};

/** How the boxes of a NUMA node are known.  The values never change. */
enum uncore_node_basis {
	UNCORE_NODE_UNKNOWN,  /**< not known: node= is refused */
	UNCORE_NODE_WHOLE,    /**< the node is all of its package, or all of one kind of memory */
	UNCORE_NODE_MEASURED, /**< measured by `uncore ceilings --nodes` */
	UNCORE_NODE_ASSUMED   /**< a table that was not measured: tell users */
};

/** A NUMA node of the kernel. */
struct uncore_node_info {
	size_t size;
	unsigned node; /**< number, which says nothing about its package */
	char name[24]; /**< "node1", "hbm2", "cxl4", "memory5"; node= takes it as well */
	int package;   /**< the number N in pkg=N; -1: unknown */
	int die;       /**< the number N in die=N */
	int cluster;   /**< its position among the nodes with CPUs of the package; -1: unknown */
	unsigned clusters; /**< nodes with CPUs of the package: 1 without COD and SNC */
	enum uncore_node_kind kind;
	unsigned cpus;                /**< online CPUs */
	int first_cpu;                /**< -1: none */
	enum uncore_node_basis basis; /**< for the boxes that serve its memory */
	char source[240];             /**< of the boxes, or why they are unknown */
};

/**
 * Iterate over the NUMA nodes of the kernel, in the order of their numbers.  They are read from
 * the kernel's files in each call.
 *
 * @return 1, 0 past the last node, UNCORE_ENOSUPP (this machine's nodes are not known, for example
 *         that of a recording), UNCORE_EINVAL (size), UNCORE_ENOMEM.  Threads: any.
 */
UNCORE_API int uncore_node(struct uncore *u, unsigned i, struct uncore_node_info *info);

/**
 * Iterate over the kinds of boxes of which each serves one cluster of a package, as far as this
 * machine has them and an event can show it.
 *
 * @param kind   receives the kind, as in uncore_box_info
 * @param event  receives the name of an event or a metric that counts reads of memory in a box
 * @return 1, 0 past the last kind.  Threads: any.
 */
UNCORE_API int uncore_node_kind(struct uncore *u, unsigned i, const char **kind,
				const char **event);

/** A box that serves the memory of a NUMA node. */
struct uncore_node_box {
	size_t size;
	unsigned node;
	const char *kind; /**< as in uncore_box_info */
	unsigned box;     /**< the number N in box=N */
};

/**
 * Write the text of a file of measured boxes, which node= uses if it is /var/lib/uncore/nodes, or
 * uncore/nodes in $XDG_CACHE_HOME or ~/.cache (simulated machines: nodes-simulated).  It is used
 * only on a machine with the same processor, firmware, boxes and nodes.
 *
 * @param boxes  n boxes, ascending by node and kind
 * @param text   receives the text, to be freed with free()
 * @return 0, UNCORE_ENOSUPP (as uncore_node()), UNCORE_EINVAL (size), UNCORE_ENOMEM.  Threads: any.
 */
UNCORE_API int uncore_nodes_text(struct uncore *u, const struct uncore_node_box *boxes, size_t n,
				 char **text);

/* ---- event lists ---- */

/**
 * Iterate over the listed events: each event of each box kind of the machine once, without boxes,
 * packages and umasks.  Each can be counted as it is.
 *
 * @param id  receives the number of the event, which equals i
 * @return 1, 0 past the last event.  Threads: any.
 */
UNCORE_API int uncore_listed_event(struct uncore *u, unsigned i, unsigned *id);

/**
 * Iterate over the umasks of a listed event, followed by its qualifiers ("EVENT:t=0").
 *
 * @param event  number of a listed event, or a number that this function has returned: i then
 * counts from the entry after that one
 * @param id     receives the number of the event with that umask or qualifier; may point to the
 *               variable that event was taken from
 * @return 1, 0 past the last entry and for events that are not listed, UNCORE_EINVAL (unknown
 *         event), UNCORE_ENOMEM.  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_umask(struct uncore *u, unsigned event, unsigned i, unsigned *id);

/** Encoding of an event, independent of the table or list that has its name. */
struct uncore_encoding {
	size_t size;
	uint64_t control;  /**< value of the control register, without the enable bit */
	uint32_t counters; /**< programmable counters that can count it, bit i: counter i; 0: a
			      fixed counter */
	/**
	 * Hash of box kind, control, filters and counters: events with the same code are the same
	 * event.  Identical in all processes with this version of the library.
	 */
	uint64_t code;
};

/**
 * Get the encoding of an event.
 * @return 0, UNCORE_EINVAL (unknown event, size; metrics have no encoding), or the error of
 *         uncore_event() if the event cannot be encoded.  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_encoding(struct uncore *u, unsigned id,
				     struct uncore_encoding *encoding);

/**
 * Name the events that the values of registers select: the opposite of uncore_event_encoding().
 *
 * @param box      number of a box, as in uncore_box(): its kind is used
 * @param counter  number of the counter; or -1 if it is unknown: then the events of all counters
 * are named
 * @param control  value of a control register of a programmable counter; bits that do not belong to
 *                 the event, such as the enable bit, are ignored
 * @param filters  values of the filter registers of the box, in the order of uncore_register(); or
 *                 NULL if they are unknown: then they are not compared
 * @param n_filters  number of values in filters
 * @param names    receives the names of at most `most` events, without box and package; may be NULL
 *                 if most is 0
 * @param enabled  receives whether the counter is enabled; or NULL
 * @return the number of such events, which may be larger than `most`; 0 if no event of this machine
 *         is known; UNCORE_EINVAL (unknown box)
 *
 * Threads: as uncore_event().
 */
UNCORE_API int uncore_decode(struct uncore *u, unsigned box, int counter, uint64_t control,
			     const uint64_t *filters, size_t n_filters,
			     char (*names)[UNCORE_NAME_MAX + 1], size_t most, bool *enabled);

/** The counters that an event's count is summed over. */
struct uncore_sum {
	size_t size;
	unsigned packages; /**< packages it is counted in */
	/**
	 * Counters that are summed: sum / counters is the mean per box.  A counter that a metric
	 * uses with a factor counts with that factor, so this may be a fraction.  0: the event is
	 * `real` and not a sum.
	 */
	double counters;
	/**
	 * Divisor for rates: `counters` for cycles, so that the rate is a mean frequency and not
	 * the sum of several; else 1.
	 */
	double rate_divisor;
	/**
	 * Number of packages to display with the event, as in "EVENT:box=0 of 2 packages": with
	 * box= and without pkg=, it is the sum over one box per package.  0: not needed.
	 */
	unsigned of_packages;
	/** Counters whose counts are added up unchanged; 0: `real`, or a factor is not 1 */
	uint64_t added;
};

/**
 * Get the number of packages and counters that an event is summed over.  Without box= and pkg= this
 * is all boxes of its kind; with box= alone it is that box of every package.
 *
 * @param id   number of the event
 * @param sum  receives the numbers
 * @return 0, UNCORE_EINVAL (unknown event, size), or the error of uncore_event() if the event
 *         cannot be encoded
 * Threads: as uncore_event().
 */
UNCORE_API int uncore_event_sum(struct uncore *u, unsigned id, struct uncore_sum *sum);

/**
 * Iterate over the single-box or single-package events that a name covers: with a list, a range or
 * * for box= one per box, for pkg= one per package, for both one per box and package, ordered by
 * package; without either, the event itself.  uncore_event() turns the same name into one event,
 * the sum of these.
 *
 * Boxes in which the event cannot be counted, such as hidden ones, are skipped.
 *
 * @param id  receives the number of the event
 * @return 1, 0 past the last part, or an error of uncore_event().  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_part(struct uncore *u, const char *name, unsigned i, unsigned *id);

struct uncore_qualifier_info {
	size_t size;
	const char *name; /**< "t", "nf", "box", ... */
	const char *text; /**< meaning and range */
};

/**
 * Iterate over the qualifiers that an event accepts.
 * @return 1, 0 past the last qualifier, UNCORE_EINVAL (unknown event, size), UNCORE_ENOMEM.
 *         Threads: as uncore_event().
 */
UNCORE_API int uncore_event_qualifier(struct uncore *u, unsigned event, unsigned i,
				      struct uncore_qualifier_info *info);

/** A finding about events of this machine: docs/events.md, "Errata". */
struct uncore_erratum {
	size_t size;
	const char
		*events; /**< pattern of names without box, package and modifiers, as fnmatch(3) */
	enum uncore_verdict verdict;
	const char *text;     /**< verdict and finding */
	const char *instead;  /**< what to use instead, or NULL */
	const char *source;   /**< document, commit, thread */
	const char *evidence; /**< how the source knows */
};

/**
 * Iterate over the errata of this machine's platform and stepping.
 * @return 1, 0 past the last one, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_erratum(struct uncore *u, unsigned i, struct uncore_erratum *erratum);

/* ---- plans ---- */

struct uncore_plan;

/** Options of a plan.  All zeros: a set that counts until it is stopped. */
struct uncore_plan_options {
	size_t size;
	/** for a set that stops by itself: the arguments of uncore_set_stop_after() */
	const struct uncore_stop_after *stop_after;
	size_t n_stop_after;
	uint64_t cores;
	/** 1: also find rounds of events that do not fit at once: uncore_plan_round() */
	uint64_t multiplex;
};

/**
 * Plan how events would be counted on an idle machine.  Touches no register.
 *
 * @param ids, n   event numbers; the same number may occur more than once
 * @param options  NULL for defaults
 * @param out      receives the plan, also if it is infeasible (see uncore_plan_info()); NULL on
 *                 failure.  Free it with uncore_plan_free() before closing the handle
 * @return 0, UNCORE_ENODEV (a box or package is absent), UNCORE_EINVAL, UNCORE_ENOMEM; with
 *         stop_after also the errors of uncore_set_stop_after()
 * Threads: any.  Implements: design.md 4-8, docs/hardware/README.md.
 */
UNCORE_API int uncore_plan(struct uncore *u, const unsigned *ids, size_t n,
			   const struct uncore_plan_options *options, struct uncore_plan **out);

/** Free a plan.  NULL is ignored. */
UNCORE_API void uncore_plan_free(struct uncore_plan *plan);

struct uncore_plan_info {
	size_t size;
	bool feasible;
	char reason[1024]; /**< why the plan is infeasible, or "" */
};

/** Describe a plan.  @return 0 or UNCORE_EINVAL (size).  Threads: any. */
UNCORE_API int uncore_plan_info(const struct uncore_plan *plan, struct uncore_plan_info *info);

/** An event on a counter. */
struct uncore_assignment_info {
	size_t size;
	unsigned event;        /**< index into the events that were planned */
	unsigned counted;      /**< number of the event counted: that event, or one that a metric
				  is computed from */
	unsigned package, die; /**< the N of pkg=N and of die=N */
	const char *kind;      /**< box kind */
	unsigned box;          /**< the N of box=N */
	/** counter number; for a fixed counter, the number of programmable counters plus its
	 * index */
	unsigned counter;
	bool fixed;
	uint64_t control; /**< value of the control register, without the enable bit */
};

/**
 * Iterate over the assignments of a feasible plan.
 * @return 1, 0 past the last assignment, UNCORE_EINVAL (size).  Threads: any.
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
 * Iterate over the register operations of one phase of a feasible plan.  A set makes these writes
 * in this order.  It may make reads in another order, and repeat them.
 * @return 1, 0 past the last operation, UNCORE_EINVAL (unknown phase, size).  Threads: any.
 */
UNCORE_API int uncore_plan_op(const struct uncore_plan *plan, enum uncore_phase phase, unsigned i,
			      struct uncore_op_info *op);

/**
 * Iterate over the smallest subset of conflicting events of an infeasible plan.
 * @param event  receives the event's index into the events that were planned
 * @return 1, 0 past the last event.  Threads: any.
 */
UNCORE_API int uncore_plan_conflict(const struct uncore_plan *plan, unsigned i, unsigned *event);

/**
 * Iterate over the events of one round of a plan with `multiplex`.  Each event is in one round or
 * more.  A set of these events that is multiplexed on an idle machine has the same rounds.  A
 * feasible plan has one round; a plan has none if multiplexing does not help.
 *
 * @param round  0, 1, ...
 * @param event  receives the event's index into the events that were planned
 * @return 1, 0 past the last event or the last round.  Threads: any.
 */
UNCORE_API int uncore_plan_round(const struct uncore_plan *plan, unsigned round, unsigned i,
				 unsigned *event);

/* ---- the kernel's driver ---- */

/** How the kernel's driver counts an event in one box: arguments of perf_event_open(). */
struct uncore_perf_info {
	size_t size;
	unsigned counted; /**< number of the event counted: that event, or one that a metric is
			     computed from */
	unsigned box;     /**< number of the box, as in uncore_box() */
	char pmu[40];     /**< "uncore_cbox_0", as in /sys/bus/event_source/devices */
	unsigned type;    /**< type of that PMU */
	unsigned cpu;     /**< CPU of its cpumask, in the box's package */
	uint64_t config, config1, config2;
};

/**
 * Iterate over the boxes in which an event is counted, and get the arguments with which the
 * kernel's driver would count it there.  Fields that the driver would ignore without an error are
 * rejected.  Touches no register.
 *
 * @param id    number of the event
 * @param i     index of the box; for a metric, the boxes of all its events one after another
 * @param info  receives the arguments of perf_event_open(), to be used with pid -1
 * @return 1, 0 past the last box, UNCORE_EINVAL (unknown event, size), UNCORE_ENODEV (the kernel
 *         has no PMU for the box: its driver is not loaded or does not support it), UNCORE_ENOSUPP
 *         (the driver does not support a field that the event needs; or the machine is simulated or
 *         recorded), UNCORE_ENOMEM
 * Threads: any, but no other thread may call uncore_event() or a function with its thread rules.
 * Implements: docs/hardware, the drivers' formats.
 */
UNCORE_API int uncore_perf_event(struct uncore *u, unsigned id, unsigned i,
				 struct uncore_perf_info *info);

/** uncore_perf_info.type if the driver was not asked: not a type of perf_event_open() */
#define UNCORE_NO_PMU 0x7fffffff

/**
 * Translate an event to perf's syntax without the kernel's driver: what Linux has for this
 * processor, by its sources.  Also for simulated and recorded machines.  Touches no register.
 *
 * @param id    number of the event
 * @param i     index of the box; for a metric, the boxes of all its events one after another
 * @param info  receives pmu, config, config1, config2, and cpu, the first one of the box's
 *              package; type is UNCORE_NO_PMU
 * @return as uncore_perf_event(); UNCORE_ENODEV if the driver has no PMU for such boxes
 * Threads: any, but no other thread may call uncore_event() or a function with its thread rules.
 * Implements: docs/hardware, the drivers' formats.
 */
UNCORE_API int uncore_perf_syntax(struct uncore *u, unsigned id, unsigned i,
				  struct uncore_perf_info *info);

/* ---- other processes ---- */

/** A register of a process that ended without restoring it. */
struct uncore_restored_info {
	size_t size;
	const char *owner; /**< "lulesh (pid 4711, user anna)"; valid until the next start */
	struct uncore_op_info op;
	uint64_t held;  /**< value before it was restored */
	uint64_t value; /**< current value */
	bool left;      /**< another program has changed it since: it was not restored */
};

/**
 * Restore the registers of processes that ended without restoring them, in all packages.  Starting
 * a set does the same for the packages it counts in; this function starts nothing.
 *
 * @return 0, UNCORE_EBUSY (another process is claiming counters: the message names it),
 *         UNCORE_EACCESS, UNCORE_ENOMEM, UNCORE_EFORK
 * Threads: any.  Blocks signals.  Implements: docs/sharing.md.
 */
UNCORE_API int uncore_recover(struct uncore *u);

/**
 * Open every file that counting may need later, and restore registers as uncore_recover() does, so
 * that the process can drop the privileges that this requires.
 *
 * A device file that cannot be opened is reported when a set that needs it is started.  The journal
 * directory (see uncore_sharing()) must be writable for the user the process switches to.
 *
 * @return as uncore_recover()
 * Threads: any.  Blocks signals.
 */
UNCORE_API int uncore_open_files(struct uncore *u);

/**
 * Limit the memory used for event names.  Every event requested by uncore_event() is kept with its
 * umasks and qualifiers until uncore_close(); a program that accepts names from untrusted sources
 * should set a limit.
 *
 * @param names  maximum number of events in addition to the listed ones, 0: unlimited.  Requests
 *               beyond it fail with UNCORE_ENOMEM
 * @return the current number of events in addition to the listed ones
 * Threads: any.
 */
UNCORE_API unsigned uncore_limit_names(struct uncore *u, unsigned names);

/**
 * Iterate over the registers that this handle has restored for other processes.
 * @return 1, 0 past the last register, UNCORE_EINVAL (size)
 */
UNCORE_API int uncore_restored(struct uncore *u, unsigned i, struct uncore_restored_info *info);

/** Another process, or another handle of this process, that is counting on this machine. */
struct uncore_owner_info {
	size_t size;
	char name[128];   /**< "lulesh (pid 4711, user anna)" */
	char events[896]; /**< the events it counts, separated by spaces; may be truncated */
	int64_t since;    /**< start time in s since 1970 */
	unsigned pid, uid;
	unsigned registers; /**< number of registers it has changed */
	char program[32];   /**< "lulesh", "uncored"; may be truncated to 15 characters */
};

/**
 * Iterate over the other processes and handles that are counting.  Entry 0 refreshes the list.
 * @return 1, 0 past the last entry, UNCORE_EINVAL (size), UNCORE_ENOMEM, UNCORE_EFORK.
 *         Threads: any.
 */
UNCORE_API int uncore_owner(struct uncore *u, unsigned i, struct uncore_owner_info *info);

/** How this handle shares the counters with other processes. */
struct uncore_sharing_info {
	size_t size;
	const char *journal; /**< journal directory, NULL: none */
	/** NULL, or a message: what prevents processes from seeing each other */
	const char *missing;
	bool owner; /**< UNCORE_SHARE=owner */
	unsigned lock_timeout_ms;
	unsigned ended; /**< processes that have ended and whose registers are not restored yet */
};

/**
 * Get the state of sharing.
 * @return 0, UNCORE_EINVAL (size), UNCORE_ENOMEM, UNCORE_EFORK.  Threads: any.
 */
UNCORE_API int uncore_sharing(struct uncore *u, struct uncore_sharing_info *info);

/**
 * Encode an event of the cores for the kernel's perf (PERF_TYPE_RAW).  Nothing is counted: this is
 * for programs that count the cores by perf_event_open(2) at the same time.
 *
 * @param name    as libpfm4 names it, with its PMU: "skx::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"; the
 *                machine need not have it
 * @param config  receives event select, umask and modifiers
 * @return 0, UNCORE_ENOEVENT (libpfm4 does not know it), UNCORE_ENOMEM, or the error of opening the
 *         machine
 * Threads: any.  Signal handlers: no.
 */
UNCORE_API int uncore_core_event(struct uncore *u, const char *name, uint64_t *config);

/* ---- sets ---- */

struct uncore_set_info {
	size_t size;
	unsigned events; /**< events assigned */
	unsigned rounds; /**< groups they are multiplexed in; 1: not multiplexed */
	bool running;
	/** values of the current or last run that another process counts and that read as 0 */
	unsigned elsewhere;
	/** counters in use in one window of the groups, on average; 0: not multiplexed */
	unsigned switched;
};

/** The cost of a set to the process that counts it. */
struct uncore_cost {
	size_t size;
	uint64_t counters; /**< counters read: one per event and box; multiplexed: of all groups */
	uint64_t bytes;    /**< memory; an upper bound while it is counting */
};

/**
 * The least that a set of these events would cost.  Nothing is planned, so this is fast.  Metrics
 * and unknown numbers are not included.
 *
 * @return 0, UNCORE_EINVAL (size), or the error of opening the machine
 * Threads: any.  Signal handlers: no.
 */
UNCORE_API int uncore_cost(struct uncore *u, const unsigned *ids, size_t n,
			   struct uncore_cost *cost);

/**
 * The cost of a set with events, known before it starts.
 *
 * @return 0, or UNCORE_EINVAL (size; no events)
 * Threads: any, but not during a call that changes the set's events.  Signal handlers: no.
 */
UNCORE_API int uncore_set_cost(struct uncore_set *set, struct uncore_cost *cost);

/** Describe a set.  @return 0 or UNCORE_EINVAL (size).  Threads: any. */
UNCORE_API int uncore_set_info(struct uncore_set *set, struct uncore_set_info *info);

/** An event that stops a set when it reaches a count, and the counter used. */
struct uncore_stop_after_info {
	size_t size;
	unsigned event; /**< index into the events of the set */
	uint64_t count;
	const char *kind; /**< box kind */
	unsigned box, package, counter, width;
	uint64_t preload; /**< value the counter is preloaded with */
	/**
	 * NULL: the stop is exact; else why it is done by polling and is not exact.  After the set
	 * has stopped, also the boxes that the overflow failed to stop, which is checked each time.
	 */
	const char *polled;
};

/**
 * Iterate over the list given to uncore_set_stop_after().
 * @return 1, 0 past the last event, UNCORE_EINVAL (size).  Threads: any, but none may call
 *         uncore_set_stop_after() meanwhile.
 */
UNCORE_API int uncore_set_stop_after_info(struct uncore_set *set, unsigned i,
					  struct uncore_stop_after_info *info);

/** Where an overflow was reported. */
enum uncore_reported_by {
	UNCORE_BY_BOX,     /**< in the box's status register */
	UNCORE_BY_COUNTER, /**< by the counter itself; its box has no known status register */
	UNCORE_BY_PACKAGE /**< in the package's status register: the fixed counter's or box's bit */
};

struct uncore_overflow_source {
	size_t size;
	int event; /**< index into the events of the set, -1: not an event that stops it */
	unsigned package;
	const char *kind;
	unsigned box;
	int counter; /**< -1: unknown */
	enum uncore_reported_by reported_by;
};

/**
 * Iterate over the counters whose overflow stopped the set, after uncore_set_wait() or
 * uncore_set_stop().  There may be several if more counters overflowed before the boxes were
 * frozen, including counters of other programs that freeze the package.
 * @return 1, 0 past the last counter, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_set_overflow_source(struct uncore_set *set, unsigned i,
					  struct uncore_overflow_source *source);

/** Format the message about a missed wrap.  Arguments and return value as in uncore_errmsg().
 * Threads: any. */
UNCORE_API char *uncore_missed_wrap_text(struct uncore_set *set,
					 const struct uncore_missed_wrap *missed_wrap, char *buf,
					 size_t len);

/* ---- discovery tables, CPUs, model-specific registers ---- */

/** A discovery table, in which the firmware describes the boxes of newer processors. */
struct uncore_discovery_table_info {
	size_t size;
	unsigned package;      /**< the N of pkg=N; see basis */
	char device[16];       /**< source of its address: PCI device "0000:00:00.1", "msr 0x710" */
	unsigned bar;          /**< of a PCI device: number of the BAR that maps it */
	uint64_t address;      /**< physical address of its header */
	unsigned stride;       /**< bytes per record */
	unsigned slots, empty; /**< number of records, and of empty ones among them */
	unsigned status_offset, n_status; /**< global status registers, after the control */
	const char *damage;               /**< NULL, or why the table is invalid */
	char control[40];  /**< register that freezes all its boxes, "msr 0x2ff0", or "" */
	const char *basis; /**< source of its package; NULL: the package is unknown */
	bool assumed;      /**< its package is assumed from the order of PCI devices */
};

/** A unit record of a discovery table: a box as the firmware describes it. */
struct uncore_discovered_unit_info {
	size_t size;
	unsigned table, slot; /**< number of the table, and of the record in it, both from 0 */
	unsigned package;     /**< the N of pkg=N */
	unsigned type, id;    /**< as in the record */
	unsigned access;      /**< as in the record: 0 MSR, 1 MMIO, 2 PCI */
	uint64_t address;     /**< address of the unit control as in the record */
	char location[40];    /**< the same, "mmio 0xc8aa2800" or "pci 0000:fe:0c.0+0x438" */
	unsigned counters, width;
	unsigned control_offset, counter_offset, status_offset; /**< from the unit control */
	unsigned position;                                      /**< of its global status bit */
	int box;             /**< number of its box for uncore_box(), -1: it is not used as a box */
	const char *refused; /**< NULL, or why it is not used as a box */
};

/**
 * Iterate over the discovery tables, in the order of their devices.
 * @return 1, 0 past the last table, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_discovery_table(struct uncore *u, unsigned i,
				      struct uncore_discovery_table_info *info);

/**
 * Iterate over the unit records, in the order of their tables.
 * @return 1, 0 past the last record, UNCORE_EINVAL (size).  Threads: any.
 */
UNCORE_API int uncore_discovered_unit(struct uncore *u, unsigned i,
				      struct uncore_discovered_unit_info *info);

/** The core counters of a logical CPU. */
struct uncore_cpu_info {
	size_t size;
	unsigned cpu;     /**< logical CPU */
	unsigned package; /**< the N of pkg=N */
	unsigned version; /**< of architectural performance monitoring, from 1 */
	unsigned counters, width;
	unsigned fixed, fixed_width; /**< fixed: bit i is set if fixed counter i exists */
	/** the next four members are valid: version 2 or later, accessed by this process */
	bool has_global;
	uint64_t global_ctrl, global_status, fixed_ctrl, debugctl;
	bool has_in_use; /**< in_use is valid: version 4 or later, accessed by this process */
	uint64_t in_use;
};

/**
 * Iterate over the CPUs that are online: describe the core counters of each and read their
 * registers.
 *
 * @return 1, 0 past the last CPU, UNCORE_EINVAL (size), UNCORE_ENOSUPP (the CPUs have no such
 *         counters), UNCORE_EACCESS, UNCORE_EIO, UNCORE_EFORK
 * Threads: any.  Blocks signals.  Implements: SDM vol. 3B 18.2.
 */
UNCORE_API int uncore_cpu(struct uncore *u, unsigned i, struct uncore_cpu_info *info);

/** A model-specific register used by events of this machine. */
struct uncore_msr_info {
	size_t size;
	uint32_t msr;
	uint64_t writable;    /**< mask of the bits that are written; 0: only read */
	uint64_t stop_after;  /**< mask of further bits used only by uncore_set_stop_after() */
	bool stop_after_only; /**< used only by uncore_set_stop_after() */
	const char *kind;     /**< box kind, "core" for CPUs, "" for a register of the package */
	char what[40];        /**< "cbo3 control 1", "PERFEVTSEL 0", "global control" */
};

/**
 * Iterate over the MSRs that counting may read or write, each once, in ascending order, for all
 * packages: the contents of msr-safe's allow-list.  Boxes that cannot be used are included, so this
 * also works on a handle whose uncore_open() failed with UNCORE_EACCESS.
 *
 * @return 1, 0 past the last MSR, UNCORE_EINVAL (size), UNCORE_ENOMEM.  Threads: any.
 */
UNCORE_API int uncore_msr(struct uncore *u, unsigned i, struct uncore_msr_info *info);

#ifdef __cplusplus
}
#endif
#endif
