/* SPDX-License-Identifier: BSD-3-Clause */
/* name_space.h - internal interface of this folder. */
#ifndef UNC_NAME_SPACE_H
#define UNC_NAME_SPACE_H

#include <string.h>

#include "base/mutex.h"
#include "base/nearest.h"
#include "device/device.h"
#include "event/event.h"
#include "event/formula.h"
#include "event/lists.h"
#include "machine/machine.h"

#define UNC_WORD_BUCKETS 1024

#define UNC_MAX_PARTS 16 /* umasks and qualifiers in one name */
#define UNC_PFM_NAME  64
#define UNC_OURS_ATTR (1 << 20) /* attribute numbers of our own qualifiers, after all others */

#define UNC_OWN_MODIFIERS 3

/* The events of a box type in libpfm4. */
struct unc_pmu {
	const struct unc_box_type *type;
	char name[UNC_PFM_NAME]; /* "snbep_unc_cbo" */
	char pfm[UNC_PFM_NAME];  /* "snbep_unc_cbo0": libpfm4's PMU that is used for all boxes */
	int first;               /* libpfm4's index of its first event, or -1 */
	char box_text[64];       /* description of box= */
	unsigned n_own;          /* e, i and t, as in perf's syntax */
	struct unc_modifier own[UNC_OWN_MODIFIERS];
};

struct unc_part {
	const char *name; /* as spelled by libpfm4 or here */
	int attr;         /* libpfm4's attribute number, or a number after all of these */
	bool umask, flag; /* flag: a modifier without a number */
	uint64_t value;
	const struct unc_row *row; /* of a umask from a .def or a list */
};

struct unc_entry;

/* A parsed event name. */
struct unc_parsed {
	const struct unc_pmu *pmu;
	struct unc_entry *base;    /* the listed event; NULL: RAW */
	const char *event;         /* name in the table; "RAW" */
	const char *given;         /* as given, while it is parsed */
	int pfm;                   /* libpfm4's index, or -1 */
	const struct unc_row *row; /* NULL: not from a .def */
	bool raw;
	unsigned n_parts;
	struct unc_part parts[UNC_MAX_PARTS];
	uint64_t config[3];
	unsigned configs; /* bit i: config[i] was given */
	struct unc_places where;
	unsigned port; /* part= of a metric, plus 1; 0: not given */
	/* box=* or pkg=* was given, which means all and is left out of the canonical name */
	bool all_boxes, all_packages;
};

/* A umask or modifier of an event, from libpfm4 or a .def. */
struct unc_attr {
	const char *name, *text;
	bool umask, flag, unlisted;
	uint64_t code;                       /* of libpfm4's umask */
	const struct unc_row *row;           /* umask of a .def */
	const struct unc_modifier *modifier; /* encoded here, not by libpfm4 */
};

struct unc_entry {
	unsigned id;
	struct unc_entry *next; /* listed events: the next one in the hash bucket of its word */
	char name[UNCORE_NAME_MAX + 1];
	const struct unc_pmu *pmu;
	int pfm;        /* libpfm4's index of the event, or -1 */
	bool qualified; /* listed events: the name includes the PMU */
	int walk;       /* its number in the walk over umasks and qualifiers, or -1 */
	/* a walk that began here: the next part, and the number of the previous one */
	unsigned next_part;
	int next_walk;
	const struct unc_row *row;
	const struct unc_row *more;      /* from a list, with umasks in addition to libpfm4's */
	const struct unc_metric *metric; /* not NULL: a metric */
	const struct unc_recipe *recipe; /* ... and its recipe; NULL: not on this platform */
	struct unc_formula *formula;
	bool encoded;
	int code;               /* result of encoding it */
	struct unc_entry *base; /* its listed event; NULL: RAW */
	/* of listed events only, filled on demand */
	struct unc_attr *attrs;
	int n_attrs;
	bool defaults_known;
	char defaults[UNC_PFM_NAME]; /* parts added when none is given */
	struct unc_event ev;
};

/* By name, for tsearch(). */
static inline int unc_entry_compare(const void *a, const void *b)
{
	return strcmp(((const struct unc_entry *)a)->name, ((const struct unc_entry *)b)->name);
}

struct unc_names {
	const struct unc_machine *machine;
	const struct unc_lists *lists; /* may be NULL */
	struct unc_devices devices;    /* files.hw NULL: dev= is refused */
	struct unc_notice notice;      /* about the name that is being found */
	struct unc_err *err;
	struct unc_mutex lock;
	char package_text[64]; /* description of pkg= */
	char die_text[64];     /* ... and of die= */
	unsigned n_pmus, n_entries, room;
	unsigned n_listed; /* the first entries: events of boxes that exist */
	unsigned n_known;  /* ... followed by those of boxes that do not */
	unsigned most;     /* maximum number of entries; 0: no limit */
	struct unc_pmu pmus[UNC_MAX_TYPES];
	struct unc_pmu metrics;     /* of all metrics */
	struct unc_recipe *recipes; /* as unc_metrics; without events: not measurable */
	struct unc_entry **entries; /* by id, listed ones first */
	void *tree;                 /* by name */
	struct unc_entry *words[UNC_WORD_BUCKETS];
};

