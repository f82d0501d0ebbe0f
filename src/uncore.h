/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore.h - count Intel Xeon uncore events through the native PMON registers.
 *
 * For programs that count; uncore_inspect.h shows the machine, its events and plans.  Nothing
 * else is public.  Compiles as C99 and later and as C++98 and later.
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
 * Errors: functions return 0 or a negative enum uncore_error; the sentence that
 * names the object, the cause and the remedy is fetched with uncore_errmsg().
 * The library never prints and never exits.
 *
 * Walks: uncore_something(u, i, &info) for i = 0, 1, ... returns 1 as long as there is one, 0
 * behind the last, or a negative error.
 *
 * Sizes: a struct that the caller allocates begins with its size, which UNCORE_INIT() sets.
 * That is how a program and a library of different versions understand each other: the library
 * reads and writes no more than that.  Members that a newer program has and this library does not
 * know have to be 0 when they go in, and are 0 when they come out.  Of an array the first element's
 * size is that of all.  A size that cannot be is UNCORE_EINVAL: 0, smaller than in the first
 * version, larger than 16 KiB.  (The sentence about it is the one thing that signal-safe
 * functions do not make signal-safely.)
 *
 * Cancellation: pthread_cancel() leaves handle and registers usable for the other threads.  A
 * function that has taken a lock or begun to change something is completed before the thread ends.
 * A read or peek may end in between, and its values are lost then.  This is about deferred
 * cancellation, the default: PTHREAD_CANCEL_ASYNCHRONOUS may end a thread anywhere.
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

/* Who makes the library a part of another one may have none of its functions seen. */
#ifndef UNCORE_API
#if defined(__GNUC__)
#define UNCORE_API __attribute__((visibility("default")))
#else
#define UNCORE_API
#endif
#endif

/**
 * Make a struct of this library all zero, but for its size; a statement.  In C99 and C++20
 * `= {.size = sizeof(x)}` is the same.
 */
#define UNCORE_INIT(x) ((void)memset(&(x), 0, sizeof(x)), (void)((x).size = sizeof(x)))

/** Longest event name, without the "uncore:::" prefix and the final NUL. */
#define UNCORE_NAME_MAX 100

/** Size that a buffer for uncore_errmsg() never needs to exceed, in bytes. */
#define UNCORE_ERRMSG_MAX 1024

enum uncore_error {
	UNCORE_OK = 0,
	UNCORE_EINVAL = -1,    /**< an argument is out of range */
	UNCORE_ENOMEM = -2,    /**< memory or threads are exhausted */
	UNCORE_ENOEVENT = -3,  /**< no such event, box kind or PMU name */
	UNCORE_EATTR = -4,     /**< unknown, missing or bad umask or qualifier */
	UNCORE_ECOMBO = -5,    /**< the parts are right, together they are not */
	UNCORE_ENODEV = -6,    /**< the machine lacks the box, package or device */
	UNCORE_ENOSUPP = -7,   /**< the CPU (or VM) has no uncore that we know */
	UNCORE_EACCESS = -8,   /**< a register device may not be used: rights, module, lockdown */
	UNCORE_ECONFLICT = -9, /**< the events cannot live together */
	UNCORE_EBUSY = -10,    /**< somebody else uses the counter */
	UNCORE_EIO = -11,      /**< a register access failed, or the device is dead */
	UNCORE_ESTATE = -12,   /**< not in this state: running, or not running */
	UNCORE_ESTOLEN = -13,  /**< somebody else reprogrammed a counter while it counted */
	UNCORE_EFORK = -14     /**< the object belongs to the parent process */
};

struct uncore;
struct uncore_set;

/**
 * How to open the machine.  Zero (or a NULL pointer) in a member takes the
 * environment variable named beside it, or else the default.  A program that has rights
 * its caller lacks (setuid, setgid, file capabilities) ignores these variables, but for
 * UNCORE_WRAP_POLLER, and uncore_warning() says so.
 */
