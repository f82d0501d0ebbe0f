/* SPDX-License-Identifier: BSD-3-Clause */
/* monitor_read.c - read all groups, and add up what each owner did. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "command/who/monitor_inside.h"

#define LOOKS 3     /* at a group, until one was not interrupted: */
#define QUICK 0.001 /* s; the kernel interrupts a CPU of each package */

struct reading {
	struct share_values values;
	double members[WHO_PACKAGES];
	struct looked_at at;
	bool valid;
};

/* ---- arithmetic ---- */

/* A counter that went back was reset: its ID was given to another group and back. */
static void only_growth(double *values)
{
	for (unsigned p = 0; p < WHO_PACKAGES; p++)
		values[p] = values[p] > 0 ? values[p] : 0;
}

static void charge(struct monitor *m, const struct watched *w, const struct reading *now)
{
	const struct counted_time time = time_between(w->at, now->at);
	struct share *share = shares_of(&m->shares, w->owner ? w->owner : OWNER_OTHERS);
	struct share_values gain = now->values;

	share_subtract(&gain, &w->last);
	only_growth(gain.total);
	only_growth(gain.local);
	only_growth(gain.joules);
	memcpy(gain.occupancy, now->values.occupancy, sizeof(gain.occupancy));
	share_add(&share->values, &gain);
	for (unsigned p = 0; p < WHO_PACKAGES; p++)
		share_rate(share, p, gain.total[p],
			   gain.total[p] + fmax(now->members[p] - w->members[p], 0), time);
}

/* ---- reading ---- */

static bool read_group(struct monitor *m, const struct watched *w, struct reading *now)
{
	for (unsigned looks = 0; looks < LOOKS; looks++) {
		now->at.before = seconds_now();
		if (!resctrl_read(&m->resctrl, w->path, &now->values)) {
			if (errno == ENOENT || errno == ENODEV)
				m->lost += w->ours;
			else
				m->unread++;
			return false;
		}
		now->at.after = seconds_now();
		if (now->at.after - now->at.before < QUICK)
			break;
	}
	return true;
}

static bool is_member(const struct watched *w, const struct watched *control)
{
	return w->control && strcmp(w->control, control->path) == 0;
}

/*
 * A control group counts for its monitoring groups, too: subtract them.  False if one of them could
 * not be read: all that it ever counted may be in the count of the control group.
 */
static bool subtract_members(const struct monitor *m, const struct watched *control,
			     const struct reading *readings, struct reading *own)
{
	for (size_t i = 0; i < m->n_watched; i++) {
		const struct share_values *values = &readings[i].values;

		if (!is_member(&m->watched[i], control))
			continue;
		if (!readings[i].valid)
			return false;
		share_subtract(&own->values, values);
		for (unsigned p = 0; p < WHO_PACKAGES; p++)
			own->members[p] += values->total[p];
	}
	return true;
}

static void take_values(struct monitor *m, struct reading *readings)
{
	for (size_t i = 0; i < m->n_watched; i++) {
		struct watched *w = &m->watched[i];
		struct reading *now = &readings[i];

		if (!w->control && now->valid) {
			now->valid = subtract_members(m, w, readings, now);
			now->at = m->at; /* of all that is subtracted */
			m->unread += !now->valid;
		}
		if (now->valid && w->valid)
			charge(m, w, now);
		w->valid = now->valid;
		w->final = w->ended;
		w->last = now->values;
		memcpy(w->members, now->members, sizeof(w->members));
		w->at = now->at;
	}
}

void monitor_read(struct monitor *m)
{
	struct reading *readings = need_memory(m->n_watched, sizeof(*readings));

	shares_free(&m->shares);
	m->lost = m->unread = 0;
	m->at.before = seconds_now();
	for (size_t i = 0; i < m->n_watched; i++)
		readings[i].valid = read_group(m, &m->watched[i], &readings[i]);
	m->at.after = seconds_now();
	take_values(m, readings);
	free(readings);
}
