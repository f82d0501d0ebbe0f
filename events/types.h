/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.h - types that describe the hardware as constant data.
 *
 * Each platform has a folder that describes its box types; there is no code and
 * no state.  Terms are those of docs/hardware/README.md, register names those of
 * Intel's uncore manuals.
 *
 * Names and descriptions are arrays, which are empty where there is nothing to say: a pointer would
 * be relocated in every process that loads the library, and its page would not be shared.
 */
#ifndef UNC_TYPES_H
#define UNC_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_MAX_TYPES    64 /* box types of one machine */
#define UNC_MAX_COUNTERS 20 /* programmable, per box */
#define UNC_MAX_FILTERS  36 /* filter registers, per box; the R-Box of NHM-EX has 36 */
#define UNC_MAX_BITS     6  /* filter registers per event */
#define UNC_TYPE_NAME    20 /* bytes of the name of a box type */
#define UNC_ROW_NAME     64 /* bytes of the name of an event, or of a umask */
#define UNC_ROW_TEXT     92 /* bytes of a description in the tables */

/* Address spaces of registers. */
enum unc_space {
	UNC_IN_MSR, /* MSR of a package, accessible from each of its CPUs */
	UNC_IN_PCI,
	UNC_IN_MMIO,
	UNC_IN_CPU /* MSR of one logical CPU */
};

/* Layout and values of the box control; docs/hardware/README.md. */
struct unc_style {
	uint32_t run;    /* counters are running */
	uint32_t freeze; /* counters are frozen */
	uint32_t reset;  /* counters are frozen and cleared */
	uint32_t enable; /* enable bit of a counter control */
	uint32_t clear;  /* bit of a counter control that clears that counter, reads as 0 */
	uint32_t busy;   /* control bits that are all 0 in an unused counter; 0: enable */
	/*
	 * The box control has only an enable bit per counter: the bits of the
	 * counters in use are changed, and nothing is reset.
	 */
	bool per_counter;
	bool no_enable; /* a counter runs if its control has an event, regardless of the enable bit
			 */
};

/* The register that freezes and starts all boxes of a package; docs/hardware/README.md. */
struct unc_global {
	uint32_t msr;
	uint64_t freeze, unfreeze;
	uint64_t zero; /* bits that must be 0 while counting */
	bool state; /* unfreeze is a state, not a command: restore the previous value at the end */
};

/*
 * Where overflows of a box type are reported.  Its status register has one bit per counter; several
 * boxes may share one bit of the global status.
 */
struct unc_overflow_at {
	const char *type;  /* its name */
	uint32_t status;   /* of box 0, addressed like its box control; 0: none or unknown */
	uint8_t first;     /* bit of counter 0 in the status */
	uint8_t unordered; /* status bits in unknown order: they are only cleared, all together */
	int16_t position;  /* bit of box 0 in the global status, -1: unknown */
	uint8_t positions; /* number of boxes whose bit is known */
	uint8_t share;     /* number of boxes that share one bit; 0: 1 */
	uint32_t enable;   /* control bit that enables overflow reports, if not the platform's */
	uint32_t fixed;    /* the same in the fixed counter's control; 0: not supported */
	uint8_t fixed_position; /* bit of the fixed counter in the global status */
	bool unsure;            /* the global status is only cleared: its meaning is uncertain */
};

/* How the overflow of a counter stops all boxes of a package; docs/hardware/README.md. */
struct unc_overflow {
	uint32_t enable; /* control bit that enables overflow reports */
	uint32_t run;    /* additional bits of a running box control that this needs */
	uint32_t status; /* MSR of the global status */
	uint8_t clear;   /* offset from the status to the register that clears it */
	uint64_t mode;   /* global control bits: a reported overflow freezes all boxes */
	uint64_t cores;  /* global control bits: cores that receive an interrupt */
	/* ended by type == NULL; positions of discovered boxes are in the tables */
	const struct unc_overflow_at *at;
};

/* Counters that may count an event: first match of lo <= (control & cmp) <= hi. */
struct unc_rule {
	uint32_t lo, hi, cmp;
	uint32_t counters;
	bool low; /* use the lowest free one: only counter 0 increments by more than 1 per cycle */
};

