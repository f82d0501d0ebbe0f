/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select.c - CBo and CHA events whose rate depends on umask and filter together:
 * TOR entries (docs/hardware/).
 */
#include "sim/model/rows.h"

/* TOR umask bits, and the NID bit that three events share. */
#define TOR_OPCODE    0x01
#define TOR_MISS      0x02
#define TOR_EVICTION  0x04
#define TOR_ALL       0x08
#define TOR_WB        0x10
#define UMASK_NID     0x40
#define TOR_INSERTS   0x35
#define TOR_OCCUPANCY 0x36

/* Umask bits of KNL, SKX and ICX that select entries. */
#define FROM_CORES  0x01
#define FROM_EVICT  0x02
#define FROM_IO     0x04
#define FROM_SNOOPS 0x08
#define FROM_OTHERS 0x30 /* of neither cores nor devices: where there are accelerators */
#define FROM_REMOTE 0x40 /* requests of other packages: reads, writes */
#define FROM_WRITES 0x80
#define FROM_ANY    0xcf
#define CHA_HIT     0x10
#define CHA_MISS    0x20
#define HOME_LOCAL  0x20
#define HOME_REMOTE 0x80

/* A selection of entries, whatever the way it was asked for. */
struct choice {
	bool hits, misses;
	double local, remote; /* shares of the entries of either home */
	double memory;        /* life of a miss in the memory that was asked for, times the mean */
};

struct tor {
	double hit, local, remote; /* entries per second, by what they wait for */
};

struct stay_ns {
	double hit, local, remote;
};

static unsigned umask_of(uint64_t control)
{
	return (unsigned)(control >> 8) & 0xff;
}

static uint64_t extension_of(uint64_t control)
{
	return control >> 32;
}

static uint64_t bits(uint64_t value, unsigned first, unsigned n)
{
	return value >> first & ((UINT64_C(1) << n) - 1);
}

/* Which share of the traffic to the own node and to the other nodes a NID mask lets through. */
void sim_select_nodes(const struct sim_box *box, uint64_t control, uint64_t filter, double *local,
		      double *remote)
{
	const struct sim_layout *layout = box->kind->layout;
	uint64_t nodes = bits(filter, layout->nid, layout->nid_bits);
	unsigned others = 0;

	*local = *remote = 1;
	if ((umask_of(control) & UMASK_NID) == 0)
		return;
	for (unsigned p = 0; p < box->sim->packages; p++)
		if (p != box->package && (nodes >> p & 1) != 0)
			others++;
	*local = (nodes >> box->package & 1) != 0 ? 1 : 0;
	*remote = box->sim->packages > 1 ? (double)others / (box->sim->packages - 1) : 0;
}

/* With neither home asked for it is both. */
void sim_select_homes(bool want_local, bool want_remote, double *local, double *remote)
{
	if (want_remote && !want_local)
		*local = 0;
	if (want_local && !want_remote)
		*remote = 0;
}

static void home_shares(uint64_t control, double *local, double *remote)
{
	unsigned umask = umask_of(control);

	sim_select_homes((umask & HOME_LOCAL) != 0, (umask & HOME_REMOTE) != 0, local, remote);
}

static uint64_t tid_bit(const struct sim_box *box)
{
	const struct sim_layout *layout = box->kind->layout;

	return layout->tid != 0 ? layout->tid : SIM_CTL_TID;
}

static bool asks_for_core(const struct sim_box *box, uint64_t control)
{
	return (control & tid_bit(box)) != 0 && (control & 0xff) != 0;
}

/* The model has one thread per core: the first. */
static bool first_thread(const struct sim_box *box, uint64_t filter)
{
	return bits(filter, 0, box->kind->layout->thread_bits) == 0;
}

static uint64_t core_of(const struct sim_box *box, uint64_t filter)
{
	const struct sim_layout *layout = box->kind->layout;

	return bits(filter, layout->thread_bits, layout->core_bits);
}

