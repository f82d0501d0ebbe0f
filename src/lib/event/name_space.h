/* SPDX-License-Identifier: BSD-3-Clause */
/* name_space.h - what the files of the event room share; nobody else includes it. */
#ifndef UNC_NAME_SPACE_H
#define UNC_NAME_SPACE_H

#include <string.h>

#include "base/mutex.h"
#include "base/nearest.h"
#include "event/event.h"
#include "event/formula.h"
#include "event/lists.h"
#include "machine/machine.h"

#define UNC_WORD_BUCKETS 1024

#define UNC_MAX_PARTS 16 /* umasks and qualifiers in one name */
#define UNC_PFM_NAME  64
#define UNC_OURS_ATTR (1 << 20) /* attribute numbers of our own qualifiers, behind all others */

/* A box type's events in libpfm4. */
struct unc_pmu {
	const struct unc_box_type *type;
	char name[UNC_PFM_NAME]; /* "snbep_unc_cbo" */
	char pfm[UNC_PFM_NAME];  /* "snbep_unc_cbo0": libpfm4's PMU that stands for all boxes */
	int first;               /* libpfm4 index of its first event, -1: none */
	char box_text[64];       /* meaning of box= */
};

struct unc_part {
	const char *name; /* libpfm4's or our spelling */
	int attr;         /* libpfm4's attribute number, or after all of these */
	bool umask, flag; /* flag: a modifier that takes no number */
	uint64_t value;
	const struct unc_row *row; /* of a .def's or a list's umask */
};

struct unc_entry;

/* An event name taken apart. */
struct unc_parsed {
	const struct unc_pmu *pmu;
	struct unc_entry *base;    /* the listed event; NULL: RAW */
	const char *event;         /* table spelling; "RAW" */
	const char *given;         /* as it was spelled, while it is taken apart */
	int pfm;                   /* libpfm4 index, -1: not libpfm4's */
	const struct unc_row *row; /* NULL: not of a .def */
	bool raw;
	unsigned n_parts;
	struct unc_part parts[UNC_MAX_PARTS];
	uint64_t config[3];
	unsigned configs; /* bit i: config[i] was given */
	struct unc_places where;
	/* box=, pkg= were given as *, which is all of them and none in the spelling */
	bool all_boxes, all_packages;
};

/* A umask or modifier of an event, from libpfm4 or from a .def. */
struct unc_attr {
	const char *name, *text;
	bool umask, flag, unlisted;
	uint64_t code;                       /* of libpfm4's umask */
	const struct unc_row *row;           /* a .def's umask */
	const struct unc_modifier *modifier; /* of a box type's .def events */
};

struct unc_entry {
	unsigned id;
	struct unc_entry *next; /* listed ones: the next in the bucket of its word */
	char name[UNCORE_NAME_MAX + 1];
	const struct unc_pmu *pmu;
	int pfm;        /* libpfm4 index of the event, -1 */
	bool qualified; /* of a listed one: its name has the PMU in front */
	int walk;       /* its place in the walk over umasks and qualifiers, -1: none */
	/* of a walk that began here: the part to come, and the place of the one before it */
	unsigned next_part;
	int next_walk;
	const struct unc_row *row;
	const struct unc_row *more;      /* a list's, which adds umasks to libpfm4's */
	const struct unc_metric *metric; /* not an event, but made of some */
	const struct unc_recipe *recipe; /* ... of these; NULL: not on this platform */
	struct unc_formula *formula;
	bool encoded;
	int code;               /* result of the encoding */
	struct unc_entry *base; /* the listed event behind it; NULL: RAW */
	/* of listed events only, filled when first asked for */
	struct unc_attr *attrs;
	int n_attrs;
	bool defaults_known;
	char defaults[UNC_PFM_NAME]; /* parts that are added when none is given */
	struct unc_event ev;
};

/* By name, for tfind() and its like. */
static inline int unc_entry_compare(const void *a, const void *b)
{
	return strcmp(((const struct unc_entry *)a)->name, ((const struct unc_entry *)b)->name);
}

struct unc_names {
	const struct unc_machine *machine;
	const struct unc_lists *lists; /* may be NULL */
	struct unc_err *err;
	struct unc_mutex lock;
	char package_text[64]; /* meaning of pkg= */
	char die_text[64];     /* ... and of die= */
	unsigned n_pmus, n_entries, room;
	unsigned n_listed; /* the first entries: events of boxes that are there */
	unsigned n_known;  /* ... and after them those of boxes that are not */
	unsigned most;     /* entries that there may be, 0: any number */
	struct unc_pmu pmus[UNC_MAX_TYPES];
	struct unc_pmu metrics;     /* of all metrics */
	struct unc_recipe *recipes; /* as unc_metrics; metric NULL: it cannot be measured */
	struct unc_entry **entries; /* by id; the listed ones first */
	void *tree;                 /* by name */
	struct unc_entry *words[UNC_WORD_BUCKETS];
};

