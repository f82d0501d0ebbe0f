/* SPDX-License-Identifier: BSD-3-Clause */
/* own.c - see own.h. */
#include "claim/own.h"

#include <stdlib.h>
#include <string.h>

void unc_own_free(struct unc_own *own)
{
	for (size_t i = 0; i < own->n_claims; i++)
		free(own->claims[i].names);
	free(own->at);
	free(own->shown);
	free(own->claims);
	unc_index_free(&own->index);
	*own = (struct unc_own){.n = 0};
}

static uint64_t hash(const void *key)
{
	const struct unc_place *p = key;

	return unc_hash(p->address, (uint64_t)p->where << 8 | p->space);
}

static bool is_same(const void *a, const void *b)
{
	return unc_place_compare(a, b) == 0;
}

static const void *key(const void *at, size_t i)
{
	return &((const struct unc_own_entry *)at)[i].kept.place;
}

static const struct unc_keys keys = {hash, is_same, key};

struct unc_own_entry *unc_own_find(const struct unc_own *own, const struct unc_place *place)
{
	const uint32_t i = unc_index_find(&own->index, &keys, own->at, place);

	return i ? &own->at[i - 1] : NULL;
}

/* ---- entries ---- */

static void add_bits(struct unc_own *own, struct unc_saved *to, const struct unc_saved *more)
{
	const uint64_t bits = more->bits & ~to->bits;

	own->changed |= (more->flags & ~to->flags) != 0;
	to->flags |= more->flags;
	if (!to->bits || !bits)
		return;
	to->before |= more->before & bits;
	to->bits |= bits;
	own->changed = true;
}

bool unc_own_keep(struct unc_own *own, const struct unc_saved *kept, const struct unc_op *op)
{
	struct unc_own_entry *e = unc_own_find(own, &kept->place);

	if (e) {
		add_bits(own, &e->kept, kept);
		return true;
	}
	if (!unc_room_for_one((void **)&own->at, own->n, &own->room, sizeof(*own->at)))
		return false;
	own->at[own->n] = (struct unc_own_entry){.kept = *kept, .op = *op};
	if (!unc_index_add(&own->index, &keys, own->at, own->n + 1))
		return false;
	own->n++;
	own->changed = true;
	return true;
}

bool unc_own_show(struct unc_own *own, const struct unc_place *place, struct unc_shown shown)
{
	struct unc_own_entry *e = unc_own_find(own, place);

	if (!e || !shown.mask)
		return true;
	for (uint32_t i = e->shown; i; i = own->shown[i - 1].previous)
		if (own->shown[i - 1].shown.mask == shown.mask &&
		    own->shown[i - 1].shown.value == shown.value)
			return true;
	if (!unc_room_for_one((void **)&own->shown, own->n_shown, &own->room_shown,
			      sizeof(*own->shown)))
		return false;
	own->shown[own->n_shown] = (struct unc_own_shown){shown, e->shown};
	e->shown = (uint32_t)++own->n_shown;
	e->kept.n_shown++;
	own->changed = true;
	return true;
}

/* What entries that have gone could show goes, too; without memory it stays. */
static void prune_shown(struct unc_own *own)
{
	struct unc_own_shown *all = malloc((own->n_shown + 1) * sizeof(*all));
	uint32_t n = 0;

	for (size_t i = 0; all && i < own->n; i++) {
		uint32_t from = own->at[i].shown, to = 0;

		for (; from; from = own->shown[from - 1].previous) {
			all[n] = (struct unc_own_shown){own->shown[from - 1].shown, to};
			to = ++n;
		}
		own->at[i].shown = to;
	}
	if (!all)
		return;
	free(own->shown);
	own->room_shown = own->n_shown + 1;
	own->shown = all;
	own->n_shown = n;
}

/* An entry of all bits is needed as a whole; false: not at all. */
static bool keep_bits(struct unc_own *own, struct unc_own_entry *e, uint64_t needed)
{
	struct unc_saved *k = &e->kept;

	if (!k->bits || !(k->bits & ~needed))
		return needed != 0;
	k->bits &= needed;
	k->before &= needed;
	own->changed = true;
	return k->bits != 0;
}

void unc_own_prune(struct unc_own *own, unc_own_needed *needed, void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < own->n; i++)
		if (keep_bits(own, &own->at[i], needed(arg, &own->at[i])))
			own->at[n++] = own->at[i];
	if (n == own->n)
		return;
	own->n = n;
	own->changed = true;
	prune_shown(own);
	unc_index_renew(&own->index, &keys, own->at, n);
}

/* ---- claims ---- */

bool unc_own_claim(struct unc_own *own, const void *by, const char *const *names, size_t n)
{
	struct unc_own_claim claim = {.by = by};
	char *p;

	for (size_t i = 0; i < n; i++)
		claim.bytes += strlen(names[i]) + 1;
	claim.names = p = malloc(claim.bytes + 1);
	if (!p || !unc_room_for_one((void **)&own->claims, own->n_claims, &own->room_claims,
				    sizeof(*own->claims))) {
		free(p);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, names[i]) + 1;
	own->claims[own->n_claims++] = claim;
	own->changed = true;
	return true;
}

void unc_own_unclaim(struct unc_own *own, const void *by)
{
	for (size_t i = 0; i < own->n_claims; i++) {
		if (own->claims[i].by != by)
			continue;
		free(own->claims[i].names);
		own->claims[i] = own->claims[--own->n_claims];
		own->changed = true;
		return;
	}
}

/* ---- as a journal ---- */

static bool make_room(const struct unc_own *own, struct unc_journal *j)
{
	size_t shown = 0, bytes = 0;

	for (size_t i = 0; i < own->n; i++)
		shown += own->at[i].kept.n_shown;
	for (size_t i = 0; i < own->n_claims; i++)
		bytes += own->claims[i].bytes;
	j->kept = malloc(own->n * sizeof(*j->kept) + 1);
	j->shown = malloc(shown * sizeof(*j->shown) + 1);
	j->names = malloc(bytes + 1);
	return j->kept && j->shown && j->names;
}

bool unc_own_journal(const struct unc_own *own, struct unc_journal *j)
{
	j->head.n_saved = j->head.n_shown = j->head.n_names = 0;
	if (!make_room(own, j)) {
		unc_journal_free(j);
		return false;
	}
	for (size_t i = 0; i < own->n; i++) {
		struct unc_saved *k = &j->kept[j->head.n_saved++];

		*k = own->at[i].kept;
		k->shown = j->head.n_shown;
		for (uint32_t s = own->at[i].shown; s; s = own->shown[s - 1].previous)
			j->shown[j->head.n_shown++] = own->shown[s - 1].shown;
	}
	for (size_t i = 0; i < own->n_claims; i++) {
		memcpy(j->names + j->head.n_names, own->claims[i].names, own->claims[i].bytes);
		j->head.n_names += (uint32_t)own->claims[i].bytes;
	}
	return true;
}
