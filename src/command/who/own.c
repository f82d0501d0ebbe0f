/* SPDX-License-Identifier: BSD-3-Clause */
/* own.c - see own.h. */
#include "command/who/own.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

static bool has_task(const struct resctrl *r, const char *group, pid_t thread)
{
	size_t n;
	pid_t *tasks = resctrl_tasks(r, group, &n);
	bool found = false;

	for (size_t i = 0; i < n; i++)
		found |= tasks[i] == thread;
	free(tasks);
	return found;
}

/* The control group of a thread, and the monitoring group if it is in one; to be freed. */
static void find_groups(const struct resctrl *r, pid_t thread, char **control, char **monitoring)
{
	size_t n;
	char **groups = resctrl_groups(r, &n);

	*control = *monitoring = NULL;
	for (size_t i = 0; i < n; i++) {
		char **found = resctrl_is_monitoring(groups[i]) ? monitoring : control;

		if (!*found && has_task(r, groups[i], thread))
			*found = groups[i];
		else
			free(groups[i]);
	}
	free(groups);
}

static bool make_group(struct own *o, pid_t thread, char *why, size_t len)
{
	char *other;

	find_groups(&o->resctrl, thread, &o->control, &other);
	if (other)
		snprintf(why, len, "another program monitors this one in its group %s", other);
	else if (!o->control)
		snprintf(why, len, "%s lists no group of this process", o->resctrl.top);
	else {
		o->group = resctrl_make(&o->resctrl, o->control, 0);
		if (!o->group)
			snprintf(why, len, "cannot make a monitoring group in %s: %s",
				 o->resctrl.top,
				 errno == ENOSPC ? "all monitoring IDs are used" : strerror(errno));
	}
	free(other);
	return o->group;
}

static bool read_first(struct own *o, char *why, size_t len)
{
	if (resctrl_read(&o->resctrl, o->group, &o->before))
		return true;
	snprintf(why, len, "cannot read the monitoring group %s: %s", o->group, strerror(errno));
	return false;
}

bool own_open(struct own *o, const char *root, struct uncore *u, pid_t thread, char *why,
	      size_t len)
{
	*o = (struct own){.group = NULL};
	if (resctrl_open(&o->resctrl, root, u, why, len)) {
		resctrl_recover(&o->resctrl);
		if (make_group(o, thread, why, len) && read_first(o, why, len))
			return true;
	}
	own_close(o);
	return false;
}

void own_close(struct own *o)
{
	if (o->group)
		resctrl_remove(&o->resctrl, o->group);
	resctrl_close(&o->resctrl);
	free(o->control);
	free(o->group);
	*o = (struct own){.group = NULL};
}

int own_enter(const struct own *o, pid_t thread)
{
	return resctrl_assign(&o->resctrl, o->group, thread);
}

int own_leave(const struct own *o, pid_t thread)
{
	return resctrl_assign(&o->resctrl, o->control, thread);
}

bool own_read(const struct own *o, struct share_values *values)
{
	if (!resctrl_read(&o->resctrl, o->group, values))
		return false;
	share_subtract(values, &o->before);
	return true;
}
