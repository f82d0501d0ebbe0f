/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.h - what the hardware is, as constant data.
 *
 * One folder per platform describes its box types; nothing here has branches
 * or state.  The words are those of docs/hardware/README.md, register
 * names Intel's uncore manuals.
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
#define UNC_MAX_FILTERS  36 /* filter registers, per box; NHM-EX R-Box: all of them */
#define UNC_MAX_BITS     6  /* filter registers that one event can own bits of */

/* Where registers are. */
enum unc_space {
	UNC_IN_MSR, /* of a package: any of its CPUs reaches it */
	UNC_IN_PCI,
	UNC_IN_MMIO,
	UNC_IN_CPU /* MSR of one logical CPU */
};

/* Layout and values of the box control; docs/hardware/README.md. */
struct unc_style {
	uint32_t run;    /* counters count */
	uint32_t freeze; /* counters hold */
	uint32_t reset;  /* frozen, all counters of the box cleared */
	uint32_t enable; /* enable bit of a counter control */
	uint32_t clear;  /* bit of a counter control that clears that counter, reads as 0 */
	uint32_t busy;   /* control bits that are all 0 in a counter out of use; 0: enable */
	/*
	 * The box control has an enable bit per counter and nothing else: only the
	 * bits of our counters are changed, and nothing is reset.
	 */
	bool per_counter;
	bool no_enable; /* a control counts as soon as it has an event, enable bit or not */
};

/* The register that stops and starts all boxes of a package; docs/hardware/README.md. */
struct unc_global {
	uint32_t msr;
	uint64_t freeze, unfreeze;
	uint64_t zero; /* bits that have to be 0 while anything counts */
	bool state;    /* unfreeze is a state, not a command: the end leaves what was there */
};

/*
 * Where overflows of a type of box show.  Its status register has a bit per counter; several
 * boxes may have one bit of the global status in common.
 */
struct unc_overflow_at {
	const char *type;  /* name */
	uint32_t status;   /* of box 0, counted as its box control; 0: none, or not known */
	uint8_t first;     /* bit of counter 0 in there */
	uint8_t unordered; /* bits in there whose order is not known: only cleared, all of them */
	int16_t position;  /* of box 0 in the global status, -1: not known */
	uint8_t positions; /* boxes of which it is known */
	uint8_t share;     /* boxes with one bit; 0: 1 */
	uint32_t enable;   /* bit of a control that tells of an overflow, if not the platform's */
	uint32_t fixed;    /* the same of the fixed counter's control; 0: it tells of none */
	uint8_t fixed_position; /* of the fixed counter in the global status */
	bool unsure;            /* the global status is only cleared: it may mean something else */
};

/* How the overflow of a counter stops all boxes of a package; docs/hardware/README.md. */
struct unc_overflow {
	uint32_t enable;    /* bit of a counter control: tell of an overflow */
	uint32_t run;       /* what a running box control needs for that, beside its style's */
	uint32_t status[2]; /* MSRs of the global status, 0: none */
	uint8_t clear;      /* a status is cleared by the register this far behind it */
	uint64_t mode;      /* of the global control: what is told stops all boxes */
	uint64_t cores;     /* of the global control: the cores that get an interrupt, too */
	const struct unc_overflow_at *at; /* ended by type == NULL; of tables, they tell it */
};

/* Counters that may count an event: first match of lo <= (control & cmp) <= hi. */
struct unc_rule {
	uint32_t lo, hi, cmp;
	uint32_t counters;
	bool low; /* take the lowest that is free: counter 0 alone adds more than 1 per cycle */
};

/*
 * Counters without control that always run, n of them step apart; those of box
 * number i are offsets[i], or i * stride, further on.
 */
struct unc_free {
	uint32_t first;
	uint8_t n, step;
	uint16_t stride;
	const uint16_t *offsets;
};

/*
 * A counter of energy: a count is 2^-n J, n being bits of the register that tells the unit, or
 * `exponent` if that is not 0.
 */
struct unc_energy {
	uint32_t unit; /* MSR; of a box in memory the offset from its address */
	uint8_t shift, mask;
	uint8_t exponent;
};

