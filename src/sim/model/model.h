/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - shared by all parts of the simulated Xeons: the description of a
 * platform (const) and the state of a machine.  Internal to src/sim.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/hash/hash.h"
#include "sim/sim.h"

#define SIM_PACKAGES 8 /* maximum */
#define SIM_SLICES   288
#define SIM_CORES    8 /* default */
#define SIM_COUNTERS 8 /* general counters of one box, at most */
#define SIM_EXTRAS   8 /* match, mask and similar registers of one box, at most */
#define SIM_STATUSES 2 /* global status registers of one package, at most */
#define SIM_TABLES   2 /* discovery tables of one package, at most */
#define SIM_SUMMARY  8 /* global status registers of one discovery table, at most */
#define SIM_HIDDEN   32

/* Control bits that mean the same in every box (docs/hardware/). */
#define SIM_CTL_RST    (UINT64_C(1) << 17)
#define SIM_CTL_EDGE   (UINT64_C(1) << 18)
#define SIM_CTL_TID    (UINT64_C(1) << 19)
#define SIM_CTL_OVF    (UINT64_C(1) << 20)
#define SIM_CTL_EN     (UINT64_C(1) << 22)
#define SIM_CTL_INVERT (UINT64_C(1) << 23)

#define SIM_FIXED SIM_COUNTERS /* number of the fixed counter among those of a box */

enum sim_access { SIM_BY_MSR = 1, SIM_BY_PCI, SIM_BY_MMIO };

/* Box controls and the conditions for counting (docs/hardware/README.md). */
enum sim_style {
	SIM_STYLE_B, /* SNB-EP to ICX */
	SIM_STYLE_D  /* units of a discovery table */
};

/* A register of a box, as an address decodes to it. */
enum sim_reg {
	SIM_REG_NONE,
	SIM_REG_BOX_CTL,
	SIM_REG_STATUS,
	SIM_REG_CONTROL,
	SIM_REG_COUNTER,
	SIM_REG_FILTER,
	SIM_REG_FILTER_HIGH,
	SIM_REG_FIXED_CTL,
	SIM_REG_FIXED_CTR,
	SIM_REG_FREE, /* index: group * SIM_FREE_GROUP + number in the group */
	SIM_REG_EXTRA
};

#define SIM_FREE_GROUP 32

struct sim_ref {
	enum sim_reg reg;
	unsigned index; /* of the counter or extra register */
	bool high;      /* PCI, MMIO: the upper dword */
};

/* How an event behaves from cycle to cycle; sim.h describes the patterns. */
enum sim_shape {
	SIM_PULSE = 1, /* spread out evenly */
	SIM_LEVEL,     /* a condition that lasts: cycles in some state */
	SIM_QUEUE      /* entries in a queue */
};

/* One event as a counter input. */
struct sim_signal {
	double mean;      /* increment per cycle, on average */
	double clock_hz;  /* the box's clock */
	unsigned max;     /* largest increment per cycle */
	unsigned allowed; /* mask of the counters that can count it */
	enum sim_shape shape;
	bool occupancy; /* the companion event can count it through counter 0 */
	bool companion; /* its increment is that of counter 0's event */
	bool clock;     /* the clock: both halves of a box count all of it */
};

struct sim_box;
struct sim_core;
struct sim_pcie;
struct sim_events;
struct sim_layout;

/* Free-running, read-only counters. */
struct sim_free {
	uint32_t first, step;
	unsigned n;
	unsigned width;
	uint32_t stride;         /* distance of consecutive boxes */
	const uint16_t *offsets; /* NULL: stride */
	double (*rate)(const struct sim_box *box, unsigned number);
};

