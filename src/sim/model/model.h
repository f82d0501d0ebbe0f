/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - what the parts of the simulated Xeons share: the description of a
 * platform (const) and the state of a machine.  Internal to src/sim.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

#define SIM_PACKAGES 8 /* the most that sim_open builds */
#define SIM_CORES    8 /* unless the platform says */
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

/* Box controls and what makes a counter count (docs/hardware/README.md). */
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
	bool occupancy; /* counter 0 shows it to the companion event */
	bool companion; /* takes its increment from counter 0's event */
	bool clock;     /* just the clock: a half of a box has all of it */
};

struct sim_box;
struct sim_core;
struct sim_events;
struct sim_layout;

/* Counters that always run and cannot be written. */
struct sim_free {
	uint32_t first, step;
	unsigned n;
	unsigned width;
	uint32_t stride;         /* distance of consecutive boxes */
	const uint16_t *offsets; /* NULL: stride */
	double (*rate)(const struct sim_box *box, unsigned number);
};

/* A kind of box: its registers and where its signals come from. */
struct sim_kind {
	const char *name;
	enum sim_access access;
	enum sim_style style;
	uint16_t type;      /* in the discovery table */
	const uint8_t *ids; /* of the boxes in there; NULL: counted, or of MSRs as addresses are */
	uint8_t table;      /* of the package, that lists it */
	bool by_die;        /* one for each die; those of the I/O dies are in the next table */
	unsigned n_boxes;   /* 0: see count */
	/* As many as this says; NULL: as many as cores. */
	unsigned (*count)(const struct sim *sim);
	unsigned n_counters;
	unsigned width, fixed_width; /* bits; fixed_width 0: no fixed counter */
	uint32_t box_ctl;            /* 0: no box control */
	uint32_t control, control_step;
	uint32_t counter, counter_step;
	const uint16_t *counters; /* where each counter is, when that is irregular */
	uint32_t stride;          /* MSR boxes: distance of consecutive boxes */
	const uint16_t *offsets;  /* MSR boxes: where that is irregular */
	uint32_t filter, filter_high, fixed_ctl, fixed_ctr, status;
	uint64_t control_bits, filter_bits; /* bits that exist; filter: high << 32 | low */
	uint64_t box_bits, fixed_bits;
	uint64_t fixed_enable;         /* 0: SIM_CTL_EN */
	bool fixed_tells;              /* of its overflow, with SIM_CTL_OVF */
	unsigned threshold_mask;       /* of control >> 24 */
	uint64_t occ_invert, occ_edge; /* control bits for level selects, 0: none */
	uint16_t companion;            /* event that shows counter 0's queue; 0: none */
	uint8_t summary;               /* bit of the global status: box 0 */
	uint8_t summary_boxes;         /* boxes that have one */
	uint8_t summary_share;         /* boxes with one bit in common; 0: 1 */
	bool summary_none;             /* no overflow reaches the global status */
	bool narrow;                   /* counters other than 0 add at most 1 per cycle */
	bool frz_en_needed;            /* bit 8 of the box control needs bit 16 */
	bool bitwise;                  /* box control: at most one more bit at a time */
	bool halves;                   /* two units with two counters each */
	bool fixed_first;              /* status bit 0 is the fixed counter's */
	/* The signal that `control` selects; false: the box knows no such event. */
	bool (*signal)(const struct sim_box *box, uint64_t control, uint64_t filter,
		       struct sim_signal *out);
	double (*clock_hz)(const struct sim_box *box); /* the fixed counter counts it too */
	/*
	 * Links: bits of a flit, and bits that the lanes move in a cycle of clock_hz
	 * (docs/hardware/README.md, "Capacity of links").
	 */
	uint16_t flit_bits, cycle_bits;
	const struct sim_events *events; /* for `signal` */
	const struct sim_layout *layout; /* of the filter, for `signal` */
	const struct sim_free *free;
	unsigned n_free;
	/* MMIO, style D: address of a unit control; offsets count from there less box_ctl. */
	uint64_t (*address)(const struct sim *sim, unsigned package, unsigned index);
	uint32_t page;      /* address NULL: of box 0's unit control, from `registers` on */
	uint32_t free_page; /* where `free` is, for every free_every-th box */
	unsigned free_every;
};