struct uncore_options {
	size_t size; /**< UNCORE_INIT() sets it, here and everywhere */
	/**
	 * UNCORE_MACHINE: "native" (default), "sim:NAME[:key=value,...]", or "file:FILE", a
	 * recording (uncore_record()), on which nothing can be counted; "file:FILE:simulate"
	 * simulates one like it
	 */
	const char *machine;
	const char *sysroot; /**< UNCORE_SYSROOT: root of all files looked at, default "/" */
	/** UNCORE_WRAP_POLLER: 1 on (default), -1 (or 0 in the environment) off */
	int wrap_poller;
	int force; /**< UNCORE_FORCE: 1 takes counters that somebody else has enabled */
	const char *event_files; /**< UNCORE_EVENT_FILES: Intel's event lists, FILE[:FILE...] */
	int event_files_force;   /**< UNCORE_EVENT_FILES_FORCE: 1 takes lists of other CPUs */
	/**
	 * UNCORE_PARTIAL: 1 lets sums lack boxes that are, or may be, there but could not be
	 * reached (rights for one file, too many open files, ...): uncore_machine_info.partial and
	 * uncore_warning() tell.  Otherwise such sums are refused.
	 */
	int partial;
	/**
	 * UNCORE_JOURNAL: the directory in which processes tell each other what they count; default
	 * /run/uncore; "none": no journal is kept.  It has to be root's or the caller's, and not
	 * writable by everybody.
	 */
	const char *journal;
	/**
	 * UNCORE_SHARE: "refuse" (default): what another process counts cannot be counted.
	 * "owner": what another process of this user counts is counted by it alone, and reads 0
	 * here, so that sums over the processes of a job on one node are right.
	 */
	const char *share;
	/**
	 * UNCORE_LOCK_TIMEOUT: how many ms uncore_set_start() waits while another process claims
	 * counters or gives them back; default 5000, up to an hour; -1 (or 0 in the environment):
	 * it does not wait
	 */
	int lock_timeout_ms;
	int record; /**< 1: note what opening reads, for uncore_record() */
	/**
	 * 1: a thread in each package reads its MSRs, all packages at the same time, where that
	 * takes less time.  For a process that counts for others and reads much; reading is not
	 * signal-safe then.
	 */
	int readers;
	/**
	 * UNCORE_ACCESS: who has the registers.  "direct": this process.  "daemon": uncored, which
	 * counts for users without rights (docs/daemon.md).  "kernel": the kernel's driver, for
	 * users who may use perf (docs/kernel.md).  "auto" (default): a daemon that can be used,
	 * else this process, and where that may use no register the kernel's driver.  Simulated
	 * and recorded machines have neither a daemon nor a driver of their own.
	 */
	const char *access;
	const char *daemon; /**< UNCORE_DAEMON: its socket, default /run/uncored/socket */
};

/**
 * Find out which machine this is and which boxes it has.  Reads files below the
 * root directory and identification registers; changes none.
 *
 * @param out      receives the handle; on failure a handle that only serves
 *                 uncore_errmsg() and uncore_close(), or NULL without memory
 * @param options  NULL for all defaults
 * @return 0, UNCORE_ENOSUPP (CPU or VM), UNCORE_EACCESS (no register device may
 *         be used; a directory of journals that was named is not to be trusted),
 *         UNCORE_EINVAL (unknown machine name, event file that is damaged or of
 *         another CPU, a time limit or a way of sharing that is none, size),
 *         UNCORE_ENOMEM; with uncore_options.access "daemon" also UNCORE_ENODEV (no uncored
 *         listens at its socket), UNCORE_EIO (it cannot be reached, or does not answer) and
 *         UNCORE_EBUSY (it has no room for another client); with "kernel" UNCORE_ENODEV (the
 *         kernel has no uncore PMU of this CPU)
 *
 * Threads: any; reads the environment.  Not for signal handlers.
 * Implements: design.md 1, 14, 15, 26; docs/hardware/.
 */
UNCORE_API int uncore_open(struct uncore **out, const struct uncore_options *options);

/**
 * Stop all sets, restore every register that was changed, also those that could not
 * be given back when sets stopped (uncore_restore() tells), free everything
 * (sets included).  In a forked child frees without touching a register.
 * At dlclose() of the library every open handle is closed this way: no file, mapping or
 * thread of the library is left.  At exit() every open handle stops its sets and restores its
 * registers, but stays open for threads and handlers that still use it.
 *
 * Sets are stopped as by uncore_set_stop(), waits included.  What cannot be restored
 * even now stays in the journal: the next start of any process tries again, and so does
 * `uncore restore`.
 *
 * Threads: no other call on this handle may be under way.
 */
