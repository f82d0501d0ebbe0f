/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim.h - the simulated Xeon: a behavioural model of the PMON registers.
 *
 * Written from the manuals, drivers and event lists that docs/hardware/ names, and
 * from nothing else of this project: it shares no table and no helper with events/,
 * src/lib/plan and src/lib/hw, so that an error there does not cancel out here.
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
 * Build a machine.  spec is what follows "sim:": a platform name, then
 * optionally ":key=value,key=value".  Keys: packages (1-8; knl: 1), dies (skx, dmr: 1 or 2 per
 * package; Cascade Lake-AP), cores (per package or die, as many as the largest part has), time
 *(real or virtual), hide (a PCI device id in hex whose devices firmware hides; may be repeated),
 *numa (yes; no: nobody knows the node of a PCI device).  Returns 0 or -errno with a sentence in
 *err.
 *
 *	name    cores, at most   boxes that depend on it
 *	nhmex    8    8          C-Box: cores
 *	wsmex    8   10          C-Box: cores
 *	snbep    8    8          CBo: slices
 *	ivbep   10   15          CBo: slices
 *	hswep   12   18          CBo: slices; SBo: 2 up to 8 cores, else 4 (CAPID4)
 *	bdx     14   24          CBo: slices; SBo: none up to 8 cores, else 4 (CAPID4)
 *	skx     20   28          CHA: cores (CAPID6)
 *	knl     68   72          38 CHAs with registers; as many are in use as MSR 0x702 says
 *	icx     32   40          CHA: cores (CAPID6, CAPID7)
 *	spr     56   60          CHA: cores (discovery table, MSR 0x2ffe, CAPID6, CAPID7)
 *	emr     64   64          CHA: cores (discovery table, CAPID6, CAPID7); ids with gaps
 *	gnr    120  128          CHA: cores (discovery table, MSR 0x3fed)
 *	srf    144  144          CHA: cores (discovery table, MSR 0x3fed)
 *	cwf    288  288          CHA: a quarter of the cores (discovery table, MSR 0x3fed)
 *	dmr     32   64          CBo: cores (discovery table)
 *
 * The key slices of snbep to bdx is how many slices the L3 cache of a package has, as many
 * as cores or more.  PCI functions and CPUID leaf 4 tell it.  silent=yes: the C-Boxes of
 * those beyond the cores do not answer.
 *
 * The key stepping is that of the CPUs, 1 to 15: skx is Cascade Lake-X from 5 on.
 *
 * A die is to software what a package is: it has registers, PCI buses and a NUMA node of its
 * own.  Every function that takes a package counts through the dies of the machine.
 *
 * emr, srf and cwf have at most 2 packages.  hbm=yes makes spr a Xeon Max: 32 channels of
 * memory on the package, and 16 M2HBM in front of them, with half as many lines as the memory
 * beside it has.
 * Each package of gnr, srf and cwf has a PCI segment of its own and two discovery tables, both
 * with all counters frozen until their global controls are written.  A die of dmr has one that
 * MSR 0x710 tells, frozen likewise by a register in memory, and one of a PCI function.
 *
 * Machines with discovery tables (docs/hardware/discovery.md) have the key table: what is wrong
 * with every table, while all registers stay as they are:
 *
 *	good            nothing
 *	zero_stride     records have no size
 *	ones            every word reads all ones, as if nothing answered
 *	many_units      1023 records, all but the usual ones empty
 *	overlap         the second unit has the registers of the first
 *	beyond          1023 records, of which all behind the first 4 KiB cannot be read (ENXIO)
 *	nonsense        of the first five units: 255 counters; controls where the counters are;
 *	                counters without bits; an access of no kind; no counters
 *	bar_io          the BAR is one of I/O ports
 *	bar_zero        the BAR was given no address
 *	nonzero_offset  the capability tells an offset from the BAR
 *	no_dvsec        there is no capability that tells of a table
 *	loop            the list of capabilities comes back to itself before that one
 */
