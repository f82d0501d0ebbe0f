/*
 * model.h - what the parts of the simulated Xeon share: the description of a
 * platform (const) and the state of a machine.  Internal to src/sim.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim.h"

#define SIM_PACKAGES 8 /* the most that sim_open builds */
#define SIM_CORES    8
#define SIM_COUNTERS 8 /* general counters of one box, at most */
#define SIM_EXTRAS   4 /* match, mask and similar registers of one box, at most */
#define SIM_HIDDEN   16

/* Control bits that mean the same in every box (facts snbep section 3). */
#define SIM_CTL_RST    (UINT64_C(1) << 17)
#define SIM_CTL_EDGE   (UINT64_C(1) << 18)
#define SIM_CTL_TID    (UINT64_C(1) << 19)
#define SIM_CTL_EN     (UINT64_C(1) << 22)
#define SIM_CTL_INVERT (UINT64_C(1) << 23)

enum sim_access { SIM_BY_MSR = 1, SIM_BY_PCI };

/* A register of a box, as an address decodes to it. */
enum sim_reg {
	SIM_REG_NONE,
	SIM_REG_BOX_CTL,
	SIM_REG_CONTROL,
	SIM_REG_COUNTER,
	SIM_REG_FILTER,
	SIM_REG_FIXED_CTL,
	SIM_REG_FIXED_CTR,
	SIM_REG_EXTRA
};

struct sim_ref {
	enum sim_reg reg;
	unsigned index; /* of the counter or extra register */
	bool high;      /* PCI: the upper dword of a counter */
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
};

struct sim_box;
struct sim_events;

/* A kind of box: its registers and where its signals come from. */
struct sim_kind {
	const char *name;
	enum sim_access access;
	unsigned n_boxes; /* 0: as many as cores, at most SIM_CORES */
	unsigned n_counters;
	unsigned width, fixed_width; /* bits; fixed_width 0: no fixed counter */
	uint32_t box_ctl;            /* 0: no box control */
	uint32_t control, control_step;
	uint32_t counter, counter_step;
	uint32_t stride; /* MSR boxes: distance of consecutive boxes */
	uint32_t filter, fixed_ctl, fixed_ctr;
	uint64_t control_bits, filter_bits; /* bits that exist */
	uint64_t box_bits, fixed_bits;
	unsigned threshold_mask;       /* of control >> 24 */
	uint64_t occ_invert, occ_edge; /* control bits for level selects, 0: none */
	bool narrow;                   /* counters other than 0 add at most 1 per cycle */
	/* The signal that `control` selects; false: the box knows no such event. */
	bool (*signal)(const struct sim_box *box, uint64_t control, uint64_t filter,
		       struct sim_signal *out);
	double (*clock_hz)(const struct sim_box *box); /* the fixed counter counts it too */
	const struct sim_events *events;               /* for `signal`, private to the platform */
};

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
};

struct sim_platform {
	const char *name;
	struct sim_id id;
	const struct sim_kind *kinds;
	unsigned n_kinds;
	const struct sim_function *functions; /* once per package */
	unsigned n_functions;
	const struct sim_pci *others; /* once per machine */
	unsigned n_others;
	uint16_t node_device; /* the function that tells the node id */
	uint16_t node_id, node_map;
	void (*traffic)(struct sim_traffic *traffic, unsigned package, unsigned packages,
			unsigned cores);
};

struct sim_box {
	const struct sim *sim;
	const struct sim_kind *kind;
	unsigned package, index;
	uint64_t since; /* machine time up to which the counters are right */
	uint64_t box_ctl, filter;
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

struct sim {
	const struct sim_platform *platform;
	unsigned packages, cores;
	bool virtual_time;
	uint16_t hidden[SIM_HIDDEN];
	unsigned n_hidden;
	struct sim_cpu *cpus;
	struct sim_box *boxes; /* of package 0, then of package 1, ... */
	size_t n_boxes;        /* per package */
	struct sim_pci *pci;
	struct sim_device *devices;
	size_t n_pci;
	uint64_t birth; /* CLOCK_MONOTONIC, ns */
	struct sim_traffic traffic[SIM_PACKAGES];
	atomic_uint_fast64_t virtual_ns, writes;
	atomic_flag busy;
};

/* sim.c: the box of a package, NULL when there is none. */
struct sim_box *sim_box_find(const struct sim *sim, unsigned package, const char *kind,
			     unsigned index);

/* box.c: registers of a box at machine time `now`; the caller holds the lock. */
uint64_t sim_box_read(struct sim_box *box, struct sim_ref ref, uint64_t now);
void sim_box_write(struct sim_box *box, struct sim_ref ref, uint64_t value, uint64_t now);
/* The bits of a register that can be written. */
uint64_t sim_box_bits(const struct sim_box *box, enum sim_reg reg);

/* signal.c: increments per second with threshold, invert and edge applied. */
double sim_signal_rate(const struct sim_signal *signal, const struct sim_kind *kind,
		       uint64_t control, bool narrow);

/* snbep.c */
extern const struct sim_platform sim_snbep;

#endif
