/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regs.h - carry out register operations.
 *
 * One access path per file, behind one table of functions; no other code opens, reads or writes
 * a device.  This folder does not know events.
 */
#ifndef UNC_REGS_H
#define UNC_REGS_H

#include "base/error.h"
#include "hw/question.h"
#include "hw/topology.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_hw;
struct unc_machine;
struct unc_pmon;

/* The result of an operation: the value read (for an rmw the old one), 0 or -errno. */
struct unc_result {
	uint64_t value;
	int error;
};

/* All return 0 or -errno.  read, write and read_many are signal-safe. */
struct unc_hw_ops {
	int (*read)(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);
	int (*write)(struct unc_hw *hw, const struct unc_op *op, uint64_t value);
	/*
	 * n 64-bit counters in one access: adjacent ones in one PCI device, or up to
	 * unc_hw.batch MSRs of any CPUs.
	 */
	int (*read_many)(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n,
			 uint64_t *values);
	/*
	 * Up to unc_hw.batch MSR operations in order; only called if that is not 0.  After an
	 * error none was carried out, and the caller carries them out one by one.
	 */
	int (*run_many)(struct unc_hw *hw, const struct unc_op *ops, unsigned n,
			struct unc_result *results);
	/*
	 * While the machine is opened: the answer, of which most questions need only the first
	 * word; unc_ask_msr_file() and others below.
	 */
	int (*ask)(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2]);
	/* why an operation failed, with path and remedy */
	void (*explain)(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			size_t len);
	void (*close)(struct unc_hw *hw);
	/* ns on the clock of the counters; NULL: CLOCK_MONOTONIC; signal-safe */
	int64_t (*now)(struct unc_hw *hw);
	/* this thread has blocked all signals, or will unblock them; NULL: not needed */
	void (*signals_blocked)(struct unc_hw *hw, bool blocked);
};

/* Where the registers are. */
enum unc_where {
	UNC_NATIVE,           /* in this computer */
	UNC_MOUNTED,          /* in files of a simulated machine */
	UNC_SIMULATED,        /* in this process */
	UNC_RECORDED,         /* only in a file: a recording of the values read */
	UNC_SERVED,           /* in uncored ... */
	UNC_SERVED_SIMULATED, /* ... which simulates them */
	UNC_CLOSED,           /* in this computer, but only the kernel driver accesses them */
};

struct unc_hw {
	const struct unc_hw_ops *ops;
	const struct unc_topology *topo;
	enum unc_where where;
	bool stepped;   /* time only passes when it is stepped */
	unsigned batch; /* MSRs per access, at most UNC_BATCH_MAX; 0: one by one */
	/* the bits of an MSR that this library may write; NULL: unknown */
	uint64_t (*writable)(const struct unc_machine *machine, const struct unc_op *op);
	const struct unc_machine *machine;
	const struct unc_pmon *pmon; /* the registers that may be written, pmon.h; NULL: none yet */
	int64_t looks;               /* number of reads of a stepped clock; unc_clock(), atomic */
};

/* Whether other processes may use the same registers. */
static inline bool unc_is_shared(const struct unc_hw *hw)
{
	return hw->where == UNC_NATIVE || hw->where == UNC_MOUNTED;
}

/* Whether uncored provides them. */
static inline bool unc_is_served(const struct unc_hw *hw)
{
	return hw->where == UNC_SERVED || hw->where == UNC_SERVED_SIMULATED;
}

/* Whether the counts are not those of this computer. */
static inline bool unc_is_simulated(const struct unc_hw *hw)
{
	return hw->where == UNC_MOUNTED || hw->where == UNC_SIMULATED ||
	       hw->where == UNC_SERVED_SIMULATED;
}

/* Maximum array of operations on the stack of a signal handler. */
#define UNC_BATCH_MAX 64

/* A question whose answer is a number: that, or -errno. */
static inline int unc_ask(struct unc_hw *hw, enum unc_asked asked, unsigned where, uint64_t address,
			  size_t width)
{
	const struct unc_question q = {.asked = (uint8_t)asked,
				       .space = 0,
				       .width = (uint32_t)width,
				       .where = where,
				       .address = address};
	uint64_t answer[2] = {0, 0};
	const int r = hw->ops->ask(hw, &q, answer);

	return r < 0 ? r : (int)answer[0];
}

static inline int unc_ask_msr_file(struct unc_hw *hw, unsigned package)
{
	return unc_ask(hw, UNC_ASKED_MSR_FILE, package, 0, 0);
}

static inline int unc_ask_pci_file(struct unc_hw *hw, unsigned unit)
{
	return unc_ask(hw, UNC_ASKED_PCI_FILE, unit, 0, 0);
}

static inline int unc_ask_mapping(struct unc_hw *hw, unsigned package, uint64_t address,
				  size_t bytes)
{
	return unc_ask(hw, UNC_ASKED_MAPPING, package, address, bytes);
}

/* The size of a BAR of a PCI device that begins at base; 0: unknown. */
static inline uint64_t unc_ask_bar(struct unc_hw *hw, unsigned unit, unsigned bar, uint64_t base)
{
	const struct unc_question q = {
		.asked = UNC_ASKED_BAR, .space = 0, .width = bar, .where = unit, .address = base};
	uint64_t answer[2] = {0, 0};

	return hw->ops->ask(hw, &q, answer) < 0 ? 0 : answer[0];
}

