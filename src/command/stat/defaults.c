/* SPDX-License-Identifier: BSD-3-Clause */
/* defaults.c - what `uncore stat` counts if nothing is requested. */
#include "command/base/basket.h"
#include "command/stat/request.h"
#include "uncore_inspect.h"

enum { MOST = 3 };

struct defaults {
	struct uncore *u;
	struct asked *list;
	size_t n;
};

/* The first list whose metrics exist and fit together is used. */
struct choice {
	const char *lists[2][MOST + 1];
	bool may_be_denied; /* by the system, or by the policy of uncored */
};

/* Memory is the first.  One register of a Nehalem-EX memory controller selects reads or writes. */
static const struct choice choices[] = {
	{{{"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES", "UNCORE_MEM_BYTES"},
	  {"UNCORE_MEM_READ_BYTES_SPLIT", "UNCORE_MEM_WRITE_BYTES_SPLIT",
	   "UNCORE_MEM_BYTES_SPLIT"}},
	 false},
	{{{"UNCORE_SOCKET_OUT_BYTES"}}, false},
	{{{"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES"},
	  {"UNCORE_PCIE_READ_BYTES_SPLIT", "UNCORE_PCIE_WRITE_BYTES_SPLIT"}},
	 false},
	{{{"UNCORE_FREQUENCY"}}, false},
	{{{"UNCORE_POWER_PACKAGE_WATTS"}}, true},
	{{{"UNCORE_POWER_DRAM_WATTS"}}, true},
};

/* Where no metric is known. */
static const char *const core[] = {"ix86arch::INSTRUCTION_RETIRED",
				   "ix86arch::UNHALTED_CORE_CYCLES", NULL};

/* Energy counters run all the time: a start changes nothing. */
static int try_start(struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_set *set = NULL;
	int code = uncore_set_create(u, &set);

	if (code == 0)
		code = uncore_set_assign(set, ids, n);
	if (code == 0)
		code = uncore_set_start(set);
	uncore_set_destroy(set);
	return code;
}

/* 0, or why they cannot be counted here. */
static int try_list(struct uncore *u, const char *const *names, bool may_be_denied)
{
	unsigned ids[MOST];
	size_t n = 0;
	int code = 0;

	for (; code == 0 && names[n]; n++)
		code = uncore_event(u, names[n], &ids[n]);
	if (code == 0)
		code = events_fit(u, ids, n);
	return code == 0 && may_be_denied ? try_start(u, ids, n) : code;
}

static void add(struct defaults *d, const char *const *names, bool metric)
{
	for (; *names; names++)
		d->list[d->n++] = (struct asked){*names, metric, 0};
}

static int add_choice(struct defaults *d, const struct choice *choice)
{
	int code = UNCORE_ENOEVENT;

	for (size_t i = 0; i < 2 && choice->lists[i][0] && is_not_here(code); i++) {
		code = try_list(d->u, choice->lists[i], choice->may_be_denied);
		if (code == 0)
			add(d, choice->lists[i], true);
	}
	return code;
}

static int add_core_events(struct defaults *d)
{
	const int code = try_list(d->u, core, false);

	if (code < 0)
		return report(d->u, code);
	add(d, core, false);
	return TOOL_OK;
}

int find_defaults(struct uncore *u, struct asked list[DEFAULTS_MOST], size_t *n)
{
	struct defaults d = {u, list, 0};
	int status = TOOL_OK;

	for (size_t i = 0; status == TOOL_OK && i < sizeof(choices) / sizeof(*choices); i++) {
		const int code = add_choice(&d, &choices[i]);

		if (i > 0 || code == 0)
			continue;
		if (is_not_here(code))
			say("no events for memory reads and writes are known on this machine: "
			    "choose events with -e; see `uncore list`");
		else
			status = report(u, code);
	}
	if (status == TOOL_OK && d.n == 0)
		status = add_core_events(&d);
	*n = d.n;
	return status;
}