UNCORE_API void uncore_close(struct uncore *u);

/**
 * Copy the message of this thread's last failed call on this handle; if it has none, the last
 * failed call's of any thread.
 *
 * @param buf, len  where to; always terminated when len > 0
 * @return buf
 *
 * Threads: any.  Messages of the four threads that have failed last are kept apart.
 */
UNCORE_API char *uncore_errmsg(struct uncore *u, char *buf, size_t len);

/** The general meaning of a code, without context.  Any thread, signal-safe. */
UNCORE_API const char *uncore_strerror(int code);

/**
 * The version of the library that was loaded, such as "0.2"; static.  Fails never; thread- and
 * signal-safe.
 */
UNCORE_API const char *uncore_version(void);

/* ---- events ---- */

struct uncore_event_info {
	size_t size;
	const char *name;       /**< canonical, without prefix, at most UNCORE_NAME_MAX */
	char brief[64];         /**< the first words of the description */
	char text[1024];        /**< description; of a umask: "EVENT'S, masks:UMASK'S" */
	char units[16];         /**< "cycles", "events", "entries", "lines", "flits" */
	const char *kind;       /**< box kind, "cbo"; "core" for counters of the CPUs */
	const char *kind_title; /**< what such a box is */
	bool exact;             /**< false for a listing entry whose umask is a default */
	/**
	 * The counts of this metric are the bits of a double, see uncore_real(): a
	 * mean over the time since start or reset, NaN if there was nothing to count.
	 */
	bool real;
	char formula[640]; /**< of a metric: the events that it is made of; else "" */
	/**
	 * Intel has it, or the umask that it ends with, in the list of experimental
	 * events: it counts as any other, but few look for it.
	 */
	bool experimental;
	/** It (of a metric: an event of it) counts energy: docs/permissions.md, "Energy" */
	bool energy;
};

/** The number behind a count whose event is `real`.  Any thread, signal-safe. */
static inline double uncore_real(int64_t count)
{
	double value;

	memcpy(&value, &count, sizeof(value));
	return value;
}

/**
 * Translate an event name into an event number of this handle.
 *
 * Grammar (docs/events.md): ["uncore:::"] [PMU "::"] EVENT {":" part}, a part
 * being a umask, a libpfm4 modifier (e, i, t, tf, cf, nf, ff = number), box=N,
 * pkg=N or cpu=N; box= and pkg= take lists and ranges, "box=0-3,8" or "box=0_3.8", too, of which
 * the event is the sum (uncore_event_part() tells it apart);
 * PMU::RAW:config=N[:config1=N[:config2=N]] takes what Linux's sysfs format of the same PMU takes.
 * Order, decimal or 0x and letter case do not matter, except where case alone tells a umask (:E)
 * from a modifier (:e).
 *
 * @param name  at most UNCORE_NAME_MAX characters after the prefix
 * @param id    receives the number, 0 <= id < 2^31, the same for every spelling
 *              of the event, valid as long as the handle
 * @return 0, UNCORE_ENOEVENT, UNCORE_EATTR, UNCORE_ECOMBO, UNCORE_ENODEV,
 *         UNCORE_EINVAL (too long, bad characters), UNCORE_ENOMEM; the message
 *         names the part that is wrong and the nearest existing spelling, or events with the same
 *         words.  UNCORE_EACCESS, UNCORE_EIO, UNCORE_ENODEV, UNCORE_ENOMEM, too, where the event
 *         would be a sum without a box that could not be reached (uncore_options.partial); the
 *         message has the reason
 *
 * Threads: any, but libpfm4 is called: exclude other users of libpfm4.
 */
UNCORE_API int uncore_event(struct uncore *u, const char *name, unsigned *id);

/** Canonical name of an event number, NULL for a number not handed out.  Any thread. */
UNCORE_API const char *uncore_event_name(struct uncore *u, unsigned id);

/**
 * Describe an event.
 * @return 0 or UNCORE_EINVAL (no such number, size).  Threads: as uncore_event().
 */
UNCORE_API int uncore_event_info(struct uncore *u, unsigned id, struct uncore_event_info *info);

/* ---- counting ---- */

