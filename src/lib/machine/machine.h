/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - the packages and boxes of this machine, and the addresses of their registers.
 * Filled once, read-only afterwards.
 */
#ifndef UNC_MACHINE_H
#define UNC_MACHINE_H

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/op.h"
#include "base/warnings.h"
#include "hw/topology.h"
#include "machine/numbers.h"
#include "types.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_unit;

struct unc_box {
	const struct unc_box_type *type;
	uint16_t index;               /* in its package */
	uint16_t package;             /* logical package, see struct unc_machine */
	uint16_t socket, die, number; /* the number N in pkg=N, die=N, box=N */
	uint8_t joule_bits;           /* of an energy counter: a count is 2^-joule_bits J */
	uint32_t first;               /* index of its first counter in the handle's table */
	uint64_t offset;              /* added to the type's addresses */
	int pci, extra;               /* index into topology.pci, or -1 */
	int map;                      /* MMIO: result of unc_ask_mapping(), or -1 */
	bool beyond;                  /* a slice without a core: it may not respond */
	const char *basis; /* source of the number of these boxes in the package, or NULL */
	enum uncore_absence absence;
	const char *absent; /* why it cannot be used, in one sentence; NULL: usable */
	/*
	 * -errno: it exists, or may exist, but its registers could not be accessed, so sums
	 * would lack it; otherwise 0.  The same for the second PCI function.
	 */
	int unreached, extra_unreached;
	char *why, *extra_why; /* the full reasons; absent is the first one */
	bool without_filter;   /* sums of events that need the second function leave out the box */
	const struct unc_unit *unit; /* its discovery record, or NULL */
};

/* The numbers N in pkg=N and die=N. */
struct unc_die {
	unsigned socket, die;
};

#define UNC_MAX_GLOBALS 16 /* registers that freeze the boxes of one package */

struct unc_core;

struct unc_machine {
	const struct unc_platform *platform;
	/* NULL-terminated; the platform's own, or discovered */
	const struct unc_box_type *const *types;
	struct unc_topology topo;
	struct unc_die *dies;       /* logical package -> its name */
	unsigned n_sockets, n_dies; /* n_dies: maximum per socket */
	size_t n_boxes, n_counters;
	struct unc_box *boxes; /* sorted by type, package, index */
	/* of a machine with discovery tables */
	struct unc_discovered *discovered;
	unsigned n_globals;
	struct unc_op *globals; /* reads of the registers that freeze all boxes of a table */
	const struct unc_box_type **with_power; /* types including those of power.c, or NULL */
	struct unc_tpmi *tpmi;                  /* NULL: no type of power.c needs it */
	struct unc_core *core;                  /* NULL: the CPUs have no known counters */
	bool listed;                  /* by listed.c: addresses of registers are unknown */
	bool partial;                 /* sums may lack boxes that could not be accessed ... */
	bool incomplete;              /* ... and such boxes exist, with others of their kind */
	char *ubox_why;               /* why a UBox could not be read, or NULL */
	struct unc_warnings warnings; /* problems that do not prevent counting */
};

struct unc_hw;

/*
 * CPU model -> platform; UNCORE_ENOSUPP with the reason.  An unknown Intel CPU may have
 * discovery tables, which only its devices show.
 */
int unc_platform_find(const struct unc_topology *topo, const struct unc_platform **out,
		      struct unc_err *err);
/*
 * Whether an unknown CPU may have discovery tables: the kernel's list of PCI devices has a
 * device known to have them.  True without that list.
 */
bool unc_discovery_likely(const char *root);
/* Report that this CPU is unknown; returns UNCORE_ENOSUPP. */
int unc_platform_unknown(const struct unc_topology *topo, struct unc_err *err);
static inline bool unc_platform_named(const struct unc_platform *platform)
{
	return *platform->models != 0;
}

/*
 * Find the boxes. machine->topo must be filled; hw reads identification registers and opens
 * devices.  Boxes that cannot be accessed are marked absent with their reason; UNCORE_EACCESS
 * or UNCORE_ENOSUPP if all are.
 */
int unc_machine_build(struct unc_machine *machine, const struct unc_platform *platform,
		      struct unc_hw *hw, struct unc_err *err);

/* A source that knows the boxes if registers may not be accessed. */
struct unc_lister {
	const char *who;    /* "the kernel driver" */
	const char *basis;  /* as unc_box.basis */
	const char *remedy; /* if it has no boxes */
	void *of;
	/* the highest number of a box in any package, plus 1; 0: no boxes of the type */
	unsigned (*boxes)(void *of, const struct unc_box_type *type);
	/* why a box is missing; *error: -errno if it exists nevertheless, or may */
	enum uncore_absence (*absence)(void *of, const struct unc_box *box, int *error);
};
/*
 * The same from a list, for a known platform; hw is only used for CPUID. UNCORE_ENODEV if no
 * box is listed.
 */
int unc_machine_list(struct unc_machine *machine, const struct unc_platform *platform,
		     struct unc_hw *hw, const struct unc_lister *lister, struct unc_err *err);
