/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim.h - the simulated Xeon: a behavioural model of the PMON registers.
 *
 * It is based on the manuals, drivers and event lists named in docs/hardware/ and is
 * independent of the rest of the project: it shares no table and no helper with events/,
 * src/lib/plan and src/lib/hw, so that it does not repeat their errors.
 * Only src/lib/hw/sim.c, the tools and the tests may call it.
 */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct sim;

struct sim_cpu {
	unsigned id;      /* logical CPU number */
	unsigned package; /* physical package id */
	unsigned core;    /* core id within the package, or its die */
	unsigned die;     /* die id within the package */
};

struct sim_pci {
	uint16_t segment;
	uint8_t bus, devfn; /* devfn = device << 3 | function */
	uint16_t vendor, device;
	int numa_node;
};

struct sim_id {
	const char *vendor; /* "GenuineIntel" */
	unsigned family, model, stepping;
};

/*
 * Build a machine.  spec is the part of the name after "sim:": a platform name, optionally
 * followed by ":key=value,key=value".  Keys: packages (1-8; knl: 1), dies (skx, dmr: 1 or 2 per
 * package; Cascade Lake-AP), cores (per package or die, up to those of the largest model), time
 * (real or virtual), hide (hexadecimal PCI device id of devices hidden by the firmware; may be
 * repeated), numa (yes; no: the NUMA nodes of PCI devices are unknown), devices (skx, icx, spr,
 * gnr, srf: a number that chooses the devices behind PCIe ports at random; without it there are
 * none), clusters (1 to 4 per package or die, each a NUMA node), nodes (a number that chooses
 * at random which CPUs and boxes belong to a cluster and how nodes are numbered; without it
 * clusters are ranges).  Returns 0 or -errno with a message in err.
 *
 *	name    cores, maximum   boxes that depend on it
 *	nhmex    8    8          C-Box: cores
 *	wsmex    8   10          C-Box: cores
 *	snbep    8    8          CBo: slices
 *	ivbep   10   15          CBo: slices
 *	hswep   12   18          CBo: slices; SBo: 2 up to 8 cores, else 4 (CAPID4)
 *	bdx     14   24          CBo: slices; SBo: none up to 8 cores, else 4 (CAPID4)
 *	skx     20   28          CHA: cores (CAPID6)
 *	knl     68   72          38 CHAs, whatever the number of cores (MSR 0x702)
 *	icx     32   40          CHA: cores (CAPID6, CAPID7)
 *	spr     56   60          CHA: cores (discovery table, MSR 0x2ffe, CAPID6, CAPID7)
 *	emr     64   64          CHA: cores (discovery table, CAPID6, CAPID7); ids with gaps
 *	gnr    120  128          CHA: cores (discovery table, MSR 0x3fed)
 *	srf    144  144          CHA: cores (discovery table, MSR 0x3fed)
 *	cwf    288  288          CHA: a quarter of the cores (discovery table, MSR 0x3fed)
 *	dmr     32   64          CBo: cores (discovery table)
 *
 * The key slices of snbep to bdx is the number of slices of a package's L3 cache, at least the
 * number of cores.  PCI functions and CPUID leaf 4 report it.  silent=yes: the C-Boxes of
 * slices without a core do not respond.
 *
 * The key hash is a file with the slice of each line of the base sequence of memory, as numbers
 * separated by white space (hash.h).  Without it, skx, icx and spr have that of real processors
 * with as many slices if it was measured; otherwise line n belongs to slice n modulo their number.
 *
 * The key stepping is the stepping of the CPUs, 1 to 15: from 5 on, skx is Cascade Lake-X.
 *
 * To software, a die is like a package: it has its own registers, PCI buses and NUMA node.  The
 * package argument of the functions below numbers the dies of the machine.
 *
 * emr, srf and cwf have at most 2 packages.  hbm=yes makes spr a Xeon Max: 32 channels of
 * on-package memory with 16 M2HBM in front of them, whose traffic is half that of the DDR memory;
 * with flat=yes, this memory has NUMA nodes of its own.
 * Each package of gnr, srf and cwf has its own PCI segment and two discovery tables, both
 * with all counters frozen until their global controls are written.  A die of dmr has one table
 * located by MSR 0x710, frozen in the same way by a memory-mapped register, and one located by a
 * PCI function.
 *
 * Machines with discovery tables (docs/hardware/discovery.md) have the key table, which
 * damages every table and does not affect the registers:
 *
 *	good            nothing
 *	zero_stride     records have no size
 *	ones            every word reads as all ones, as if nothing responded
 *	many_units      1023 records, empty except for the usual ones
 *	overlap         the second unit has the registers of the first
 *	beyond          1023 records; those after the first 4 KiB cannot be read (ENXIO)
 *	nonsense        the first five units have 255 counters; controls at the addresses of the
 *	                counters; counters of width 0; an invalid access type; no counters
 *	bar_io          the BAR is an I/O port BAR
 *	bar_zero        the BAR has no address
 *	nonzero_offset  the capability has an offset from the BAR
 *	no_dvsec        the capability of the table is missing
 *	loop            the list of capabilities has a loop before that one
 */