int sim_open(const char *spec, struct sim **out, char *err, size_t errlen);
void sim_close(struct sim *sim);

/* What the machine would tell about itself in /proc and /sys. */
struct sim_id sim_id(const struct sim *sim);
const struct sim_cpu *sim_cpus(const struct sim *sim, size_t *n);
const struct sim_pci *sim_pci_devices(const struct sim *sim, size_t *n);

/*
 * Register accesses, any thread, async-signal-safe.  Return 0 or -errno:
 * -EIO for an MSR that the model does not have and for a write that sets a
 * reserved bit of one (#GP on hardware), -ENODEV for a PCI function that is not
 * there, -EINVAL for a config access that is not aligned or lies outside the
 * 4 KiB.  Config space reads of unimplemented offsets give 0, writes to them
 * and to reserved bits are dropped.  width is 8, 16, 32 or 64 bits; 64 bits are
 * two dword accesses, one after the other, dword alignment is enough.
 */
int sim_msr_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value);
int sim_msr_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value);
int sim_pci_read(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		 unsigned width, uint64_t *value);
int sim_pci_write(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		  unsigned width, uint64_t value);

/*
 * Memory-mapped registers at a physical address, which must belong to the
 * package: the BAR registers in config space tell where (icx), or
 * the discovery tables, which are themselves at such addresses and only read (spr and
 * later).  width is 32 or 64; aligned.  -ENODEV where the platform has none, -EINVAL for
 * other widths and odd addresses, -ENXIO outside the controllers (spr and later: the
 * pages that have registers) of the package.  Inside, what is not implemented reads 0
 * and writes are dropped.
 */
int sim_mmio_read(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		  uint64_t *value);
int sim_mmio_write(struct sim *sim, unsigned package, uint64_t address, unsigned width,
		   uint64_t value);

/*
 * The same through one logical CPU, by its id: the registers of its
 * architectural performance monitoring (SDM vol. 3B, 18.2) are the CPU's own, all
 * others its package's.  -ENODEV for a CPU that is not there.
 */
int sim_cpu_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_cpu_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* How many of these accesses were refused. */
uint64_t sim_cpu_faults(const struct sim *sim);

/*
 * What the CPUID instruction gives: leaves 0, 1, 0xA and 0xB, of snbep to bdx leaf 4, zeros
 * for the rest; regs are EAX, EBX, ECX, EDX.  -ENODEV as above.
 */
