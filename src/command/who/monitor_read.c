/* SPDX-License-Identifier: BSD-3-Clause */
/* monitor_read.c - read all groups, and add up what each owner did. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/who/monitor_inside.h"

/* ---- arithmetic ---- */

/* A counter that went back was reset: its ID was given to another group and back. */
static void only_growth(double *values)
{
	for (unsigned p = 0; p < WHO_PACKAGES; p++)
		values[p] = values[p] > 0 ? values[p] : 0;
}

static void charge(struct monitor *m, const struct watched *w, const struct share_values *now)
{
	struct share_values gain = *now;

	share_subtract(&gain, &w->last);
	only_growth(gain.total);
	only_growth(gain.local);
	only_growth(gain.joules);
	memcpy(gain.occupancy, now->occupancy, sizeof(gain.occupancy));
	share_add(&shares_of(&m->shares, w->owner ? w->owner : OWNER_OTHERS)->values, &gain);
}

/* ---- reading ---- */

static bool read_group(struct monitor *m, const struct watched *w, struct share_values *now)
{
	if (resctrl_read(&m->resctrl, w->path, now))
		return true;
	if (errno == ENOENT || errno == ENODEV)
		m->lost += w->ours;
	else
		m->unread++;
	return false;
}

/* A control group counts for its monitoring groups, too: subtract those that still exist. */
static void subtract_members(const struct monitor *m, const struct watched *control,
			     const struct share_values *values, const bool *valid,
			     struct share_values *own)
{
	for (size_t i = 0; i < m->n_watched; i++)
		if (valid[i] && m->watched[i].control &&
		    strcmp(m->watched[i].control, control->path) == 0)
			share_subtract(own, &values[i]);
}

static void take_values(struct monitor *m, struct share_values *values, const bool *valid)
{
	for (size_t i = 0; i < m->n_watched; i++) {
		struct watched *w = &m->watched[i];

		if (!w->control && valid[i])
			subtract_members(m, w, values, valid, &values[i]);
		if (valid[i] && w->valid)
			charge(m, w, &values[i]);
		w->valid = valid[i];
		w->final = w->ended;
		w->last = values[i];
	}
}

void monitor_read(struct monitor *m)
{
	struct share_values *values = need_memory(m->n_watched, sizeof(*values));
	bool *valid = need_memory(m->n_watched, sizeof(*valid));

	shares_free(&m->shares);
	m->lost = m->unread = 0;
	for (size_t i = 0; i < m->n_watched; i++)
		valid[i] = read_group(m, &m->watched[i], &values[i]);
	take_values(m, values, valid);
	free(values);
	free(valid);
}