/* A kind of box: its registers and its signals. */
struct sim_kind {
	const char *name;
	enum sim_access access;
	enum sim_style style;
	uint16_t type;      /* in the discovery table */
	const uint8_t *ids; /* of the boxes in that table; NULL: consecutive, for MSRs in the order
			       of addresses */
	uint8_t table;      /* number of the package's table that lists it */
	bool by_die;        /* one per die; those of the I/O dies are in the next table */
	unsigned n_boxes;   /* 0: see count */
	/* Number of boxes; NULL: number of cores. */
	unsigned (*count)(const struct sim *sim);
	unsigned n_counters;
	unsigned width, fixed_width; /* bits; fixed_width 0: no fixed counter */
	uint32_t box_ctl;            /* 0: no box control */
	uint32_t control, control_step;
	uint32_t counter, counter_step;
	const uint16_t *counters; /* addresses of the counters, if irregular */
	uint32_t stride;          /* MSR boxes: distance of consecutive boxes */
	const uint16_t *offsets;  /* MSR boxes: distances, if irregular */
	uint32_t filter, filter_high, fixed_ctl, fixed_ctr, status;
	uint64_t control_bits, filter_bits; /* bits that exist; filter: high << 32 | low */
	uint64_t box_bits, fixed_bits;
	uint64_t fixed_enable;         /* 0: SIM_CTL_EN */
	bool fixed_reports;            /* the fixed counter has SIM_CTL_OVF */
	unsigned threshold_mask;       /* of control >> 24 */
	uint64_t occ_invert, occ_edge; /* control bits for level selects, 0: none */
	uint16_t companion;            /* event that counts counter 0's queue; 0: none */
	uint8_t summary;               /* bit of the global status: box 0 */
	uint8_t summary_boxes;         /* number of boxes with such a bit */
	uint8_t summary_share;         /* number of boxes that share a bit; 0: 1 */
	bool summary_none;             /* overflows are not reported in the global status */
	bool narrow;                   /* only counter 0 increments by more than 1 per cycle */
	bool frz_en_needed;            /* bit 8 of the box control requires bit 16 */
	bool bitwise;                  /* box control: a write may set at most one additional bit */
	bool halves;                   /* two units with two counters each */
	bool fixed_first;              /* status bit 0 is the fixed counter's */
	/* The signal selected by `control`; false: unknown event. */
	bool (*signal)(const struct sim_box *box, uint64_t control, uint64_t filter,
		       struct sim_signal *out);
	double (*clock_hz)(const struct sim_box *box); /* also counted by the fixed counter */
	/*
	 * Links: bits of a flit, and bits that the lanes transfer per cycle of clock_hz
	 * (docs/hardware/README.md, "Capacity of links").
	 */
	uint16_t flit_bits, cycle_bits;
	const struct sim_events *events; /* for `signal` */
	const struct sim_layout *layout; /* of the filter, for `signal` */
	const struct sim_free *free;
	unsigned n_free;
	/* MMIO, style D: address of a unit control; offsets are relative to it minus box_ctl. */
	uint64_t (*address)(const struct sim *sim, unsigned package, unsigned index);
	uint32_t page;      /* address NULL: of box 0's unit control, from `registers` on */
	uint32_t free_page; /* page of `free`, for every free_every-th box */
	unsigned free_every;
};

/* Bits of a flit, number of lanes, transfers per lane and cycle of the link's clock. */
#define SIM_LINK(flit_bits_, lanes_, transfers_) \
	.flit_bits = (flit_bits_), .cycle_bits = (lanes_) * (transfers_)

/* Registers of a PCI function that are constant or only store a value. */
struct sim_dword {
	uint16_t offset;
	uint32_t mask; /* bits that exist */
};

/* A PCI function of a package; kind NULL: without PMON registers. */
struct sim_function {
	uint16_t device;
	uint8_t devfn;
	const char *kind; /* the box that its registers belong to */
	uint8_t box;
	bool pmon; /* the standard counter block is here, else only `extra` */
	const struct sim_dword *extra;
	unsigned n_extra;
	uint8_t bus;   /* 0: the last one of the package, n: its n-th */
	uint8_t table; /* n: locates the package's n-th discovery table */
};

/*
 * PCI functions of a package, one per slice of its L3 cache (docs/hardware/snbep.md),
 * from device 12 function 0 on.
 */