int sim_open(const char *spec, struct sim **out, char *err, size_t errlen);
void sim_close(struct sim *sim);

/* The properties that a real machine reports in /proc and /sys. */
struct sim_id sim_id(const struct sim *sim);

/* A link below /sys: "sys/class/net/eth0" to "/sys/devices/pci0000:17/0000:17:00.0/...". */
struct sim_link {
	const char *path, *target;
};
/* The links of the devices behind PCIe ports (key devices), sorted by path. */
const struct sim_link *sim_links(const struct sim *sim, size_t *n);

/* A text file of these devices, "sys/devices/pci0000:17/.../current_link_width". */
struct sim_file {
	const char *path, *text;
};
const struct sim_file *sim_files(const struct sim *sim, size_t *n);

/* A device behind a PCIe port: name, address, package, and the IIO box and port that it uses. */
struct sim_endpoint {
	char name[32], address[24];
	unsigned package, stack, box, part; /* stack: its number in the registers */
	bool vmd;                           /* behind a storage controller */
	double share;                       /* sim_device_load() */
};
const struct sim_endpoint *sim_endpoints(const struct sim *sim, size_t *n);

/*
 * From now on a device moves data in addition to the traffic of its stack: a multiple of that
 * stack's traffic without it.  0, or -ENODEV: no device has that number in sim_endpoints().
 */
int sim_device_load(struct sim *sim, size_t endpoint, double share);

/* A NUMA node: the CPUs and the memory of a cluster of a package or die, or its HBM alone. */
struct sim_node {
	unsigned number, package, cluster; /* package: of the machine's dies */
	bool hbm;                          /* memory without CPUs */
};
/* By number. */
const struct sim_node *sim_nodes(const struct sim *sim, size_t *n);
/* The cluster to which a box (see sim_rate()) belongs; -1: it serves all of them. */
int sim_cluster(const struct sim *sim, unsigned package, const char *kind, unsigned box);

/* The kernel's files of nodes, and the version of the firmware. */
const struct sim_file *sim_node_files(const struct sim *sim, size_t *n);

const struct sim_cpu *sim_cpus(const struct sim *sim, size_t *n);
const struct sim_pci *sim_pci_devices(const struct sim *sim, size_t *n);

/*
 * Register accesses, any thread, async-signal-safe.  Return 0 or -errno:
 * -EIO for an MSR that the model lacks and for a write that sets a
 * reserved bit of one (#GP on hardware), -ENODEV for a missing PCI function,
 * -EINVAL for a config access that is not aligned or exceeds the
 * 4 KiB.  Unimplemented offsets of config space read as 0; writes to them
 * and to reserved bits are ignored.  width is 8, 16, 32 or 64 bits; 64 bits are
 * two consecutive dword accesses and require only dword alignment.
 */
int sim_msr_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);
int sim_msr_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value);
int sim_pci_read(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		 unsigned width, uint64_t *value);
int sim_pci_write(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		  unsigned width, uint64_t value);

/*
 * Memory-mapped registers at a physical address, which must belong to the
 * package: it is in BAR registers in config space (icx) or in
 * the discovery tables, which are read-only and at such addresses themselves (spr and
 * later).  width is 32 or 64, aligned.  -ENODEV if the platform has no such registers, -EINVAL for
 * other widths and unaligned addresses, -ENXIO outside the controllers (spr and later: outside the
 * pages with registers) of the package.  Inside, unimplemented addresses read as 0
 * and ignore writes.
 */
int sim_mmio_read(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		  uint64_t *value);
int sim_mmio_write(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		   uint64_t value);

/*
 * The same through one logical CPU, by its id: the registers of its
 * architectural performance monitoring (SDM vol. 3B, 18.2) belong to the CPU, all
 * others to its package.  -ENODEV for an unknown CPU.
 */
int sim_cpu_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_cpu_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* Number of these accesses that failed. */
uint64_t sim_cpu_faults(const struct sim *sim);