/* Whose registers TPMI tells of, docs/hardware/power.md: a feature, and what of it. */
struct unc_tpmi_kind {
	enum { UNC_TPMI_RAPL = 0, UNC_TPMI_FREQUENCY = 2 } feature;
	/* RAPL: the type of a domain; frequency: the dies with cores, the others */
	enum { UNC_TPMI_PACKAGE = 2, UNC_TPMI_MEMORY = 4, UNC_TPMI_CORES = 8, UNC_TPMI_IO = 9 } of;
};

/* A named part of a filter register. */
struct unc_field {
	const char *name;
	uint8_t filter; /* index into unc_box_type.filters */
	uint64_t mask;
};

/*
 * Bits of a field, in config1, of which an event's name asks for none: then it means all of
 * them, not none.  Others' words (RAW) stay as they are.
 */
struct unc_whole {
	uint8_t field; /* index into unc_box_type.fields */
	uint64_t mask, all;
};

/* An event whose (control & mask) == match owns these fields of the filters. */
struct unc_need {
	uint32_t match, mask;
	uint64_t fields; /* bit i: unc_box_type.fields[i] */
};

/* A modifier of the events of a .def table. */
struct unc_modifier {
	const char *name, *text;
	uint64_t mask;         /* where its number goes: a flag if that is one bit */
	bool filter;           /* mask is of the filter, as config1, not of the control */
	uint64_t with;         /* control bits that go with it, such as tid_en */
	const uint8_t *events; /* codes of those that have it, ended by 0; NULL: all */
};

/* Where a filter register is, and which part of config1 or config2 it holds. */
struct unc_filter {
	const char *name;
	uint32_t address;  /* MSR of box 0, or config space offset */
	uint32_t stride;   /* between boxes, if not the box's; MSR only */
	bool extra_device; /* on the box's second PCI function */
	bool gate;         /* of the others: written 0 before them and with its value after */
	uint8_t config;    /* 1 or 2: its user bits come from config1 or config2; UNC_CONTROL */
	uint8_t shift;     /* ... from this bit on */
	uint8_t bit;       /* ... to this bit of the register on */
	uint64_t mask;     /* register bits that exist */
	uint64_t always;   /* register bits that are set whatever is filtered */
	uint64_t unset;    /* ... that are set in a field that an event leaves 0 */
	uint64_t set;      /* of those, what is 1 for every event that owns the register */
};

#define UNC_CONTROL 3 /* unc_filter.config: the control value itself, in bits it does not write */

/*
 * The n events whose (control & cmp) is first, first + step, ... count the same
 * thing, each with filter fields of its own (see needs): one may stand in for
 * another with its fields' values moved.  PCU frequency bands.
 */
struct unc_family {
	uint32_t cmp, first, step;
	uint8_t n;
};

/*
 * The companion event sees the queue that counter 0 is set to, so that further
 * thresholds of one occupancy event can live on other counters (manual
 * 327043-001, CBo occupancy recipe; docs/hardware/snbep.md).
 */
struct unc_companion {
	uint8_t event;       /* COUNTER0_OCCUPANCY */
	uint8_t counters;    /* that have it */
	uint8_t queues[4];   /* occupancy events, 0-terminated */
	uint64_t queue_mask; /* control bits that select the queue */
	uint32_t how_mask;   /* control bits that the companion keeps: threshold, edge, invert */
	uint32_t threshold;  /* ... of which the threshold: the companion needs one */
};

/* A qualifier of ours that names filter bits of one event code. */
struct unc_qualifier {
	const char *name, *text;
	uint8_t event;
	uint8_t config; /* 1: config1, 2: config2 */
};

struct unc_fixed {
	uint32_t ctl, ctr, enable;
	uint8_t width;
	uint8_t bit;   /* of a box control with an enable bit per counter */
	uint16_t code; /* libpfm4's and Linux's pseudo event code for it */
	bool coded;    /* there is such a code */
};

/*
 * A row of an event table, where libpfm4 has none: an event, or a umask of the
 * event above it.  shared/event_rows.h has the macros that the .def files are written in.
 */