/*
 * Free-running counters without controls: n counters, step apart; those of box
 * number i are at an additional offset of offsets[i], or i * stride.
 */
struct unc_free {
	uint32_t first;
	uint8_t n, step;
	uint16_t stride;
	const uint16_t *offsets;
};

/*
 * An energy counter: a count is 2^-n J, where n is a field of the unit register, or `exponent` if
 * that is not 0.
 */
struct unc_energy {
	uint32_t unit; /* unit register: MSR, or in MMIO the offset from the box's address */
	uint8_t shift, mask;
	uint8_t exponent;
};

/* Registers found by TPMI, docs/hardware/power.md: a feature, and a part of it. */
struct unc_tpmi_kind {
	enum { UNC_TPMI_RAPL = 0, UNC_TPMI_FREQUENCY = 2 } feature;
	/* RAPL: the type of a domain; frequency: the dies with cores, the others */
	enum { UNC_TPMI_PACKAGE = 2, UNC_TPMI_MEMORY = 4, UNC_TPMI_CORES = 8, UNC_TPMI_IO = 9 } of;
};

/* A named part of a filter register. */
struct unc_field {
	char name[24];
	uint8_t filter; /* index into unc_box_type.filters */
	uint64_t mask;
};

/*
 * Bits of a field, in config1: if an event's name selects none of them, it means all of them.  RAW
 * events are not changed.
 */
struct unc_whole {
	uint8_t field; /* index into unc_box_type.fields */
	uint64_t mask, all;
};

/* Events whose (control & mask) == match use these filter fields. */
struct unc_need {
	uint32_t match, mask;
	uint64_t fields; /* bit i: unc_box_type.fields[i] */
};

/* A modifier of the events of a .def table. */
struct unc_modifier {
	char name[8], text[UNC_ROW_TEXT];
	uint64_t mask;         /* field of its value; a flag if it is one bit */
	bool filter;           /* mask applies to the filter, as config1, not to the control */
	uint64_t with;         /* control bits that it sets in addition, such as tid_en */
	const uint8_t *events; /* event codes that accept it, ended by 0; NULL: all */
};

/* A filter register: its address, and the part of config1 or config2 it holds. */
struct unc_filter {
	char name[32];
	uint32_t address;  /* MSR of box 0, or config space offset */
	uint32_t stride;   /* between boxes, if not the box's; MSR only */
	bool extra_device; /* on the box's second PCI function */
	bool gate; /* gates the other filters: written 0 before them, and with its value after them
		    */
	uint8_t config;  /* source of its user bits: 1 config1, 2 config2, or UNC_CONTROL */
	uint8_t shift;   /* first bit in the source */
	uint8_t bit;     /* first bit in the register */
	uint64_t mask;   /* register bits that exist */
	uint64_t always; /* register bits that are always set */
	uint64_t unset;  /* register bits that are set in a field that an event leaves 0 */
	uint64_t set;    /* of these, bits that are 1 for every event that uses the register */
};

#define UNC_CONTROL 3 /* unc_filter.config: the control value, in bits that are not written */

/*
 * The n events whose (control & cmp) is first, first + step, ... are equivalent, but
 * use different filter fields (see needs): one can replace another if the field
 * values are moved.  Example: PCU frequency bands.
 */
struct unc_family {
	uint32_t cmp, first, step;
	uint8_t n;
};

/*
 * The companion event counts the queue selected by counter 0, so that other
 * thresholds of one occupancy event can be counted on other counters (manual
 * 327043-001, CBo occupancy recipe; docs/hardware/snbep.md).
 */
struct unc_companion {
	uint8_t event;       /* COUNTER0_OCCUPANCY */
	uint8_t counters;    /* mask of the counters that support it */
	uint8_t queues[4];   /* occupancy events, 0-terminated */
	uint64_t queue_mask; /* control bits that select the queue */
	uint32_t how_mask;   /* control bits copied to the companion: threshold, edge, invert */
	uint32_t threshold;  /* the threshold bits among them: the companion requires a threshold */
};

/* A qualifier, not in libpfm4, for filter bits of one event code. */
struct unc_qualifier {
	char name[8], text[UNC_ROW_TEXT];
	uint8_t event;
	uint8_t config; /* 1: config1, 2: config2 */
};