/* Bits of a flit, lanes, transfers of each lane in a cycle of the link's clock. */
#define SIM_LINK(flit_bits_, lanes_, transfers_) \
	.flit_bits = (flit_bits_), .cycle_bits = (lanes_) * (transfers_)

/* Registers of a PCI function that hold a constant or just keep a value. */
struct sim_dword {
	uint16_t offset;
	uint32_t mask; /* bits that exist */
};

/* A PCI function of a package; kind NULL: no PMON registers of its own. */
struct sim_function {
	uint16_t device;
	uint8_t devfn;
	const char *kind; /* the box that its registers belong to */
	uint8_t box;
	bool pmon; /* the standard counter block is here, else only `extra` */
	const struct sim_dword *extra;
	unsigned n_extra;
	uint8_t bus;   /* 0: the last one of the package, n: its n-th */
	uint8_t table; /* n: tells where the package's n-th discovery table is */
};

/*
 * PCI functions of which a package has one for each slice of its L3 cache (docs/hardware/snbep.md),
 * from device 12 function 0 on.
 */
struct sim_slices {
	uint16_t device; /* id of the first; 0: the platform has none */
	uint8_t id_step; /* 0: all have the same id */
	uint8_t in_row;  /* functions of a device before the next one's turn; 0: they alternate */
	uint8_t ways;    /* of the cache */
};

/* MSRs of a package that belong to no box (docs/hardware/). */
struct sim_global {
	uint32_t control; /* 0: there is none */
	uint64_t freeze, unfreeze;
	uint64_t bits; /* the others that can be written */
	uint64_t pmi;  /* of these, those of the cores that an overflow tells */
	uint32_t status[SIM_STATUSES];
	uint32_t config; /* bits 5:0: number of CHAs, where that is known */
};

/* Discovery tables (docs/hardware/discovery.md): how a platform's differ from others'. */
struct sim_discovery {
	unsigned tables;       /* per package */
	uint8_t stride;        /* of a record, in 8 bytes */
	uint8_t bar;           /* number of the BAR that tells the address */
	bool wide;             /* it has 64 bits */
	bool enable;           /* bit 31 of the address of a PCI unit is set */
	uint8_t frozen;        /* bit t: the counters of table t, out of reset */
	bool segments;         /* each package has a PCI segment of its own */
	bool memory;           /* there can be HBM */
	bool tpmi;             /* the function of the last table has it, ... */
	uint8_t tpmi_bar;      /* ... behind this BAR */
	uint8_t status_offset; /* of the global status from the global control */
	uint32_t control[SIM_TABLES];
	uint64_t address, package_step, table_step;
	uint64_t registers, registers_step; /* of memory-mapped units: package 0, others */
	const uint16_t *broken;             /* types whose records are no use; 0 ends the list */
	uint32_t table_msr;    /* tells where table 0 is, which no function does then; 0: none */
	uint64_t control_page; /* table 0: its global control, from `registers` on; 0: an MSR */
	uint16_t later_ids; /* behind the first die of a package: what ids in table 1 begin with */
};

/* MSRs that do not lie and act as the kinds say; the caller holds the lock. */
struct sim_space {
	size_t size; /* of a package's state */
	int (*read)(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now);
	int (*write)(struct sim *sim, unsigned package, uint32_t msr, uint64_t value, uint64_t now);
	/* Bring all counters up to now; what counter i, if it runs, gains per second. */
	void (*catch_up)(struct sim *sim, unsigned package, uint64_t now);
	double (*rate)(const struct sim_box *box, unsigned i);
};

