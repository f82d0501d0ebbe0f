/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulate.c - "file:FILE:simulate": the simulated machine that is most similar to a recorded
 * one, and the differences in numbers.
 */
#include "set/simulate.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "set/set.h"

#define ENDING ":simulate"

bool unc_is_to_simulate(const char *machine)
{
	const size_t n = strlen(machine), end = strlen(ENDING);

	return strncmp(machine, "file:", 5) == 0 && n > 5 + end &&
	       strcmp(machine + n - end, ENDING) == 0;
}

/* ---- shape of the machine ---- */

/* The maximum of any package or die; if it was not recorded, each CPU is one. */
static unsigned cores_of(const struct uncore *u)
{
	const struct unc_machine *m = &u->machine;
	unsigned most = 1;

	for (unsigned p = 0; p < m->topo.n_packages; p++) {
		unsigned n = unc_cores_online(m, u->hw, p);

		n = n == UINT_MAX ? unc_cpus_online(m, p) : n;
		most = n > most ? n : most;
	}
	return most;
}

/*
 * Number of usable boxes of a type in a package, -1: in all; of a type by the name of the other
 * machine.
 */
static unsigned count(const struct unc_machine *m, const char *type, int package)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->n_boxes; i++)
		n += strcmp(m->boxes[i].type->name, type) == 0 && !m->boxes[i].absent &&
		     (package < 0 || m->boxes[i].package == package);
	return n;
}

static void append(char *spec, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void append(char *spec, size_t len, const char *format, ...)
{
	const size_t n = strlen(spec);
	va_list list;

	va_start(list, format);
	vsnprintf(spec + n, len - n, format, list);
	va_end(list);
}

/* Whether a usable box has a device with this id. */
static bool shows(const struct unc_machine *m, const struct unc_box_type *t, unsigned device)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		for (const struct unc_pci_id *id = t->pci_ids; id->device; id++)
			if (m->boxes[i].type == t && !m->boxes[i].absent && id->device == device &&
			    id->index == m->boxes[i].index)
				return true;
	return false;
}

/* Some devices belong to several boxes. */
static void hide_device(char *spec, size_t len, unsigned device)
{
	char key[16];

	snprintf(key, sizeof(key), ",hide=%04x", device);
	if (!strstr(spec, key))
		append(spec, len, "%s", key);
}

/* Boxes of a type are adjacent. */
static void hide(char *spec, size_t len, const struct unc_machine *m)
{
	const struct unc_box_type *last = NULL;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct unc_box_type *t = m->boxes[i].type;

		for (const struct unc_pci_id *id = t->pci_ids; t != last && id && id->device; id++)
			if (!id->extra && !shows(m, t, id->device))
				hide_device(spec, len, id->device);
		last = t;
	}
}

/* Simulated Xeons have a slice per core, unless the key `slices` is given. */
static void describe(char *spec, size_t len, const struct uncore *u)
{
	const struct unc_machine *m = &u->machine;
	const unsigned slices = count(m, "cbo", 0), chas = count(m, "cha", 0);
	unsigned cores = cores_of(u);

	cores = chas > cores ? chas : cores;
	snprintf(spec, len, "sim:%s:packages=%u,cores=%u", m->platform->name, m->n_sockets, cores);
	if (m->n_dies > 1)
		append(spec, len, ",dies=%u", m->n_dies);
	if (m->topo.stepping >= 1 && m->topo.stepping <= 15)
		append(spec, len, ",stepping=%u", m->topo.stepping);
	if (slices > cores)
		append(spec, len, ",slices=%u", slices);
	if (count(m, "hbm", -1))
		append(spec, len, ",hbm=yes");
	hide(spec, len, m);
}

/* ---- numbers that differ from the default ---- */

static void compare(struct uncore *u, const struct unc_machine *recorded, const char *type,
		    unsigned package)
{
	const unsigned n = count(recorded, type, (int)package),
		       simulated = count(&u->machine, type, (int)package);

	if (n != simulated)
		unc_warnings_add(&u->machine.warnings, UNCORE_WARNING_SIMULATION,
				 "the recorded machine has %u %s in package %u, the simulated "
				 "machine has %u",
				 n, type, package, simulated);
}

/* Boxes of a type are adjacent. */
void unc_recorded_compare(struct uncore *u, const struct uncore *other)
{
	const struct unc_machine *recorded = &other->machine;
	const struct unc_box_type *last = NULL;

	for (size_t i = 0; i < recorded->n_boxes; i++) {
		const struct unc_box_type *t = recorded->boxes[i].type;

		for (unsigned p = 0; t != last && unc_is_uncore(t) && p < recorded->topo.n_packages;
		     p++)
			compare(u, recorded, t->name, p);
		last = t;
	}
}

/* ---- entry point ---- */

int unc_recorded_open(struct uncore *u, const char *machine, struct uncore **recorded,
		      char spec[UNC_SPEC])
{
	char *file = strndup(machine, strlen(machine) - strlen(ENDING));
	const struct uncore_options options = {
		.size = sizeof(options), .machine = file, .journal = "none", .wrap_poller = -1};
	char why[UNCORE_ERRMSG_MAX];
	int r = UNCORE_ENOMEM;

	*recorded = NULL;
	if (file)
		r = uncore_open(recorded, &options);
	free(file);
	if (r == 0)
		describe(spec, UNC_SPEC, *recorded);
	else if (*recorded)
		unc_fail(&u->err, r, "%s", uncore_errmsg(*recorded, why, sizeof(why)));
	return r;
}

/* ---- run a known amount of traffic on a simulated machine ---- */

int uncore_simulate_load(struct uncore *u, const struct uncore_load *load)
{
	struct uncore_load is;
	int r = unc_refuse_child(u);

	if (r == 0)
		r = unc_take(&u->err, &is, load, UNC_SIZED(uncore_load));
	if (r < 0)
		return r;
	switch (unc_hw_load(u->hw, &is)) {
	case 0:
		return 0;
	case -ENODEV:
		return unc_fail(&u->err, UNCORE_ENODEV,
				"the simulated machine has no CPU %u or no CPU %u", is.cpu,
				is.memory_cpu);
	case -EINVAL:
		return unc_fail(&u->err, UNCORE_EINVAL,
				"cannot simulate traffic of zero duration, or in more than 1 GiB: "
				"set ns and bytes");
	default:
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"traffic requires a machine simulated in this process: set "
				"UNCORE_MACHINE=sim:NAME");
	}
}