struct sim_slices {
	uint16_t device; /* id of the first; 0: the platform has none */
	uint8_t id_step; /* 0: all have the same id */
	uint8_t in_row;  /* consecutive functions per device; 0: devices alternate */
	uint8_t ways;    /* of the cache */
};

/* MSRs of a package that belong to no box (docs/hardware/). */
struct sim_global {
	uint32_t control; /* 0: no global control */
	uint64_t freeze, unfreeze;
	uint64_t bits; /* other writable bits */
	uint64_t pmi;  /* of these, bits of the cores interrupted by an overflow */
	uint32_t status[SIM_STATUSES];
	uint32_t config; /* bits 5:0: number of CHAs, if known */
};

/* Platform-specific properties of discovery tables (docs/hardware/discovery.md). */
struct sim_discovery {
	unsigned tables;       /* per package */
	uint8_t stride;        /* of a record, in 8 bytes */
	uint8_t bar;           /* number of the BAR with the address */
	bool wide;             /* the BAR has 64 bits */
	bool enable;           /* bit 31 of the address of a PCI unit is set */
	uint8_t frozen;        /* bit t: the counters of table t are frozen after reset */
	bool segments;         /* each package has its own PCI segment */
	bool memory;           /* supports HBM */
	bool tpmi;             /* the function of the last table has TPMI */
	uint8_t tpmi_bar;      /* BAR of TPMI */
	uint8_t status_offset; /* of the global status from the global control */
	uint32_t control[SIM_TABLES];
	uint64_t address, package_step, table_step;
	uint64_t registers, registers_step; /* of memory-mapped units: package 0, others */
	const uint16_t *broken;             /* types with wrong records; 0 ends the list */
	uint32_t table_msr;                 /* locates table 0 in place of a function; 0: none */
	uint64_t control_page; /* table 0: its global control, from `registers` on; 0: an MSR */
	uint16_t later_ids;    /* first id in table 1 of dies other than the first of a package */
};

/* MSRs with a layout and behaviour not described by the kinds; the caller holds the lock. */
struct sim_space {
	size_t size; /* size of a package's state */
	int (*read)(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now);
	int (*write)(struct sim *sim, unsigned package, uint32_t msr, uint64_t value, uint64_t now);
	/* Update all counters to now; rate per second of counter i, if it is running. */
	void (*catch_up)(struct sim *sim, unsigned package, uint64_t now);
	double (*rate)(const struct sim_box *box, unsigned i);
	double (*weight)(const struct sim_box *box); /* its share of the traffic of its kind */
};

/*
 * The counters of a CPU (SDM vol. 3B, 18.2; docs/hardware/core.md).  No simulated CPU has two
 * threads per core; with two, those of SNB-EP to SKX have 4 counters each.
 */
struct sim_core_part {
	uint8_t version;
	uint8_t counters, width;
	uint8_t fixed, fixed_width;
	uint8_t events, lacking; /* architectural events: number enumerated; mask of missing ones */
	uint8_t slots;           /* uops issued per cycle, at most */
	bool any_gone;           /* AnyThread has been removed */
	bool trace;              /* supports tracing to memory */
	uint64_t select_more;    /* bits above 31 of the event selects */
	uint64_t fixed_more;     /* bits above those of the counters in the fixed control */
	uint64_t global_more;  /* bits of global control and status other than those of counters */
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES */
	double bus_hz;         /* clock of UNHALTED_REFERENCE_CYCLES */
};

/* Bits of sim_core_part. */
#define SIM_CORE_TSX        (UINT64_C(3) << 32)
#define SIM_CORE_ADAPTIVE   (UINT64_C(1) << 34)
#define SIM_CORE_METRICS    (UINT64_C(1) << 48)
#define SIM_CORE_FULL_WIDTH UINT64_C(0x2000)
#define SIM_MHZ             1e6

