/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore.h - count Intel Xeon uncore events through the native PMON registers.
 *
 * This header has everything a program needs to count.  uncore_inspect.h describes the machine,
 * its events and plans; uncore_marker.h has macros for regions of code.  Compiles as C99 and later
 * and as C++98 and later.
 *
 *	struct uncore *u;
 *	unsigned ev;
 *	struct uncore_set *set;
 *	int64_t n;
 *
 *	uncore_open(&u, NULL);
 *	uncore_event(u, "UNC_M_CAS_COUNT:RD", &ev);
 *	uncore_set_create(u, &set);
 *	uncore_set_assign(set, &ev, 1);
 *	uncore_set_start(set);
 *	...
 *	uncore_set_read(set, &n);
 *
 * The following holds for all functions unless their description says otherwise.
 *
 * Errors: a function returns 0 on success or a negative enum uncore_error.  uncore_errmsg()
 * returns the message, which names the object, the cause and the remedy.  The library never calls
 * exit() and never prints, except for the functions of uncore_marker.h, which report errors on
 * standard error.
 *
 * Iteration: uncore_something(u, i, &info) returns 1 and describes entry i, returns 0 if i is past
 * the last entry, or returns a negative error.  Call it with i = 0, 1, ... until it returns 0.
 *
 * Sizes: a struct that the caller allocates begins with its size, which UNCORE_INIT() sets.  The
 * library never reads or writes beyond that size, so that a program and a library of different
 * versions work together.  If the program is newer than the library, members the library does not
 * know must be 0 in structs passed to it, and are 0 in structs it fills.  In an array, the size of
 * the first element applies to all elements.  An invalid size (0, smaller than the struct in its
 * first version, or larger than 16 KiB) is UNCORE_EINVAL.  A signal-safe function stays
 * signal-safe except when it reports an invalid size.
 *
 * Strings that a function returns remain valid until uncore_close().
 *
 * Threads: "any" means that any thread may call the function, also while other threads call
 * functions on the same handle or set.  "Signal-safe" means that signal handlers may call it.  A
 * function that is not marked so must not be called from a signal handler.  "Blocks signals" means
 * that signals are blocked in the calling thread during the call.
 *
 * Cancellation: pthread_cancel() leaves the handle and the registers usable for other threads.  A
 * function that has taken a lock or begun to change a register completes before the thread ends.
 * A read or peek may be cancelled midway, and its values are then lost.  This holds for deferred
 * cancellation, which is the default; with PTHREAD_CANCEL_ASYNCHRONOUS a thread may end at any
 * instruction and nothing is guaranteed.
 */
#ifndef UNCORE_H
#define UNCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define UNCORE_API as empty to hide the functions when linking the library into another one. */
#ifndef UNCORE_API
#if defined(__GNUC__)
#define UNCORE_API __attribute__((visibility("default")))
#else
#define UNCORE_API
#endif
#endif

/**
 * Set all members of a struct of this library to 0 and its size member to its size.  This is a
 * statement; in C99 and C++20, the initializer `= {.size = sizeof(x)}` does the same.
 */
#define UNCORE_INIT(x) ((void)memset(&(x), 0, sizeof(x)), (void)((x).size = sizeof(x)))

/** Maximum length of an event name, without the "uncore:::" prefix and the final NUL. */
#define UNCORE_NAME_MAX 100

/** Size in bytes of a buffer that holds every message of uncore_errmsg(). */
#define UNCORE_ERRMSG_MAX 1024

enum uncore_error {
	UNCORE_OK = 0,
	UNCORE_EINVAL = -1,    /**< invalid argument */
	UNCORE_ENOMEM = -2,    /**< out of memory or threads */
	UNCORE_ENOEVENT = -3,  /**< unknown event, box kind or PMU name */
	UNCORE_EATTR = -4,     /**< unknown, missing or invalid umask or qualifier */
	UNCORE_ECOMBO = -5,    /**< the parts are valid, but their combination is not */
	UNCORE_ENODEV = -6,    /**< the machine lacks the box, package or device */
	UNCORE_ENOSUPP = -7,   /**< unsupported CPU, virtual machine or operation */
	UNCORE_EACCESS = -8,   /**< no access to the registers: permissions, module, lockdown */
	UNCORE_ECONFLICT = -9, /**< the events cannot be counted at the same time */
	UNCORE_EBUSY = -10,    /**< the counter is in use by another process or handle */
	UNCORE_EIO = -11,      /**< a register access failed, or the device does not respond */
	UNCORE_ESTATE = -12,   /**< the set must be running, or must not be */
	UNCORE_ESTOLEN = -13,  /**< another program changed a counter while it was counting */
	UNCORE_EFORK = -14     /**< the object belongs to the parent process */
};