/* The CPUID instruction on a CPU: EAX, EBX, ECX, EDX.  0 or -errno. */
static inline int unc_ask_cpuid(struct unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
				uint32_t regs[4])
{
	const struct unc_question q = {.asked = UNC_ASKED_CPUID,
				       .space = 0,
				       .width = 0,
				       .where = cpu,
				       .address = (uint64_t)leaf << 32 | subleaf};
	uint64_t answer[2] = {0, 0};
	const int r = hw->ops->ask(hw, &q, answer);

	for (unsigned i = 0; r == 0 && i < 4; i++)
		regs[i] = (uint32_t)(answer[i / 2] >> 32 * (i % 2));
	return r;
}

/* For access methods: a number, or -errno, as an answer; and the four registers of CPUID. */
static inline int unc_answer_number(int number, uint64_t answer[2])
{
	answer[0] = number < 0 ? 0 : (uint64_t)number;
	return number < 0 ? number : 0;
}

static inline int unc_answer_cpuid(int result, const uint32_t regs[4], uint64_t answer[2])
{
	for (size_t i = 0; result == 0 && i < 2; i++)
		answer[i] = regs[2 * i] | (uint64_t)regs[2 * i + 1] << 32;
	return result;
}

/* Register files below root ("/" on a real machine). */
struct unc_hw *unc_hw_native(const char *root, const struct unc_topology *topo);

/* The same machine without access to registers: CPUID and text files of the kernel only. */
struct unc_hw *unc_hw_closed(const char *root, const struct unc_topology *topo);

/* UNCORE_EACCESS if the kernel below root forbids all register writes. */
int unc_hw_native_allowed(const char *root, struct unc_err *err);

/*
 * The simulated machine of spec ("sim:..."); fills topo.  NULL with UNCORE_EINVAL or
 * UNCORE_ENOMEM in *code.  In sim.c, or without_sim.c in a build without simulated machines.
 */
struct unc_hw *unc_hw_simulated(const char *spec, struct unc_topology *topo, struct unc_err *err,
				int *code);

struct sim_functions;

/*
 * The simulator: in sim_linked.c, or in sim_opened.c for libuncore.so, which opens a library of its
 * own.  UNCORE_EINVAL: that is missing, or of another version.
 */
struct unc_simulator {
	const struct sim_functions *call;
	void *library;
};

int unc_simulator_open(struct unc_simulator *s, struct unc_err *err);
void unc_simulator_close(struct unc_simulator *s);

/*
 * The end of a message on a computer without an uncore: that a machine can be simulated; or "".
 */
const char *unc_sim_hint(void);

/* For tests: the simulated machine if it is in this process, else NULL. */
struct sim *unc_hw_sim(struct unc_hw *hw);

/*
 * Link number i among the kernel's files of a machine simulated in this process: its path without
 * a slash at the beginning, and where it leads.  false: no more.
 */
bool unc_hw_sim_link(struct unc_hw *hw, size_t i, const char **path, const char **target);

/* The text of one of these files; NULL: it does not exist. */
const char *unc_hw_sim_file(struct unc_hw *hw, const char *path);

/* -ENOSYS: not simulated in this process; else the result of sim_load(). */
int unc_hw_load(struct unc_hw *hw, const struct uncore_load *load);

/* The time of the counters, ns. */
int64_t unc_hw_now(struct unc_hw *hw);

/*
 * A device that does not respond reads as all ones, so such a register is read again.  If a
 * control or filter still reads so: -ENODEV. 0 or -errno.  Signal-safe.
 */
int unc_read_twice(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);
int unc_read_register(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);

/* unc_hw_ops.read_many by single reads, for access methods without a better one. */
int unc_read_each(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n, uint64_t *values);

/*
 * Execute one operation; value is the result of a read or the old value of an rmw.  Here and in
 * the functions below, writes to registers that are not in the map of PMON registers are
 * refused.
 */
int unc_run_op(struct unc_hw *hw, const struct unc_op *op, uint64_t *value);

/*
 * Execute 1 to UNC_BATCH_MAX operations from ops on, in order; with msr-safe, as many as one
 * access can carry out.  Returns how many have a result.  None is begun after one that failed,
 * except in the same batch of msr-safe.
 */
size_t unc_run_some(struct unc_hw *hw, const struct unc_op *ops, size_t n,
		    struct unc_result *results);

/*
 * Execute a list. values, if not NULL, receives the results of reads, in order.  Stops at the
 * first failure and reports it in err with code UNCORE_EIO, UNCORE_EACCESS, UNCORE_ENODEV, or
 * UNCORE_EINVAL for a write that is refused; *done is the number of operations that succeeded
 * before.
 */
int unc_run_list(struct unc_hw *hw, const struct unc_op *ops, size_t n, uint64_t *values,
		 size_t *done, struct unc_err *err);

/* Set the message for an operation that failed with -errno; returns the code. */
int unc_op_failed(struct unc_hw *hw, const struct unc_op *op, int error, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