int sim_cpuid(struct sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/*
 * Which bits of a dword of config space, or at a physical address, are those of a PMON
 * register that a write can change; 0: there is no such register.
 */
uint32_t sim_pci_bits(const struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn,
		      uint32_t offset);
uint32_t sim_mmio_bits(const struct sim *sim, uint64_t address);

/* Let virtual time pass (time=virtual machines only; elsewhere it does nothing). */
void sim_advance(struct sim *sim, uint64_t ns);
/* The machine's clock, ns since it was built. */
uint64_t sim_now(struct sim *sim);
bool sim_is_virtual(const struct sim *sim);

/*
 * Freeze on overflow takes a while: after the overflow the box of the counter counts on for
 * SIM_STOP_OWN_NS and all others of the package for SIM_STOP_OTHERS_NS; on nhmex and wsmex,
 * where the U-Box stops all of them at once, all for SIM_STOP_OTHERS_NS.
 */
#define SIM_STOP_OWN_NS    40
#define SIM_STOP_OTHERS_NS 160

/* Number of register writes so far: lets a test prove that nothing was touched. */
uint64_t sim_writes(const struct sim *sim);

/*
 * ---- Traffic: what the machine is doing while it is being counted ----
 *
 * Traffic is described, not random.  All rates are of one package and per
 * second; a "line" is 64 bytes; a "share" lies between 0 and 1.  Everything
 * that a counter shows follows from these fields, so that, for example,
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

#define SIM_OP_DEVICE 0x8000 /* in `opcode`, from hswep on: a device asked, not a core */

struct sim_opcode {
	uint16_t opcode; /* CBo or CHA filter OPC value; 0 ends the list */
	uint8_t kind;    /* enum sim_opcode_class */
	double share;    /* see the class; the shares of SIM_OP_READ add up to 1 */
	double miss;     /* share of the inserts that miss the LLC */
};

/*
 * Traffic that comes and goes: of each period, a part at the strength described, the
 * rest at `quiet` times that.  Clocks and clock ticks go on.
 */
struct sim_pattern {
	uint64_t period_ns; /* 0: steady */
	double busy;        /* share of the period */
	double quiet;       /* strength, from 0 to 1 */
	bool scattered;     /* the busy part does not begin the period but is somewhere in it */
};

#define SIM_OPCODES     40
#define SIM_FREQUENCIES 4

struct sim_traffic {
	double uclk_hz; /* UBox, CBo, CHA, SBo, HA, R2PCIe, R3QPI, IRP, IIO, M2M, M3UPI, ... */
	double dclk_hz; /* iMC; knl: EDC, too */
	double qclk_hz; /* QPI: two flits per cycle and port; UPI: one */
	double pclk_hz; /* PCU */

	double reads;        /* lines fetched from memory, local and remote */
	double remote_reads; /* share of them (and of all TOR entries) homed elsewhere */
	double writes;       /* dirty lines written back to memory */
	double remote_writes;
	double snoops;      /* snoops sent to other packages */
	double noncoherent; /* NCB packets sent to other packages */
	double interrupts;  /* UBox messages of all kinds */

	double hit_ns, local_ns, remote_ns; /* life of a TOR entry: LLC hit, miss by home */
	/* icx and later: life of a miss to persistent memory, times that of one to DRAM; their mean
	 * over all misses is local_ns and remote_ns */
	double pmem_slower;
	double ingress_ns;     /* stay in the CBo ingress and HA egress queues */
	double rpq_ns, wpq_ns; /* stay in the iMC queues */
	double link_ns;        /* stay in the QPI and R3QPI queues */

	double state[4];   /* lines that hit: shares found in S, E, M, F; sum 1 */
	double victims_es; /* evictions of E and S lines per read */
	double page_miss;  /* DRAM: precharges for a page miss per CAS */
	double page_empty; /* DRAM: activates of an empty bank per CAS */

	double core_c0, core_c3, core_c6; /* shares of the cores' time; sum 1 */
	struct {
		double mhz, share;
	} frequency[SIM_FREQUENCIES]; /* where the package clock dwells; shares sum 1 */

	struct sim_opcode opcodes[SIM_OPCODES];
	struct sim_pattern pattern;

	/* Writes of devices that cover part of a line; 0: none.  How many bytes, on average. */
	uint16_t partial_opcode;
	double partial_bytes;

	uint16_t read_opcode, store_opcode; /* of a load's reads and writes, see sim_load() */
};

/*
 * The traffic of a package, to look at or to change.  Change it only while no
 * box counts and no other thread uses the machine: rates are taken at the time
 * of an access and hold for the whole time since the last one.
 */
struct sim_traffic *sim_traffic(struct sim *sim, unsigned package);

/*
 * How long the traffic of a package would have had to be steady to do what it did until
 * `now`, in ns: what an event counts between a and b is sim_rate() times the difference.
 */
uint64_t sim_active(const struct sim *sim, unsigned package, uint64_t now);

/*
 * Traffic of known size, beside that which is described: a program on one core has read and
 * written so many lines of a package's memory, in `ns` that end now.  Each counter that runs gains
 * what its event sees of them, whether or not so much time has passed.  Reads are demand data reads
 * that miss the LLC, writes non-temporal stores of full lines; in the TOR both are the core's own.
 *
 * Counters that always run do not see it, and an overflow that it causes stops no box.
 * Returns 0, or -ENODEV (no such CPU), -EINVAL (no time).  Any thread.
 */
struct sim_load {
	unsigned cpu;           /* logical CPU that ran it */
	unsigned near;          /* one of the package whose memory it was */
	uint64_t reads, writes; /* lines */
	uint64_t ns;
	double stay_ns; /* life of a TOR entry; 0: as long as the package's own misses */
};
int sim_load(struct sim *sim, const struct sim_load *load);

/*
 * How a queue or condition moves from cycle to cycle.  An event with the mean
 * increment m = rate / clock and the largest increment M per cycle repeats a
 * fixed pattern: for m <= M/2 a symmetric staircase 0,1,..,n,..,1,0 with
 * n = min(M, max(1, ceil(2m))) steps, in which
 *
 *	share of cycles with increment >= t  =  2m(n + 1 - t) / (n(n + 1)),  1 <= t <= n
 *
 * (the shares add up to m); for m > M/2 the same upside down.  With M = 1 that
 * is just m.  A queue or level event passes each step once up and once down
 * per period of SIM_PERIOD cycles, so an edge counts clock / SIM_PERIOD; a
 * pulse event (inserts, flits) is spread out and edges as often as it can.
 * (Both limited to what fits: the smaller of the share and its complement.)
 */
#define SIM_PERIOD 256

/* sim_share_at_least(m, M, t): the share of cycles described above. */
double sim_share_at_least(double mean, unsigned max, unsigned threshold);

/*
 * The truth about an event: its average increment per second, with umask,
 * filter, threshold, invert and edge of `control` applied, but no restriction
 * (any counter, running, adds as many per cycle as there are).  kind is "ubox",
 * "cbox", "sbox", "cha", "pcu", "ha", "imc", "irp", "iio", "qpi", "upi",
 * "r2pcie", "m2pcie", "r3qpi", "m3upi", "m2m", "imc_uclk", "edc_uclk", "edc_eclk",
 * "mdf", "cxlcm", "cxldp", "hbm", "m2hbm", "b2hot", "b2cmi", "b2cxl", "b2upi", "mdf_sbo",
 * "pciex16", "pciex8", "type40" (spr) or "type19" (gnr, srf, cwf; both have no name); of dmr as the
 * library calls them, "type57" without name.  With discovery tables `box` is the number among those
 * of its kind in the order of the package's tables, which need not be the id in the record.  filter
 * is the box's filter, upper MSR << 32 | lower; for QPI it is MASK0 << 32 | MATCH0.  An IRP with
 * two units (ivbep, hswep, bdx) gives 9/16 of the rate to the one with counters 0 and 1, the rest
 * to the one with 2 and 3. 0 for an unknown event and for COUNTER0_OCCUPANCY, which has no rate of
 * its own; NAN for an unknown box.
 *
 * nhmex and wsmex: kind is "ubox", "cbox", "bbox", "sbox", "mbox", "rbox" or
 * "wbox".  filter is what the event's sub-control registers hold: mbox
 * PLD << 32 | the other one (no address filter); rbox IPERF_CFG or QLX_CFG; bbox,
 * sbox and the rbox crossbar MASK << 32 | MATCH, switched on.  The bbox event
 * of counter n has n in bits 7:6 of control.
 */
double sim_rate(struct sim *sim, unsigned package, const char *kind, unsigned box, uint64_t control,
		uint64_t filter);

/* What a package, or its memory, uses with its traffic, in W. */
double sim_power(const struct sim *sim, unsigned package, bool dram);

/*
 * The truth about an architectural event on a CPU, per second: `select` is what
 * IA32_PERFEVTSELn holds, whatever its enable bit; privilege level, threshold,
 * invert and edge are applied.  0 for other events.  The CPUs of a package are
 * unequally busy; on average as much as core_c0 says.  Cycles go by `frequency`,
 * cache misses by `reads`, fixed counter 2 by frequency[1], which stands for
 * the time stamp counter's.
 */
double sim_core_rate(struct sim *sim, unsigned cpu, uint64_t select);

#ifdef __cplusplus
}
#endif
#endif