struct unc_row {
	const char *name, *text;
	const char *unit;  /* of the event's counts; NULL: as its name says */
	uint64_t bits;     /* of the control: the event's code; what a umask adds to it */
	uint64_t config1;  /* filter bits that it sets, in the layout of Linux's config1 */
	uint64_t looks_at; /* of a umask: the part of config1 that matters to it; 0: all */
	uint32_t counters; /* that may count it, beside the rules of the box; 0: any */
	bool umask;
	bool unlisted;    /* known by its name only */
	bool alone;       /* a umask that excludes all others */
	bool choice;      /* a code, not a bit: excludes the others of its group */
	bool first;       /* a umask that is taken where none is given */
	uint8_t group;    /* of a umask: one of each group is needed */
	uint8_t stepping; /* only CPUs from this one on have it */
	const char *kind; /* of an event in unc_platform_desc.more: name of its box type */
	uint8_t box;      /* of a umask: number of the one box that has it, plus 1; 0: all have */
};

/*
 * The description of events of libpfm4, or of their umasks, that say too little, too much or
 * something else there.  A * in event and umask stands for any letters; in the text it is what the
 * last one of them stands for.  The first row that fits counts.
 */
struct unc_text {
	const char *event, *umask, *text; /* umask NULL: the event */
};

extern const struct unc_text unc_texts[]; /* ended by text == NULL */
extern const struct unc_text unc_words[]; /* of any event whose umask repeats its name only */

/*
 * Intel's spelling of an event, or of a umask of it, that the tables (or libpfm4's) have under
 * another name.  A * stands for the same letters in both; letter case does not matter.  Of an
 * event the first row counts that leads to a known one; a row of a umask wins over a umask of
 * that name.
 */
struct unc_alias {
	const char *event; /* Intel's */
	const char *umask; /* Intel's, its dots as _; NULL: the event */
	const char *is;    /* the event; of a umask the parts that it stands for, "IRQ:HIT" */
	const char *why;   /* is NULL: why it is refused, and what to count */
};

/* An event of Intel's regular list, and those of its umasks that are in there. */
struct unc_regular {
	const char *event, *umasks; /* umasks: with blanks between */
};