/** A new, empty set.  @return 0, UNCORE_ENOMEM.  Any thread. */
UNCORE_API int uncore_set_create(struct uncore *u, struct uncore_set **out);

/** Stop if running, free.  Any thread, but no other call on the set may be under way. */
UNCORE_API void uncore_set_destroy(struct uncore_set *set);

/**
 * Replace the set's list of events.  Checks that they fit beside each other and
 * beside what runs now; touches no register but those that uncore_restore() is
 * about.  On failure the set keeps its former list.
 *
 * @return 0, UNCORE_ECONFLICT (the message names the smallest conflicting set),
 *         UNCORE_ENODEV, UNCORE_ESTATE (running, or it has regions), UNCORE_EINVAL, UNCORE_ENOMEM
 * Threads: any.
 */
UNCORE_API int uncore_set_assign(struct uncore_set *set, const unsigned *ids, size_t n);

/**
 * Claim the counters, program them and start counting from zero.  Counters that
 * other sets of this handle use for the same event are shared and not disturbed.
 *
 * What processes have left in these packages that ended without restoring is restored
 * first: uncore_warning() then has more to tell, uncore_restored() each register.  While
 * another process claims counters there or gives them back this one waits, for
 * uncore_options.lock_timeout_ms at most.
 *
 * @return 0, UNCORE_ECONFLICT (a set started since the assignment is in the way),
 *         UNCORE_EBUSY (another process, or handle, counts in a box that is needed: the
 *         message has its program, process and user; or another tool does; or the
 *         time limit is over: the message names who is claiming), UNCORE_EACCESS, UNCORE_ENODEV,
 *         UNCORE_EIO (also for a register that an earlier set could not give back,
 *         uncore_restore(), and if the journal cannot be written), UNCORE_ECOMBO (a mean
 *         or ratio with UNCORE_SHARE=owner), UNCORE_ESTATE (running or empty),
 *         UNCORE_EFORK, UNCORE_ENOMEM; on failure every register that was changed has its
 *         old value again
 * Threads: any.  Blocks signals, but not while it waits.  Implements: design.md 8, 26.
 */
UNCORE_API int uncore_set_start(struct uncore_set *set);

/**
 * Read the counts since start or reset, in the order of the list.
 *
 * One register access per counter and nothing else: no lock, no allocation.
 * A stopped set, and any set in a forked child, gives its last counts.
 *
 * @param values  room for as many as are assigned; counts, never negative
 * @return 0, UNCORE_EIO (a register could not be read, uncore_errmsg() tells which;
 *         values hold the last good counts)
 * Threads: any, also while another thread stops the set.  Signal-safe.
 */
UNCORE_API int uncore_set_read(struct uncore_set *set, int64_t *values);

/**
 * As uncore_set_read(), with the time that the counts stand for: from start or reset until the
 * counters were read, or until they stopped.  A rate is a count divided by this time.  Clocks of
 * the caller do not measure it: they include the programming of registers, and the time in which
 * the caller was not scheduled.
 *
 * A read that was interrupted is repeated, at most twice: then the middle between the first and
 * the last register is within 20 us or twice the duration of a read.
 *
 * @param values  as in uncore_set_read()
 * @param ns      receives nanoseconds, never negative; NULL: uncore_set_read()
 * @return as uncore_set_read()
 * Threads, signals: as uncore_set_read().
 */
UNCORE_API int uncore_set_read_timed(struct uncore_set *set, int64_t *values, int64_t *ns);

/**
 * Look whether a running set still has its counters: read back the controls and the
 * filter bits that it has written.  For programs that only read, and would learn of a
 * counter that somebody else has taken when the set stops.
 *
 * Each thing is told once: a register that stays wrong, or unreadable, is told again
 * only after it was right in between.  Of a multiplexed set, whose registers are
 * checked at the end of each window, the first failure of a run is told.
 *
 * @return 0 (also for a set that is stopped, and in a forked child), UNCORE_ESTOLEN,
 *         UNCORE_EIO (a register could not be read), UNCORE_ENOMEM
 * Threads: any.  The first call after each start of a set takes the handle's lock and
 * memory; the following ones are signal-safe, but for those of multiplexed sets, and where uncored
 * has the registers.
 */
UNCORE_API int uncore_set_check(struct uncore_set *set);

