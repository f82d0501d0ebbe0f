/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch.h - the counters of each logical CPU that are architectural, that is, defined
 * for all models: registers, fields, events.  SDM vol. 3B 18.2 (19.2
 * in later editions); docs/hardware/core.md.
 */
#ifndef UNC_ARCH_H
#define UNC_ARCH_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- registers ---- */

#define UNC_ARCH_COUNTER     0xc1   /* IA32_PMC0 and up */
#define UNC_ARCH_SELECT      0x186u /* IA32_PERFEVTSEL0 and up */
#define UNC_ARCH_FIXED       0x309  /* IA32_FIXED_CTR0 and up */
#define UNC_ARCH_DEBUGCTL    0x1d9  /* IA32_DEBUGCTL, only read */
#define UNC_ARCH_FIXED_CTRL  0x38d  /* IA32_FIXED_CTR_CTRL; this and the next three: version 2 */
#define UNC_ARCH_STATUS      0x38e  /* IA32_PERF_GLOBAL_STATUS */
#define UNC_ARCH_GLOBAL_CTRL 0x38f  /* IA32_PERF_GLOBAL_CTRL */
#define UNC_ARCH_CLEAR       0x390  /* ..._OVF_CTRL, from version 4 on ..._STATUS_RESET */
#define UNC_ARCH_IN_USE      0x392  /* IA32_PERF_GLOBAL_INUSE: version 4, else another register */

#define UNC_ARCH_VERSION_GLOBAL 2 /* first version with fixed counters and the global registers */
#define UNC_ARCH_VERSION_ANY    3 /* first version with AnyThread */
#define UNC_ARCH_VERSION_RESET  4 /* first version with CTR_FRZ, STATUS_RESET and INUSE */
#define UNC_ARCH_VERSION_LIST   5 /* first version with a list of fixed counters in ECX */

/* ---- fields ---- */

/* IA32_PERFEVTSELn */
#define UNC_ARCH_CODE   UINT32_C(0x0000ffff)
#define UNC_ARCH_USR    UINT32_C(0x00010000)
#define UNC_ARCH_OS     UINT32_C(0x00020000)
#define UNC_ARCH_ANY    UINT32_C(0x00200000)
#define UNC_ARCH_ENABLE UINT32_C(0x00400000)
#define UNC_ARCH_EVENT  UINT32_C(0xff87ffff) /* event, umask, levels, edge, invert, cmask */

/* A counter's four bits of IA32_FIXED_CTR_CTRL; the upper two (AnyThread, PMI) stay 0. */
#define UNC_ARCH_FIXED_BITS 4
#define UNC_ARCH_FIXED_OS   1u
#define UNC_ARCH_FIXED_USR  2
#define UNC_ARCH_FIXED_ALL  15

/* Bit of fixed counter 0 in the global registers. */
#define UNC_ARCH_FIXED_FIRST 32
#define UNC_ARCH_FROZEN      (UINT64_C(1) << 59) /* CTR_FRZ of the status */
#define UNC_ARCH_ENCLAVE     (UINT64_C(1) << 60) /* ASCI of the status */
#define UNC_ARCH_UNCORE      (UINT64_C(1) << 61) /* OvfUncore of the status */

/* ---- events ---- */

#define UNC_ARCH_EVENTS 9 /* rows of arch.def */

struct unc_arch_event {
	struct unc_row row; /* its bits are event select and umask */
	uint8_t lacking; /* bit of CPUID.0AH:EBX that is set if it is missing; NEVER: no such bit */
	int8_t fixed;    /* a fixed counter that can count it; -1: none */
	bool only_fixed; /* only that counter can count it */
};

#define UNC_ARCH_NEVER 32

extern const struct unc_arch_event unc_arch_events[UNC_ARCH_EVENTS];

/* The modifiers of libpfm4's ix86arch; the second list lacks AnyThread. */
extern const struct unc_modifier unc_arch_modifiers[], unc_arch_modifiers_own[];

/* The counters of a machine's CPUs, from CPUID leaf 0xA. */
struct unc_arch {
	uint8_t version;
	uint8_t n_counters; /* programmable counters; fixed counters are numbered after them */
	uint8_t fixed_width;
	uint32_t fixed;   /* bit i: fixed counter i exists */
	uint32_t lacking; /* mask of missing architectural events */
	bool any_thread;
};

#ifdef __cplusplus
}
#endif
#endif