struct sim_platform {
	const char *name;
	struct sim_id id;
	struct sim_core_part core;     /* counters of its CPUs */
	unsigned max_packages;         /* 0: SIM_PACKAGES */
	unsigned max_dies;             /* of a package; 0: 1 */
	unsigned max_cores;            /* per package; 0: SIM_CORES */
	unsigned dies;                 /* dies with cores, a clock and a PCU each; 0: one */
	unsigned channels;             /* memory channels, if not determined by kinds */
	unsigned packages, cores;      /* defaults; 0: 2, SIM_CORES */
	uint16_t read_opcode;          /* opcode of its cores' reads, if it is not the traffic's */
	const struct sim_space *space; /* NULL: MSRs as described by kinds */
	const struct sim_kind *kinds;
	unsigned n_kinds;
	const struct sim_function *functions; /* once per package */
	unsigned n_functions;
	const struct sim_pci *others; /* once per machine */
	unsigned n_others;
	struct sim_slices slices;
	uint16_t node_device; /* the function with the node id; 0: none */
	uint16_t node_id, node_map;
	struct sim_global global;
	unsigned (*config_boxes)(const struct sim *sim); /* value of global.config */
	/* Other constants of config space. */
	uint32_t (*constant)(const struct sim *sim, unsigned package, uint16_t device,
			     uint32_t offset);
	const struct sim_discovery *discovery; /* NULL: no tables */
	/* Memory-mapped boxes: an address to the package's controller and the offset there. */
	bool (*mapped)(unsigned package, uint64_t address, unsigned *controller, uint32_t *offset);
	void (*traffic)(struct sim_traffic *traffic, unsigned package, unsigned packages,
			unsigned cores);
};

struct sim_box {
	struct sim *sim;
	const struct sim_kind *kind;
	unsigned package, index;
	unsigned table;    /* style D: number in the package */
	unsigned position; /* in the global status */
	uint64_t since;    /* machine time of the last update of the counters */
	uint64_t box_ctl, filter;
	uint64_t status;  /* counters that overflowed */
	uint64_t pending; /* overflows with SIM_CTL_OVF not yet in the global status */
	uint64_t halt;    /* time at which an overflow stops it, 0: none */
	uint64_t fixed_ctl, fixed_ctr;
	uint64_t control[SIM_COUNTERS], counter[SIM_COUNTERS];
	uint32_t extra[SIM_EXTRAS];
};

/* The function and box of an entry of sim_pci_devices. */
struct sim_device {
	const struct sim_function *function; /* NULL: an unrelated device */
	struct sim_box *box;
	unsigned package;
};

/* Energy used by a package and its memory, J; power.c. */
struct sim_energy {
	double package, dram;
	uint64_t since; /* machine time of the last update */
};

struct sim_package {
	struct sim_energy energy;
	uint64_t control; /* global control, without self-clearing bits */
	uint64_t status[SIM_STATUSES];
	uint64_t summary[SIM_TABLES][SIM_SUMMARY]; /* style D */
	/* bit t: the boxes of discovery table t are frozen; bit 0 without tables */
	unsigned frozen;
	unsigned armed; /* number of controls with SIM_CTL_OVF */
};

/* Traffic of known size, while rates that include it are computed; load.c. */
struct sim_loading {
	bool on;
	unsigned package, home;
	unsigned cluster; /* of home */
	bool hbm;         /* to a node of HBM */
	bool placed;                /* the load has an address */
	double part[SIM_SLICES];    /* of its lines, that a slice owns */
	struct sim_traffic traffic; /* only the known traffic */
};

/* A range of physical addresses: the registers of a box, or a discovery table. */
struct sim_window {
	unsigned package;
	uint64_t first, size, origin; /* origin: base address of the box's offsets */
	struct sim_box *box;
	const uint64_t *words;
	bool control; /* the global control of table 0 is its first dword */
	bool tpmi;
};

