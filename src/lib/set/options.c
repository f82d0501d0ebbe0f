/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - see opening.h. */
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/marks.h"
#include "claim/election.h"
#include "set/opening.h"
#include "set/set.h"

#define LOCK_TIMEOUT_MS 5000

const char *unc_text_option(const char *given, const char *variable, const char *missing)
{
	const char *value = given ? given : unc_variable(variable);

	return value && *value ? value : missing;
}

bool unc_flag_option(int given, const char *value, bool missing)
{
	if (given)
		return given > 0;
	return value && *value ? strcmp(value, "0") != 0 : missing;
}

const char *unc_access_of(const struct uncore_options *o)
{
	return unc_text_option(o->access, "UNCORE_ACCESS", "auto");
}

/* ---- options stored in the handle ---- */

static void note_ignored(struct uncore *u)
{
	static const char *const names[] = {"UNCORE_MACHINE",
					    "UNCORE_SYSROOT",
					    "UNCORE_FORCE",
					    "UNCORE_EVENT_FILES",
					    "UNCORE_EVENT_FILES_FORCE",
					    "UNCORE_PARTIAL",
					    "UNCORE_JOURNAL",
					    "UNCORE_LOCK_TIMEOUT",
					    "UNCORE_SHARE",
					    "UNCORE_ACCESS",
					    "UNCORE_DAEMON",
					    NULL};

	unc_ignored_variables(names, u->ignored, sizeof(u->ignored));
}

static int read_timeout(struct uncore *u, const struct uncore_options *o)
{
	const char *text = unc_variable("UNCORE_LOCK_TIMEOUT");
	char *end = NULL;
	unsigned long ms = LOCK_TIMEOUT_MS;

	if (o->lock_timeout_ms)
		ms = o->lock_timeout_ms > 0 ? (unsigned long)o->lock_timeout_ms : 0;
	else if (text)
		ms = strtoul(text, &end, 10);
	if (end && (end == text || *end || *text == '-' || ms > 3600000))
		return unc_fail(&u->err, UNCORE_EINVAL,
				"invalid UNCORE_LOCK_TIMEOUT \"%s\": expected milliseconds from 0 "
				"to 3600000",
				text);
	u->lock_timeout_ms = (unsigned)ms;
	return 0;
}

/* If a launcher has started several ranks on this node, one of them counts an event. */
static int elect_among_ranks(struct uncore *u)
{
	struct unc_launch step;
	const int r = unc_launch_find(&step);

	if (r < 0)
		return unc_fail(&u->err, unc_code_of_errno(r),
				"cannot find out which launcher started this rank: /proc: %s",
				strerror(-r));
	if (r == 0)
		return 0;
	u->election = unc_election_new(&step);
	return u->election
		       ? 0
		       : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the ranks of a job");
}

static int read_policy(struct uncore *u, const struct uncore_options *o)
{
	const char *share = unc_text_option(o->share, "UNCORE_SHARE", "refuse");

	if (!unc_text_option(o->share, "UNCORE_SHARE", NULL))
		return elect_among_ranks(u);
	u->owner_counts = strcmp(share, "owner") == 0;
	if (u->owner_counts || strcmp(share, "refuse") == 0)
		return 0;
	return unc_fail(&u->err, UNCORE_EINVAL,
			"invalid UNCORE_SHARE \"%s\": use \"refuse\" (default; fail if another "
			"process uses the counters) or \"owner\" (one process per job counts, the "
			"others read 0)",
			share);
}

/* Prefix of the paths of all files. */
static int keep_root(struct uncore *u, const struct uncore_options *o)
{
	u->root = strdup(unc_text_option(o->sysroot, "UNCORE_SYSROOT", "/"));
	return u->root ? 0 : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a path");
}

static int check_access(struct uncore *u, const char *access)
{
	static const char words[][7] = {"auto", "direct", "daemon", "kernel"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(access, words[i]) == 0)
			return 0;
	return unc_fail(&u->err, UNCORE_EINVAL,
			"invalid UNCORE_ACCESS \"%s\": use \"auto\", \"direct\" (registers), "
			"\"daemon\" (uncored) or \"kernel\" (the kernel's driver)",
			access);
}

int unc_read_options(struct uncore *u, const struct uncore_options *o)
{
	int r;

	unc_marks_find(&u->marks);
	u->force = unc_flag_option(o->force, unc_variable("UNCORE_FORCE"), false);
	u->machine.partial = unc_flag_option(o->partial, unc_variable("UNCORE_PARTIAL"), false);
	/* this one does not affect which registers are accessed */
	u->wrap_poller.wanted = unc_flag_option(o->wrap_poller, getenv("UNCORE_WRAP_POLLER"), true);
	u->with_readers = o->readers > 0;
	note_ignored(u);
	r = read_timeout(u, o);
	if (r == 0)
		r = read_policy(u, o);
	if (r == 0)
		r = keep_root(u, o);
	return r == 0 ? check_access(u, unc_access_of(o)) : r;
}