/**
 * Count from zero again: a new baseline for this set, no register is written.
 * The last read's counts are the baseline if it was this thread's and ended less
 * than 20 microseconds ago: tools that read and reset back to back lose nothing.
 * Otherwise the registers are read, so what was counted since an earlier read is
 * in no interval; so it is for a thread that is interrupted between the two.
 *
 * @return as uncore_set_read().  Threads, signals: as uncore_set_read().
 */
UNCORE_API int uncore_set_reset(struct uncore_set *set);

/**
 * Stop counting and keep the counts for uncore_set_read().  Boxes that no other
 * set uses are frozen, and what was changed in them is restored.  Stopping a
 * set that does not run is no error.
 *
 * While another process claims counters in these packages or gives them back this one
 * waits, for uncore_options.lock_timeout_ms at most, and then stops all the same; the
 * set counts meanwhile.
 *
 * @return 0; UNCORE_ESTOLEN (somebody reprogrammed a counter, or has frozen its box
 *         or package, where that can be read and was not lifted again before the
 *         stop: the message names it, the set is stopped and its counts are not to
 *         be trusted); UNCORE_EIO,
 *         UNCORE_EACCESS or UNCORE_ENODEV (an access failed: the message names the register);
 *         UNCORE_ENOMEM (counts were taken without a freeze, registers are restored)
 * Threads: any.  Blocks signals, but not while it waits.
 */
UNCORE_API int uncore_set_stop(struct uncore_set *set);

/**
 * Give back the registers that could not be given back when sets stopped.
 *
 * An access that fails while a set stops is tried again at once.  If that does not
 * help, uncore_set_stop() returns the error, and the register is kept and written at
 * the next call for this handle that starts, stops or changes a set, at
 * uncore_close() and at exit(); a register that holds something else by then is
 * somebody's, and is left alone.  Until then no set is started that would need the
 * register.  This call does the same and tells what is left: before uncore_close(),
 * it is the last that can.  What is left then stays in this process's journal, for the
 * next start of any process.
 *
 * This is about registers of this handle.  What other processes have left restores
 * uncore_recover().
 *
 * @return 0: all registers have been given back; UNCORE_EACCESS, UNCORE_EIO or
 *         UNCORE_ENODEV: the message names the first register that has not been, its value, and
 *         what it holds; UNCORE_EFORK
 * Threads: any.  Blocks signals for its duration.
 */
UNCORE_API int uncore_restore(struct uncore *u);

/* ---- stopping after so many occurrences ---- */

/** An event of a set that stops all of it after so many occurrences. */
struct uncore_stop_after {
	size_t size;    /**< of the first element: of each */
	unsigned event; /**< index into the set's list */
	uint64_t count; /**< by hardware at most 2^width - 1, by polling 2^63 - 1 */
};

/**
 * Let a set stop by itself.  Each event in the list must have one counter on the whole machine
 * (name its box and package if there are several): that is loaded with 2^width - count, and its
 * overflow stops every box of the package by hardware, within fractions of a microsecond.  What
 * was counted meanwhile is part of the counts, so they are exact, and so is the event's: count
 * and what came after.  Where hardware cannot (uncore_set_stop_after_info()), uncore_set_wait()
 * looks and stops, later.  The set's boxes in other packages are stopped by uncore_set_wait(),
 * too; free-running counters and those of the CPUs go on until the set is stopped.
 *
 * While such a set runs, no other one can count in its packages.
 *
 * @param n      of the list; 0: it counts until it is stopped, as before; 8 at most.
 *               Assigning other events has the same effect.
 * @param cores  which cores of the package get an interrupt, too, as the platform's field has
 *               them: 0, unless the kernel is prepared for one
 * @return 0, UNCORE_ECOMBO (not one counter, or not so wide), UNCORE_EINVAL (no such event or
 *         cores, size), UNCORE_ESTATE (runs), UNCORE_ENOMEM, UNCORE_EFORK
 * Threads: any.  Blocks signals for its duration.  Implements: design.md 20,
 * docs/hardware/README.md, "Freeze on overflow".
 */
UNCORE_API int uncore_set_stop_after(struct uncore_set *set, const struct uncore_stop_after *list,
				     size_t n, uint64_t cores);