/*
 * Result of the CPUID instruction: leaves 0, 1, 0xA and 0xB, for snbep to bdx leaf 4, zeros
 * for all others; regs are EAX, EBX, ECX, EDX.  -ENODEV as above.
 */
int sim_cpuid(struct sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/*
 * Mask of the bits of a dword in config space, or at a physical address, that belong to a PMON
 * register and can be changed by a write; 0: no such register.
 */
uint32_t sim_pci_bits(const struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn,
		      uint32_t offset);
uint32_t sim_mmio_bits(const struct sim *sim, uint64_t address);

/* Advance virtual time; no effect unless the machine has time=virtual. */
void sim_advance(struct sim *sim, uint64_t ns);

/*
 * The calling thread has blocked all signals (true), or is about to unblock them (false).
 * Accesses in between need not block them.  One thread at a time.
 */
void sim_signals_blocked(struct sim *sim, bool blocked);

/* The machine's clock: ns since it was built. */
uint64_t sim_now(struct sim *sim);
bool sim_is_virtual(const struct sim *sim);

/*
 * Freeze on overflow has a latency: after the overflow, the box of the counter keeps counting for
 * SIM_STOP_OWN_NS and all others of the package for SIM_STOP_OTHERS_NS.  On nhmex and wsmex,
 * the U-Box stops all boxes at once, after SIM_STOP_OTHERS_NS.
 */
#define SIM_STOP_OWN_NS    40
#define SIM_STOP_OTHERS_NS 160

/* Number of register writes so far, for tests that no register was written. */
uint64_t sim_writes(const struct sim *sim);

/*
 * ---- Traffic: the activity of the machine ----
 *
 * Traffic is described, not random.  All rates are of one package and per
 * second; a "line" is 64 bytes; a "share" lies between 0 and 1.  All
 * counts are computed from these fields, so that, for example,
 *
 *	LLC_LOOKUP.DATA_READ in state I = misses of the reading opcodes in the TOR
 *	    = reads = local reads + remote reads;
 *	HA REQUESTS.READS = iMC CAS RD = local reads + reads of other packages here;
 *	HA REQUESTS.WRITES = iMC CAS WR, likewise;
 *	LLC_VICTIMS.M_STATE = writes;
 *	QPI DRS data flits = 8 * lines that cross, on both ends of the link;
 *	QPI IDLE + DATA + NON_DATA flits = 2 * clockticks;
 *	a queue's occupancy = its inserts * the time an entry stays * the box clock.
 *
 * Remote traffic spreads evenly over the other packages.  A package total is
 * spread over the boxes of a kind by fixed, unequal weights whose sum is 1.
 */
enum sim_opcode_class {
	SIM_OP_READ = 1,  /* share of `reads`: these misses; inserts = misses / miss */
	SIM_OP_WRITEBACK, /* share of `writes`: inserts; the TOR's WB class */
	SIM_OP_WRITE,     /* share of `writes`: inserts; not in the WB class */
	SIM_OP_OTHER      /* share of `reads`: inserts; moves no line of memory */
};

#define SIM_OP_DEVICE 0x8000 /* in `opcode`, from hswep on: request of a device, not a core */

struct sim_opcode {
	uint16_t opcode; /* CBo or CHA filter OPC value; 0 ends the list */
	uint8_t kind;    /* enum sim_opcode_class */
	double share;    /* see the class; the shares of SIM_OP_READ add up to 1 */
	double miss;     /* share of the inserts that miss the LLC */
};

/*
 * Traffic in bursts: in each period, one part has the rates described and the
 * rest `quiet` times these.  Clocks and clock ticks are not affected.
 */
struct sim_pattern {
	uint64_t period_ns; /* 0: steady */
	double busy;        /* busy share of the period */
	double quiet;       /* factor of the rates, from 0 to 1 */
	bool scattered;     /* the busy part is at a varying position in the period */
};

#define SIM_OPCODES     40
#define SIM_FREQUENCIES 4
#define SIM_SKEWS       64

struct sim_traffic {
	double uclk_hz; /* UBox, CBo, CHA, SBo, HA, R2PCIe, R3QPI, IRP, IIO, M2M, M3UPI, ... */
	double dclk_hz; /* iMC; knl: EDC, too */
	double qclk_hz; /* QPI: two flits per cycle and port; UPI: one */
	double pclk_hz; /* PCU */

	double reads;        /* lines fetched from memory, local and remote */
	double remote_reads; /* share of them (and of all TOR entries) homed on other packages */
	double writes;       /* dirty lines written back to memory */
	double remote_writes;
	double snoops;      /* snoops sent to other packages */
	double noncoherent; /* NCB packets sent to other packages */
	double interrupts;  /* UBox messages of all kinds */

	double hit_ns, local_ns, remote_ns; /* lifetime of a TOR entry: LLC hit, miss by home */
	/* icx and later: shares of the misses to persistent memory and to CXL memory, and ratios of
	 * their lifetimes to that of a miss to DRAM; the mean over all misses is local_ns or
	 * remote_ns */
	double pmem_share, pmem_slower, cxl_share, cxl_slower;
	double ingress_ns;     /* time in the CBo ingress and HA egress queues */
	double rpq_ns, wpq_ns; /* time in the iMC queues */
	double link_ns;        /* time in the QPI and R3QPI queues */

	double state[4];   /* lines that hit: shares found in S, E, M, F; sum 1 */
	double victims_es; /* evictions of E and S lines per read */
	double page_miss;  /* DRAM: precharges for a page miss per CAS */
	double page_empty; /* DRAM: activates of an empty bank per CAS */

	double core_c0, core_c3, core_c6; /* shares of the cores' time; sum 1 */
	struct {
		double mhz, share;
	} frequency[SIM_FREQUENCIES]; /* distribution of the package clock; sum of shares 1 */

	double thermal;      /* share of the time in which the PCU is limited by temperature */
	double most_uclk_hz; /* upper limit of uclk_hz; 0: 200 MHz more */

	/* Deviation of a box from its weight: -1: it has no traffic; 0: none; 2: three times as
	 * much */
	double channel_skew[SIM_SKEWS], slice_skew[SIM_SKEWS]; /* iMC; CHA and C-Box */

	struct sim_opcode opcodes[SIM_OPCODES];
	struct sim_pattern pattern;

	/* Opcode of partial-line writes of devices, 0: none; mean number of bytes per write. */
	uint16_t partial_opcode;
	double partial_bytes;

	uint16_t read_opcode,
		store_opcode; /* opcodes of a load's reads and writes, see sim_load() */
};

/*
 * The traffic of a package, which may be changed only while no box is counting and
 * no other thread uses the machine: the rates at the time of an access apply to the
 * whole time since the previous access.
 */
struct sim_traffic *sim_traffic(struct sim *sim, unsigned package);

/*
 * The time in ns in which steady traffic of a package would cause the same counts as its traffic
 * until `now`: an event counts sim_rate() times the difference between two such times.
 */
uint64_t sim_active(const struct sim *sim, unsigned package, uint64_t now);

/*
 * Traffic of known size, in addition to the traffic described: a program on one core has read and
 * written lines of a package's memory in the last `ns`.  Each running counter advances by
 * what its event counts of them, even if less time has passed.  Reads are demand data reads
 * that miss the LLC, writes are non-temporal stores of full lines; in the TOR both are requests of
 * the core.
 *
 * Free-running counters do not count it, and an overflow that it causes stops no box.
 * Returns 0, or -ENODEV (no such CPU), -EINVAL (no time, or too many bytes).  Any thread.
 */
struct sim_load {
	unsigned cpu;           /* logical CPU that ran it */
	unsigned near;          /* a CPU of the package whose memory was accessed */
	uint64_t reads, writes; /* lines */
	uint64_t ns;
	double stay_ns; /* lifetime of a TOR entry; 0: that of the package's other misses */
	/* The lines, for slices of the cache: those of this memory; 0 bytes: of all memory. */
	uint64_t address, bytes;
	unsigned node; /* whose memory was accessed, plus 1; 0: the node of `near` */
};
#define SIM_MOST_PLACED (UINT64_C(1) << 30) /* bytes */
int sim_load(struct sim *sim, const struct sim_load *load);

/*
 * How a queue or condition changes from cycle to cycle.  An event with the mean
 * increment m = rate / clock and the largest increment M per cycle repeats a
 * fixed pattern: for m <= M/2 a symmetric staircase 0,1,..,n,..,1,0 with
 * n = min(M, max(1, ceil(2m))) steps, in which
 *
 *	share of cycles with increment >= t  =  2m(n + 1 - t) / (n(n + 1)),  1 <= t <= n
 *
 * (the shares add up to m); for m > M/2 the same upside down.  With M = 1 that
 * is just m.  A queue or level event passes each step once up and once down
 * per period of SIM_PERIOD cycles, so an edge counts clock / SIM_PERIOD; a
 * pulse event (inserts, flits) is spread out and has as many edges as possible.
 * (Both are limited to the smaller of the share and its complement.)
 */
#define SIM_PERIOD 256

/* sim_share_at_least(m, M, t): the share of cycles described above. */
double sim_share_at_least(double mean, unsigned max, unsigned threshold);

/*
 * The true rate of an event: its average increment per second, with umask,
 * filter, threshold, invert and edge of `control` applied, but no restriction
 * (as if counted by an unlimited running counter).  kind is "ubox",
 * "cbox", "sbox", "cha", "pcu", "ha", "imc", "irp", "iio", "qpi", "upi",
 * "r2pcie", "m2pcie", "r3qpi", "m3upi", "m2m", "imc_uclk", "edc_uclk", "edc_eclk",
 * "mdf", "cxlcm", "cxldp", "hbm", "m2hbm", "b2hot", "b2cmi", "b2cxl", "b2upi", "mdf_sbo",
 * "pciex16", "pciex8", "type40" (spr) or "type19" (gnr, srf, cwf; both have no name); for dmr the
 * library's names, and "type57", which has no name.  With discovery tables `box` is the number
 * among those of its kind in the order of the package's tables, which need not be the id in the
 * record.  filter is the box's filter, upper MSR << 32 | lower; for QPI it is MASK0 << 32 | MATCH0.
 * An IRP with two units (ivbep, hswep, bdx) gives 9/16 of the rate to the one with counters 0 and
 * 1, the rest to the one with 2 and 3. 0 for an unknown event and for COUNTER0_OCCUPANCY, whose
 * rate depends on counter 0; NAN for an unknown box.
 *
 * nhmex and wsmex: kind is "ubox", "cbox", "bbox", "sbox", "mbox", "rbox" or
 * "wbox".  filter is the value of the event's sub-control registers: mbox
 * PLD << 32 | the other one (no address filter); rbox IPERF_CFG or QLX_CFG; bbox,
 * sbox and the rbox crossbar MASK << 32 | MATCH, enabled.  The bbox event
 * of counter n has n in bits 7:6 of control.
 */
double sim_rate(struct sim *sim, unsigned package, const char *kind, unsigned box, uint64_t control,
		uint64_t filter);

/* Power of a package, or of its memory, with its traffic, in W. */
double sim_power(const struct sim *sim, unsigned package, bool dram);

/*
 * The true rate of an architectural event on a CPU, per second: `select` is the value of
 * IA32_PERFEVTSELn, whose enable bit is ignored; privilege level, threshold,
 * invert and edge are applied.  0 for other events.  The CPUs of a package have
 * different loads whose mean is core_c0.  Cycles depend on `frequency`,
 * cache misses on `reads`, and fixed counter 2 on frequency[1], which represents
 * the time stamp counter.
 */
double sim_core_rate(struct sim *sim, unsigned cpu, uint64_t select);

/*
 * The functions that libuncore calls, which opens the simulator's library only for a simulated
 * machine.
 */
struct sim_functions {
	const char *version; /* both libraries are of the same */
	int (*open)(const char *spec, struct sim **out, char *err, size_t errlen);
	void (*close)(struct sim *sim);
	struct sim_id (*id)(const struct sim *sim);
	const struct sim_cpu *(*cpus)(const struct sim *sim, size_t *n);
	const struct sim_pci *(*pci_devices)(const struct sim *sim, size_t *n);
	const struct sim_link *(*links)(const struct sim *sim, size_t *n);
	const struct sim_node *(*nodes)(const struct sim *sim, size_t *n);
	const struct sim_file *(*files)(const struct sim *sim, size_t *n);
	const struct sim_file *(*node_files)(const struct sim *sim, size_t *n);
	int (*msr_read)(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);
	int (*msr_write)(struct sim *sim, unsigned package, uint32_t msr, uint64_t value);
	int (*pci_read)(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn,
			uint32_t offset, unsigned width, uint64_t *value);
	int (*pci_write)(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn,
			 uint32_t offset, unsigned width, uint64_t value);
	int (*mmio_read)(struct sim *sim, unsigned package, uint64_t address, unsigned width,
			 uint64_t *value);
	int (*mmio_write)(struct sim *sim, unsigned package, uint64_t address, unsigned width,
			  uint64_t value);
	int (*cpu_msr_read)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
	int (*cpu_msr_write)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
	int (*cpuid)(struct sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4]);
	void (*signals_blocked)(struct sim *sim, bool blocked);
	uint64_t (*now)(struct sim *sim);
	bool (*is_virtual)(const struct sim *sim);
	int (*load)(struct sim *sim, const struct sim_load *load);
};

extern const struct sim_functions sim_functions;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
