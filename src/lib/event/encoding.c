/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * encoding.c - a code for the encoding of an event, independent of its name, to compare events
 * of different tables.
 */
#include <string.h>

#include "event/name_space.h"
#include "uncore_inspect.h"

/* ---- FNV-1a, 64 bits ---- */

static uint64_t add_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
	for (unsigned i = 0; i < 64; i += 8)
		hash = add_byte(hash, (uint8_t)(number >> i));
	return hash;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = add_byte(hash, (uint8_t)*text);
	return add_byte(hash, 0);
}

/* Without the boxes, which are part of every name. */
static uint64_t hash_of(const struct unc_event *ev)
{
	uint64_t hash = add_text(UINT64_C(0xcbf29ce484222325), ev->type->name);

	hash = add_number(hash, ev->control);
	hash = add_number(hash, (uint64_t)ev->counters << 2 | (uint64_t)ev->low << 1 | ev->fixed);
	for (unsigned i = 0; i < ev->n_bits; i++) {
		hash = add_number(hash, ev->bits[i].filter);
		hash = add_number(hash, ev->bits[i].mask);
		hash = add_number(hash, ev->bits[i].value);
	}
	return hash;
}

/* ---- RAW ---- */

/* Events with the same raw name are the same event, on the same counters. */
static bool is_same(struct unc_names *names, const char *raw, const struct unc_event *ev)
{
	struct unc_parsed p;
	struct unc_event other;

	return unc_parse(names, raw, &p) == 0 && unc_encode(names, &p, &other) == 0 &&
	       unc_same_event(&other, ev) && hash_of(&other) == hash_of(ev);
}

int unc_names_encoding(struct unc_names *names, unsigned id, struct uncore_encoding *is)
{
	const struct unc_event *ev;
	int code = 0;

	if (!unc_names_name(names, id))
		return unc_fail(names->err, UNCORE_EINVAL, "invalid event number: %u", id);
	ev = unc_names_event(names, id, &code);
	if (ev)
		*is = (struct uncore_encoding){
			.control = ev->control,
			.counters = ev->counters,
			.code = hash_of(ev),
		};
	return code;
}

bool unc_names_raw(struct unc_names *names, unsigned id, char raw[UNCORE_NAME_MAX + 1])
{
	int code = 0;
	const struct unc_event *ev = unc_names_event(names, id, &code);
	bool same;

	if (!ev)
		return false;
	unc_mutex_lock(&names->lock);
	same = unc_format_raw_name(names->entries[id]->pmu, ev, raw) && is_same(names, raw, ev);
	unc_mutex_unlock(&names->lock);
	return same;
}
