/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.h - stop after n occurrences: the counter is loaded with 2^width - n, and its
 * overflow stops all boxes of the package (docs/hardware/README.md, "Freeze on overflow").
 * Pure functions, as in plan.h.
 */
#ifndef UNC_PLAN_OVERFLOW_H
#define UNC_PLAN_OVERFLOW_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_SAMPLES 8 /* maximum number of events that stop a set */

/* An event that stops all others after n occurrences, and its only counter. */
struct unc_sample {
	unsigned event; /* index into the list */
	uint64_t n;
	unsigned box, counter;
	const char *polled; /* why its overflow cannot stop the boxes; NULL: it can */
};

struct unc_samples {
	unsigned n;
	uint64_t cores; /* cores that get an interrupt, in the format of the platform's field; 0:
			   none do */
	struct unc_sample at[UNC_SAMPLES];
};

/* Where the overflow of a counter is reported.  The operations are reads. */
struct unc_shows {
	uint64_t box_bit, global_bit; /* 0: no such register, or its layout is unknown */
	uint64_t box_clear,
		global_clear; /* bits to clear before another overflow can stop the boxes */
	struct unc_op box, global;
	uint8_t clear;   /* offset in MSRs of the register that clears the status */
	uint32_t enable; /* bit of the control; 0: the counter cannot report overflows */
};

void unc_shows(const struct unc_machine *machine, unsigned box, unsigned counter,
	       struct unc_shows *out);

/*
 * Find the counters of the samples in a layout, and change their assignments.
 * @return 0; UNCORE_ECOMBO (more than one counter, or too narrow) or UNCORE_EINVAL (cores) with
 * reason
 */
int unc_samples_assign(struct unc_samples *samples, struct unc_layout *layout,
		       const struct unc_machine *machine, const char *const *names, char *reason,
		       size_t len);

/* Whether the hardware stops the package at an event. */
bool unc_samples_stop(const struct unc_samples *samples, const struct unc_machine *machine,
		      unsigned package);

/* The bits of a counter that can be loaded. */
uint64_t unc_preload_bits(const struct unc_box_type *type, unsigned counter);

/* The value that the counter is loaded with; 0 for a polled one. */
uint64_t unc_sample_preload(const struct unc_sample *sample, const struct unc_machine *machine);

/* Read the mode and the selected cores, in each package where they change. */
void unc_samples_save(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine);
/* Set them, before the boxes are unfrozen. */
void unc_samples_mode(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine);
/* Clear the overflow bits of the samples' counters, by writing ones. */
void unc_samples_clear(struct unc_ops *ops, const struct unc_samples *samples,
		       const struct unc_machine *machine);
/* Load the counters; zero: with 0, so that they cannot overflow after they are released. */
void unc_samples_load(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine, bool zero);
/* Restore what was saved: the values are filled in later, in the order of the reads. */
void unc_samples_restore(struct unc_ops *ops, const struct unc_samples *samples,
			 const struct unc_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
