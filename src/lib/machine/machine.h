/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - which packages and boxes this machine has and where their
 * registers are.  Filled once, read-only afterwards.
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
	uint16_t socket, die, number; /* the N of pkg=, of die=, of box= */
	uint8_t joule_bits;           /* of a counter of energy: a count is 2^-joule_bits J */
	uint32_t first;               /* number of its first counter in the session's table */
	uint64_t offset;              /* added to the type's addresses */
	int pci, extra;               /* index into topology.pci, -1: none */
	int map;                      /* MMIO: what hw->ops->map() gave, -1: none */
	bool beyond;                  /* a slice that no core goes with: it need not answer */
	const char *basis; /* what the number of these boxes in the package rests on, or NULL */
	enum uncore_absence absence;
	const char *absent; /* its sentence, NULL: usable */
	/*
	 * -errno: it is there, or may be, but its registers could not be reached, so that sums
	 * would lack it; 0: otherwise.  The same of the second PCI function.
	 */
	int unreached, extra_unreached;
	char *why, *extra_why; /* in full; absent is the first one */
	bool without_filter;   /* sums of events that need the second function go without the box */
	const struct unc_unit *unit; /* the record of discovery that told of it, NULL: none did */
};

/* The N of pkg= and of die=. */
struct unc_die {
	unsigned socket, die;
};

#define UNC_MAX_GLOBALS 16 /* registers that hold boxes of one package */

struct unc_core;

struct unc_machine {
	const struct unc_platform *platform;
	const struct unc_box_type *const *types; /* NULL-terminated; the platform's own, or found */
	struct unc_topology topo;
	struct unc_die *dies;       /* logical package -> what it is called */
	unsigned n_sockets, n_dies; /* n_dies: of a socket, at most */
	size_t n_boxes, n_counters;
	struct unc_box *boxes; /* ordered by type, package, index */
	/* of a machine with discovery tables */
	struct unc_discovered *discovered;
	unsigned n_globals;
	struct unc_op *globals; /* reads of the registers that hold all boxes of a table */
	const struct unc_box_type **with_power; /* types with those of power.c, NULL: none */
	struct unc_tpmi *tpmi;                  /* NULL: no type of power.c needs it */
	struct unc_core *core;                  /* NULL: the CPUs have no counters that we know */
	bool listed;     /* by listed.c: nobody knows where the registers of its boxes are */
	bool partial;    /* sums may lack boxes that could not be reached ... */
	bool incomplete; /* ... and there are such boxes, beside others of their kind */
	char *ubox_why;  /* why a UBox could not be asked, NULL: they could */
	struct unc_warnings warnings; /* what is missing although the machine works */
};

struct unc_hw;

/*
 * CPU model -> platform; UNCORE_ENOSUPP with the reason.  An Intel CPU that is not
 * named anywhere is one that may have discovery tables: only its devices can tell.
 */
int unc_platform_find(const struct unc_topology *topo, const struct unc_platform **out,
		      struct unc_err *err);
/*
 * Whether a CPU that nobody has named may have discovery tables: the kernel's one
 * file that lists all PCI devices has one that is known for them.  True without
 * that file.
 */
bool unc_discovery_likely(const char *root);
/* Say that this CPU is unknown; returns UNCORE_ENOSUPP. */
int unc_platform_unknown(const struct unc_topology *topo, struct unc_err *err);
static inline bool unc_platform_named(const struct unc_platform *platform)
{
	return *platform->models != 0;
}

/*
 * Find the boxes.  machine->topo is filled already, hw reads identification
 * registers and is given the devices to open.  Boxes that cannot be reached
 * are marked absent with their reason; UNCORE_EACCESS or UNCORE_ENOSUPP when
 * that is all of them.
 */
int unc_machine_build(struct unc_machine *machine, const struct unc_platform *platform,
		      struct unc_hw *hw, struct unc_err *err);

/* Who knows the boxes where registers may not be touched. */
struct unc_lister {
	const char *who;    /* "the kernel's driver" */
	const char *basis;  /* as unc_box.basis */
	const char *remedy; /* if it has none */
	void *of;
	/* the highest number of a box in any package, plus 1; 0: it has none of the type */
	unsigned (*boxes)(void *of, const struct unc_box_type *type);
	/* why it lacks a box, or NULL; a text that stays */
	enum uncore_absence (*absence)(void *of, const struct unc_box *box);
};
/*
 * The same by a list, of a platform with a name; hw is asked for CPUID only.  UNCORE_ENODEV where
 * nothing is listed.
 */
int unc_machine_list(struct unc_machine *machine, const struct unc_platform *platform,
		     struct unc_hw *hw, const struct unc_lister *lister, struct unc_err *err);