/**
 * Wait until the set has stopped by itself; it stays started, and its counts stand still.
 * Reads the events' counters every now and then, and disturbs nothing.
 *
 * @param timeout_ms  0: only look; negative: as long as it takes
 * @return 1 (it has stopped), 0 (time is over), UNCORE_ESTATE (it does not run, or nothing was
 *         told to stop it), UNCORE_EIO,
 *         UNCORE_EACCESS or UNCORE_ENODEV (an access failed), UNCORE_EFORK
 * Threads: any, also while another one stops the set.  Not for signal handlers.
 */
UNCORE_API int uncore_set_wait(struct uncore_set *set, int timeout_ms);

/**
 * Go on for the same numbers of occurrences again.  Counts go on where they stood.
 * @return as uncore_set_start(); after a failure the set is to be stopped
 * Threads: any.  Blocks signals for its duration.
 */
UNCORE_API int uncore_set_rearm(struct uncore_set *set);

/* ---- multiplexing ---- */

/** The shortest time of a window, and a good one, in us. */
#define UNCORE_MULTIPLEX_MIN_US 1000
#define UNCORE_MULTIPLEX_US     10000

/**
 * Let events that do not fit beside each other take turns: what is assigned is split
 * into rounds, of which one counts at a time, and the counts of a window stand for the
 * time until the event's next one, too.  So counts are estimates that only grow
 * (docs/accuracy.md tells how good), but those of events that are in nobody's way are
 * exact: they count all the time.  A set that fits at once is counted as ever.
 *
 * A thread of the library does the switching.  Running sets with the same list share
 * their windows.
 *
 * @param interval_us  mean length of a window, UNCORE_MULTIPLEX_MIN_US or more; no two
 *                     are equally long, so that periodic traffic is not missed in step.
 *                     0: off, events have to fit (the default)
 * @return 0, UNCORE_EINVAL (too short), UNCORE_ESTATE (running), UNCORE_ECONFLICT (off,
 *         but the events assigned do not fit), UNCORE_ENOMEM
 *
 * If a round cannot be counted (somebody else took a counter), the others go on, and
 * uncore_set_stop() tells.
 * Threads: any.  Implements: design.md 19.
 */
UNCORE_API int uncore_set_multiplex(struct uncore_set *set, unsigned interval_us);

/**
 * As uncore_set_assign(), with events that have to count in the same windows if events take turns:
 * those whose ratio or difference is wanted, as in a group of perf.  Events of a metric do so
 * anyway.
 *
 * @param groups  n numbers, 0 (in no group) to n: events with the same one belong together; NULL:
 *                uncore_set_assign()
 * @return as uncore_set_assign(); also UNCORE_EINVAL (a number above n).  Threads: any.
 */
UNCORE_API int uncore_set_assign_groups(struct uncore_set *set, const unsigned *ids,
					const unsigned *groups, size_t n);

/** Of one event: what its count stands for. */
struct uncore_times {
	size_t size;        /**< of the first element: of each */
	int64_t enabled_ns; /**< time that the set has run since its start */
	int64_t running_ns; /**< ... in which the event was counted; less only if multiplexed */
	/** what was counted in that; uncore_set_reset() does not change it; 0 if the event is
	 * `real` */
	int64_t count;
	/** standard error of the estimate: of an event in counts, of a metric in its own
	 * unit; 0 if it was counted all the time; or one of UNCORE_ERROR_..., which are
	 * negative */
	double error;
};

/** An estimate's error is not known: there was only one window, or there is no value. */
#define UNCORE_ERROR_UNKNOWN (-1.0)
/** No window's length is known to 1 %: the estimate is no good, too. */
#define UNCORE_ERROR_NO_WINDOW (-2.0)

/**
 * How much of the time each event was counted, in the order of the list: the present
 * run, or of a stopped set the last one.  The count of uncore_set_read() without
 * resets is about count * enabled_ns / running_ns.
 *
 * @param times  as many as are assigned; their sizes are set, too, from the first one's
 * @return as uncore_set_read(), and UNCORE_EINVAL (size).  Threads, signals: as
 *         uncore_set_read().
 */
UNCORE_API int uncore_set_times(struct uncore_set *set, struct uncore_times *times);

/* ---- wraps ---- */

