/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_filter.c - check the filter of an event in perf's syntax.  Linux ignores bits of config1
 * that the event does not compare, and compares with 0 if a filter is missing: both count
 * something else than the name says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sysfs.h"
#include "event/foreign.h"

#define TEXT 256

/* The bits of config word w that a field is taken from. */
static uint64_t bits_of(const struct unc_box_type *type, const struct unc_field *field, unsigned w)
{
	const struct unc_filter *f = &type->filters[field->filter];

	return f->config == w ? field->mask >> f->bit << f->shift : 0;
}

uint64_t unc_compared_bits(const struct unc_box_type *type, uint64_t control, unsigned w)
{
	const uint64_t needed = unc_fields_needed(type, control);
	uint64_t bits = 0;

	for (unsigned i = 0; needed >> i; i++)
		if (needed >> i & 1)
			bits |= bits_of(type, &type->fields[i], w);
	return bits;
}

/* perf's names of the fields in these bits: "filter_opc, filter_nid". */
static const char *names_of(const struct unc_names *names, const struct unc_pmu *pmu, uint64_t bits,
			    unsigned w, char text[TEXT])
{
	const char *at = unc_perf_fields(names->machine->platform, pmu->type);
	struct unc_perf_field f;
	size_t n = 0;

	text[0] = '\0';
	for (; *at; at += strcspn(at, " ") + 1) {
		const size_t len = strcspn(at, "=");

		if (unc_perf_field(names->machine->platform, pmu->type, at, len, &f) &&
		    f.word == w && (unc_bit_list(f.ranges) & bits) && n < TEXT)
			n += (size_t)snprintf(text + n, TEXT - n, "%s%.*s", n ? ", " : "", (int)len,
					      at);
	}
	return text;
}

/* Bits that would be compared if tid_en was set. */
static bool is_thread(const struct unc_names *names, const struct unc_pmu *pmu, uint64_t bits,
		      unsigned w)
{
	struct unc_perf_field f;
	uint64_t control = 0;

	if (!unc_perf_field(names->machine->platform, pmu->type, "tid_en", strlen("tid_en"), &f))
		return false;
	unc_perf_place(1, f.ranges, &control);
	return !(bits & ~unc_compared_bits(pmu->type, control, w));
}

static int refuse_unused(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
			 uint64_t value, uint64_t bits, unsigned w)
{
	char fields[TEXT], example[64] = "";
	uint64_t moved;

	if (is_thread(names, pmu, value & ~bits, w))
		return unc_fail(names->err, UNCORE_EATTR,
				"the thread in %s has no effect without tid_en: add tid_en=1",
				whole);
	if (!bits)
		return unc_fail(names->err, UNCORE_EATTR,
				"config%u=%#" PRIx64 " in %s has no effect: the event has no "
				"filter; remove it, or use another umask",
				w, value, whole);
	moved = value << __builtin_ctzll(bits);
	if (moved >> __builtin_ctzll(bits) == value && !(moved & ~bits))
		snprintf(example, sizeof(example), ", for example config%u=%#" PRIx64, w, moved);
	return unc_fail(names->err, UNCORE_EATTR,
			"config%u=%#" PRIx64 " in %s has no effect: the event compares the bits "
			"%#" PRIx64 " (%s)%s",
			w, value & ~bits, whole, bits, names_of(names, pmu, bits, w, fields),
			example);
}

/* No request has opcode 0, node mask 0 or state mask 0. */
static bool matches_none(const struct unc_field *field, uint64_t value)
{
	static const char never[][18] = {"opc", "nid", "state", "opcode and target"};

	for (unsigned i = 0; value == 0 && i < sizeof(never) / sizeof(*never); i++)
		if (strcmp(field->name, never[i]) == 0)
			return true;
	return false;
}

static int check_needed(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
			const uint64_t config[UNC_CONFIGS])
{
	const struct unc_box_type *type = pmu->type;
	const uint64_t needed = unc_fields_needed(type, config[0]);
	char fields[TEXT];

	for (unsigned i = 0; needed >> i; i++) {
		const struct unc_field *f = &type->fields[i];
		const uint64_t bits = bits_of(type, f, 1);

		if (!(needed >> i & 1) || !bits || type->filters[f->filter].unset ||
		    !matches_none(f, config[1] & bits))
			continue;
		return unc_fail(names->err, UNCORE_EATTR,
				"%s counts nothing without a filter: set %s (config1 bits "
				"%#" PRIx64 ")",
				whole, names_of(names, pmu, bits, 1, fields), bits);
	}
	return 0;
}

int unc_perf_check_filter(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
			  const uint64_t config[UNC_CONFIGS])
{
	for (unsigned w = 1; w < UNC_CONFIGS; w++) {
		const uint64_t bits = unc_compared_bits(pmu->type, config[0], w);

		if (config[w] & ~bits)
			return refuse_unused(names, pmu, whole, config[w], bits, w);
	}
	return check_needed(names, pmu, whole, config);
}