struct unc_fixed {
	uint32_t ctl, ctr, enable;
	uint8_t width;
	uint8_t bit;   /* of a box control with an enable bit per counter */
	uint16_t code; /* its pseudo event code in libpfm4 and Linux */
	bool coded;    /* it has such a code */
};

/*
 * A row of an event table, for platforms and events that libpfm4 lacks: an event, or a umask of
 * the event above it.  The .def files use the macros of shared/event_rows.h.
 */
struct unc_row {
	char name[UNC_ROW_NAME];
	char text[UNC_ROW_TEXT];
	const char *long_text; /* of a row that is made from a list, instead of text */
	char unit[12];         /* units of the event's counts; "": derived from its name */
	uint64_t bits;         /* control bits: the event's code, or the bits a umask adds */
	uint64_t config1;      /* filter bits it sets, in the layout of Linux's config1 */
	uint64_t looks_at;     /* of a umask: the relevant part of config1; 0: all */
	uint32_t counters; /* counters that can count it, in addition to the rules of the box; 0:
			      any */
	bool umask;
	bool unlisted;    /* accepted, but not listed */
	bool alone;       /* a umask that excludes all others */
	bool choice;      /* a code, not a bit: excludes others of its group */
	bool first;       /* the default umask */
	uint8_t regular;  /* in Intel's regular list: bits of unc_platform_desc.regular_rows */
	uint8_t group;    /* of a umask: one of each group is required */
	uint8_t stepping; /* first CPU stepping that has it */
	char kind[8];     /* of an event in unc_platform_desc.more: name of its box type; else "" */
	uint8_t box;      /* of a umask: number of the only box that has it, plus 1; 0: all */
};

/*
 * A description that replaces libpfm4's description of an event or umask.  A * in event and umask
 * matches any characters; in the text it is replaced by the match of the last one.  The first
 * matching row is used.
 */
struct unc_text {
	char event[UNC_ROW_NAME], umask[24]; /* umask "": the event */
	char text[UNC_ROW_TEXT];
};

extern const struct unc_text unc_texts[]; /* ended by an empty event */
extern const struct unc_text unc_words[]; /* umasks of any event whose text repeats the name */

/* The values are those of enum uncore_verdict. */
enum unc_verdict {
	UNC_WRONG = 1,
	UNC_UNDERCOUNTS,
	UNC_OVERCOUNTS,
	UNC_ONLY_WITH, /* right only with the code or the condition that the text names */
	UNC_UNVERIFIED
};

/* How its source knows. */
enum unc_evidence {
	UNC_STATED,   /* the source says so */
	UNC_OBSERVED, /* the source has measurements */
	UNC_COMPARED  /* sources disagree: found by comparing them */
};

/* A row of errata.def. */
struct unc_erratum {
	char platforms[16];  /* separated by blanks */
	uint8_t first, last; /* CPU steppings */
	char events[64];     /* pattern of names, for fnmatch(3) */
	enum unc_verdict verdict;
	char text[192];   /* begins with the verdict */
	char instead[64]; /* "": nothing is known */
	char source[96];
	enum unc_evidence evidence;
};

extern const struct unc_erratum unc_errata[]; /* ended by empty platforms */

/*
 * Intel's name of an event or umask that has another name in the tables or in libpfm4.  A * stands
 * for the same characters in both; letter case is ignored.  For an event, the first row that leads
 * to a known event is used; a row for a umask takes precedence over a umask of that name.
 */
struct unc_alias {
	char event[UNC_ROW_NAME]; /* Intel's */
	bool of_umask;            /* of the event otherwise */
	bool refused;
	char umask[32]; /* Intel's, its dots as _ */
	/* the event; for a umask the parts that replace it, "IRQ:HIT"; if it is refused the reason,
	 * and the alternative */
	char is[144];
};

struct unc_pci_id {
	uint16_t device;
	uint8_t index;    /* box number */
	bool extra;       /* the second function of that box */
	uint8_t devfn;    /* distinguishes boxes with the same device id; 0: any */
	uint16_t with[2]; /* not a box unless the package has one of these devices */
};

