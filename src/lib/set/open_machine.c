/* SPDX-License-Identifier: BSD-3-Clause */
/* open_machine.c - see opening.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/daemon/remote.h"
#include "backend/daemon/wire.h"
#include "backend/kernel/perf.h"
#include "hw/regs.h"
#include "machine/record.h"
#include "machine/stacks.h"
#include "machine/timeline.h"
#include "plan/allow.h"
#include "plan/complete.h"
#include "set/opening.h"
#include "set/set.h"

/* ---- the registers ---- */

static int open_native(struct uncore *u, const struct unc_platform **platform)
{
	const char *root = u->root;
	int r = unc_topology_model(&u->machine.topo, root, &u->err);

	if (r == 0)
		r = unc_platform_find(&u->machine.topo, platform, &u->err);
	if (r == 0 && unc_platform_named(*platform))
		r = unc_hw_native_allowed(root, &u->err);
	/* not an Intel server: do not spend time on looking for another access method */
	else if (r == 0 && geteuid() != 0 && !unc_discovery_likely(root))
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r == 0)
		r = unc_topology_devices(&u->machine.topo, root, &u->err);
	if (r == UNCORE_ENOSUPP && *platform && !unc_platform_named(*platform))
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r < 0)
		return r;
	u->hw = unc_hw_native(root, &u->machine.topo);
	if (!u->hw)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for register files");
	u->hw->writable = unc_writable_bits;
	u->hw->machine = &u->machine;
	return 0;
}

static int open_hardware(struct uncore *u, const struct uncore_options *o,
			 const struct unc_platform **platform)
{
	const char *machine = unc_text_option(o->machine, "UNCORE_MACHINE", "native");
	int r;

	if (strcmp(machine, "native") == 0)
		return open_native(u, platform);
	if (strncmp(machine, "file:", 5) == 0) {
		u->backend = &unc_backend_recording;
		u->hw = unc_hw_replayed(machine + 5, &u->machine.topo, &u->err, &r);
		if (u->hw && unc_replayed_timeline(u->hw))
			u->backend = &unc_backend_replay;
		return u->hw ? unc_platform_find(&u->machine.topo, platform, &u->err) : r;
	}
	u->hw = unc_hw_simulated(machine, &u->machine.topo, &u->err, &r);
	return u->hw ? unc_platform_find(&u->machine.topo, platform, &u->err) : r;
}

/* A recording has more than is needed to find the boxes. */
static void ask_cores(struct uncore *u)
{
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		unc_cores_online(&u->machine, u->hw, p);
}

/* If a recording is wanted, all accesses pass the recorder. */
static int build_machine(struct uncore *u, const struct unc_platform *platform)
{
	struct unc_hw *hw = u->recording ? unc_hw_recorded(u->hw, u->recording) : u->hw;
	const char *why;
	int r = UNCORE_ENOMEM;

	if (hw)
		r = unc_machine_build(&u->machine, platform, hw, &u->err);
	else
		unc_fail(&u->err, r, "out of memory for a recording");
	if (r == 0 && u->recording)
		unc_stacks_ask(&u->machine, hw);
	if (hw && hw != u->hw)
		hw->ops->close(hw);
	if (r == 0 && u->recording)
		ask_cores(u);
	/* the machine may have been refused for another reason than a register */
	if (r == 0 && u->hw->where == UNC_RECORDED && unc_replayed_failure(u->hw, &why) < 0)
		r = unc_fail(&u->err, unc_replayed_failure(u->hw, &why), "%s", why);
	return r;
}

void unc_open_locks(struct uncore *u)
{
	int r;

	if (u->hw && !u->share && unc_is_shared(u->hw))
		u->share = unc_share_new(u->root, "none", &u->machine, &u->ledger, &u->err, &r);
}

/* ---- access to the registers ---- */

static int open_recording(struct uncore *u, const struct uncore_options *o)
{
	if (o->record)
		u->recording = unc_recording_new(u->root);
	return !o->record || u->recording
		       ? 0
		       : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a recording");
}

