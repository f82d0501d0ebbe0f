/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regs.h - carry out register operations.
 *
 * One access path per file behind one ops struct; nothing else opens, reads or
 * writes a device.  No file here knows what an event is.
 */
#ifndef UNC_REGS_H
#define UNC_REGS_H

#include "base/error.h"
#include "hw/topology.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_hw;
struct unc_machine;
struct unc_pmon;

/* What became of an operation: the value read (of an rmw the old one), 0 or -errno. */
struct unc_result {
	uint64_t value;
	int error;
};

/* All return 0 or -errno.  read, write and read_many are signal-safe. */
struct unc_hw_ops {
	int (*read)(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);
	int (*write)(struct unc_hw *hw, const struct unc_op *op, uint64_t value);
	/*
	 * n counters of 64 bits in one access: some that lie side by side in one PCI
	 * device, or up to unc_hw.batch MSRs, wherever they are.
	 */
	int (*read_many)(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n,
			 uint64_t *values);
	/*
	 * Up to unc_hw.batch operations on MSRs in order; only called if that is not
	 * 0.  An error: none was carried out, do it one by one.
	 */
	int (*run_many)(struct unc_hw *hw, const struct unc_op *ops, unsigned n,
			struct unc_result *results);
	/* the registers of a package's MSRs, or of a PCI device, are about to be used */
	int (*open_msr)(struct unc_hw *hw, unsigned package);
	int (*open_pci)(struct unc_hw *hw, unsigned unit);
	/*
	 * Make registers at a physical address, which belongs to the package,
	 * reachable: the mapping's number, for unc_op.unit.
	 */
	int (*map)(struct unc_hw *hw, unsigned package, uint64_t address, size_t bytes);
	/* how many bytes are behind a BAR of a PCI device that begins at base, 0: unknown */
	uint64_t (*bar_bytes)(struct unc_hw *hw, unsigned unit, unsigned bar, uint64_t base);
	/* the CPUID instruction on a CPU: EAX, EBX, ECX, EDX */
	int (*cpuid)(struct unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4]);
	/* counting is about to start: whatever makes later reads cheap */
	void (*prepare)(struct unc_hw *hw);
	/* why an operation failed, with path and remedy */
	void (*explain)(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			size_t len);
	void (*close)(struct unc_hw *hw);
	/* ns on the clock that the counters go by; NULL: CLOCK_MONOTONIC; signal-safe */
	int64_t (*now)(struct unc_hw *hw);
	/* what the topology left at UNC_NOT_ASKED; NULL where it leaves nothing so */
	int (*core)(struct unc_hw *hw, unsigned cpu);
	int (*near)(struct unc_hw *hw, unsigned unit);
	/* now, what the first access to a register of this very CPU would open; NULL: nothing */
	int (*open_cpu)(struct unc_hw *hw, unsigned cpu);
	/* this thread has blocked all signals, or is about to unblock them; NULL: of no use */
	void (*signals_blocked)(struct unc_hw *hw, bool blocked);
};

/* Where the registers are. */
enum unc_where {
	UNC_NATIVE,           /* in this computer */
	UNC_MOUNTED,          /* in files of a simulated machine */
	UNC_SIMULATED,        /* in this process */
	UNC_RECORDED,         /* nowhere: what was read of them is in a file */
	UNC_SERVED,           /* uncored has them ... */
	UNC_SERVED_SIMULATED, /* ... and simulates them */
	UNC_CLOSED,           /* in this computer, but only the kernel's driver uses them */
};

struct unc_hw {
	const struct unc_hw_ops *ops;
	const struct unc_topology *topo;
	enum unc_where where;
	bool stepped;   /* its time passes only when it is told to */
	unsigned batch; /* MSRs that one access can reach, at most UNC_BATCH_MAX; 0: one by one */
	/* the bits of an MSR of the machine that this library may write; NULL: nobody knows */
	uint64_t (*writable)(const struct unc_machine *machine, const struct unc_op *op);
	const struct unc_machine *machine;
	const struct unc_pmon *pmon; /* what may be written, pmon.h; NULL: nothing yet */
	int64_t looks;               /* at a clock that is stepped; unc_clock(), atomic */
};