/* TID 0x3e of Haswell-EP and Broadwell-EP: entries that no core has asked for. */
static bool asks_for_devices(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	const struct sim_layout *layout = box->kind->layout;
	unsigned event = (unsigned)(control & 0xff);

	return layout->device_tid && asks_for_core(box, control) && first_thread(box, filter) &&
	       core_of(box, filter) == (UINT64_C(1) << layout->core_bits) - 1 &&
	       (event == TOR_INSERTS || event == TOR_OCCUPANCY);
}

double sim_select_tid(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	unsigned cores = box->sim->cores;
	uint64_t core = core_of(box, filter);

	if (!asks_for_core(box, control) || asks_for_devices(box, control, filter))
		return 1;
	if (!first_thread(box, filter) || core >= cores)
		return 0;
	/* Core c does 8 + c parts of the work. */
	return (8.0 + (double)core) / (8.0 * cores + cores * (cores - 1) / 2.0);
}

bool sim_select_core(const struct sim_box *box, uint64_t *control, uint64_t filter, unsigned core)
{
	if (!asks_for_core(box, *control))
		return true;
	*control &= ~tid_bit(box);
	return first_thread(box, filter) && core_of(box, filter) == core;
}

static struct tor tor_opcode(const struct sim_traffic *traffic, const struct sim_opcode *opcode)
{
	double inserts, misses;

	if (opcode->kind == SIM_OP_READ) {
		misses = traffic->reads * opcode->share;
		inserts = opcode->miss > 0 ? misses / opcode->miss : 0;
	} else {
		inserts = opcode->share *
			  (opcode->kind == SIM_OP_OTHER ? traffic->reads : traffic->writes);
		misses = inserts * opcode->miss;
	}
	return (struct tor){.hit = inserts - misses,
			    .local = misses * (1 - traffic->remote_reads),
			    .remote = misses * traffic->remote_reads};
}

static double evictions(const struct sim_traffic *traffic)
{
	return traffic->writes + traffic->reads * traffic->victims_es;
}

/* For inserts 1, for an occupancy the cycles that an entry stays. */
static struct stay_ns stay_of(const struct sim_box *box, const struct sim_traffic *traffic,
			      uint64_t control)
{
	double scale = box->kind->clock_hz(box) * 1e-9;

	if ((control & 0xff) != TOR_OCCUPANCY)
		return (struct stay_ns){1, 1, 1};
	return (struct stay_ns){traffic->hit_ns * scale, traffic->local_ns * scale,
				traffic->remote_ns * scale};
}

static double near_share(const struct sim_traffic *traffic, const struct choice *choice)
{
	return choice->local * (1 - traffic->remote_reads) + choice->remote * traffic->remote_reads;
}

/* The entries of an opcode that were chosen, times how long they stay. */
static double chosen(const struct sim_traffic *traffic, const struct sim_opcode *opcode,
		     const struct choice *choice, const struct stay_ns *stay)
{
	struct tor tor = tor_opcode(traffic, opcode);
	double sum = 0;

	if (choice->hits)
		sum += tor.hit * near_share(traffic, choice) * stay->hit;
	if (choice->misses)
		sum += tor.local * choice->local * stay->local +
		       tor.remote * choice->remote * stay->remote;
	return sum;
}

/* How often the umask counts entries of an opcode: its bits add up. */
static unsigned cbo_times(const struct sim_box *box, const struct sim_opcode *opcode,
			  uint64_t control, uint64_t filter)
{
	const unsigned umask = umask_of(control);
	const bool device = (opcode->opcode & SIM_OP_DEVICE) != 0;
	unsigned times = 0;

	if (asks_for_core(box, control) && device != asks_for_devices(box, control, filter))
		return 0;
	if ((umask & TOR_ALL) != 0)
		times++;
	else if ((umask & TOR_OPCODE) != 0 && (opcode->opcode & ~(unsigned)SIM_OP_DEVICE) ==
						      bits(filter, box->kind->layout->opc, 9))
		times++;
	if ((umask & TOR_WB) != 0 && opcode->kind == SIM_OP_WRITEBACK)
		times++;
	return times;
}