struct uncore;
struct uncore_set;

/**
 * Options of uncore_open().  A member that is 0 or NULL takes its value from the environment
 * variable named in its description, or else the default.  A privileged program (setuid, setgid,
 * file capabilities) ignores these variables except UNCORE_WRAP_POLLER, and uncore_warning()
 * reports it.
 */
struct uncore_options {
	size_t size; /**< set by UNCORE_INIT(), here and in all structs */
	/**
	 * UNCORE_MACHINE: "native" (default); "sim:NAME[:key=value,...]", a simulated machine;
	 * "file:FILE", a recording (uncore_record()), which cannot count; or
	 * "file:FILE:simulate", a simulated machine like the recorded one
	 */
	const char *machine;
	const char *sysroot; /**< UNCORE_SYSROOT: root directory of all files read, default "/" */
	/** UNCORE_WRAP_POLLER: 1 on (default), -1 off (in the environment: 0) */
	int wrap_poller;
	int force; /**< UNCORE_FORCE: 1 uses counters even if another program enabled them */
	const char *event_files; /**< UNCORE_EVENT_FILES: Intel's event lists, FILE[:FILE...] */
	int event_files_force;   /**< UNCORE_EVENT_FILES_FORCE: 1 accepts lists for other CPUs */
	/**
	 * UNCORE_PARTIAL: 1 permits sums that lack boxes the library could not reach (permissions
	 * of one file, too many open files, ...); uncore_machine_info.partial and
	 * uncore_warning() report it.  By default, events that need such a sum are refused.
	 */
	int partial;
	/**
	 * UNCORE_JOURNAL: directory in which processes record the registers they use; default
	 * /run/uncore; "none" disables the journal.  The directory must belong to root or the
	 * caller and must not be writable by others.
	 */
	const char *journal;
	/**
	 * UNCORE_SHARE: "refuse" (default): starting a set fails if another process uses its
	 * counters.  "owner": counters already used by another process of this user are counted
	 * by that process only and read as 0 here, so that sums over all processes of a job on a
	 * node are correct.
	 *
	 * If neither is set, and a launcher (Open MPI, Hydra, srun) reports several ranks of one
	 * step on this node, one rank counts an event and the others read 0, by any
	 * access method.  When it stops or ends, another one counts on from its next read.  The
	 * rank that counts prints that to standard error, once.
	 */
	const char *share;
	/**
	 * UNCORE_LOCK_TIMEOUT: time in ms for which starting or stopping a set waits while another
	 * process claims or releases counters: 1 to 3600000, default 5000; -1 (in the environment:
	 * 0) fails at once
	 */
	int lock_timeout_ms;
	int record; /**< 1: keep what uncore_open() reads, for uncore_record() */
	/**
	 * 1: use one reader thread per package, so that the MSRs of all packages are read at the
	 * same time where that is faster.  For processes that read often on behalf of others.
	 * Reads are then not signal-safe.
	 */
	int readers;
	/**
	 * UNCORE_ACCESS: access method.  "direct": this process accesses the registers.  "daemon":
	 * uncored counts on behalf of unprivileged users (docs/daemon.md).  "kernel": the kernel's
	 * uncore driver counts, for users who may use perf (docs/kernel.md).  "auto" (default): the
	 * daemon if it is usable, else direct access, else the kernel's driver.  Simulated and
	 * recorded machines support only direct access.
	 */
	const char *access;
	const char *daemon; /**< UNCORE_DAEMON: socket of uncored, default /run/uncored/socket */
};

/**
 * Identify the machine and detect its boxes.  Reads files below the root directory and
 * identification registers; changes no register.
 *
 * @param out      receives the handle, NULL if memory is exhausted.  After a failure all functions
 *                 return its error, or NULL or 0, except uncore_errmsg(), uncore_record(),
 *                 uncore_close() and those that describe the machine as far as it was found
 * @param options  NULL for all defaults
 * @return 0; UNCORE_ENOSUPP (unsupported CPU or virtual machine); UNCORE_EACCESS (no register
 *         device is accessible, or the journal directory that was named has unsafe permissions);
 *         UNCORE_EINVAL (unknown machine name, event file damaged or for another CPU, invalid
 *         option, size); UNCORE_ENOMEM.  With access "daemon" also UNCORE_ENODEV (no uncored
 *         listens on the socket), UNCORE_EIO (uncored cannot be reached or does not answer) and
 *         UNCORE_EBUSY (uncored has reached its limit of clients).  With access "kernel" also
 *         UNCORE_ENODEV (the kernel has no uncore PMU for this CPU)
 *
 * Threads: any; reads the environment.
 * Implements: design.md 1, 14, 15, 26; docs/hardware/.
 */