/**
 * Fold every running counter into its 64-bit count, which is what the wrap poller
 * thread does; for callers that switched it off: every uncore_machine_info.wrap_interval_ms
 * at least.
 * @return 0 or UNCORE_EIO (a register could not be read, uncore_errmsg() tells which; the others
 *         were).  Any thread, signal-safe.
 */
UNCORE_API int uncore_poll_wraps(struct uncore *u);

/** Why counts may be wrong although every read succeeded. */
struct uncore_missed_wrap {
	size_t size;
	unsigned event;     /**< index into the set's list */
	bool jumped;        /**< a counter gained more than it can count in the time */
	uint64_t unseen_ms; /**< longest time in which nobody looked at a counter of the event */
	uint64_t wrap_ms;   /**< shortest time in which that counter can wrap */
};

/**
 * Could wraps be missing from the counts since start or reset?  They could if a
 * counter was not looked at (by a read of any set, the wrap poller or uncore_poll_wraps())
 * for as long as it needs, at most, to count its width: without a wrap poller, or in
 * a process that was stopped meanwhile.  Such counts are then too small by a
 * multiple of what the counter holds (2^44, 2^48, ...).
 *
 * While the set runs, the time since the last look counts, too; of a stopped set
 * the answer is that of its stop.  The wrap time assumes the largest increment
 * of the box in every cycle of a clock of 5 GHz, so 1 is no proof.
 *
 * @param missed_wrap  receives the worst case; what is nearest to one, or zeros, if there is
 *                     none; uncore_missed_wrap_text() makes a sentence of it
 * @return 1: a wrap may be missing; 0: none is; UNCORE_EINVAL (size)
 * Threads: any.  Signal-safe.  Implements: design.md 11, docs/hardware/README.md, "Wraps".
 */
UNCORE_API int uncore_set_missed_wrap(struct uncore_set *set,
				      struct uncore_missed_wrap *missed_wrap);

/* ---- looking without reading ---- */

/** The shortest interval of uncore_set_refresh(), in us. */
#define UNCORE_REFRESH_MIN_US 10000

/**
 * Have uncored read the set at a fixed rate while it runs, for uncore_set_peek().  For monitors:
 * any number of them look, and none costs a system call.
 *
 * @param interval_us  UNCORE_REFRESH_MIN_US or more; 0: off (the default).  Assigning other events
 *                     leaves it as it is
 * @return 0, UNCORE_EINVAL (too short), UNCORE_ESTATE (running), UNCORE_ENOSUPP (uncored does not
 *         count for this handle)
 * Threads: any.  Implements: docs/daemon.md, "A page of counts".
 */
UNCORE_API int uncore_set_refresh(struct uncore_set *set, unsigned interval_us);

/**
 * The counts as they were read last: by uncored, if uncore_set_refresh() asked for it, else by this
 * process (uncore_set_read() and its neighbours).  Reads no register and makes no system call.
 *
 * @param values  as in uncore_set_read()
 * @param age_ns  receives how long ago that was, by CLOCK_MONOTONIC; NULL: it does not matter.  It
 *                grows beyond the interval if uncored has ended or has much to do
 * @return 0, UNCORE_ESTATE (nothing was read in this run so far, or the set does not run)
 * Threads: any.  Signal-safe.
 */
UNCORE_API int uncore_set_peek(struct uncore_set *set, int64_t *values, int64_t *age_ns);

/* ---- regions: which part of the program ---- */

/** Longest name of a region, without the final NUL. */
#define UNCORE_REGION_NAME_MAX 100

/** Regions that a set can have. */
#define UNCORE_REGIONS_MAX 1024

/**
 * A named part of the program, by its name: what the set counts between uncore_region_begin() and
 * uncore_region_end() is added up under it.
 *
 * Uncore counters are the packages', so they do not tell threads apart.  A region counts while at
 * least one thread is inside, each occurrence once: from the first thread that begins to the last
 * one that ends.  So it never counts more than the set, however many threads are inside, and
 * counts of threads need not, and must not, be added up.  What other threads and processes do
 * meanwhile is counted, too.
 *
 * Regions may lie in each other and overlap in any way; each has all that was counted while it was
 * open.  So what a region inside another one counts is part of both, and their sum says nothing.
 * A region that is begun again before it ends, by the same thread or by another one, is the same
 * region, which ends with the last end.  Names are all: there is no path.
 *
 * From the first region on the set's events cannot be changed (uncore_set_assign()).  Starting
 * and stopping the set, and uncore_set_reset(), change nothing in what regions have counted.
 *
 * @param name  1 to UNCORE_REGION_NAME_MAX characters of ASCII, none of them a control
 * @param id    receives its number: the same whenever the name is asked for, 0 for the first one
 *              of the set, and so on
 * @return 0, UNCORE_EINVAL (the name, or a set of more than 256 events), UNCORE_ESTATE (no events
 *         are assigned), UNCORE_ENOMEM (also for more than UNCORE_REGIONS_MAX), UNCORE_EFORK
 * Threads: any.  For a name that the set has already, it takes no lock and is signal-safe.
 */
