/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - errors of the Linux driver that its format files do not show.  Read from its
 * sources, 6.1 to 7.2; see docs/reference/differences.md and docs/hardware.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backend/kernel/perf.h"
#include "base/sysfs.h"

#define ANY       UINT64_MAX
#define HIGH_HALF (ANY << 32)
#define ABOVE_0   (ANY << 8) /* of each byte of a word */

static const struct limit {
	char platforms[32], kinds[32]; /* " a b " */
	unsigned word;                 /* events with one of these bits set in a config word */
	uint64_t bits;
	unsigned from; /* first box number */
	const char *why;
} limits[] = {
	{" hswep bdx skx icx ", " pcu ", 1, ABOVE_0, 0,
	 "it reads frequency bands 1 to 3 from the wrong bits of config1"},
	{" skx icx ", " upi ", 0, HIGH_HALF, 0, "it writes only the lower half of the control"},
	{" icx ", " m2m ", 0, HIGH_HALF, 0, "it writes only the lower half of the control"},
	{" spr emr gnr srf cwf ", " imc hbm cxlcm cxldp b2cxl ", 0, HIGH_HALF, 0,
	 "it writes only the lower half of the control"},
	{" spr emr ", " upi m3upi ", 0, ANY, 1, "it counts link 0 instead of each link"},
};

static bool is_one_of(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

const char *unc_perf_limit(const struct unc_machine *m, const struct unc_box *box,
			   const uint64_t config[UNC_PERF_WORDS])
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const struct limit *l = &limits[i];

		if (is_one_of(l->platforms, m->platform->name) &&
		    is_one_of(l->kinds, box->type->name) && box->index >= l->from &&
		    (config[l->word] & l->bits))
			return l->why;
	}
	return NULL;
}

/*
 * Boxes in which the driver counts nothing: it keeps a PMU whose box it could not initialize,
 * and its events read 0 (docs/reference/differences.md).
 */

#define TRIES   100
#define WAIT_NS 100000

bool unc_perf_counts(const struct unc_perf_event *event)
{
	const struct timespec wait = {.tv_nsec = WAIT_NS};
	const int fd = unc_perf_group_add(-1, event);
	struct unc_perf_group is = {.n = 0};
	bool counts = fd < 0 || unc_perf_group_enable(fd, true) < 0;

	for (int i = 0; !counts && i < TRIES; i++) {
		nanosleep(&wait, NULL);
		counts = unc_perf_group_read(fd, 1, &is) < 0 || is.counts[0] > 0;
	}
	if (fd >= 0)
		unc_perf_close(fd);
	return counts;
}

/* The clock of a box as the driver describes it: "event=0xff,umask=0x00". */
static bool find_clock(const struct unc_machine *m, const char *root, const struct unc_box *box,
		       struct unc_perf_event *e)
{
	unsigned event, umask = 0;
	char text[64];

	if (unc_perf_pmu(m, root, box, e, NULL) < 0 ||
	    !unc_read_word(text, sizeof(text), root,
			   "sys/bus/event_source/devices/%s/events/clockticks", e->pmu) ||
	    sscanf(text, "event=%x,umask=%x", &event, &umask) < 1 || event > 0xff || umask > 0xff)
		return false;
	e->config[0] = event | umask << 8;
	return true;
}

bool unc_perf_silent(const struct unc_machine *machine, const char *root, const struct unc_box *box)
{
	struct unc_perf_event clock;

	return find_clock(machine, root, box, &clock) && !unc_perf_counts(&clock);
}

/*
 * Events that the Linux driver may put on a counter that does not count them, because its
 * constraints allow more counters than Intel's tables (docs/reference/differences.md,
 * "Counters, event by event"). 6.1 to 7.2.
 */

#define MOST 4

static const struct row {
	char platforms[16], kind[8]; /* " a b " */
	uint8_t events[MOST];        /* event codes; 0 ends the list */
} rows[] = {
	{" snbep ivbep ", "cbo", {0x03, 0x06, 0x14}},
	{" ivbep ", "cbo", {0x3c}},
	{" snbep ", "r2pcie", {0x23, 0x24, 0x25}},
	{" ivbep ", "r2pcie", {0x13, 0x23, 0x25, 0x26}},
	{" ivbep ", "r2pcie", {0x28}},
	{" hswep ", "cbo", {0x1f}},
	{" hswep bdx ", "ha", {0x0b}},
	{" hswep bdx ", "ha", {0x61, 0x62, 0x64, 0x65}},
	{" hswep bdx ", "r3qpi", {0x2a, 0x2b}},
	{" hswep ", "sbo", {0x11}},
	{" bdx ", "r2pcie", {0x2a, 0x32, 0x33}},
	{" skx ", "cha", {0x3b}},
	{" skx ", "m3upi", {0x1c, 0x3c, 0x8e}},
};

static bool is_in(const char *list, const char *word)
{
	const char *at = strstr(list, word);

	return at && at[-1] == ' ' && at[strlen(word)] == ' ';
}

bool unc_perf_misplaced(const struct unc_machine *m, const struct unc_box_type *type,
			uint64_t control)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (!is_in(r->platforms, m->platform->name) || strcmp(r->kind, type->name) != 0)
			continue;
		for (unsigned e = 0; e < MOST && r->events[e]; e++)
			if ((control & 0xff) == r->events[e])
				return true;
	}
	return false;
}