UNCORE_API int uncore_open(struct uncore **out, const struct uncore_options *options);

/**
 * Stop all sets, restore every register that was changed, and free the handle with all its sets.
 * Sets are stopped as by uncore_set_stop(), including its waits.  Registers that an earlier stop
 * could not restore are tried again; those that still cannot be restored stay in the journal, and
 * the next start of a set in any process, or `uncore restore`, restores them.
 *
 * In a forked child this only frees memory and touches no register.
 *
 * dlclose() of the library closes every open handle in this way: no file, mapping or thread of the
 * library remains.  At exit(), every open handle stops its sets and restores its registers, but
 * stays valid for threads and exit handlers that still use it.
 *
 * Threads: no other call on this handle may be in progress.
 */
UNCORE_API void uncore_close(struct uncore *u);

/**
 * Copy the message of the last call on this handle that failed in this thread, or in any thread if
 * none failed in this one.  Messages are kept for the four threads whose calls failed last.
 *
 * @param u    NULL: uncore_open() had no memory for a handle
 * @param buf  buffer for the message
 * @param len  its size in bytes; if len > 0, the message is NUL-terminated, truncated if need be
 * @return buf
 *
 * Threads: any.
 */
UNCORE_API char *uncore_errmsg(struct uncore *u, char *buf, size_t len);

/** Describe an error code in general, without context.  Threads: any.  Signal-safe. */
UNCORE_API const char *uncore_strerror(int code);

/**
 * Version of the loaded library, such as "0.2", as a static string.  Never fails.  Threads: any.
 * Signal-safe.
 */
UNCORE_API const char *uncore_version(void);

/* ---- events ---- */

/** The verdict of an erratum; docs/events.md, "Errata". */
enum uncore_verdict {
	UNCORE_NO_ERRATUM, /**< nothing is known */
	UNCORE_WRONG,
	UNCORE_UNDERCOUNTS,
	UNCORE_OVERCOUNTS,
	UNCORE_ONLY_WITH, /**< right only with the code or the condition that the text names */
	UNCORE_UNVERIFIED /**< sources disagree, or a report leaves the cause open */
};

struct uncore_event_info {
	size_t size;
	const char *name;       /**< canonical name without prefix, at most UNCORE_NAME_MAX */
	char brief[64];         /**< beginning of the description */
	char text[1024];        /**< description; with umasks: "EVENT'S, masks:UMASK'S" */
	char units[16];         /**< "cycles", "events", "entries", "lines", "flits" */
	const char *kind;       /**< box kind, such as "cbo"; "core" for counters of the CPUs */
	const char *kind_title; /**< description of the box kind */
	bool exact; /**< false for a listed event that is counted with a default umask */
	/**
	 * The counts are doubles, see uncore_real(): means over the time since start or reset, or
	 * NaN if nothing was counted that a mean could be formed of.
	 */
	bool real;
	char formula[640]; /**< of a metric: the events it is computed from; else "" */
	/** Intel lists the event, or its last umask, as experimental.  It counts like any other. */
	bool experimental;
	/** The event, or an event of the metric, counts energy: docs/permissions.md, "Energy" */
	bool energy;
	/** Of the event; of a metric, of the first of its events that has one */
	enum uncore_verdict verdict;
	const char *erratum;      /**< verdict and finding, or NULL */
	const char *instead;      /**< what to use instead, or NULL */
	const char *source;       /**< of the erratum: document, commit, thread; or NULL */
	unsigned description_len; /**< of text: the rest has defaults, counts and formula */
	unsigned formula_at;      /**< where the formula of a metric begins in text, or 0 */
	unsigned umasks_at;       /**< where text begins to describe the last umask, or 0 */
};

/** Convert a count of an event that is `real` to its value.  Threads: any.  Signal-safe. */
static inline double uncore_real(int64_t count)
{
	double value;

	memcpy(&value, &count, sizeof(value));
	return value;
}

/**
 * Translate an event name into an event number of this handle.
 *
 * Syntax (docs/events.md): ["uncore:::"] [PMU "::"] EVENT {":" part}.  A part is a umask, a libpfm4
 * modifier (e, i, t, tf, cf, nf, ff = number), box=N, pkg=N or cpu=N.  box= and pkg= also accept
 * lists and ranges, such as "box=0-3,8" or "box=0_3.8", for the sum over these boxes or packages
 * (uncore_event_part() lists the parts).  PMU::RAW:config=N[:config1=N[:config2=N]] accepts the
 * config values of Linux's perf for the PMU of that name.  Parts may be in any
 * order, and numbers decimal or hexadecimal (0x).  Letter case is ignored except where it is the
 * only difference between a umask (:E) and a modifier (:e).
 *
 * @param name  at most UNCORE_NAME_MAX characters after the prefix
 * @param id    receives the number, from 0 to 2^31 - 1; every spelling of an event has the same
 *              number.  Valid until uncore_close()
 * @return 0, UNCORE_ENOEVENT, UNCORE_EATTR, UNCORE_ECOMBO, UNCORE_ENODEV, UNCORE_EINVAL (name too
 *         long or with invalid characters), UNCORE_ENOMEM.  The message names the invalid part and
 *         suggests similar names.  Also UNCORE_EACCESS, UNCORE_EIO, UNCORE_ENODEV or
 *         UNCORE_ENOMEM if the sum would lack a box that could not be reached
 *         (uncore_options.partial); the message has the reason
 *
 * Threads: any, but this calls libpfm4, which is not thread-safe: no other thread may use libpfm4
 * during the call.
 */
