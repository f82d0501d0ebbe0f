/* SPDX-License-Identifier: BSD-3-Clause */
/* event_walk.c - events by name and by number, and lists of them. */
#include <string.h>

#include "base/sized.h"
#include "set/set.h"

static bool is_known(const struct unc_warnings *warnings, const char *text)
{
	for (unsigned i = 0; i < warnings->n; i++)
		if (strcmp(unc_warning(warnings, i)->text, text) == 0)
			return true;
	return false;
}

/* Without memory for the warning the event is still valid. */
static void warn(struct uncore *u, const struct unc_notice *notice)
{
	sigset_t before;

	unc_lock(u, &before);
	if (!is_known(&u->machine.warnings, notice->text))
		unc_warnings_add(&u->machine.warnings, notice->code, "%s", notice->text);
	unc_unlock(u, &before);
}

int uncore_event(struct uncore *u, const char *name, unsigned *id)
{
	struct unc_notice notice;
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_names_find(u->names, name, id, &notice);
	if (r == 0 && *notice.text)
		warn(u, &notice);
	return r;
}

unsigned uncore_limit_names(struct uncore *u, unsigned names)
{
	return unc_unopened(u) ? 0 : unc_names_limit(u->names, names);
}

const char *uncore_event_name(struct uncore *u, unsigned id)
{
	return unc_unopened(u) ? NULL : unc_names_name(u->names, id);
}

int uncore_event_info(struct uncore *u, unsigned id, struct uncore_event_info *info)
{
	struct uncore_event_info is;
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_names_info(u->names, id, &is);
	return r < 0 ? r : unc_give(&u->err, info, &is, UNC_SIZED(uncore_event_info), 0);
}

int uncore_event_encoding(struct uncore *u, unsigned id, struct uncore_encoding *encoding)
{
	struct uncore_encoding is;
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_names_encoding(u->names, id, &is);
	return r < 0 ? r : unc_give(&u->err, encoding, &is, UNC_SIZED(uncore_encoding), 0);
}

int uncore_event_sum(struct uncore *u, unsigned id, struct uncore_sum *sum)
{
	struct uncore_event_info event = {.name = "", .units = ""};
	struct uncore_sum is;
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_names_sum(u->names, id, &is);
	if (r == 0)
		r = unc_names_info(u->names, id, &event);
	if (r != 0)
		return r;
	is.rate_divisor = is.counters > 0 && strcmp(event.units, "cycles") == 0 ? is.counters : 1;
	if (is.packages > 1 && strstr(event.name, ":box=") && !strstr(event.name, ":pkg="))
		is.of_packages = is.packages;
	return unc_give(&u->err, sum, &is, UNC_SIZED(uncore_sum), 0);
}

/* Listed events have the numbers 0, 1, 2, ... */
int uncore_listed_event(struct uncore *u, unsigned i, unsigned *id)
{
	const int r = unc_unopened(u);

	if (r < 0 || i >= unc_names_count(u->names))
		return r;
	*id = i;
	return 1;
}

int uncore_event_umask(struct uncore *u, unsigned event, unsigned i, unsigned *id)
{
	const int r = unc_unopened(u);

	return r < 0 ? r : unc_names_umask(u->names, event, i, id);
}

int uncore_event_part(struct uncore *u, const char *name, unsigned i, unsigned *id)
{
	const int r = unc_unopened(u);

	return r < 0 ? r : unc_names_part(u->names, name, i, id);
}

int uncore_erratum(struct uncore *u, unsigned i, struct uncore_erratum *erratum)
{
	static const char *const evidence[] = {
		[UNC_STATED] = "stated by the source",
		[UNC_OBSERVED] = "measured by the source",
		[UNC_COMPARED] = "found by comparing sources",
	};
	const int r = unc_unopened(u);
	const struct unc_erratum *e = r == 0 ? unc_erratum_at(&u->machine, i) : NULL;
	struct uncore_erratum is = {.size = sizeof(is)};

	if (!e)
		return r;
	is.events = e->events;
	is.verdict = (enum uncore_verdict)e->verdict;
	is.text = e->text;
	is.instead = *e->instead ? e->instead : NULL;
	is.source = e->source;
	is.evidence = evidence[e->evidence];
	return unc_give(&u->err, erratum, &is, UNC_SIZED(uncore_erratum), 1);
}

int uncore_event_qualifier(struct uncore *u, unsigned event, unsigned i,
			   struct uncore_qualifier_info *info)
{
	struct uncore_qualifier_info is = {.size = sizeof(is)};
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_names_qualifier(u->names, event, i, &is.name, &is.text);
	return r != 1 ? r : unc_give(&u->err, info, &is, UNC_SIZED(uncore_qualifier_info), 1);
}