static double cbo_tor(const struct sim_box *box, const struct sim_traffic *traffic,
		      uint64_t control, uint64_t filter)
{
	unsigned umask = umask_of(control);
	struct stay_ns stay = stay_of(box, traffic, control);
	struct choice choice = {.hits = (umask & TOR_MISS) == 0, .misses = true};
	bool all = (umask & TOR_ALL) != 0 && choice.hits;
	bool load = traffic == sim_load_at(box->sim, box->package); /* it evicts nothing */
	double sum = 0;

	sim_select_nodes(box, control, filter, &choice.local, &choice.remote);
	if (box->kind->layout->homes)
		home_shares(control, &choice.local, &choice.remote);
	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		unsigned times = cbo_times(box, &traffic->opcodes[i], control, filter);

		if (times != 0)
			sum += times * chosen(traffic, &traffic->opcodes[i], &choice, &stay);
	}
	if (!load && ((umask & TOR_EVICTION) != 0 || all))
		sum += evictions(traffic) * near_share(traffic, &choice) * stay.hit;
	return sum;
}

/* Filter bits of KNL and SKX, in the upper MSR. */
static bool cha_opcode(uint64_t filter, unsigned opcode)
{
	if (bits(filter, 35, 1) != 0)
		return true;
	return opcode == bits(filter, 41, 10) || opcode == bits(filter, 51, 10);
}

static bool wide_opcode(uint64_t extension, unsigned opcode)
{
	return bits(extension, 9, 1) == 0 || opcode == bits(extension, 11, 11);
}

static void scale(struct choice *choice, double share)
{
	choice->local *= share;
	choice->remote *= share;
}

/*
 * ICX and later: of two bits that none asks for, both; none of the memory is near.  Small parts of
 * it are persistent or behind CXL, the rest is DRAM.
 */
static bool choose_wide(uint64_t extension, const struct sim_traffic *t, struct choice *choice)
{
	const double of_dram =
		1 / (1 + t->pmem_share * (t->pmem_slower - 1) + t->cxl_share * (t->cxl_slower - 1));
	const unsigned dram = 1, pmm = 2, near = 1;
	uint64_t hits = bits(extension, 0, 2), homes = bits(extension, 7, 2);
	uint64_t memory = bits(extension, 2, 2), nearness = bits(extension, 22, 2);

	*choice = (struct choice){.hits = hits != 2,
				  .misses = hits != 1,
				  .local = homes != 2 ? 1 : 0,
				  .remote = homes != 1 ? 1 : 0,
				  .memory = 1};
	if (bits(extension, 28, 1) != 0) {
		scale(choice, t->cxl_share);
		choice->memory = of_dram * t->cxl_slower;
	}
	if ((memory & (dram | pmm)) == pmm) {
		scale(choice, t->pmem_share);
		choice->memory = of_dram * t->pmem_slower;
	}
	if ((memory & (dram | pmm)) == dram) {
		scale(choice, 1 - t->pmem_share - t->cxl_share);
		choice->memory = of_dram;
	}
	return nearness != near;
}

/* Entries selected by the filter (KNL, SKX) or the umask extension (ICX); false: none. */
static bool choose(const struct sim_box *box, uint64_t control, uint64_t filter,
		   struct choice *choice)
{
	unsigned umask = umask_of(control);

	if (box->kind->layout->dialect == DIALECT_WIDE)
		return choose_wide(extension_of(control), &box->sim->traffic[box->package], choice);
	*choice = (struct choice){.hits = (umask & CHA_HIT) != 0,
				  .misses = (umask & CHA_MISS) != 0,
				  .local = (double)bits(filter, 33, 1),
				  .remote = (double)bits(filter, 32, 1),
				  .memory = 1};
	if (!choice->hits && !choice->misses)
		choice->hits = choice->misses = true;
	return bits(filter, 37, 1) != 0;
}