UNCORE_API int uncore_event(struct uncore *u, const char *name, unsigned *id);

/** Canonical name of an event number, or NULL if the number is unknown.  Threads: any. */
UNCORE_API const char *uncore_event_name(struct uncore *u, unsigned id);

/**
 * Describe an event.
 * @return 0 or UNCORE_EINVAL (unknown number, size).  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_info(struct uncore *u, unsigned id, struct uncore_event_info *info);

/* ---- counting ---- */

/** Create an empty set.  @return 0 or UNCORE_ENOMEM.  Threads: any. */
UNCORE_API int uncore_set_create(struct uncore *u, struct uncore_set **out);

/** Stop a set if it is running, and free it.  Threads: no other call on the set may be in
 * progress. */
UNCORE_API void uncore_set_destroy(struct uncore_set *set);

/**
 * Replace the events of a set.  Checks that the events fit together and with the sets that are
 * running now.  Touches no register except those that uncore_restore() still has to restore.  On
 * failure the set keeps its previous events.
 *
 * @param ids  n event numbers; the same number may occur more than once
 * @return 0, UNCORE_ECONFLICT (the message names the smallest conflicting subset), UNCORE_ENODEV,
 *         UNCORE_ESTATE (the set is running or has regions), UNCORE_EINVAL, UNCORE_ENOMEM
 * Threads: any.
 */
UNCORE_API int uncore_set_assign(struct uncore_set *set, const unsigned *ids, size_t n);

/**
 * Claim the counters, program them and start counting from zero.  Counters that other sets of this
 * handle use for the same event are shared and keep running undisturbed.
 *
 * First, registers are restored that processes have left changed in the packages concerned when
 * they ended; uncore_warning() then reports it and uncore_restored() lists the registers.  While
 * another process claims or releases counters in these packages, the call waits, at most for
 * uncore_options.lock_timeout_ms.
 *
 * @return 0, UNCORE_ECONFLICT (with a set that was started after the events were assigned),
 *         UNCORE_EBUSY (another process, handle or tool uses a box that is needed, or the time
 *         limit was exceeded: the message names program, process and user if they are known),
 *         UNCORE_EACCESS, UNCORE_ENODEV, UNCORE_EIO (also if a register could not be restored after
 *         an earlier set, see uncore_restore(), or if the journal cannot be written),
 *         UNCORE_ECOMBO (a mean or ratio with UNCORE_SHARE=owner), UNCORE_ESTATE (the set is
 *         running or empty), UNCORE_EFORK, UNCORE_ENOMEM.  On failure, every register that was
 *         changed is restored
 * Threads: any.  Blocks signals except while it waits.  Implements: design.md 8, 26.
 */
UNCORE_API int uncore_set_start(struct uncore_set *set);

/**
 * Read the counts since start or reset, in the order of the events.  Makes one register access per
 * counter, takes no lock and allocates no memory.  For a stopped set, and for any set in a forked
 * child, it returns the last counts.
 *
 * @param values  array with one element per event; receives counts, which are never negative
 * @return 0 or UNCORE_EIO (a register could not be read: the message names it, and values receives
 *         the last valid counts)
 * Threads: any, also while another thread stops the set.  Signal-safe.
 */
UNCORE_API int uncore_set_read(struct uncore_set *set, int64_t *values);

/**
 * As uncore_set_read(), and report the time the counts cover: from start or reset until the
 * counters were read or stopped.  Divide counts by this time to get rates; a clock read by the
 * caller also includes register programming and time in which the caller was not scheduled.
 *
 * A read that was interrupted is repeated up to twice.  The middle between the first and the last
 * register access is then within 20 us, or twice the duration of a read if that is longer.
 *
 * @param values  as in uncore_set_read()
 * @param ns      receives the time in ns, never negative; NULL: as uncore_set_read()
 * @return as uncore_set_read()
 * Threads, signals: as uncore_set_read().
 */
