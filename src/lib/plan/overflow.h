/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.h - stop after n occurrences: the counter is loaded with 2^width - n and its
 * overflow stops all boxes of the package (docs/hardware/README.md, "Freeze on overflow").  Pure
 * functions, as in plan.h.
 */
#ifndef UNC_PLAN_OVERFLOW_H
#define UNC_PLAN_OVERFLOW_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_SAMPLES 8 /* events of a list that can stop it */

/* An event that stops all others after n occurrences, and the one counter that it has. */
struct unc_sample {
	unsigned event; /* index into the list */
	uint64_t n;
	unsigned box, counter;
	const char *polled; /* NULL, or why its overflow cannot stop anything */
};

struct unc_samples {
	unsigned n;
	uint64_t cores; /* that get an interrupt, as the platform's field has them; 0: none */
	struct unc_sample at[UNC_SAMPLES];
};

/* Where the overflow of a counter shows.  The operations are reads. */
struct unc_shows {
	uint64_t box_bit, global_bit; /* 0: there is no such register, or its layout is unknown */
	uint64_t box_clear, global_clear; /* to be cleared before another one stops the boxes */
	struct unc_op box, global;
	uint8_t clear;   /* what is written goes so many MSRs further on */
	uint32_t enable; /* bit of the control, 0: the counter cannot tell of overflows */
};

void unc_shows(const struct unc_machine *machine, unsigned box, unsigned counter,
	       struct unc_shows *out);

/*
 * Find the samples' counters in a layout, and mark the assignments that have to differ.
 * @return 0; UNCORE_ECOMBO (not one counter, or not so wide) or UNCORE_EINVAL (cores) with reason
 */
int unc_samples_assign(struct unc_samples *samples, struct unc_layout *layout,
		       const struct unc_machine *machine, const char *const *names, char *reason,
		       size_t len);

/* Some event is stopped by hardware in the package. */
bool unc_samples_stop(const struct unc_samples *samples, const struct unc_machine *machine,
		      unsigned package);

/* The bits of a counter that can be loaded. */
uint64_t unc_preload_bits(const struct unc_box_type *type, unsigned counter);

/* What the counter is loaded with; of a polled one 0. */
uint64_t unc_sample_preload(const struct unc_sample *sample, const struct unc_machine *machine);

/* Read the mode and the choice of cores, of each package that they are changed in. */
void unc_samples_save(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine);
/* Set them: before the boxes are let go. */
void unc_samples_mode(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine);
/* Clear the overflow bits of the samples' counters, by writing ones. */
void unc_samples_clear(struct unc_ops *ops, const struct unc_samples *samples,
		       const struct unc_machine *machine);
/* Load the counters; zero: with 0, so that nothing overflows that is somebody else's. */
void unc_samples_load(struct unc_ops *ops, const struct unc_samples *samples,
		      const struct unc_machine *machine, bool zero);
/* Put back what was saved: values are to be filled in, in the order of the reads. */
void unc_samples_restore(struct unc_ops *ops, const struct unc_samples *samples,
			 const struct unc_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