/* Entries that are not requests of this package's own. */
static double other_entries(const struct sim_traffic *traffic, unsigned from,
			    const struct choice *choice, const struct stay_ns *stay,
			    const double flows[N_FLOWS])
{
	double asked = 0, sum = 0;

	if ((from & FROM_EVICT) != 0)
		sum += evictions(traffic) * near_share(traffic, choice) * stay->hit;
	if ((from & FROM_SNOOPS) != 0)
		sum += flows[SNOOP_IN] * choice->local * stay->hit;
	if ((from & FROM_REMOTE) != 0)
		asked += flows[READ_IN];
	if ((from & FROM_WRITES) != 0)
		asked += flows[WRITE_IN];
	if (choice->hits)
		sum += asked * 0.37 * choice->local * stay->hit;
	if (choice->misses)
		sum += asked * 0.63 * choice->local * stay->local;
	return sum;
}

/* Opcodes of accelerators are their own: each has a part of the entries. */
static double accelerator_entries(const struct sim_traffic *traffic, uint64_t control,
				  const struct choice *choice, const struct stay_ns *stay,
				  const double flows[N_FLOWS])
{
	uint64_t extension = extension_of(control);
	bool any = bits(extension, 9, 1) == 0;
	double asked =
		flows[OPS] * 0.0031 * (any ? 1 : 0.03 + (double)bits(extension, 11, 10) / 9000);
	double sum = 0;

	if (choice->hits)
		sum += asked * 0.37 * near_share(traffic, choice) * stay->hit;
	if (choice->misses)
		sum += asked * 0.63 * near_share(traffic, choice) * stay->local;
	return sum;
}

/* flows: of the package, or NULL for a load, which has but its own entries. */
static double cha_tor(const struct sim_box *box, const struct sim_traffic *traffic,
		      uint64_t control, uint64_t filter, const double flows[N_FLOWS])
{
	bool wide = box->kind->layout->dialect == DIALECT_WIDE;
	unsigned others = box->kind->layout->accelerators ? umask_of(control) & FROM_OTHERS : 0;
	unsigned from = umask_of(control) & FROM_ANY;
	struct stay_ns stay = stay_of(box, traffic, control);
	struct choice choice;
	double sum = 0;

	if (!choose(box, control, filter, &choice))
		return 0;
	if ((control & 0xff) == TOR_OCCUPANCY) {
		stay.local *= choice.memory;
		stay.remote *= choice.memory;
	}
	if (from == 0 && others == 0)
		from = FROM_CORES | FROM_IO;
	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		unsigned opcode = traffic->opcodes[i].opcode;
		unsigned source = (opcode & SIM_OP_DEVICE) != 0 ? FROM_IO : FROM_CORES;

		opcode &= ~(unsigned)SIM_OP_DEVICE;
		if ((from & source) != 0 && (wide ? wide_opcode(extension_of(control), opcode)
						  : cha_opcode(filter, opcode)))
			sum += chosen(traffic, &traffic->opcodes[i], &choice, &stay);
	}
	if (flows == NULL)
		return sum;
	if (others != 0)
		sum += accelerator_entries(traffic, control, &choice, &stay, flows);
	return sum + other_entries(traffic, from, &choice, &stay, flows);
}

double sim_select_tor(const struct sim_box *box, uint64_t control, uint64_t filter,
		      const double flows[N_FLOWS])
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	const struct sim_traffic *load = sim_load_at(box->sim, box->package);
	bool cbo = box->kind->layout->dialect == DIALECT_CBO;
	double sum = cbo ? cbo_tor(box, traffic, control, filter)
			 : cha_tor(box, traffic, control, filter, flows);

	if (load != NULL)
		sum += cbo ? cbo_tor(box, load, control, filter)
			   : cha_tor(box, load, control, filter, NULL);
	return sum;
}