UNCORE_API int uncore_set_read_timed(struct uncore_set *set, int64_t *values, int64_t *ns);

/**
 * Check that a running set still has its counters: read back the control registers and the filter
 * bits that it has written.  For programs that read for a long time and should not have to wait for
 * uncore_set_stop() to learn that another program has changed a counter.
 *
 * Each fault is reported once, and again only if the register was correct or readable in between.
 * A multiplexed set checks its registers at the end of each window; the first fault of a run is
 * reported.
 *
 * @return 0 (also for a stopped set and in a forked child), UNCORE_ESTOLEN, UNCORE_EIO (a register
 *         could not be read), UNCORE_ENOMEM
 * Threads: any.  The first call after a start takes the handle's lock and allocates memory.  Later
 * calls are signal-safe, except for multiplexed sets and with access through uncored.
 */
UNCORE_API int uncore_set_check(struct uncore_set *set);

/**
 * Restart counting from zero.  Only the baseline of this set changes; no register is written.  If
 * this thread's last read of the set ended less than 20 us ago, its counts become the baseline, so
 * that a read followed at once by a reset loses nothing.  Otherwise, also if the thread is
 * interrupted between the two, the registers are read again, and what was counted since the
 * previous read is part of no interval.
 *
 * @return as uncore_set_read().  Threads, signals: as uncore_set_read().
 */
UNCORE_API int uncore_set_reset(struct uncore_set *set);

/**
 * Stop counting and keep the counts for uncore_set_read().  Boxes that no other set uses are
 * frozen, and their registers are restored.  Stopping a stopped set succeeds and has no effect.
 *
 * While another process claims or releases counters in these packages, the call waits, at most for
 * uncore_options.lock_timeout_ms, and then stops regardless.  The set keeps counting meanwhile.
 *
 * @return 0; UNCORE_ESTOLEN (another program changed a counter, or froze its box or package and
 *         did not release it before the stop, where that can be detected: the message names the
 *         register, the set is stopped and its counts are unreliable); UNCORE_EIO, UNCORE_EACCESS
 *         or UNCORE_ENODEV (an access failed: the message names the register); UNCORE_ENOMEM
 *         (counters were read without a freeze; registers are restored)
 * Threads: any.  Blocks signals except while it waits.
 */
UNCORE_API int uncore_set_stop(struct uncore_set *set);

/**
 * Retry restoring the registers that could not be restored when sets were stopped.
 *
 * If an access fails while a set is being stopped, it is retried at once.  If it fails again,
 * uncore_set_stop() returns the error, and the library retries at the next call on this handle
 * that starts, stops or changes a set, in uncore_close(), and at exit().  A register whose value
 * has changed by then is assumed to be in use by another program and left as it is.  Until the
 * register is restored, sets that need it cannot be started.
 *
 * This function makes the same attempt and reports what is left.  Call it before uncore_close(),
 * which cannot report an error.  Registers that are still not restored stay in this process's
 * journal for the next start of a set in any process.
 *
 * This concerns registers that this handle changed; uncore_recover() restores those of processes
 * that have ended.
 *
 * @return 0 (all registers are restored); UNCORE_EACCESS, UNCORE_EIO or UNCORE_ENODEV (the message
 *         names the first register that is not, its current value and the value to restore);
 *         UNCORE_EFORK
 * Threads: any.  Blocks signals.
 */
UNCORE_API int uncore_restore(struct uncore *u);

/* ---- stopping at a count ---- */

/** An event that stops its set when it has reached a count. */
struct uncore_stop_after {
	size_t size;    /**< of the first element, which applies to all */
	unsigned event; /**< index into the events of the set */
	uint64_t count; /**< at most 2^width - 1 by hardware, 2^63 - 1 by polling */
};

/**
 * Make a set stop by itself when an event reaches a count.
 *
 * Each event in the list must be counted by exactly one counter of the machine; name its box and
 * package if there are several.  This counter is preloaded with 2^width - count, and its overflow
 * makes the hardware freeze every box of the package within a fraction of a microsecond.
 * Occurrences until the freeze are included in the counts, so counts are exact and that of the
 * event may exceed `count`.  Where hardware does not support this (see
 * uncore_set_stop_after_info()), uncore_set_wait() polls the counter and stops the set, which takes
 * longer.  uncore_set_wait() also stops the set's boxes in other packages.  Free-running counters
 * and counters of the CPUs keep counting until the set is stopped.
 *
 * While such a set is running, no other set can count in its packages.
 *
 * @param n      number of elements in list, 0 to 8; 0 removes the limits.  Assigning other events
 *               removes them, too
 * @param cores  mask of the package's cores that receive an interrupt, in the platform's format;
 *               must be 0 unless the kernel handles this interrupt
 * @return 0, UNCORE_ECOMBO (more than one counter, or the count exceeds its width), UNCORE_EINVAL
 *         (invalid event index or cores, size), UNCORE_ESTATE (running), UNCORE_ENOMEM,
 *         UNCORE_EFORK
 * Threads: any.  Blocks signals.  Implements: design.md 20, docs/hardware/README.md,
 * "Freeze on overflow".
 */