/* name_space.c: the table; the lock is held. */
int unc_entry_intern(struct unc_names *n, const struct unc_entry *template, struct unc_entry **out);
int unc_names_find_locked(struct unc_names *n, const char *name, unsigned *id);
const struct unc_event *unc_names_event_locked(struct unc_names *n, unsigned id, int *code);

/* metric.c: list the metrics that can be measured, or those that cannot. */
int unc_metrics_list(struct unc_names *n, bool measurable);
/* The events of a metric whose name was parsed. */
int unc_metric_expand(struct unc_names *n, const struct unc_parsed *p, struct unc_formula **out);

/* metric_boxes.c: whether the machine has the boxes of all events of a recipe. */
bool unc_recipe_has_events(const struct unc_names *n, const struct unc_recipe *r);
/* The only kind of box of its events, so that it takes box=; or NULL. */
const struct unc_pmu *unc_recipe_pmu(const struct unc_names *n, const struct unc_recipe *r);
/* box= of a metric that does not take it is UNCORE_EATTR. */
int unc_check_metric_boxes(struct unc_names *n, const struct unc_parsed *p);

/* The part after the PMU in the name of a listed event. */
const char *unc_event_word(const struct unc_entry *listed);

/* words.c: index listed events by that word, once all are in the table. */
void unc_words_fill(struct unc_names *n);
/* The next event with that word, by id, ignoring case; before NULL: the first.  NULL: no more. */
struct unc_entry *unc_word_next(const struct unc_names *n, const char *word,
				const struct unc_entry *before);

/*
 * absent.c: 0, or the reason why this machine lacks an event or umask that others have: its
 * memory, its stepping, a box without an address.
 */
int unc_why_absent(struct unc_names *names, const char *text);
int unc_why_no_umask(struct unc_names *names, const char *event, const char *umask);
/* Only the memory; also for metrics. */
int unc_why_no_memory(struct unc_names *names, const char *text);

/* suggest.c: "; did you mean A, B or C?" for an unknown name, in that PMU or in all; or "". */
const char *unc_suggest(struct unc_names *names, const char *text, const struct unc_pmu *pmu,
			char *buf, size_t len);

/* Initialise libpfm4 so that it encodes for a CPU other than this one. */
int unc_pfm_start(const char *pmu, struct unc_err *err);

/* Attribute a of an event: 1, 0 at the end, or UNCORE_ENOMEM. libpfm4 walks over all of them. */
int unc_pfm_attr(int event, int a, struct unc_attr *attr);
/* Modifier i of the box type of an event in a .def; false at the end. */
bool unc_row_modifier(const struct unc_entry *base, int i, struct unc_attr *attr);
/* attrs.c: the modifier of that name of a box type's .def events, or NULL. */
const struct unc_modifier *unc_modifier(const struct unc_box_type *type, const char *name);
/* e, i and t of a PMU, as far as its control has them; the one of that name. */
void unc_modifiers_fill(const struct unc_platform *platform, struct unc_pmu *pmu);
const struct unc_modifier *unc_own_modifier(const struct unc_pmu *pmu, const char *name);
/* rows.c: the bits of a part that is a modifier. */
int unc_add_modifier(struct unc_names *names, const struct unc_parsed *p,
		     const struct unc_part *part, uint64_t *control, uint64_t *config1);
/* The umask of a row after that of its event; false at the end of its umasks. */
bool unc_row_umask(const struct unc_row *row, struct unc_attr *attr);
/*
 * Any of these from the cache of the listed event, which is filled first: 0 or UNCORE_ENOMEM;
 * NULL at the end.
 */
int unc_attrs_load(struct unc_names *names, struct unc_entry *base);
const struct unc_attr *unc_attr(const struct unc_entry *base, int a);
/* The event code of a listed event, without umask. */
unsigned unc_event_code(const struct unc_entry *base);
/* The name after that of the unit: "CAS_COUNT" of "UNC_M_CAS_COUNT". */
const char *unc_skip_unit_prefix(const char *event);
/* The description of a listed event, or of one of its umasks. */
void unc_text(const struct unc_entry *base, const struct unc_attr *umask, char *text, size_t len);
const char *unc_pfm_event_name(int event);
const char *unc_pfm_event_text(int event);
int unc_pfm_event_next(int event);
unsigned unc_pfm_event_code(int event);

/* words.c: the part of a name that the last * of a pattern matches; at NULL: no match. */
struct unc_star {
	const char *at;
	int len;
};
bool unc_like(const char *pattern, const char *name, struct unc_star *star);
/* The text, with that part in the place of its *. */
void unc_like_fill(const char *text, const struct unc_star *star, char *out, size_t len);

/*
 * words.c: the tables' name of an event that Intel names differently, if the platform (aliases
 * may be NULL) has such a row from number *next on; *next moves past it.
 */
bool unc_alias_event(const struct unc_alias *aliases, const char *word, unsigned *next,
		     char out[UNCORE_NAME_MAX + 1]);