struct sim {
	const struct sim_platform *platform;
	unsigned packages, cores; /* packages or dies of the machine; cores per package or die */
	unsigned dies;            /* dies per package */
	unsigned slices;          /* of the L3 cache of a package, at least the number of cores */
	struct sim_id id;         /* the platform's, with the stepping of the spec */
	bool silent;              /* boxes of slices without a core do not respond */
	bool virtual_time;
	uint16_t hidden[SIM_HIDDEN];
	unsigned n_hidden;
	struct sim_hash hash; /* of the slices */
	char *hash_file;      /* NULL: none */
	bool hbm, flat, no_numa;
	unsigned clusters, node_seed; /* of a package; 0: one, in ranges */
	struct sim_numa *numa;
	unsigned device_seed;  /* 0: no devices behind PCIe ports */
	struct sim_pcie *pcie; /* NULL: likewise */
	unsigned period_ms; /* of traffic in bursts; 0: steady */
	struct sim_cpu *cpus;
	struct sim_box *boxes; /* of package 0, then of package 1, ... */
	size_t n_boxes;        /* per package */
	struct sim_pci *pci;
	struct sim_device *devices;
	struct sim_function *slice; /* PCI functions of the slices of a package */
	size_t n_pci;
	uint64_t birth; /* CLOCK_MONOTONIC, ns */
	struct sim_traffic traffic[SIM_PACKAGES];
	struct sim_loading loading;
	struct sim_package package[SIM_PACKAGES];
	uint16_t *msrs; /* number of the box of an MSR, plus 1 */
	struct sim_window *windows;
	size_t n_windows;
	uint64_t *words;       /* contents of all discovery tables */
	unsigned damage;       /* of the tables: enum sim_damage */
	void *space;           /* platform->space: state of package 0, then of package 1, ... */
	struct sim_core *core; /* by CPU */
	atomic_uint_fast64_t virtual_ns, writes, cpu_faults;
	atomic_flag busy;
	_Atomic(pthread_t) signals_blocked; /* thread that has blocked all signals; 0: none known */
	int cancel_state;                   /* previous state of the thread that holds `busy` */
};

/* random.c: a number below `below`, which moves the state on. */
unsigned sim_random(uint64_t *random, unsigned below);

/* machine.c: CPUs, boxes and PCI functions; 0 or -errno. */
int sim_build(struct sim *sim);
/* The box of a package, or NULL. */
struct sim_box *sim_box_find(const struct sim *sim, unsigned package, const char *kind,
			     unsigned index);
/* The PCI function of a box, which may be hidden; false: it has none. */
bool sim_box_function(const struct sim *sim, const struct sim_box *box, struct sim_pci *pci);
unsigned sim_box_count(const struct sim *sim, const struct sim_kind *kind);
/* The number in use: not slices of the cache that are disabled. */
unsigned sim_box_active(const struct sim *sim, const struct sim_kind *kind);
bool sim_is_slice(const struct sim_kind *kind); /* of the last-level cache */

/* discovery.c: tables and windows; 0 or -errno. */
int sim_discovery_build(struct sim *sim);
/* The value of key table; false: unknown damage. */
bool sim_discovery_damage(struct sim *sim, const char *name);
void sim_discovery_report(const char *name, char *err, size_t errlen);
/* Config space of the function that locates table number `table` of a package. */
uint64_t sim_discovery_address(const struct sim *sim, unsigned package); /* of table 0 */
uint32_t sim_discovery_config(const struct sim *sim, unsigned package, unsigned table,
			      uint32_t offset);
const struct sim_window *sim_window_find(const struct sim *sim, unsigned package, uint64_t address);

/* index.c: the box of an MSR. */
int sim_index_build(struct sim *sim);
struct sim_box *sim_index_find(const struct sim *sim, unsigned package, uint32_t msr);

/* state.c: the clock of sim_now(), and the lock taken by every access. */
uint64_t sim_monotonic(void);
void sim_lock(struct sim *sim, sigset_t *saved);
void sim_unlock(struct sim *sim, const sigset_t *saved);
/* decode.c: decode an address. */
bool sim_decode(const struct sim_kind *kind, unsigned index, uint32_t address, struct sim_ref *ref);
/* Read one dword of a box, or set `bits` of it to `value`. */
uint32_t sim_read_half(struct sim *sim, struct sim_box *box, struct sim_ref ref);
void sim_write_half(struct sim *sim, struct sim_box *box, struct sim_ref ref, uint32_t value,
		    uint32_t bits, uint64_t exist);