UNCORE_API int uncore_set_stop_after(struct uncore_set *set, const struct uncore_stop_after *list,
				     size_t n, uint64_t cores);

/**
 * Wait until a set has stopped by itself.  The set stays started with its counters frozen.  Reads
 * the counters of the events in the list periodically and changes no counter.
 *
 * @param timeout_ms  timeout in ms; 0: do not wait; negative: no timeout
 * @return 1 (stopped by itself), 0 (timeout), UNCORE_ESTATE (not running, or without
 *         uncore_set_stop_after()), UNCORE_EIO, UNCORE_EACCESS or UNCORE_ENODEV (an access failed),
 *         UNCORE_EFORK
 * Threads: any, also while another thread stops the set.
 */
UNCORE_API int uncore_set_wait(struct uncore_set *set, int timeout_ms);

/**
 * Resume a set that has stopped by itself, until an event has reached its count once more.  Counts
 * continue from their current values.
 *
 * @return as uncore_set_start(); after a failure, call uncore_set_stop()
 * Threads: any.  Blocks signals.
 */
UNCORE_API int uncore_set_rearm(struct uncore_set *set);

/* ---- multiplexing ---- */

/** Minimum and recommended multiplexing interval, in us. */
#define UNCORE_MULTIPLEX_MIN_US 1000
#define UNCORE_MULTIPLEX_US     10000

/**
 * Enable multiplexing: if the events assigned do not fit on the counters, they are split into
 * groups that are counted one after another, each for one window.  Counts are extrapolated from
 * the windows to the whole time and are therefore estimates, which never decrease
 * (docs/accuracy.md describes their error).  Events that do not compete for a counter are counted
 * all the time and are exact.  A set that fits on the counters is not multiplexed.
 *
 * A thread of the library switches the groups.  Running sets with the same events share their
 * windows.
 *
 * @param interval_us  mean length of a window in us, at least UNCORE_MULTIPLEX_MIN_US; the lengths
 *                     vary so that windows do not synchronize with periodic traffic.  0 disables
 *                     multiplexing (default): events must fit
 * @return 0, UNCORE_EINVAL (interval too short), UNCORE_ESTATE (running), UNCORE_ECONFLICT
 *         (disabling, but the events assigned do not fit), UNCORE_ENOMEM
 *
 * If a group cannot be counted (for example, because another process took a counter), the other
 * groups are still counted, and uncore_set_stop() reports the error.
 * Threads: any.  Implements: design.md 19.
 */
UNCORE_API int uncore_set_multiplex(struct uncore_set *set, unsigned interval_us);

/**
 * As uncore_set_assign(), with groups of events that are always counted in the same windows, as in
 * a perf event group.  Group events whose ratio or difference is of interest.  The events of a
 * metric are always grouped.
 *
 * @param groups  n group numbers, 1 to n, one per event; events with the same number form a group,
 *                0: no group.  NULL: as uncore_set_assign()
 * @return as uncore_set_assign(); also UNCORE_EINVAL (a number greater than n).  Threads: any.
 */
UNCORE_API int uncore_set_assign_groups(struct uncore_set *set, const unsigned *ids,
					const unsigned *groups, size_t n);

/** Times and error of one event's count. */
struct uncore_times {
	size_t size;        /**< of the first element, which applies to all */
	int64_t enabled_ns; /**< time in ns for which the set has been running */
	int64_t running_ns; /**< part of it in which the event was counted; less if multiplexed */
	/** what was counted in running_ns, regardless of uncore_set_reset(); 0 if the event is
	 * `real` */
	int64_t count;
	/** standard error of the estimate: of an event in counts, of a metric in its unit; 0 if it
	 * was counted all the time; or a negative value: UNCORE_ERROR_UNKNOWN or
	 * UNCORE_ERROR_NO_WINDOW */
	double error;
	/** time in ns by which the estimate may be ahead or behind, because it is not known better
	 * when a window began or ended: relevant to the difference of two reads; 0 if stopped */
	double shift_ns;
};

/** The error of the estimate is unknown: there was only one window, or there is no value. */
#define UNCORE_ERROR_UNKNOWN (-1.0)
/** No window's length was measured to within 0.5 %: the estimate itself is unreliable, too. */
#define UNCORE_ERROR_NO_WINDOW (-2.0)