void unc_machine_free(struct unc_machine *machine);

/* Why a box is absent, from the -errno of its first access; absence.c */
enum uncore_absence unc_absence(int error);
/* Note why a box cannot be used, or UNCORE_PRESENT. */
void unc_box_mark(struct unc_box *box, enum uncore_absence absence);

/*
 * A box that an event has to leave out although it is, or may be, there: 0, or enum uncore_error
 * with the reason.
 */
int unc_unreached(const struct unc_machine *machine, const struct unc_box_type *type,
		  const struct unc_places *where, char *why, size_t len);

/*
 * core.c: the CPUs' own counters as one more box type, behind the machine's
 * others; no error if there are none.  The boxes themselves, one per CPU, are
 * looked at in unc_core_probe().  0 or UNCORE_ENOMEM.
 */
int unc_core_find(struct unc_machine *machine, struct unc_hw *hw);
void unc_core_probe(struct unc_machine *machine, struct unc_hw *hw);
void unc_core_free(struct unc_machine *machine);

/* Where a box of a discovery table tells of overflows; global_status.c. */
struct unc_summary {
	uint32_t offset; /* of its status from its unit control, 0: it has none */
	uint32_t msr;    /* global status register, 0: none */
	uint8_t bit;     /* in there */
};

/* false: the box is in no table. */
bool unc_summary_of(const struct unc_machine *machine, unsigned box, struct unc_summary *out);

/*
 * power.c: counters of energy, and limits of frequency, as more box types, behind the uncore's; no
 * error if there are none. unc_power_probe() looks whether the registers are there.  0 or
 * UNCORE_ENOMEM.
 */
int unc_power_find(struct unc_machine *machine);
void unc_power_probe(struct unc_machine *machine, struct unc_hw *hw);

/* A box of the uncore, not one of those that stand behind them. */
static inline bool unc_is_uncore(const struct unc_box_type *type)
{
	return !type->arch && !type->energy && !type->level;
}

/* What the interface calls it. */
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

/* Of a slice of the last-level cache: uncore_box_info.line_share.  line_share.c */
double unc_line_share(const struct unc_machine *machine, const struct unc_box *slice);

/* Logical CPUs of a package that are online. */
unsigned unc_cpus_online(const struct unc_machine *machine, unsigned package);
/*
 * Cores of a package, of the CPUs that are online; threads of one core share a core id.  UINT_MAX:
 * one cannot be read.
 */
unsigned unc_cores_online(const struct unc_machine *machine, struct unc_hw *hw, unsigned package);

/* The other unit of the same device, or the box itself if there is none. */
static inline const struct unc_box *unc_other_unit(const struct unc_box *box)
{
	if (!box->type->units)
		return box;
	return box->index & 1 ? box - 1 : box + 1;
}

/* Whether box=, pkg= and die= mean it. */
static inline bool unc_box_is_at(const struct unc_box *box, const struct unc_places *where)
{
	return unc_numbers_have(&where->boxes, box->number) &&
	       unc_numbers_have(&where->packages, box->socket) &&
	       (where->die < 0 || box->die == where->die);
}

/* A box that the package's freeze stops. */
static inline bool unc_freezes(const struct unc_box *box, unsigned package)
{
	return box->package == package && !box->type->free && !box->type->arch;
}

/* Where a counter of a box of free-running ones is. */
uint64_t unc_free_address(const struct unc_box *box, unsigned counter);

/* The register that stands for a box: its box control, else its first control or counter. */
uint64_t unc_box_address(const struct unc_box *box);

/* Read an MSR of a package. */
struct unc_op unc_msr_op(unsigned package, uint32_t msr);

/* What stands between the name of a box and its number: "cbo3", "type_40_3". */
static inline const char *unc_gap(const struct unc_box_type *type)
{
	const char last = type->name[strlen(type->name) - 1];

	return last >= '0' && last <= '9' ? "_" : "";
}

#define UNC_DIE_NAME 40

/* What a logical package is called, "package 0" or "package 0, die 1"; returns name. */
const char *unc_die_name(char name[UNC_DIE_NAME], const struct unc_machine *machine,
			 unsigned package);

/* Where an operation goes: the same, or "CPU 3". */
const char *unc_op_location(char name[UNC_DIE_NAME], const struct unc_machine *machine,
			    const struct unc_op *op);

/* An operation for those who look at it: its logical package becomes what users call it. */
void unc_op_describe(const struct unc_machine *machine, const struct unc_op *op,
		     struct uncore_op_info *info);

/* The boxes of a type: [*begin, return value). */
size_t unc_boxes_of(const struct unc_machine *machine, const struct unc_box_type *type,
		    size_t *begin);

#ifdef __cplusplus
}
#endif
#endif