/* clang-format off */
#define UNC_PCI(device, index)	     {device, index, false, 0, {0, 0}}
#define UNC_PCI_EXTRA(device, index) {device, index, true, 0, {0, 0}}
#define UNC_PCI_AT(device, index, slot, function) \
	{device, index, false, (slot) << 3 | (function), {0, 0}}
#define UNC_PCI_WITH(device, index, with, or_with) \
	{device, index, false, 0, {with, or_with}}
#define UNC_PCI_END		     {0, 0, false, 0, {0, 0}}
/* clang-format on */

/* Meaning of the fuses of a package for its boxes. */
enum unc_fuses {
	UNC_FUSES_ANY,   /* any bit set: all boxes; none: if_zero boxes */
	UNC_FUSES_BITS,  /* one box per set bit */
	UNC_FUSES_NUMBER /* the number of boxes */
};

/* Number of boxes from fuses. */
struct unc_capid {
	uint16_t device; /* PCI; 0: offset is an MSR number */
	uint32_t offset;
	uint64_t mask; /* more than 32 bits: includes the next register */
	enum unc_fuses means;
	uint8_t if_zero;
};

/*
 * Boxes at physical addresses read from a PCI device: the package's base address and
 * the offsets of its controllers.
 */
struct unc_memory {
	uint16_t device;
	uint16_t base, controller; /* register offsets; of controller 0, followed by the others */
	uint32_t base_mask, controller_mask;
	uint8_t base_shift, controller_shift;
	uint8_t boxes;   /* per controller, the type's stride apart */
	uint8_t certain; /* boxes that every controller has; another one reads as 0 if it does not
			    exist */
	uint32_t first;  /* offset of the first box from its controller */
};

enum unc_count_rule {
	UNC_COUNT_FIXED, /* n_boxes */
	UNC_COUNT_CORES, /* min(n_boxes, cores per package including offline ones); see slice_ids */
	UNC_COUNT_CAPID, /* n_boxes, or fewer by capid */
	UNC_COUNT_PCI    /* number of devices in pci_ids[], at most n_boxes */
};

struct unc_arch;