/* The parts, such as "IRQ:MISS:OPC0_DRD", for Intel's umask of Intel's event. */
bool unc_alias_umask(const struct unc_alias *aliases, const char *event, const char *umask,
		     char out[UNCORE_NAME_MAX + 1]);

/*
 * words.c: whether an event is in Intel's regular list, and that umask of it unless it is NULL;
 * false if the platform has no names of a regular list.
 */
bool unc_name_is_regular(const struct unc_platform *platform, const char *event, const char *umask);
/* rows.c: the same for the row of an event. */
bool unc_row_is_regular(const struct unc_platform *platform, const struct unc_row *event,
			const struct unc_row *umask);

/*
 * Why an event, or a umask (or NULL) of it, cannot be counted, and an alternative; NULL: it
 * can.
 */
const char *unc_alias_refused(const struct unc_alias *aliases, const char *event,
			      const char *umask);

#define UNC_OWN_NAME ((size_t)4 * UNCORE_NAME_MAX) /* bytes; longer names are refused later */

/*
 * foreign.c: 1 with the name in the native syntax if the text is in perf's; 0 if it is not; or
 * an error.
 */
int unc_foreign(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/*
 * device_name.c: 1 with the name without dev=, which has become box=, pkg= and a part; 0 if there
 * is no dev=; or an error.
 */
int unc_without_device(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/* node_name.c: the same for node=, which becomes box= and pkg=, and for dev=. */
int unc_without_places(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

/* metric_boxes.c: whether a metric takes part=. */
bool unc_is_by_port(const struct unc_names *names, const struct unc_parsed *p);
/* The recipe of a metric with part=, to be freed; NULL with an error in *code. */
struct unc_recipe *unc_port_recipe(struct unc_names *names, const struct unc_parsed *p, int *code);

int unc_parse(struct unc_names *names, const char *text, struct unc_parsed *out);
/* Whether a part has the same meaning as none. */
bool unc_is_noop_part(const struct unc_part *part);
/* The canonical name; false if it is longer than UNCORE_NAME_MAX. */
bool unc_format_name(const struct unc_parsed *p, char name[UNCORE_NAME_MAX + 1]);
/* The same for the encoding alone. */
bool unc_format_raw_name(const struct unc_pmu *pmu, const struct unc_event *ev,
			 char name[UNCORE_NAME_MAX + 1]);
bool unc_has_umask(const struct unc_parsed *p);
/* The control, and config1, of an event from libpfm4, corrected. */
void unc_fix_control(const struct unc_fix *fixes, const struct unc_parsed *p, struct unc_event *ev);
uint64_t unc_fix_filter(const struct unc_modifier_fix *fixes, const struct unc_parsed *p,
			uint64_t config1);
/* Whether libpfm4's umasks of this event do not exist in the hardware. */
bool unc_has_void_umasks(const struct unc_platform *platform, const char *event);
/* parse.c: refuse a name with a character that is not among the allowed ones. */
int unc_bad_character(struct unc_names *names, char c, const char *text, const char *allowed);
/* A 64-bit number, decimal or 0x. */
int unc_parse_number(struct unc_names *names, const struct unc_parsed *p, const char *name,
		     const char *text, uint64_t *value);

/* pmu_name.c: the PMU before "::", and its box number if it has one. */
int unc_parse_pmu(struct unc_names *names, const char *text, struct unc_parsed *p);

/* places.c: box=, pkg=, die=, cpu=: 1 if it was one of them. */
int unc_parse_place(struct unc_names *names, const char *name, const char *number,
		    struct unc_parsed *p);
/* Whether pkg= and die= exist. */
int unc_check_die(struct unc_names *names, const struct unc_parsed *p);
/* The same for box= and all of them together, with at least one box to count in. */
int unc_check_places(struct unc_names *names, const struct unc_parsed *p);

int unc_encode(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev);

int unc_encode_row(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev);
/* Whether the control and the filter bits of an event fit its box. */
int unc_check_control(struct unc_names *names, const struct unc_parsed *p,
		      const struct unc_event *ev);
int unc_check_filter(struct unc_names *names, const struct unc_parsed *p,
		     const struct unc_event *ev, uint64_t config1);
/* Whether the values of match=, mask=, addr= and opc= fit their registers. */
int unc_check_qualifiers(struct unc_names *names, const struct unc_parsed *p,
			 const struct unc_event *ev);

/* The umasks that the platform's table adds to an event without any, or NULL. */
const char *unc_platform_default(const struct unc_platform *platform, const char *event);
/* As unc_default_parts() for an event of a .def. */
void unc_row_defaults(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		      size_t len);
/* The default umask or qualifier that a bare event needs to count, or "". False: out of memory. */
bool unc_default_parts(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		       size_t len);

/*
 * Qualifier k of an event: libpfm4's modifiers, those of its box type, then box, pkg, die if
 * there are several, cpu. false at the end.
 */
bool unc_qualifier_at(const struct unc_names *names, const struct unc_entry *e, unsigned k,
		      const char **name, const char **text);

/* In walk numbers, qualifiers follow all umasks. */
#define UNC_WALK_QUALIFIERS UNC_OURS_ATTR

#endif