/*
 * What a CPU has of its own (SDM vol. 3B, 18.2; docs/hardware/core.md).  No part here has two
 * threads per core; with them, SNB-EP to SKX have 4 counters each.
 */
struct sim_core_part {
	uint8_t version;
	uint8_t counters, width;
	uint8_t fixed, fixed_width;
	uint8_t events,
		lacking;       /* architectural events: how many are told of; which are not there */
	uint8_t slots;         /* uops that can be issued in a cycle */
	bool any_gone;         /* AnyThread does not exist any more */
	bool trace;            /* can trace to memory */
	uint64_t select_more;  /* bits above 31 of the event selects */
	uint64_t fixed_more;   /* bits above those of the counters in the fixed control */
	uint64_t global_more;  /* bits of global control and status besides the counters */
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES */
	double bus_hz;         /* what UNHALTED_REFERENCE_CYCLES counts at */
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
	struct sim_core_part core;     /* of its CPUs */
	unsigned max_packages;         /* 0: SIM_PACKAGES */
	unsigned max_dies;             /* of a package; 0: 1 */
	unsigned max_cores;            /* per package; 0: SIM_CORES */
	unsigned dies;                 /* with cores, a clock and a PCU each; 0: as one */
	unsigned channels;             /* of memory, where kinds are not enough to tell */
	unsigned packages, cores;      /* when the spec does not say; 0: 2, SIM_CORES */
	uint16_t read_opcode;          /* of its cores, where it is not the traffic's */
	const struct sim_space *space; /* NULL: boxes by MSR as their kinds say */
	const struct sim_kind *kinds;
	unsigned n_kinds;
	const struct sim_function *functions; /* once per package */
	unsigned n_functions;
	const struct sim_pci *others; /* once per machine */
	unsigned n_others;
	struct sim_slices slices;
	uint16_t node_device; /* the function that tells the node id; 0: none */
	uint16_t node_id, node_map;
	struct sim_global global;
	unsigned (*config_boxes)(const struct sim *sim); /* what global.config tells */
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
	uint64_t since;    /* machine time up to which the counters are right */
	uint64_t box_ctl, filter;
	uint64_t status;  /* counters that overflowed */
	uint64_t pending; /* overflows with SIM_CTL_OVF that the global status has yet to show */
	uint64_t halt;    /* when an overflow stops it, 0: none does */
	uint64_t fixed_ctl, fixed_ctr;
	uint64_t control[SIM_COUNTERS], counter[SIM_COUNTERS];
	uint32_t extra[SIM_EXTRAS];
};

/* What stands behind an entry of sim_pci_devices. */
struct sim_device {
	const struct sim_function *function; /* NULL: an unrelated device */
	struct sim_box *box;
	unsigned package;
};

/* What a package and its memory have used, J; power.c. */
struct sim_energy {
	double package, dram;
	uint64_t since; /* machine time up to which that is right */
};

struct sim_package {
	struct sim_energy energy;
	uint64_t control; /* global control, without the bits that act once */
	uint64_t status[SIM_STATUSES];
	uint64_t summary[SIM_TABLES][SIM_SUMMARY]; /* style D */
	unsigned frozen; /* bit t: the boxes of discovery table t; without tables bit 0 */
	unsigned armed;  /* controls with SIM_CTL_OVF */
};

/* Traffic of known size, as long as rates are asked for that have it in them; load.c. */
struct sim_loading {
	bool on;
	unsigned package, home;
	struct sim_traffic traffic; /* it alone */
};

/* What is behind physical addresses: the registers of a box, or a discovery table. */
struct sim_window {
	unsigned package;
	uint64_t first, size, origin; /* origin: where the box's offsets count from */
	struct sim_box *box;
	const uint64_t *words;
	bool control; /* the global control of table 0 is its first dword */
	bool tpmi;
};