/* box.c: registers of a box at machine time `now`; the caller holds the lock. */
uint64_t sim_box_read(struct sim_box *box, struct sim_ref ref, uint64_t now);
/* The same, after processing overflows until now; space.c. */
uint64_t sim_box_look(struct sim_box *box, struct sim_ref ref, uint64_t now);
void sim_box_write(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now);
/* Rate per second of counter i, or SIM_FIXED; whether the box is frozen other than by an overflow.
 */
double sim_box_rate(const struct sim_box *box, unsigned i);
bool sim_box_frozen(const struct sim_box *box);
/* The writable bits of a register. */
uint64_t sim_box_bits(const struct sim_box *box, enum sim_reg reg);
/* Whether a write causes a general protection fault. */
bool sim_box_refuses(const struct sim_box *box, struct sim_ref ref, uint64_t value);
/* Update every counter to `now`. */
void sim_box_catch_up(struct sim_box *box, uint64_t now);
/* pattern.c: increment of a counter with this rate between two machine times. */
uint64_t sim_gain(double rate, uint64_t since, uint64_t now);
/* The same for a box with traffic in bursts; and the time for which it counts. */
uint64_t sim_box_gain(const struct sim_box *box, double rate, uint64_t since, uint64_t now);
uint64_t sim_box_time(const struct sim_box *box, double rate, uint64_t now);
/* Traffic of a load in a package; NULL except in the package whose core runs it; load.c. */
const struct sim_traffic *sim_load_at(const struct sim *sim, unsigned package);
/* Count of a counter with this rate at `now`, from the machine's start. */
uint64_t sim_count_at(double rate, uint64_t now);

/* global.c: the registers of a package as a whole; false: no such MSR or bits. */
bool sim_global_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);
bool sim_global_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value);
/* power.c: the same for energy registers. */
bool sim_power_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now);
/* Value of an energy counter in units of 2^-bits J; uncore frequency in units of 100 MHz. */
uint32_t sim_energy(struct sim *sim, unsigned package, bool dram, unsigned bits, uint64_t now);
unsigned sim_ratio(const struct sim *sim, unsigned package);

/* tpmi.c: number of features in the list; 8 bytes of its BAR. */
unsigned sim_tpmi_features(void);
uint64_t sim_tpmi_word(struct sim *sim, unsigned package, uint64_t offset, uint64_t now);
/* The global control of table 0, if memory-mapped. */
uint32_t sim_mapped_control_read(struct sim *sim, unsigned package);
void sim_mapped_control_write(struct sim *sim, unsigned package, uint32_t value);

/*
 * overflow.c: boxes stop one after the other when a counter with SIM_CTL_OVF
 * overflows.  Call this before a box of the package is updated to `now`.
 */
void sim_overflow_look(struct sim *sim, unsigned package, uint64_t now);
/*
 * The package's status register and bit for the counters of a box, or for its fixed counter; NULL:
 * no such bit.
 */
uint64_t *sim_summary(const struct sim_box *box, unsigned counter, unsigned *bit);
/* The whole package, or the boxes of a table, were started or stopped by a write. */
void sim_overflow_forget(struct sim *sim, unsigned package, unsigned table);
/* The first time in (since, now] at which a counter with this rate has advanced by `need`. */
uint64_t sim_moment(const struct sim_box *box, double rate, uint64_t since, uint64_t now,
		    uint64_t need);

/* core.c: the registers of each CPU; 0 or -errno. */
int sim_core_build(struct sim *sim);
/* Access an MSR of a CPU; err: 0 or -EIO.  False: not an MSR of CPUs. */
bool sim_core_access(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value, bool write,
		     int *err);
/* Report an overflow of the uncore to these cores of a package. */
void sim_core_report(struct sim *sim, unsigned package, uint64_t cores);

/* signal.c: increments per second with threshold, invert and edge applied. */
double sim_signal_rate(const struct sim_signal *signal, const struct sim_kind *kind,
		       uint64_t control, bool narrow);

#define MACHINE(name_) extern const struct sim_platform sim_##name_;
#include "sim/machines.def"
#undef MACHINE

#endif