/* Other processes may use the same registers. */
static inline bool unc_is_shared(const struct unc_hw *hw)
{
	return hw->where == UNC_NATIVE || hw->where == UNC_MOUNTED;
}

/* uncored answers for them. */
static inline bool unc_is_served(const struct unc_hw *hw)
{
	return hw->where == UNC_SERVED || hw->where == UNC_SERVED_SIMULATED;
}

/* No counts of it are real. */
static inline bool unc_is_simulated(const struct unc_hw *hw)
{
	return hw->where == UNC_MOUNTED || hw->where == UNC_SIMULATED ||
	       hw->where == UNC_SERVED_SIMULATED;
}

/* An array of so many operations fits the stack that signal handlers have. */
#define UNC_BATCH_MAX 64

static inline bool unc_is_msr(const struct unc_op *op)
{
	return op->space == UNCORE_MSR || op->space == UNCORE_CPU;
}

/* Whether two operations go to the same register. */
static inline bool unc_same_register(const struct unc_op *a, const struct unc_op *b)
{
	return a->address == b->address && a->space == b->space && a->package == b->package &&
	       a->unit == b->unit;
}

/* Register files below root ("/" on a real machine). */
struct unc_hw *unc_hw_native(const char *root, const struct unc_topology *topo);

/* The same machine where registers are left alone: CPUID and the kernel's text files only. */
struct unc_hw *unc_hw_closed(const char *root, const struct unc_topology *topo);

/* UNCORE_EACCESS if the kernel below root forbids all register writes. */
int unc_hw_native_allowed(const char *root, struct unc_err *err);

/*
 * The simulated machine that spec ("sim:...") describes; fills topo with what
 * it tells about itself.  NULL with UNCORE_EINVAL or UNCORE_ENOMEM in *code.
 * Of sim.c, or of without_sim.c in a build that has no simulated machines.
 */
struct unc_hw *unc_hw_simulated(const char *spec, struct unc_topology *topo, struct unc_err *err,
				int *code);

/* The end of a sentence for who has no machine: that one can be simulated; or "". */
const char *unc_sim_hint(void);

/* For tests: the machine behind it, NULL unless it is in this process. */
struct sim *unc_hw_sim(struct unc_hw *hw);

/* -ENOSYS: it is not simulated in this process; else what sim_load() returns. */
int unc_hw_load(struct unc_hw *hw, const struct uncore_load *load);

/* What time it is for the counters, ns. */
int64_t unc_hw_now(struct unc_hw *hw);

/*
 * All ones is what a device answers that is gone, if only for a moment: such a register is read
 * again.  Of a control or a filter that is -ENODEV if it helps nothing.  0 or -errno.
 * Signal-safe.
 */
int unc_read_twice(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);
int unc_read_register(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);

/* As unc_hw_ops.read_many, one after the other: for backends that have nothing better. */
int unc_read_each(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n, uint64_t *values);

/*
 * Execute one operation; value is the result of a read or rmw (old value).  A write that
 * the map of PMON registers does not have is refused, here and in the functions below.
 */
int unc_run_op(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);

/*
 * Execute operations from ops on, in order: as many as one access can carry out, 1 to
 * UNC_BATCH_MAX.  Returns how many have a result.  None is begun behind one that
 * failed, unless they were in the same batch: msr-safe carries those out.
 */
size_t unc_run_some(struct unc_hw *hw, const struct unc_op *ops, size_t n,
		    struct unc_result *results);

/*
 * Execute a list.  values, if not NULL, receives what the reads gave, in order.
 * Stops at the first failure and reports it in err with code UNCORE_EIO, UNCORE_EACCESS,
 * UNCORE_ENODEV, or UNCORE_EINVAL for a write that is refused; *done is the number of
 * operations that succeeded before it.
 */
int unc_run_list(struct unc_hw *hw, const struct unc_op *ops, size_t n, uint64_t *values,
		 size_t *done, struct unc_err *err);

/* Say why an operation failed with -errno; returns the code. */
int unc_op_failed(struct unc_hw *hw, const struct unc_op *op, int error, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