struct unc_box_type {
	char name[UNC_TYPE_NAME]; /* "cbo": in assignments, and in PMU names after the prefix */
	char sysfs_name[UNC_TYPE_NAME]; /* "cbox": the kernel's PMU is uncore_cbox_N */
	char title[80];
	/* Of a kind that firmware often hides: what to count instead. */
	const char *instead;
	const char *intel_units; /* other names in Intel's event lists, "A|B" */
	const char *prefix;      /* of its PMU name; NULL: the platform's */
	enum unc_space space;
	const struct unc_style *style; /* NULL: the platform's */
	enum unc_count_rule count;
	const struct unc_capid *capid;
	const struct unc_memory *memory; /* NULL: not located by memory addresses */
	/*
	 * First and last id of the PCI functions of the slices of the L3 cache, one per
	 * slice, in order and without gaps; if equal, all have that id.  Each box is a
	 * slice, and there may be more slices than cores.  0: boxes are not slices.
	 */
	uint16_t slice_ids[2];
	uint8_t n_boxes, n_counters;
	uint8_t width;               /* bits of a counter */
	uint8_t ctl_width;           /* bits of a control */
	bool no_box_ctl;             /* U-Box before SPR: cannot be frozen or reset */
	const uint32_t *reset_steps; /* box control values to write before the reset, ended by
					0 */
	/*
	 * MSR numbers of box 0, offsets in config space, or offsets from the address of
	 * the box (MMIO, discovery).
	 */
	uint32_t box_ctl, ctl, ctr;
	uint8_t ctl_step, ctr_step;
	const uint16_t *ctls, *ctrs; /* addresses, if they are irregular */
	/*
	 * Two boxes are units of one device and share its box control; ctls and
	 * ctrs contain those of the first box, followed by those of the second.
	 */
	bool units;
	uint32_t stride;         /* between boxes, MSR only */
	const uint16_t *offsets; /* of each box, if that is irregular */
	/* free-running counters, ended by n == 0; the box has no others */
	const struct unc_free *free;
	const struct unc_energy *energy;  /* energy counters, which are optional: sums are complete
					     without the box; NULL: not energy */
	const struct unc_tpmi_kind *tpmi; /* TPMI registers of the boxes; NULL: none */
	uint64_t event_mask;              /* control bits that an event may set */
	uint64_t unwritten; /* of these, bits of Linux's config that the register lacks */
	uint8_t class_bit;  /* lowest bit of the function class, 0: 48 */
	bool filter_above;  /* libpfm4's filter word is the upper half of the control */
	bool level;         /* not counters, but registers with a value in the low `width` bits */
	uint16_t max_inc;   /* largest increment per cycle, for wrap times */
	uint8_t count_ns;   /* or the shortest time per count in ns; 0: the increment applies */
	struct unc_fixed fixed;
	const struct unc_rule *rules; /* ended by cmp == 0 */
	const struct unc_filter *filters;
	uint8_t n_filters;
	bool filter_always;   /* a filter left behind by another program affects every event */
	bool filter_by_event; /* the registers set by config1 depend on the event, see needs */
	const struct unc_field *fields;
	const struct unc_need *needs;      /* ended by fields == 0 */
	const struct unc_whole *wholes;    /* ended by mask == 0 */
	const struct unc_family *families; /* ended by n == 0 */
	const struct unc_companion *companion;
	const struct unc_row *rows;             /* ended by an empty name */
	const struct unc_row *alike;            /* rows of another platform whose texts describe
						   libpfm4's events of the same name */
	const struct unc_modifier *modifiers;   /* of rows; ended by an empty name */
	const struct unc_qualifier *qualifiers; /* ended by an empty name */
	const struct unc_pci_id *pci_ids;       /* ended by device == 0 */
	/*
	 * Counters of CPUs instead of an uncore box, with the architectural registers:
	 * box N is CPU N.  NULL: an uncore box.
	 */
	const struct unc_arch *arch;
	const char *pmu; /* libpfm4's PMU if it is not prefix and name; it is then part of event
			    names */
	uint32_t any_of; /* control bits that are all set if none is given */
};

/*
 * Properties of boxes that discovery tables lack; docs/hardware/discovery.md.
 * A table has the addresses, the number of counters and their width.
 */
struct unc_discovered_type {
	uint16_t number; /* box type of the unit records */
	/*
	 * Register addresses are offsets from the unit control.  n_counters is the
	 * maximum number of counters, 0: the number in the table.  NULL: the records are
	 * wrong, and the type is in the platform's types[].
	 */
	const struct unc_box_type *like;
	uint32_t count_msr;                   /* maximum number of boxes, unless the MSR is 0 */
	uint8_t functions;                    /* bit f: only boxes at PCI function f; 0: all */
	const struct unc_box_type *free_type; /* free-running counters missing in the table: one box
						 for each of these */
};

#define UNC_UNNAMED 0xffff /* number of the last row: all other types */

/* Default umask or modifier of a listed event. */
struct unc_default {
	char event[UNC_ROW_NAME], parts[40];
};

/*
 * A correction of libpfm4's encoding.  For an event: control bits to set and to clear;
 * for a umask: its code.  An event that ends in * applies to all with that prefix.
 */
struct unc_fix {
	char event[UNC_ROW_NAME], umask[24]; /* umask "": the event */
	uint64_t set;                        /* also of a umask: bits in addition to its code */
	uint32_t clear;
	uint8_t code;
	uint8_t unless; /* of a umask: no correction with umasks that have any of these bits */
};

/* A modifier for which libpfm4 sets the filter bit of another one; config1 bits. */
struct unc_modifier_fix {
	char modifier[8], other[8];
	uint64_t theirs, bit;
};

struct unc_recipe;

struct unc_platform;

/* Events of Intel's lists in a box whose registers no source documents. */
struct unc_unlocated {
	const struct unc_platform *platform;
	char prefix[16]; /* their names begin so */
	char box[16], why[160];
};

/* Events of a type of memory that only some processors have. */
struct unc_memory_events {
	char prefix[16];          /* their names begin so */
	char kind[UNC_TYPE_NAME]; /* box kind that exists only on machines with this memory */
	char memory[40], has[40];
};

