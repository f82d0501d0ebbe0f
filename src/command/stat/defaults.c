/* SPDX-License-Identifier: BSD-3-Clause */
/* defaults.c - the default events of `uncore stat`. */
#include "command/base/basket.h"
#include "command/tools.h"

/*
 * The first list whose events exist and fit together is used.  Granite Rapids' channels have two
 * read counts, and one register of a Nehalem-EX memory controller selects reads or writes.  Boxes
 * known only from a discovery table have no event with a known meaning.
 */
static const char *const lists[][3] = {
	{"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR", NULL},
	{"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES", NULL},
	{"UNCORE_MEM_READ_BYTES_SPLIT", "UNCORE_MEM_WRITE_BYTES_SPLIT", NULL},
	{"UNCORE_CLOCKTICKS", NULL},
	{"ix86arch::INSTRUCTION_RETIRED", "ix86arch::UNHALTED_CORE_CYCLES", NULL},
};

#define N_LISTS  (sizeof(lists) / sizeof(*lists))
#define N_MEMORY 3 /* number of lists about memory */

/* 0, or why they cannot be counted here. */
static int try_list(struct uncore *u, const char *const *names)
{
	unsigned ids[3];
	size_t n = 0;
	int code = 0;

	for (; code == 0 && names[n]; n++)
		code = uncore_event(u, names[n], &ids[n]);
	return code == 0 ? events_fit(u, ids, n) : code;
}

int default_events(struct uncore *u, const char *const **names)
{
	int code = UNCORE_ENOEVENT;

	for (size_t i = 0; i < N_LISTS && is_not_here(code); i++) {
		*names = lists[i];
		code = try_list(u, lists[i]);
		if (code == 0 && i >= N_MEMORY)
			say("no events for memory reads and writes are known on this machine: "
			    "choose events with -e; see `uncore list`");
	}
	return code == 0 ? TOOL_OK : report(u, code);
}