/* name_space.c: the table; the lock is held. */
int unc_entry_intern(struct unc_names *n, const struct unc_entry *template, struct unc_entry **out);
int unc_names_find_locked(struct unc_names *n, const char *name, unsigned *id);
const struct unc_event *unc_names_event_locked(struct unc_names *n, unsigned id, int *code);

/* metric.c: list the metrics that can be measured, or the others. */
int unc_metrics_list(struct unc_names *n, bool measurable);
/* The events behind a metric whose name was taken apart. */
int unc_metric_expand(struct unc_names *n, const struct unc_parsed *p, struct unc_formula **out);

/* metric_boxes.c: the machine has the boxes of all events of a recipe. */
bool unc_recipe_has_events(const struct unc_names *n, const struct unc_recipe *r);
/* The one kind of box that they count in, so that it takes box=; NULL: there is none. */
const struct unc_pmu *unc_recipe_pmu(const struct unc_names *n, const struct unc_recipe *r);
/* box= of a metric that takes none is UNCORE_EATTR. */
int unc_check_metric_boxes(struct unc_names *n, const struct unc_parsed *p);

/* What stands behind the PMU in the name of a listed event. */
const char *unc_event_word(const struct unc_entry *listed);

/* words.c: listed events by that word, once all are in the table. */
void unc_words_fill(struct unc_names *n);
/* The next one of that word, by id, letter case ignored; before NULL: the first.  NULL: no more. */
struct unc_entry *unc_word_next(const struct unc_names *n, const char *word,
				const struct unc_entry *before);

/*
 * 0, or why this machine lacks an event, or a umask of one, that others have: its memory, its
 * stepping, a box that no source locates.  absent.c
 */
int unc_why_absent(struct unc_names *names, const char *text);
int unc_why_no_umask(struct unc_names *names, const char *event, const char *umask);
/* The memory only; of metrics, too. */
int unc_why_no_memory(struct unc_names *names, const char *text);

/* suggest.c: "; did you mean A, B or C?" of a name that is none, of that PMU or any, or "". */
const char *unc_suggest(struct unc_names *names, const char *text, const struct unc_pmu *pmu,
			char *buf, size_t len);

/* Make libpfm4 ready and able to encode for a CPU that is not this one. */
int unc_pfm_start(const char *pmu, struct unc_err *err);

/* Attribute a of an event; false at the end.  Costs libpfm4 a walk over all of them. */
bool unc_pfm_attr(int event, int a, struct unc_attr *attr);
/* The same of an event in a .def: its umasks, then the modifiers of its box type. */
bool unc_row_attr(const struct unc_entry *base, int a, struct unc_attr *attr);
/* The modifier of that name that a box type's .def events have; NULL: none. */
const struct unc_modifier *unc_modifier(const struct unc_box_type *type, const char *name);
/* Umask i behind an event row. */
bool unc_row_umask(const struct unc_row *event, int i, struct unc_attr *attr);
/*
 * Any of these from the listed event's own copy, which is made before anything else is asked
 * of it: 0 or UNCORE_ENOMEM; NULL at the end.
 */
int unc_attrs_load(struct unc_names *names, struct unc_entry *base);
const struct unc_attr *unc_attr(const struct unc_entry *base, int a);
/* The event code of a listed event, without umask. */
unsigned unc_event_code(const struct unc_entry *base);
/* The name behind the unit's: "CAS_COUNT" of "UNC_M_CAS_COUNT". */
const char *unc_behind_unit(const char *event);
/* What a listed event counts, or one of its umasks, in words. */
void unc_text(const struct unc_entry *base, const struct unc_attr *umask, char *text, size_t len);
const char *unc_pfm_event_name(int event);
const char *unc_pfm_event_text(int event);
int unc_pfm_event_next(int event);
unsigned unc_pfm_event_code(int event);

/* pattern.c: what the last * of a pattern stands for in a name; at NULL: there is none. */
struct unc_star {
	const char *at;
	int len;
};
bool unc_like(const char *pattern, const char *name, struct unc_star *star);
/* The text, with that in the place of its *. */
void unc_like_fill(const char *text, const struct unc_star *star, char *out, size_t len);