static int open_and_build(struct uncore *u, const struct uncore_options *o)
{
	const struct unc_platform *platform = NULL;
	int r = open_hardware(u, o, &platform);

	return r == 0 ? build_machine(u, platform) : r;
}

/* The machine that an open file is a recording of. */
static int open_from_file(struct uncore *u, const struct uncore_options *o, int file)
{
	struct uncore_options options = *o;
	char name[64];

	snprintf(name, sizeof(name), "file:/proc/self/fd/%d", file);
	options.machine = name;
	return open_and_build(u, &options);
}

/* Why uncored was not used although it is listening, or 0. */
struct refusal {
	int code;
	char text[UNCORE_ERRMSG_MAX];
};

static void keep_refusal(struct uncore *u, int code, struct refusal *refusal)
{
	if (code == UNCORE_ENODEV)
		return;
	refusal->code = code;
	uncore_errmsg(u, refusal->text, sizeof(refusal->text));
}

/* 1: uncored has the machine; 0: it was not asked, or (auto) cannot be used. */
static int open_backend_machine(struct uncore *u, const struct uncore_options *o,
				const char *machine, struct refusal *refusal)
{
	const char *path = unc_text_option(o->daemon, "UNCORE_DAEMON", UNC_WIRE_SOCKET);
	const char *access = unc_access_of(o);
	const bool must = strcmp(access, "daemon") == 0;
	int file, r;

	if ((!must && strcmp(access, "auto") != 0) || strcmp(machine, "native") != 0 || o->record ||
	    (!must && strcmp(u->root, "/") != 0))
		return 0;
	r = unc_remote_open(&u->remote, path, &file, &u->err);
	if (r < 0 && !must)
		keep_refusal(u, r, refusal);
	if (r < 0)
		return must ? r : 0;
	r = open_from_file(u, o, file);
	close(file);
	if (r < 0)
		return r;
	u->backend = &unc_backend_daemon;
	u->hw->where = unc_remote_is_simulated(u->remote) ? UNC_SERVED_SIMULATED : UNC_SERVED;
	unc_note_later_cpus(u);
	return 1;
}

/* Close the access method, as if it had not been opened. */
static void forget_machine(struct uncore *u)
{
	const bool partial = u->machine.partial;

	unc_open_locks(u);
	unc_share_quiesce(u->share);
	if (u->hw)
		u->hw->ops->close(u->hw);
	unc_share_free(u->share);
	unc_machine_free(&u->machine);
	u->hw = NULL;
	u->share = NULL;
	memset(&u->machine, 0, sizeof(u->machine));
	u->machine.partial = partial;
}

/*
 * A user without access to registers may have access to the kernel driver; direct: the first
 * error.
 */
static int open_instead(struct uncore *u, const struct uncore_options *o, int direct)
{
	char why[UNCORE_ERRMSG_MAX], driver[UNCORE_ERRMSG_MAX];
	int r;

	if (direct != UNCORE_EACCESS || strcmp(unc_access_of(o), "auto") != 0 || o->record ||
	    strcmp(u->root, "/") != 0)
		return direct;
	uncore_errmsg(u, why, sizeof(why));
	forget_machine(u);
	r = unc_kernel_open(u);
	if (r == 0)
		return 0;
	uncore_errmsg(u, driver, sizeof(driver));
	forget_machine(u);
	open_and_build(u, o); /* messages for a handle that was refused are about registers */
	return unc_fail(&u->err, direct, "%.500s; nor by the kernel's driver: %.400s", why, driver);
}

/* By an access method other than uncored. */
static int open_here(struct uncore *u, const struct uncore_options *o, bool native)
{
	char why[UNCORE_ERRMSG_MAX];
	int r;

	if (native && !o->record && strcmp(unc_access_of(o), "kernel") == 0)
		return unc_kernel_open(u);
	r = open_recording(u, o);
	if (r == 0)
		r = open_and_build(u, o);
	if (r < 0 && u->recording)
		unc_recording_failed(u->recording, r, uncore_errmsg(u, why, sizeof(why)));
	return r < 0 && native ? open_instead(u, o, r) : r;
}

