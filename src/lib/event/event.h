/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h - encode event names.
 *
 * name -> {box type, control value, filter bits, allowed counters}. libpfm4 encodes events that
 * it has tables for, the platform's rows (.def) encode the rest; docs/events.md has the
 * grammar.
 */
#ifndef UNC_EVENT_H
#define UNC_EVENT_H

#include "base/error.h"
#include "machine/numbers.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of a filter register that an event needs; design.md 5. */
struct unc_bits {
	uint8_t filter; /* index into the type's filters */
	uint64_t mask, value;
};

struct unc_event {
	const struct unc_box_type *type;
	uint64_t control; /* without the enable bit */
	struct unc_places where;
	bool fixed;
	uint32_t counters; /* programmable counters that can count it */
	bool low;          /* use the lowest one if possible */
	uint8_t n_bits;
	struct unc_bits bits[UNC_MAX_BITS];
};

struct unc_box;
struct unc_hw;
struct uncore_encoding;
struct uncore_sum;
struct unc_lists;
struct unc_machine;
struct unc_names;

/* The event table of a machine; the machine and the lists (may be NULL) must outlive it. */
int unc_names_new(struct unc_names **out, const struct unc_machine *machine,
		  const struct unc_lists *lists, struct unc_err *err);
void unc_names_free(struct unc_names *names);
/*
 * Where dev= finds devices: registers, and the kernel's files below root (NULL: none), both of
 * which must outlive the table.  hw NULL: dev= is refused.
 */
void unc_names_devices(struct unc_names *names, struct unc_hw *hw, const char *root);

struct unc_devices;
const struct unc_devices *unc_names_known_devices(const struct unc_names *names);
/* A warning about a name; text "": none. */
struct unc_notice {
	enum uncore_warning_code code;
	char text[400];
};

/* The implementation of uncore_event() and the functions next to it in uncore.h.  notice: or NULL.
 */
int unc_names_find(struct unc_names *names, const char *name, unsigned *id,
		   struct unc_notice *notice);
/*
 * Keep up to this many names in addition to the listed ones, and refuse others with
 * UNCORE_ENOMEM; 0: no limit.  Returns the number of names.
 */
unsigned unc_names_limit(struct unc_names *names, unsigned more);
const char *unc_names_name(struct unc_names *names, unsigned id);
int unc_names_info(struct unc_names *names, unsigned id, struct uncore_event_info *info);
unsigned unc_names_count(const struct unc_names *names);
/* "snbep_unc_cbo", the prefix of raw events of these boxes; NULL: not a box type of the machine. */
const char *unc_names_pmu(const struct unc_names *names, const struct unc_box_type *type);
/* As uncore_event_part(). */
int unc_names_part(struct unc_names *names, const char *name, unsigned i, unsigned *id);
/* As uncore_event_umask() and uncore_event_qualifier(). */
int unc_names_umask(struct unc_names *names, unsigned event, unsigned i, unsigned *id);
int unc_names_qualifier(struct unc_names *names, unsigned id, unsigned i, const char **name,
			const char **text);

/*
 * The names of the events that a control without enable bit and the values of filters select in a
 * kind of box; counter -1, filters NULL: unknown. Fills at most `most` names, returns how many
 * there are.
 */
unsigned unc_names_decode(struct unc_names *names, const struct unc_box_type *type, int counter,
			  uint64_t control, const uint64_t *filters, unsigned n_filters,
			  char (*found)[UNCORE_NAME_MAX + 1], unsigned most);

struct unc_erratum;

/* Row i of errata.def for a machine, or NULL past the last one. */
const struct unc_erratum *unc_erratum_at(const struct unc_machine *m, unsigned i);
/* The first row about an event, or about the events of a formula ("64 * A:B / C"); or NULL. */
const struct unc_erratum *unc_erratum_of(const struct unc_machine *m, const char *event,
					 const char *formula);

/* The encoded event, or NULL with UNCORE_EINVAL or the reason why it cannot be counted. */
const struct unc_event *unc_names_event(struct unc_names *names, unsigned id, int *code);

struct unc_formula;

/* 0 and the formula of a metric (NULL for an event); or the reason why it cannot be counted. */
int unc_names_formula(struct unc_names *names, unsigned id, const struct unc_formula **formula);
/* The metric that is counted by half of the boxes, if the platform has it; or NULL. */
const char *unc_names_split(const struct unc_names *names, const struct unc_formula *formula);

/* Whether an event is counted in a box. */
bool unc_box_counts(const struct unc_box *box, const struct unc_event *event);
/* The event has a filter on a PCI device that the box lacks. */
bool unc_needs_missing_device(const struct unc_box *box, const struct unc_event *event);
/* The box is a port without a filter device on all machines of this platform. */
bool unc_never_had_device(const struct unc_box *box);

/* The counters that the platform's tables allow for a control value. */
uint32_t unc_allowed_counters(const struct unc_box_type *type, uint64_t control, bool *low);

/* The filter fields of an event, by its control value: bit i for type->fields[i]. */
uint64_t unc_fields_needed(const struct unc_box_type *type, uint64_t control);

/* Whether one counter can serve two requests. */
bool unc_same_event(const struct unc_event *a, const struct unc_event *b);

/* Fill in counters, fixed and bits of an event with a known control value. */
void unc_event_finish(struct unc_event *ev, uint64_t config1, uint64_t config2, bool keep_all);

#define UNC_CONFIGS 3 /* config, config1, config2 */

/* The reverse: the event's bits in the config words of Linux's sysfs format and RAW. */
void unc_event_config(const struct unc_event *ev, uint64_t config[UNC_CONFIGS]);

/* As uncore_event_encoding(). */
int unc_names_encoding(struct unc_names *names, unsigned id, struct uncore_encoding *encoding);
/* As uncore_event_sum(). */
int unc_names_sum(struct unc_names *names, unsigned id, struct uncore_sum *sum);
/* The name of the same event as RAW; false: it cannot be expressed. */
bool unc_names_raw(struct unc_names *names, unsigned id, char raw[UNCORE_NAME_MAX + 1]);

#ifdef __cplusplus
}
#endif
#endif