/*
 * alias.c: the tables' name of an event that Intel spells otherwise, if the platform (aliases may
 * be NULL) has such a row from number *next on, which is moved behind it.
 */
bool unc_alias_event(const struct unc_alias *aliases, const char *word, unsigned *next,
		     char out[UNCORE_NAME_MAX + 1]);
/* The parts, "IRQ:MISS:OPC0_DRD", that Intel's umask of Intel's event stands for. */
bool unc_alias_umask(const struct unc_alias *aliases, const char *event, const char *umask,
		     char out[UNCORE_NAME_MAX + 1]);

/* regular.c: an event is in Intel's regular list, of which there is one. */
bool unc_event_is_regular(const struct unc_platform *platform, const char *event);
/* A umask of an event is in there; false where there is one list only. */
bool unc_umask_is_regular(const struct unc_platform *platform, const char *event,
			  const char *umask);

/* Why an event, or a umask (NULL: none) of it, cannot be counted, and what can; NULL: it can. */
const char *unc_alias_refused(const struct unc_alias *aliases, const char *event,
			      const char *umask);

#define UNC_OWN_NAME \
	((size_t)4 * UNCORE_NAME_MAX) /* bytes; what is too long is refused as that later */

/*
 * foreign.c: 1, and the event's name in our spelling, if the text is in perf's; 0 if it is not; or
 * what is wrong with it.
 */
int unc_foreign(struct unc_names *names, const char *text, char own[UNC_OWN_NAME]);

int unc_parse(struct unc_names *names, const char *text, struct unc_parsed *out);
/* A part that means what its absence means. */
bool unc_says_nothing(const struct unc_part *part);
/* The one spelling; false if it is longer than UNCORE_NAME_MAX. */
bool unc_format_name(const struct unc_parsed *p, char name[UNCORE_NAME_MAX + 1]);
/* The same of the encoding alone. */
bool unc_format_raw_name(const struct unc_pmu *pmu, const struct unc_event *ev,
			 char name[UNCORE_NAME_MAX + 1]);
bool unc_has_umask(const struct unc_parsed *p);
/* The control, and config1, that libpfm4 gave an event, without its errors. */
void unc_fix_control(const struct unc_fix *fixes, const struct unc_parsed *p, struct unc_event *ev);
uint64_t unc_fix_filter(const struct unc_modifier_fix *fixes, const struct unc_parsed *p,
			uint64_t config1);
/* libpfm4's umasks of this event do not exist in the hardware. */
bool unc_umasks_void(const struct unc_platform *platform, const char *event);
/* A number of 64 bits, decimal or 0x. */
int unc_parse_number(struct unc_names *names, const struct unc_parsed *p, const char *name,
		     const char *text, uint64_t *value);

/* places.c: box=, pkg=, die=, cpu=: 1 if it was one of them. */
int unc_parse_place(struct unc_names *names, const char *name, const char *number,
		    struct unc_parsed *p);
/* pkg= and die= exist. */
int unc_check_die(struct unc_names *names, const struct unc_parsed *p);
/* So do box= and all of them together, and there is something to count on. */
int unc_check_places(struct unc_names *names, const struct unc_parsed *p);

int unc_encode(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev);

int unc_encode_row(struct unc_names *names, const struct unc_parsed *p, struct unc_event *ev);
/* The control, and the filter bits, of an event are such as its box has. */
int unc_check_control(struct unc_names *names, const struct unc_parsed *p,
		      const struct unc_event *ev);
int unc_check_filter(struct unc_names *names, const struct unc_parsed *p,
		     const struct unc_event *ev, uint64_t config1);

/* What the platform's table adds to a bare event, NULL: nothing. */
const char *unc_platform_default(const struct unc_platform *platform, const char *event);
/* As unc_default_parts() for an event of a .def. */
void unc_row_defaults(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		      size_t len);
/* The default umask or qualifier that makes a bare event countable, "" if none. */
void unc_default_parts(const struct unc_platform *platform, const struct unc_parsed *p, char *out,
		       size_t len);

/*
 * Qualifier k of an event: libpfm4's modifiers, those of its box type, then
 * box, pkg, die where there are several, cpu.  False at the end.
 */
bool unc_qualifier_at(const struct unc_names *names, const struct unc_entry *e, unsigned k,
		      const char **name, const char **text);

/* In walk numbers, qualifiers stand behind all umasks. */
#define UNC_WALK_QUALIFIERS UNC_OURS_ATTR

#endif