/* A user who may not use uncored is not warned if the next method works. */
static int add_refusal(struct uncore *u, int r, const struct refusal *refusal)
{
	char why[UNCORE_ERRMSG_MAX];

	if (!refusal->code)
		return r;
	if (r < 0) {
		uncore_errmsg(u, why, sizeof(why));
		return unc_fail(&u->err, r, "%.600s; nor by uncored: %.400s", why, refusal->text);
	}
	if (refusal->code != UNCORE_EACCESS)
		unc_warnings_add(&u->machine.warnings, UNCORE_WARNING_ACCESS,
				 "%s; continuing without uncored", refusal->text);
	return r;
}

int unc_open_machine(struct uncore *u, const struct uncore_options *o)
{
	const char *machine = unc_text_option(o->machine, "UNCORE_MACHINE", "native");
	struct refusal refusal = {.code = 0};
	const int r = open_backend_machine(u, o, machine, &refusal);

	if (r != 0)
		return r < 0 ? r : 0;
	return add_refusal(u, open_here(u, o, strcmp(machine, "native") == 0), &refusal);
}

/*
 * CPUs that uncored cannot read because they came online after it dropped its privileges.
 */

void unc_note_later_cpus(struct uncore *u)
{
	char list[128];
	bool package;
	unsigned n;

	/* the CPUs of a simulated machine are not those of this computer */
	if (u->hw->where == UNC_SERVED_SIMULATED && strcmp(u->root, "/") == 0)
		return;
	n = unc_topology_later(&u->machine.topo, u->root, list, sizeof(list), &package);
	if (!n)
		return;
	if (package)
		u->machine.partial = u->machine.incomplete = true;
	unc_warnings_add(&u->machine.warnings, UNCORE_WARNING_CPUS,
			 "CPU%s %s came online after uncored started%s", n == 1 ? "" : "s", list,
			 package ? ": sums do not include their package until uncored is restarted "
				   "(systemctl restart uncored)"
				 : ": uncored does not use them until it is restarted (systemctl "
				   "restart uncored)");
}

/*
 * Open a machine without access to its registers, for the kernel driver.
 */

static int list_boxes(struct uncore *u, const struct unc_platform *platform)
{
	struct unc_pmus *pmus;
	struct unc_lister lister;
	int r = unc_pmus_find(&pmus, &u->machine, u->root, &u->err);

	if (r == 0) {
		lister = unc_pmus_lister(pmus);
		r = unc_machine_list(&u->machine, platform, u->hw, &lister, &u->err);
	}
	if (pmus && unc_pmus_refused(pmus))
		r = unc_perf_no_rights(u->root, unc_pmus_refused(pmus), &u->err);
	unc_pmus_free(pmus);
	return r;
}

static int open_closed(struct uncore *u)
{
	const char *root = u->root;
	const struct unc_platform *platform = NULL;
	int r = unc_topology_model(&u->machine.topo, root, &u->err);

	if (r == 0)
		r = unc_platform_find(&u->machine.topo, &platform, &u->err);
	if (r == 0 &&
	    !unc_platform_named(platform)) /* boxes are then named by the discovery tables */
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r == 0)
		r = unc_topology_devices(&u->machine.topo, root, &u->err);
	if (r < 0)
		return r;
	u->hw = unc_hw_closed(root, &u->machine.topo);
	if (!u->hw)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a machine");
	u->hw->machine = &u->machine;
	return list_boxes(u, platform);
}

int unc_kernel_open(struct uncore *u)
{
	int r = 0;

	if (u->owner_counts)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"UNCORE_SHARE=owner requires register access or uncored: the "
				"kernel's driver gives each process its own counters, so sums over "
				"processes would be too large");
	r = open_closed(u);
	if (r == 0)
		u->backend = &unc_backend_kernel;
	return r;
}
