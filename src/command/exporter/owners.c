/* SPDX-License-Identifier: BSD-3-Clause */
/* owners.c - see owners.h. */
#include "command/exporter/owners.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/who/monitor.h"

/* Counters of an owner, from its first reading to its last. */
struct owner {
	char *name;
	double values[OWNER_FAMILIES];
	bool here; /* read the last time */
};

struct owners_export {
	struct monitor monitor;
	const char *root;
	size_t most;
	struct owner *list;
	size_t n;
	unsigned omitted; /* owners beyond `most`, at the last reading */
	int error;        /* of the list of processes */
	char *lacks;      /* as reported; NULL: nothing */
};

static const struct {
	struct family family;
	const char *labels;
} families[OWNER_FAMILIES] = {
	[OWNER_LOCAL] = {{"uncore_owner_memory_bytes", "bytes",
			  "Bytes that the cores of an owner moved from and to memory (resctrl).",
			  FAMILY_COUNTER, 0, false},
			 "memory=\"local\""},
	[OWNER_REMOTE] = {{"uncore_owner_memory_bytes", "bytes", NULL, FAMILY_COUNTER, 0, false},
			  "memory=\"remote\""},
	[OWNER_CACHE] = {{"uncore_owner_cache_bytes", "bytes",
			  "Bytes of an owner in the last-level cache.", FAMILY_GAUGE, 0, false},
			 ""},
	[OWNER_ENERGY] = {{"uncore_owner_core_energy_joules", "joules",
			   "Energy of the cores of an owner.", FAMILY_COUNTER, 0, false},
			  ""},
};

const struct family *owners_export_family(enum owner_family family)
{
	return &families[family].family;
}

const char *owners_export_labels(enum owner_family family)
{
	return families[family].labels;
}

struct owners_export *owners_export_open(const char *root, struct uncore *u, enum who_by by,
					 size_t most, char *why, size_t len)
{
	struct owners_export *o = need_memory(1, sizeof(*o));

	o->root = root;
	o->most = most;
	if (monitor_open(&o->monitor, root, u, by, why, len)) {
		owners_export_look(o);
		owners_export_read(o);
		return o;
	}
	free(o);
	return NULL;
}

void owners_export_close(struct owners_export *o)
{
	if (!o)
		return;
	monitor_close(&o->monitor);
	for (size_t i = 0; i < o->n; i++)
		free(o->list[i].name);
	free(o->list);
	free(o->lacks);
	free(o);
}

void owners_export_look(struct owners_export *o)
{
	struct procs procs;

	o->error = procs_read(&procs, o->root);
	if (o->error == 0)
		monitor_assign(&o->monitor, &procs);
	procs_free(&procs);
}

/* ---- reading ---- */

/* NULL: there are too many. */
static struct owner *owner_named(struct owners_export *o, const char *name)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->list[i].name, name) == 0)
			return &o->list[i];
	if (o->n == o->most)
		return NULL;
	o->list = need_more(o->list, o->n + 1, sizeof(*o->list));
	o->list[o->n] = (struct owner){.name = text_of("%s", name)};
	return &o->list[o->n++];
}

static void take(struct owners_export *o, const struct share *share)
{
	struct owner *owner = owner_named(o, share->owner);
	const double total = sum_of_packages(share->values.total);
	const double local = fmin(sum_of_packages(share->values.local), total);

	if (!owner) {
		o->omitted++;
		return;
	}
	owner->here = true;
	owner->values[OWNER_LOCAL] += local;
	owner->values[OWNER_REMOTE] += total - local;
	owner->values[OWNER_CACHE] = sum_of_packages(share->values.occupancy);
	owner->values[OWNER_ENERGY] += sum_of_packages(share->values.joules);
}

/* The series of a job end with it, but not with a reading that lacks groups. */
static void forget_ended(struct owners_export *o)
{
	size_t left = 0;

	for (size_t i = 0; i < o->n; i++) {
		if (o->list[i].here || o->monitor.unread || o->monitor.lost)
			o->list[left++] = o->list[i];
		else
			free(o->list[i].name);
	}
	o->n = left;
}

void owners_export_read(struct owners_export *o)
{
	monitor_read(&o->monitor);
	o->omitted = 0;
	for (size_t i = 0; i < o->n; i++)
		o->list[i].here = false;
	for (size_t i = 0; i < o->monitor.shares.n; i++)
		take(o, &o->monitor.shares.list[i]);
	forget_ended(o);
}

/* ---- what they lack ---- */

static char *lacks_of(const struct owners_export *o)
{
	const struct monitor *m = &o->monitor;
	const unsigned unread = m->unread + m->lost;
	char *text = text_of("%s", "");

	if (o->error)
		text = text_and(text, "; new processes are not seen: /proc: %s",
				strerror(o->error));
	if (m->ungrouped)
		text = text_and(text, "; %u owner%s in %s: %s", m->ungrouped,
				m->ungrouped == 1 ? " is" : "s are", OWNER_OTHERS,
				m->error == ENOSPC ? "all monitoring IDs are used"
						   : strerror(m->error));
	if (unread)
		text = text_and(text, "; %u monitoring group%s could not be read", unread,
				plural(unread));
	if (o->omitted)
		text = text_and(text, "; %u owner%s omitted: the limit is %zu (--max-series)",
				o->omitted, o->omitted == 1 ? " is" : "s are", o->most);
	return text;
}

char *owners_export_news(struct owners_export *o)
{
	char *lacks = lacks_of(o), *news = NULL;

	if (strcmp(lacks, o->lacks ? o->lacks : "") != 0)
		news = *lacks ? text_of("the traffic of owners is incomplete: %s", lacks + 2)
			      : text_of("the traffic of owners is complete again");
	free(o->lacks);
	o->lacks = lacks;
	return news;
}

bool owners_export_at(const struct owners_export *o, size_t i, const char **name,
		      double values[OWNER_FAMILIES])
{
	if (!o || i >= o->n)
		return false;
	*name = o->list[i].name;
	memcpy(values, o->list[i].values, sizeof(o->list[i].values));
	if (!o->monitor.resctrl.occupancy)
		values[OWNER_CACHE] = (double)NAN;
	if (!o->monitor.resctrl.energy)
		values[OWNER_ENERGY] = (double)NAN;
	return true;
}

const char *owners_export_label(const struct owners_export *o)
{
	return who_by_name(o->monitor.by);
}