struct unc_pci_id {
	uint16_t device;
	uint8_t index;    /* box number */
	bool extra;       /* the second function of that box */
	uint8_t devfn;    /* where equal device ids stand for several boxes; 0: anywhere */
	uint16_t with[2]; /* shows without being a box, unless the package has one of these */
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

/* What the fuses of a package tell about its boxes. */
enum unc_fuses {
	UNC_FUSES_ANY,   /* a bit set: all boxes; none: if_zero boxes */
	UNC_FUSES_BITS,  /* as many boxes as bits are set */
	UNC_FUSES_NUMBER /* the number of boxes */
};

/* Box count by fuses. */
struct unc_capid {
	uint16_t device; /* PCI; 0: offset is an MSR number */
	uint32_t offset;
	uint64_t mask; /* over 32 bits: of the next register, too */
	enum unc_fuses means;
	uint8_t if_zero;
};

/*
 * Boxes at physical addresses that a PCI device tells: the package's base, the
 * distance of a controller from there, and so on inside.
 */
struct unc_memory {
	uint16_t device;
	uint16_t base, controller; /* offsets; of controller 0, the others follow it */
	uint32_t base_mask, controller_mask;
	uint8_t base_shift, controller_shift;
	uint8_t boxes;   /* of a controller, the type's stride apart */
	uint8_t certain; /* ... that every controller has; one more reads as 0 if it is not there */
	uint32_t first;  /* distance of the first box from its controller */
};

enum unc_count_rule {
	UNC_COUNT_FIXED, /* n_boxes */
	UNC_COUNT_CORES, /* min(n_boxes, cores per package, offline ones too); but see slice_ids */
	UNC_COUNT_CAPID, /* n_boxes, or fewer by capid */
	UNC_COUNT_PCI    /* as many as pci_ids[] finds, at most n_boxes */
};

struct unc_arch;

struct unc_box_type {
	const char *name;  /* "cbo": in placements and in PMU names after the prefix */
	const char *linux; /* "cbox": sysfs name is uncore_cbox_N */
	const char *title;
	/* Of a kind that firmware hides on many machines: what can be counted in its place. */
	const char *instead;
	const char *intel_units; /* other names in Intel's event lists, "A|B" */
	const char *prefix;      /* of its PMU name; NULL: the platform's */
	enum unc_space space;
	const struct unc_style *style; /* NULL: the platform's */
	enum unc_count_rule count;
	const struct unc_capid *capid;
	const struct unc_memory *memory; /* NULL: not found that way */
	/*
	 * First and last id of PCI functions of which a package has one for each slice
	 * of its L3 cache, in order and without gaps; equal: all have that id.  A box is
	 * a slice, and there may be more slices than cores.  0: boxes are not slices.
	 */
	uint16_t slice_ids[2];
	uint8_t n_boxes, n_counters;
	uint8_t width;               /* of a counter, bits */
	uint8_t ctl_width;           /* of a control, bits */
	bool no_box_ctl;             /* U-Box before SPR; no freeze, no reset of the box */
	const uint32_t *reset_steps; /* box control values before the reset, one bit at a time;
					ended by 0 */
	/*
	 * MSR numbers of box 0, offsets in config space, or of a box that tells
	 * its address by itself (MMIO, discovery) offsets to that.
	 */
	uint32_t box_ctl, ctl, ctr;
	uint8_t ctl_step, ctr_step;
	const uint16_t *ctls, *ctrs; /* where each is, if that is irregular */
	/*
	 * Two boxes are units of one device and share its box control; ctls and
	 * ctrs go on with the second one's.
	 */
	bool units;
	uint32_t stride;                 /* between boxes, MSR only */
	const uint16_t *offsets;         /* of each box, if that is irregular */
	const struct unc_free *free;     /* all counters of the box, ended by n == 0; no controls */
	const struct unc_energy *energy; /* they count energy, and the uncore lacks nothing without
					    the box; NULL: they do not */
	const struct unc_tpmi_kind *tpmi; /* which of its registers the boxes are; NULL: none */
	uint64_t event_mask;              /* control bits that an event may set */
	uint64_t unwritten; /* of those, bits of Linux's config that the register lacks */
	uint8_t class_bit;  /* lowest bit of the function class, 0: 48 */
	bool filter_above;  /* libpfm4's filter word is the upper half of the control */
	bool level;         /* no counters: registers that hold a value, in the low `width` bits */
	uint16_t max_inc;   /* most that a counter adds per cycle, for wrap times */
	uint8_t count_ns;   /* ... or the ns that each of its counts takes; 0: no clock's */
	struct unc_fixed fixed;
	const struct unc_rule *rules; /* ended by cmp == 0 */
	const struct unc_filter *filters;
	uint8_t n_filters;
	bool filter_always;   /* a left-over filter would act on every event */
	bool filter_by_event; /* config1 is for other registers with every event: needs decide */
	const struct unc_field *fields;
	const struct unc_need *needs;      /* ended by fields == 0 */
	const struct unc_whole *wholes;    /* ended by mask == 0 */
	const struct unc_family *families; /* ended by n == 0 */
	const struct unc_companion *companion;
	const struct unc_row *rows;             /* ended by name == NULL */
	const struct unc_row *alike;            /* another platform's, which describe libpfm4's
						   events of the same name */
	const struct unc_modifier *modifiers;   /* of rows; ended by name == NULL */
	const struct unc_qualifier *qualifiers; /* ended by name == NULL */
	const struct unc_pci_id *pci_ids;       /* ended by device == 0 */
	/*
	 * Counters of a CPU instead of an uncore box, programmed in their own way:
	 * box N is CPU N.  NULL: an uncore box.
	 */
	const struct unc_arch *arch;
	const char *pmu; /* libpfm4's PMU if not prefix and name; then part of event names */
	uint32_t any_of; /* control bits of which none given means all */
};

/*
 * What a discovery table does not tell about its boxes; docs/hardware/discovery.md.
 * The table gives addresses, number of counters and their width.
 */
struct unc_discovered_type {
	uint16_t number; /* box type of the unit records */
	/*
	 * Its registers are offsets to the unit control.  n_counters 0: as many as
	 * the table says, otherwise no more than these.  NULL: its records are wrong,
	 * and the platform's types[] have it.
	 */
	const struct unc_box_type *like;
	uint32_t count_msr;                /* unless that is 0: no more boxes than it says */
	uint8_t functions;                 /* bit f: those at PCI function f only; 0: all */
	const struct unc_box_type *beside; /* not in the table: a box for each of these, too */
};

#define UNC_UNNAMED 0xffff /* the last row: all types without one */

/* Umask or modifier of a listed event when the user gives none. */
struct unc_default {
	const char *event, *parts;
};

/*
 * What libpfm4 encodes wrongly.  Of an event: control bits to set and to clear;
 * of a umask: its code.  An event that ends in * stands for all that begin so.
 */
struct unc_fix {
	const char *event, *umask; /* umask NULL: the event */
	uint64_t set;              /* of a umask, too: bits beside its code */
	uint32_t clear;
	uint8_t code;
	uint8_t unless; /* of a umask: right all the same beside umasks that have bits of these */
};

/* A modifier for which libpfm4 sets the filter bit of another one; bits of config1. */
struct unc_modifier_fix {
	const char *modifier, *other;
	uint64_t theirs, bit;
};

struct unc_recipe;

struct unc_platform;

/* Events of Intel's lists that count in a box whose registers no source tells. */
struct unc_unlocated {
	const struct unc_platform *platform;
	const char *prefix; /* their names begin so */
	const char *box, *why;
};

/* Events of memory that only some processors have. */
struct unc_memory_events {
	const char *prefix; /* their names begin so */
	const char *kind;   /* of the boxes that a machine with this memory has */
	const char *memory, *has;
};

#define UNC_SLICE_RUNS 20

/* How many lines of a stretch of memory each slice of a package owns, as runs of equal slices. */
struct unc_slice_lines {
	const struct unc_platform *platform;
	const char *kind; /* of the boxes that are slices */
	uint8_t slices;   /* of a package; another number has another hash */
	struct {
		uint8_t slices;
		uint16_t lines; /* of each of them */
	} runs[UNC_SLICE_RUNS]; /* from slice 0 on, ended by slices == 0 */
};

struct unc_recipe;

/* What a platform has beside the boxes of its uncore; docs/hardware/power.md. */
struct unc_power {
	const struct unc_platform *platform;
	const struct unc_box_type *const *types; /* NULL-terminated */
	const struct unc_recipe *recipes;        /* ended by metric == NULL */
};

/* What the folder of a platform tells. */
struct unc_platform_desc {
	const char *pfm_prefix;  /* "snbep_unc_" */
	const char *also_prefix; /* under which libpfm4 has the same boxes, too; NULL: none */
	const char *later; /* CPUs of the steppings that rows name; NULL: there are no such rows */
	bool rows_only; /* our tables have all events: libpfm4's, if a newer one has any, differ */
	/*
	 * Header.Info of Intel's event lists of which all events are this platform's,
	 * an extended regular expression without regard to case; NULL: there is no list.
	 */
	const char *lists;
	const struct unc_style *style;
	const struct unc_global *global;         /* NULL: there is none, or the tables tell it */
	const struct unc_overflow *overflow;     /* NULL: it stops nothing, as far as is known */
	const struct unc_box_type *const *types; /* NULL-terminated */
	const struct unc_discovered_type
		*discovered; /* types in discovery tables; NULL: has none */
	uint32_t table_msr;  /* of each die: the address of one more table; 0: there is none */
	/* package map, docs/hardware/README.md */
	uint16_t ubox_device; /* 0: there is one package only */
	uint16_t nodeid_offset, gidnidmap_offset;
	bool inherit_higher; /* buses without UBox belong to the next higher one with */
	const struct unc_default *defaults;            /* ended by event == NULL */
	const struct unc_fix *fixes;                   /* ended by event == NULL */
	const struct unc_modifier_fix *modifier_fixes; /* ended by modifier == NULL */
	const struct unc_row *more; /* of several box types; ended by name == NULL; NULL: none */
	/* all others are experimental */
	const struct unc_regular *regular; /* ended by event == NULL; NULL: all */
	const struct unc_alias *aliases;   /* ended by event == NULL; NULL: none */
	/* lists, NULL-terminated, each ended by metric == NULL (metrics/metrics.h) */
	const struct unc_recipe *const *metrics;
};

/* A line of platforms.def. */
struct unc_platform {
	const char *name; /* "snbep" */
	const char *title;
	uint8_t family;
	uint8_t models[4]; /* 0-terminated; none: any that no other platform names */
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
extern const struct unc_memory_events unc_memory_events[]; /* ended by prefix == NULL */
extern const struct unc_power unc_power[];                 /* likewise */
extern const struct unc_slice_lines unc_slice_lines[];     /* likewise */
/* For a platform that cannot count any: to be said, not to be forgotten. */
extern const struct unc_recipe *const unc_no_metrics[];

#ifdef __cplusplus
}
#endif
#endif