/**
 * Report for how much of the time each event was counted, in the order of the events: in the
 * current run, or for a stopped set in the last one.  Without resets, the count of
 * uncore_set_read() is approximately count * enabled_ns / running_ns.
 *
 * @param times  array with one element per event; set the size of the first element, and the sizes
 *               of all elements are filled in
 * @return as uncore_set_read(); also UNCORE_EINVAL (size).  Threads, signals: as
 *         uncore_set_read().
 */
UNCORE_API int uncore_set_times(struct uncore_set *set, struct uncore_times *times);

/* ---- counter wraps ---- */

/**
 * Read every running counter and extend it to 64 bits, as the wrap poller thread does.  For
 * programs that disable the wrap poller: call it at least every
 * uncore_machine_info.wrap_interval_ms.
 *
 * @return 0 or UNCORE_EIO (a register could not be read: the message names it; the others were
 *         read).  Threads: any.  Signal-safe.
 */
UNCORE_API int uncore_poll_wraps(struct uncore *u);

/** Why counts may be too low although every read succeeded. */
struct uncore_missed_wrap {
	size_t size;
	unsigned event;     /**< index into the events of the set */
	bool jumped;        /**< a counter advanced by more than it can count in the elapsed time */
	uint64_t unseen_ms; /**< longest time in ms between two reads of a counter of the event */
	uint64_t wrap_ms;   /**< shortest time in ms in which that counter can wrap */
};

/**
 * Check whether a counter of the set may have wrapped unnoticed since start or reset.
 *
 * A wrap can be missed if a counter is not read (by a read of any set, the wrap poller or
 * uncore_poll_wraps()) for the time in which it can count its whole width: if the wrap poller is
 * disabled, or while the process is stopped.  Counts are then too low by a multiple of the
 * counter's range (2^44, 2^48, ...).
 *
 * For a running set, the time since the last read is taken into account; for a stopped set the
 * result is that at its stop.  The wrap time assumes the box's largest increment in every cycle of
 * a 5 GHz clock, so a result of 1 does not prove that a wrap was missed.
 *
 * @param missed_wrap  receives the worst case; if no wrap was missed, the counter that came closest
 *                     or zeros.  uncore_missed_wrap_text() formats it as a message
 * @return 1 (a wrap may have been missed), 0 (none was), UNCORE_EINVAL (size)
 * Threads: any.  Signal-safe.  Implements: design.md 11, docs/hardware/README.md, "Wraps".
 */
UNCORE_API int uncore_set_missed_wrap(struct uncore_set *set,
				      struct uncore_missed_wrap *missed_wrap);

/* ---- counts without register access ---- */

/** Minimum interval of uncore_set_refresh(), in us. */
#define UNCORE_REFRESH_MIN_US 10000

/**
 * Make uncored read a set at a fixed interval while it is running, for uncore_set_peek().  Any
 * number of monitoring programs can then get counts without a system call.
 *
 * @param interval_us  interval in us, at least UNCORE_REFRESH_MIN_US; 0: off (default).  It is kept
 *                     when other events are assigned
 * @return 0, UNCORE_EINVAL (interval too short), UNCORE_ESTATE (running), UNCORE_ENOSUPP (the
 *         access method of this handle is not "daemon")
 * Threads: any.  Implements: docs/daemon.md.
 */
UNCORE_API int uncore_set_refresh(struct uncore_set *set, unsigned interval_us);

/**
 * Get the most recent counts without reading a register or making a system call: those read by
 * uncored if uncore_set_refresh() is enabled, else those of the last uncore_set_read() or
 * uncore_set_read_timed() of any thread of this process.
 *
 * @param values  as in uncore_set_read()
 * @param age_ns  receives the age of the counts in ns by CLOCK_MONOTONIC; may be NULL.  It exceeds
 *                the interval if uncored has ended or is overloaded
 * @return 0, UNCORE_ESTATE (the set is not running, or has not been read since its start),
 *         UNCORE_EIO (the page of counts that uncored shares is damaged).  There is no message
 * Threads: any.  Signal-safe.
 */
UNCORE_API int uncore_set_peek(struct uncore_set *set, int64_t *values, int64_t *age_ns);

/* ---- regions ---- */

/** Maximum length of a region's name, without the final NUL. */
#define UNCORE_REGION_NAME_MAX 100

/** Maximum number of regions per set. */
#define UNCORE_REGIONS_MAX 1024