#define UNC_SLICE_RUNS 20

/* Lines of a block of memory per slice of a package, as runs of equal slices. */
struct unc_slice_lines {
	const struct unc_platform *platform;
	char kind[8];   /* box kind of the slices */
	uint8_t slices; /* per package; other numbers use another hash */
	struct {
		uint8_t slices;
		uint16_t lines; /* of each slice */
	} runs[UNC_SLICE_RUNS]; /* from slice 0 on, ended by slices == 0 */
};

struct unc_recipe;

/* Energy and frequency boxes, in addition to the uncore's; docs/hardware/power.md. */
struct unc_power {
	const struct unc_platform *platform;
	const struct unc_box_type *const *types; /* NULL-terminated */
	const struct unc_recipe *recipes;        /* ended by one without events */
};

/* The description of a platform, in its folder. */
struct unc_platform_desc {
	const char *pfm_prefix;  /* "snbep_unc_" */
	const char *also_prefix; /* another prefix of the same boxes in libpfm4; NULL: none */
	const char *later;       /* name of the CPUs with steppings used in rows; NULL: rows have no
				    steppings */
	bool rows_only; /* the tables are complete: do not use those of a newer libpfm4, which
			   differ */
	/*
	 * Matches Header.Info of Intel's event lists for this platform; an extended regular
	 * expression that ignores case.  NULL: Intel has no list.
	 */
	const char *lists;
	const struct unc_style *style;
	const struct unc_global *global; /* NULL: none, or in the discovery tables */
	/* NULL: an overflow cannot stop boxes, as far as known */
	const struct unc_overflow *overflow;
	const struct unc_box_type *const *types; /* NULL-terminated */
	/* types in discovery tables; NULL: no tables */
	const struct unc_discovered_type *discovered;
	uint32_t table_msr; /* MSR of each die with the address of another table; 0: none */
	/* package map, docs/hardware/README.md */
	uint16_t ubox_device; /* 0: only single-package machines */
	uint16_t nodeid_offset, gidnidmap_offset;
	bool inherit_higher; /* buses without a UBox belong to the next higher bus that has one */
	const struct unc_default *defaults;            /* ended by an empty event */
	const struct unc_fix *fixes;                   /* ended by an empty event */
	const struct unc_modifier_fix *modifier_fixes; /* ended by an empty modifier */
	/* events of several box types; ended by an empty name; NULL: none */
	const struct unc_row *more;
	/*
	 * Intel's regular list; all other events are experimental.  Rows have a flag: its bit
	 * here, 0: they have none.  Events of libpfm4 are in a line each with their umasks in
	 * that list, separated by blanks; then the flags are not used.  Neither: all are regular.
	 */
	uint8_t regular_rows;
	const char *regular;
	const struct unc_alias *aliases; /* ended by an empty event; NULL: none */
	/* lists, NULL-terminated, each ended by one without events (metrics/metrics.h) */
	const struct unc_recipe *const *metrics;
};

/* A line of platforms.def. */
struct unc_platform {
	char name[16]; /* "snbep" */
	char title[80];
	uint8_t family;
	uint8_t models[4]; /* 0-terminated; none: any model that no other platform has */
	const struct unc_platform_desc *desc;
};

/* clang-format off */
#define PLATFORM(name_, ...)                                                    \
	extern const struct unc_platform unc_##name_;                           \
	extern const struct unc_platform_desc unc_##name_##_desc;               \
	extern const struct unc_recipe *const unc_##name_##_metrics[];
/* clang-format on */
#include "platforms.def"
#undef PLATFORM
extern const struct unc_platform *const unc_platforms[];   /* NULL-terminated */
extern const struct unc_unlocated unc_unlocated[];         /* ended by platform == NULL */
extern const struct unc_memory_events unc_memory_events[]; /* ended by an empty prefix */
extern const struct unc_power unc_power[];                 /* likewise */
extern const struct unc_slice_lines unc_slice_lines[];     /* likewise */
/* The metrics of a platform without metrics, which must be specified explicitly. */
extern const struct unc_recipe *const unc_no_metrics[];

#ifdef __cplusplus
}
#endif
#endif