struct sim {
	const struct sim_platform *platform;
	unsigned packages, cores; /* packages: or dies, of the machine; cores: of one of them */
	unsigned dies;            /* of which a package has so many */
	unsigned slices;          /* of the L3 cache of a package: as many as cores, or more */
	struct sim_id id;         /* the platform's, with the stepping that was asked for */
	bool silent;              /* what belongs to slices beyond the cores does not answer */
	bool virtual_time;
	uint16_t hidden[SIM_HIDDEN];
	unsigned n_hidden;
	bool hbm, no_numa;
	unsigned period_ms; /* in which traffic comes and goes; 0: it is steady */
	struct sim_cpu *cpus;
	struct sim_box *boxes; /* of package 0, then of package 1, ... */
	size_t n_boxes;        /* per package */
	struct sim_pci *pci;
	struct sim_device *devices;
	struct sim_function *slice; /* functions of the slices of a package */
	size_t n_pci;
	uint64_t birth; /* CLOCK_MONOTONIC, ns */
	struct sim_traffic traffic[SIM_PACKAGES];
	struct sim_loading loading;
	struct sim_package package[SIM_PACKAGES];
	uint16_t *msrs; /* number of the box that has an MSR, plus 1 */
	struct sim_window *windows;
	size_t n_windows;
	uint64_t *words;       /* of all discovery tables */
	unsigned damage;       /* of them: enum sim_damage */
	void *space;           /* platform->space: state of package 0, then of package 1, ... */
	struct sim_core *core; /* by CPU */
	atomic_uint_fast64_t virtual_ns, writes, cpu_faults;
	atomic_flag busy;
	int cancel_state; /* that the thread which holds it had before */
};

/* machine.c: CPUs, boxes and PCI functions; 0 or -errno. */
int sim_build(struct sim *sim);
/* The box of a package, NULL when there is none. */
struct sim_box *sim_box_find(const struct sim *sim, unsigned package, const char *kind,
			     unsigned index);
unsigned sim_box_count(const struct sim *sim, const struct sim_kind *kind);

/* discovery.c: tables and windows; 0 or -errno. */
int sim_discovery_build(struct sim *sim);
/* The table of the spec; false: no such damage. */
bool sim_discovery_damage(struct sim *sim, const char *name);
void sim_discovery_say(const char *name, char *err, size_t errlen);
/* Config space of the function that tells where table number `table` of a package is. */
uint64_t sim_discovery_address(const struct sim *sim, unsigned package); /* of table 0 */
uint32_t sim_discovery_config(const struct sim *sim, unsigned package, unsigned table,
			      uint32_t offset);
const struct sim_window *sim_window_find(const struct sim *sim, unsigned package, uint64_t address);

/* index.c: which box has an MSR. */
int sim_index_build(struct sim *sim);
struct sim_box *sim_index_find(const struct sim *sim, unsigned package, uint32_t msr);

/* state.c: the clock behind sim_now(), and the lock that every access takes. */
uint64_t sim_monotonic(void);
void sim_lock(struct sim *sim, sigset_t *saved);
void sim_unlock(struct sim *sim, const sigset_t *saved);
/* decode.c: an address to a register. */
bool sim_decode(const struct sim_kind *kind, unsigned index, uint32_t address, struct sim_ref *ref);
/* One dword of a box: `bits` of it become `value`. */
uint32_t sim_read_half(struct sim *sim, struct sim_box *box, struct sim_ref ref);
void sim_write_half(struct sim *sim, struct sim_box *box, struct sim_ref ref, uint32_t value,
		    uint32_t bits, uint64_t exist);

/* box.c: registers of a box at machine time `now`; the caller holds the lock. */
uint64_t sim_box_read(struct sim_box *box, struct sim_ref ref, uint64_t now);
/* The same after what has overflowed until now; space.c. */
uint64_t sim_box_look(struct sim_box *box, struct sim_ref ref, uint64_t now);
void sim_box_write(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now);
/* What counter i, or SIM_FIXED, gains per second; whether anything but an overflow holds the box.
 */