UNCORE_API int uncore_region(struct uncore_set *set, const char *name, unsigned *id);

/**
 * The calling thread enters a region.  The first one inside reads the set, as uncore_set_read()
 * does; who enters while others are inside reads nothing.  No lock, no allocation.
 *
 * Whatever it returns but UNCORE_EINVAL and UNCORE_EFORK, the thread is inside and has to end:
 * the time until the last thread ends is lost for this region then, which
 * uncore_region_info.lost tells.
 *
 * @return 0, UNCORE_ESTATE (the set does not run; or 65535 threads are inside, and then this one is
 *         not), UNCORE_EIO (a register could not be read), UNCORE_EINVAL (no such region),
 *         UNCORE_EFORK (a forked child counts nothing).  There is no message, but for UNCORE_EIO.
 * Threads: any.  Signal-safe.  Implements: design.md 28.
 */
UNCORE_API int uncore_region_begin(struct uncore_set *set, unsigned id);

/**
 * The calling thread leaves a region.  The last one inside reads the set, and what was counted
 * since the first one has entered is added to the region: up to the set's stop if it was stopped
 * meanwhile.  If it was started again, too, that is lost.
 *
 * @return as uncore_region_begin(); UNCORE_ESTATE: nobody is inside
 * Threads: any, and any thread: who has begun is not looked at.  Signal-safe.
 */
UNCORE_API int uncore_region_end(struct uncore_set *set, unsigned id);

/** What was counted in a region, up to the last time that the last thread left it. */
struct uncore_region_info {
	size_t size;
	const char *name; /**< lives as long as the set */
	uint64_t calls;   /**< of uncore_region_begin(), by all threads */
	int64_t ns;       /**< time in which at least one thread was inside, and that was counted */
	/** how often its begin or end could not be read, or the set did not run: neither counts
	 * nor time have it */
	uint64_t lost;
	unsigned inside; /**< begins without an end so far: the present time is not counted yet */
};

/**
 * Walk the regions of a set.
 *
 * @param values  NULL, or room for as many as are assigned: counts in the order of the list; means
 *                and ratios (uncore_event_info.real) are those of the region
 * @return 1, 0 at the end, UNCORE_EINVAL (size)
 * Threads: any, also while regions begin and end.  Not for signal handlers.
 */
UNCORE_API int uncore_region_info(struct uncore_set *set, unsigned id,
				  struct uncore_region_info *info, int64_t *values);

/**
 * A region counts from zero again.  What goes on inside it at this moment will be part of it, from
 * its begin.
 * @return 0, UNCORE_EINVAL (no such region).  Threads: any.  Not for signal handlers.
 */
UNCORE_API int uncore_region_reset(struct uncore_set *set, unsigned id);

/** How uncore_regions_text() writes. */
enum uncore_regions_format {
	UNCORE_REGIONS_TABLE, /**< for people */
	UNCORE_REGIONS_JSON   /**< an object a line for each region (docs/regions.md) */
};

/**
 * What all regions of a set have counted, with rates, as text.  The rate of clock cycles is the
 * mean frequency of the counters that are added up.
 *
 * @param buf, len  where to; always terminated when len > 0; NULL and 0: only to know the length
 * @return the length of the whole text without its NUL, of which len - 1 bytes at most are written;
 *         UNCORE_EINVAL (format), UNCORE_ENOMEM
 * Threads: any.  Not for signal handlers.
 */
UNCORE_API int uncore_regions_text(struct uncore_set *set, enum uncore_regions_format format,
				   char *buf, size_t len);

#ifdef __cplusplus
}
#endif
#endif