void unc_machine_free(struct unc_machine *machine);

/* Why a box is absent, from the -errno of its first access; absence.c */
enum uncore_absence unc_absence(int error);
/* Store why a box cannot be used, or UNCORE_PRESENT. */
void unc_box_mark(struct unc_box *box, enum uncore_absence absence);

/*
 * Whether an event has to leave out a box that exists, or may exist: 0, or enum uncore_error
 * with the reason.
 */
int unc_unreached(const struct unc_machine *machine, const struct unc_box_type *type,
		  const struct unc_places *where, char *why, size_t len);

/*
 * core.c: add the core PMU as a box type after the machine's others; not an error if there is
 * none.  Its boxes, one per CPU, are probed by unc_core_probe(). 0 or UNCORE_ENOMEM.
 */
int unc_core_find(struct unc_machine *machine, struct unc_hw *hw);
void unc_core_probe(struct unc_machine *machine, struct unc_hw *hw);
void unc_core_free(struct unc_machine *machine);

/* Where a box of a discovery table reports overflows; discovered.c. */
struct unc_summary {
	uint32_t offset; /* of its status from its unit control, or 0 */
	uint32_t msr;    /* global status register, or 0 */
	uint8_t bit;     /* bit in that register */
};

/* false: the box is not from a discovery table. */
bool unc_summary_of(const struct unc_machine *machine, unsigned box, struct unc_summary *out);

/*
 * power.c: add energy counters and frequency limits as box types after those of the uncore; not
 * an error if there are none. unc_power_probe() checks that the registers exist. 0 or
 * UNCORE_ENOMEM.
 */
int unc_power_find(struct unc_machine *machine);
void unc_power_probe(struct unc_machine *machine, struct unc_hw *hw);

/* Whether it is an uncore box, not one added by power.c or core.c. */
static inline bool unc_is_uncore(const struct unc_box_type *type)
{
	return !type->arch && !type->energy && !type->level;
}

/* The public name of the space. */
static inline enum uncore_space unc_interface_space(enum unc_space space)
{
	switch (space) {
	case UNC_IN_PCI:
		return UNCORE_PCI;
	case UNC_IN_MMIO:
		return UNCORE_MMIO;
	case UNC_IN_CPU:
		return UNCORE_CPU;
	default:
		return UNCORE_MSR;
	}
}

/* Layout of a box type's control registers. */
static inline const struct unc_style *unc_style_of(const struct unc_machine *machine,
						   const struct unc_box_type *type)
{
	return type->style ? type->style : machine->platform->desc->style;
}

/* For a slice of the last-level cache: uncore_box_info.line_share. slices.c */
double unc_line_share(const struct unc_machine *machine, const struct unc_box *slice);

/* Online logical CPUs of a package. */
unsigned unc_cpus_online(const struct unc_machine *machine, unsigned package);
/*
 * Cores of the online CPUs of a package; threads of one core share a core id.  UINT_MAX: one
 * cannot be read.
 */
unsigned unc_cores_online(const struct unc_machine *machine, struct unc_hw *hw, unsigned package);

/* The other unit of the same device, or the box itself. */
static inline const struct unc_box *unc_other_unit(const struct unc_box *box)
{
	if (!box->type->units)
		return box;
	return box->index & 1 ? box - 1 : box + 1;
}

/* Whether box=, pkg= and die= select it. */
static inline bool unc_box_is_at(const struct unc_box *box, const struct unc_places *where)
{
	return unc_numbers_have(&where->boxes, box->number) &&
	       unc_numbers_have(&where->packages, box->socket) &&
	       (where->die < 0 || box->die == where->die);
}

/* The address of a free-running counter of a box. */
uint64_t unc_free_address(const struct unc_box *box, unsigned counter);

/*
 * A register that every access to the box needs: its box control, else its first control or
 * counter.
 */
uint64_t unc_box_address(const struct unc_box *box);

/* Read an MSR of a package. */
struct unc_op unc_msr_op(unsigned package, uint32_t msr);

/* The separator between the name of a box and its number: "cbo3", "type_40_3". */
static inline const char *unc_gap(const struct unc_box_type *type)
{
	const char last = type->name[strlen(type->name) - 1];

	return last >= '0' && last <= '9' ? "_" : "";
}

#define UNC_DIE_NAME 40

/* The name of a logical package, "package 0" or "package 0, die 1"; returns name. */
const char *unc_die_name(char name[UNC_DIE_NAME], const struct unc_machine *machine,
			 unsigned package);

/* The same for an operation, or "CPU 3". */
const char *unc_op_location(char name[UNC_DIE_NAME], const struct unc_machine *machine,
			    const struct unc_op *op);

/* An operation in public form: its logical package becomes the socket. */
void unc_op_describe(const struct unc_machine *machine, const struct unc_op *op,
		     struct uncore_op_info *info);

/* The boxes of a type: [*begin, return value). */
size_t unc_boxes_of(const struct unc_machine *machine, const struct unc_box_type *type,
		    size_t *begin);

#ifdef __cplusplus
}
#endif
#endif