double sim_box_rate(const struct sim_box *box, unsigned i);
bool sim_box_frozen(const struct sim_box *box);
/* The bits of a register that can be written. */
uint64_t sim_box_bits(const struct sim_box *box, enum sim_reg reg);
/* Whether the hardware refuses a write (general protection fault). */
bool sim_box_refuses(const struct sim_box *box, struct sim_ref ref, uint64_t value);
/* Bring every counter up to `now`. */
void sim_box_catch_up(struct sim_box *box, uint64_t now);
/* pattern.c: what a counter gains at this rate between two machine times. */
uint64_t sim_gain(double rate, uint64_t since, uint64_t now);
/* The same for a box, whose traffic may come and go; and the time that counts. */
uint64_t sim_box_gain(const struct sim_box *box, double rate, uint64_t since, uint64_t now);
uint64_t sim_box_time(const struct sim_box *box, double rate, uint64_t now);
/* What a load does of its own at a package: NULL but in the one whose core runs it; load.c. */
const struct sim_traffic *sim_load_at(const struct sim *sim, unsigned package);
/* What a counter with this rate holds at `now`, counting from the machine's start. */
uint64_t sim_count_at(double rate, uint64_t now);

/* global.c: the registers of a package as a whole; false: no such MSR or bits. */
bool sim_global_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);
bool sim_global_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value);
/* power.c: likewise, of energy. */
bool sim_power_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now);
/* What a counter of energy holds, in 2^-bits J; what the uncore runs with, in 100 MHz. */
uint32_t sim_energy(struct sim *sim, unsigned package, bool dram, unsigned bits, uint64_t now);
unsigned sim_ratio(const struct sim *sim, unsigned package);

/* tpmi.c: how many features the list has; 8 bytes of what is behind its BAR. */
unsigned sim_tpmi_features(void);
uint64_t sim_tpmi_word(struct sim *sim, unsigned package, uint64_t offset, uint64_t now);
/* The global control of table 0 where that is in memory. */
uint32_t sim_mapped_control_read(struct sim *sim, unsigned package);
void sim_mapped_control_write(struct sim *sim, unsigned package, uint32_t value);

/*
 * overflow.c: boxes stop one after the other when a counter with SIM_CTL_OVF
 * overflows.  To be called before a box of the package is brought up to `now`.
 */
void sim_overflow_look(struct sim *sim, unsigned package, uint64_t now);
/*
 * The register of the package and the bit of it that sums the counters of a box up, or that is
 * of its fixed counter alone; NULL: none does.
 */
uint64_t *sim_summary(const struct sim_box *box, unsigned counter, unsigned *bit);
/* The whole package, or the boxes of a table, were started or stopped by hand. */
void sim_overflow_forget(struct sim *sim, unsigned package, unsigned table);
/* The first moment in (since, now] when a counter with this rate has gained `need`. */
uint64_t sim_moment(const struct sim_box *box, double rate, uint64_t since, uint64_t now,
		    uint64_t need);

/* core.c: what each CPU has of its own; 0 or -errno. */
int sim_core_build(struct sim *sim);
/* Of an MSR that each CPU has of its own; err: 0 or -EIO.  False: it is none. */
bool sim_core_access(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value, bool write,
		     int *err);
/* An overflow of the uncore is told to these cores of a package. */
void sim_core_tell(struct sim *sim, unsigned package, uint64_t cores);

/* signal.c: increments per second with threshold, invert and edge applied. */
double sim_signal_rate(const struct sim_signal *signal, const struct sim_kind *kind,
		       uint64_t control, bool narrow);

#define MACHINE(name_) extern const struct sim_platform sim_##name_;
#include "sim/machines.def"
#undef MACHINE

#endif