/**
 * Create a region, a named part of the program, or look it up by its name.  A region accumulates
 * what the set counts between uncore_region_begin() and uncore_region_end().
 *
 * Uncore counters belong to a package and cannot attribute counts to threads.  A region therefore
 * counts while at least one thread is inside, from the first begin to the last end, and each
 * occurrence once.  Its counts never exceed those of the set; there are no counts per thread to add
 * up.  They include what other threads and processes cause meanwhile.
 *
 * Regions may be nested and may overlap in any way.  Each accumulates everything counted while it
 * is open, so nested regions count the same occurrences and their sum is meaningless.  If a region
 * is begun again before it has ended, by the same or another thread, it stays open until the last
 * end.  Regions are identified by their names only, not by their nesting.
 *
 * A set that has regions cannot be assigned other events (uncore_set_assign()).  Starting,
 * stopping and resetting the set do not change the counts of its regions.
 *
 * @param name  1 to UNCORE_REGION_NAME_MAX printable ASCII characters
 * @param id    receives the region's number; regions are numbered from 0 in the order of creation
 * @return 0, UNCORE_EINVAL (invalid name, or the set has more than 256 events), UNCORE_ESTATE (no
 *         events are assigned), UNCORE_ENOMEM (out of memory, or UNCORE_REGIONS_MAX reached),
 *         UNCORE_EFORK
 * Threads: any.  The lookup of an existing region takes no lock and is signal-safe.
 */
UNCORE_API int uncore_region(struct uncore_set *set, const char *name, unsigned *id);

/**
 * Enter a region.  If no thread is inside, the set is read as by uncore_set_read(); otherwise no
 * register is accessed.  Takes no lock and allocates no memory.
 *
 * Unless it returns UNCORE_EINVAL, UNCORE_EFORK or the error for too many threads, the thread is
 * inside and must call uncore_region_end(), even after an error.  After an error, what is counted
 * until the last thread leaves is lost for this region, and uncore_region_info.lost is incremented.
 *
 * @return 0, UNCORE_ESTATE (the set is not running; or 65535 threads are inside, and this one did
 *         not enter), UNCORE_EIO (a register could not be read), UNCORE_EINVAL (unknown region),
 *         UNCORE_EFORK (regions do not count in a forked child).  Only UNCORE_EIO has a message.
 * Threads: any.  Signal-safe.  Implements: design.md 28.
 */
UNCORE_API int uncore_region_begin(struct uncore_set *set, unsigned id);

/**
 * Leave a region.  When the last thread leaves, the set is read and the counts since the first
 * begin are added to the region, up to the stop of the set if it was stopped meanwhile.  If the set
 * was stopped and started again meanwhile, these counts are lost.
 *
 * @return as uncore_region_begin(); UNCORE_ESTATE also if no thread is inside
 * Threads: any; the thread need not be the one that called uncore_region_begin().  Signal-safe.
 */
UNCORE_API int uncore_region_end(struct uncore_set *set, unsigned id);

/** Counts of a region, up to the last time the last thread left it. */
struct uncore_region_info {
	size_t size;
	const char *name; /**< valid as long as the set */
	uint64_t calls;   /**< number of begins by all threads */
	int64_t ns;       /**< time in ns with at least one thread inside, without lost intervals */
	/** intervals whose begin or end could not be read, or in which the set was not running;
	 * they are part of neither the counts nor the time */
	uint64_t lost;
	unsigned inside; /**< begins without an end so far; their interval is not included yet */
};

/**
 * Iterate over the regions of a set.
 *
 * @param values  NULL, or an array with one element per event that receives the counts in the order
 *                of the events; means and ratios (uncore_event_info.real) are computed from the
 *                region's own counts
 * @return 1, 0 past the last region, UNCORE_EINVAL (size)
 * Threads: any, also while regions begin and end.
 */
UNCORE_API int uncore_region_info(struct uncore_set *set, unsigned id,
				  struct uncore_region_info *info, int64_t *values);

/**
 * Set the counts of a region to zero.  An interval that is in progress is counted from its begin.
 * @return 0 or UNCORE_EINVAL (unknown region).  Threads: any.
 */
UNCORE_API int uncore_region_reset(struct uncore_set *set, unsigned id);

/** Output formats of uncore_regions_text(). */
enum uncore_regions_format {
	UNCORE_REGIONS_TABLE, /**< a table */
	UNCORE_REGIONS_JSON   /**< one JSON object per region and line (docs/regions.md) */
};

/**
 * Format the counts and rates of all regions of a set as text.  The rate of clock cycles is the
 * mean frequency of the counters that are summed.
 *
 * @param buf  buffer for the text; NULL with len 0 to get only the length
 * @param len  its size in bytes; if len > 0, the text is truncated to it and NUL-terminated
 * @return the length of the whole text without the NUL; UNCORE_EINVAL (format), UNCORE_ENOMEM
 * Threads: any.
 */
UNCORE_API int uncore_regions_text(struct uncore_set *set, enum uncore_regions_format format,
				   char *buf, size_t len);

#ifdef __cplusplus
}
#endif
#endif
