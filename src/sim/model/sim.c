/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim.c - life cycle of a simulated machine: its spec and its clock.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/nodes.h"
#include "sim/pcie/pcie.h"

static const struct sim_platform *const platforms[] = {
#define MACHINE(name_) &sim_##name_,
#include "sim/machines.def"
#undef MACHINE
};

bool sim_is_virtual(const struct sim *sim)
{
	return sim->virtual_time;
}

uint64_t sim_writes(const struct sim *sim)
{
	return atomic_load_explicit(&sim->writes, memory_order_relaxed);
}

struct sim_id sim_id(const struct sim *sim)
{
	return sim->id;
}

const struct sim_pci *sim_pci_devices(const struct sim *sim, size_t *n)
{
	*n = sim->n_pci;
	return sim->pci;
}

struct sim_traffic *sim_traffic(struct sim *sim, unsigned package)
{
	return package < sim->packages ? &sim->traffic[package] : NULL;
}

double sim_rate(struct sim *sim, unsigned package, const char *kind, unsigned box, uint64_t control,
		uint64_t filter)
{
	const struct sim_box *real = sim_box_find(sim, package, kind, box);
	struct sim_box asked;
	struct sim_signal signal;

	if (real == NULL)
		return (double)NAN;
	asked = (struct sim_box){.sim = sim, .kind = real->kind, .package = package, .index = box};
	asked.extra[0] = (uint32_t)filter; /* QPI: MATCH0 and MASK0 */
	asked.extra[2] = (uint32_t)(filter >> 32);
	if (!asked.kind->signal(&asked, control, filter, &signal) || signal.companion)
		return 0;
	return sim_signal_rate(&signal, asked.kind, control, false);
}

/* `text` as a number in [low, high]; 0 if it is invalid (low is never 0). */
static unsigned long number(const char *text, int base, unsigned long low, unsigned long high)
{
	char *end;
	unsigned long value = strtoul(text, &end, base);

	return *text == '\0' || *end != '\0' || value < low || value > high ? 0 : value;
}

static int set_time(struct sim *sim, const char *value)
{
	sim->virtual_time = strcmp(value, "virtual") == 0;
	return sim->virtual_time || strcmp(value, "real") == 0 ? 0 : -EINVAL;
}

static int set_hidden(struct sim *sim, const char *value)
{
	unsigned long device = number(value, 16, 1, UINT16_MAX);

	if (device == 0 || sim->n_hidden == SIM_HIDDEN)
		return -EINVAL;
	sim->hidden[sim->n_hidden++] = (uint16_t)device;
	return 0;
}

static int set_flag(bool *flag, const char *value, const char *when)
{
	*flag = strcmp(value, when) == 0;
	return strcmp(value, "yes") == 0 || strcmp(value, "no") == 0 ? 0 : -EINVAL;
}

static unsigned otherwise(unsigned value, unsigned when_0)
{
	return value != 0 ? value : when_0;
}

static int set_number(unsigned *n, const char *value, unsigned most)
{
	*n = (unsigned)number(value, 10, 1, most);
	return *n != 0 ? 0 : -EINVAL;
}

#define MOST_PERIOD  3600000 /* ms */
#define MOST_DEVICES 1000000

static int set_key(struct sim *sim, const char *key, const char *value)
{
	const unsigned cores = otherwise(sim->platform->max_cores, SIM_CORES);

	if (strcmp(key, "packages") == 0)
		return set_number(&sim->packages, value,
				  otherwise(sim->platform->max_packages, SIM_PACKAGES));
	if (strcmp(key, "dies") == 0)
		return set_number(&sim->dies, value, otherwise(sim->platform->max_dies, 1));
	if (strcmp(key, "stepping") == 0)
		return set_number(&sim->id.stepping, value, 15);
	if (strcmp(key, "cores") == 0)
		return set_number(&sim->cores, value, cores);
	if (strcmp(key, "slices") == 0 && sim->platform->slices.device != 0)
		return set_number(&sim->slices, value, cores);
	if (strcmp(key, "silent") == 0 && sim->platform->slices.device != 0)
		return set_flag(&sim->silent, value, "yes");
	if (strcmp(key, "time") == 0)
		return set_time(sim, value);
	if (strcmp(key, "hide") == 0)
		return set_hidden(sim, value);
	if (strcmp(key, "hbm") == 0 && sim->platform->discovery != NULL &&
	    sim->platform->discovery->memory)
		return set_flag(&sim->hbm, value, "yes");
	if (strcmp(key, "flat") == 0)
		return set_flag(&sim->flat, value, "yes");
	if (strcmp(key, "clusters") == 0 && sim->platform->space == NULL)
		return set_number(&sim->clusters, value, SIM_MOST_CLUSTERS);
	if (strcmp(key, "nodes") == 0 && sim->platform->space == NULL)
		return set_number(&sim->node_seed, value, MOST_DEVICES);
	if (strcmp(key, "numa") == 0)
		return set_flag(&sim->no_numa, value, "no");
	if (strcmp(key, "devices") == 0 && sim_pcie_platform(sim) != NULL)
		return set_number(&sim->device_seed, value, MOST_DEVICES);
	if (strcmp(key, "period") == 0)
		return set_number(&sim->period_ms, value, MOST_PERIOD);
	if (strcmp(key, "hash") == 0) {
		free(sim->hash_file);
		sim->hash_file = strdup(value);
		return sim->hash_file != NULL ? 0 : -ENOMEM;
	}
	if (strcmp(key, "table") == 0 && sim->platform->discovery != NULL)
		return sim_discovery_damage(sim, value) ? 0 : -EINVAL;
	return -ENOENT;
}

static void report_invalid(const struct sim *sim, const char *key, const char *value, char *err,
			   size_t errlen)
{
	if (strcmp(key, "table") == 0) {
		sim_discovery_report(value, err, errlen);
		return;
	}
	snprintf(
		err, errlen,
		"invalid machine option %s=%s: packages is 1 to %u, dies 1 to %u, cores and slices 1 to %u, "
		"time real or virtual, hide a hexadecimal PCI device id, period 1 to 3600000 (ms), "
		"devices and nodes 1 to 1000000, clusters 1 to 4, numa, hbm, flat and silent yes "
		"or no",
		key, value, otherwise(sim->platform->max_packages, SIM_PACKAGES),
		otherwise(sim->platform->max_dies, 1),
		otherwise(sim->platform->max_cores, SIM_CORES));
}

static int set_keys(struct sim *sim, char *keys, char *err, size_t errlen)
{
	char *rest;

	for (char *key = strtok_r(keys, ",", &rest); key != NULL;
	     key = strtok_r(NULL, ",", &rest)) {
		char *value = strchr(key, '=');
		int code;

		if (value == NULL) {
			snprintf(err, errlen, "machine option %s requires a value: use %s=VALUE",
				 key, key);
			return -EINVAL;
		}
		*value++ = '\0';
		code = set_key(sim, key, value);
		if (code == -ENOENT) {
			snprintf(err, errlen, "unknown machine option %s", key);
			return -EINVAL;
		}
		if (code != 0) {
			report_invalid(sim, key, value, err, errlen);
			return code;
		}
	}
	return 0;
}

static const struct sim_platform *find_platform(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (strlen(platforms[i]->name) == length &&
		    strncmp(platforms[i]->name, name, length) == 0)
			return platforms[i];
	return NULL;
}

static void report_unknown(const char *name, size_t length, char *err, size_t errlen)
{
	size_t used;

	snprintf(err, errlen, "unknown simulated platform \"%.*s\": use one of", (int)length, name);
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		used = strnlen(err, errlen);
		snprintf(err + used, errlen - used, "%s%s", i == 0 ? " " : ", ",
			 platforms[i]->name);
	}
}

static int parse(struct sim *sim, const char *spec, char *err, size_t errlen)
{
	size_t name = strcspn(spec, ":");
	char *keys;
	int code;

	sim->platform = find_platform(spec, name);
	if (sim->platform == NULL) {
		report_unknown(spec, name, err, errlen);
		return -ENODEV;
	}
	sim->id = sim->platform->id;
	sim->packages = otherwise(sim->platform->packages, 2);
	sim->dies = 1;
	sim->cores = otherwise(sim->platform->cores, SIM_CORES);
	if (spec[name] == '\0')
		return 0;
	keys = strdup(spec + name + 1);
	if (keys == NULL) {
		snprintf(err, errlen, "out of memory for the simulated machine");
		return -ENOMEM;
	}
	code = set_keys(sim, keys, err, errlen);
	free(keys);
	sim->packages *= sim->dies;
	if (code == 0 && sim->packages > SIM_PACKAGES) {
		snprintf(err, errlen, "too many dies: a simulated machine has at most %d",
			 SIM_PACKAGES);
		return -EINVAL;
	}
	if (code == 0 && sim->clusters > sim->cores) {
		snprintf(err, errlen, "too few cores: each of %u clusters needs one",
			 sim->clusters);
		return -EINVAL;
	}
	if (code == 0 && sim->slices != 0 && sim->slices < sim->cores) {
		snprintf(err, errlen,
			 "too few slices: a package with %u cores needs as many, not %u",
			 sim->cores, sim->slices);
		return -EINVAL;
	}
	return code;
}

#define NS_PER_MS UINT64_C(1000000)

/* Packages have different periods, so that their traffic is not synchronous. */
static void set_bursts(struct sim *sim, unsigned package)
{
	if (sim->period_ms == 0)
		return;
	sim->traffic[package].pattern =
		(struct sim_pattern){.period_ns = sim->period_ms * NS_PER_MS * (package + 2) / 2,
				     .busy = 0.5,
				     .quiet = 0.2,
				     .scattered = true};
}

static unsigned count_slices(const struct sim *sim)
{
	const struct sim_kind *kind = sim->platform->kinds;

	while (!sim_is_slice(kind))
		kind++;
	return sim_box_active(sim, kind);
}

static int set_hash(struct sim *sim, char *err, size_t errlen)
{
	const unsigned slices = count_slices(sim);
	int code = sim_hash_init(&sim->hash, sim->platform->name, slices, sim->hash_file);

	if (code == -EINVAL)
		snprintf(err, errlen,
			 "%s is no hash: it takes 1 to 65536 numbers of slices, 0 to %u, separated "
			 "by white space",
			 sim->hash_file, slices - 1);
	else if (code != 0)
		snprintf(err, errlen, "cannot read the hash %s: %s", sim->hash_file,
			 strerror(-code));
	return code;
}

static int build(struct sim *sim, char *err, size_t errlen)
{
	int code;

	sim->slices = otherwise(sim->slices, sim->cores);
	code = set_hash(sim, err, errlen);
	if (code != 0)
		return code;
	if (sim_build(sim) != 0) {
		snprintf(err, errlen, "out of memory for the simulated machine");
		return -ENOMEM;
	}
	for (unsigned p = 0; p < sim->packages; p++) {
		sim->platform->traffic(&sim->traffic[p], p, sim->packages, sim->cores);
		set_bursts(sim, p);
	}
	atomic_flag_clear(&sim->busy);
	sim->birth = sim_monotonic();
	return 0;
}

int sim_open(const char *spec, struct sim **out, char *err, size_t errlen)
{
	struct sim *sim = calloc(1, sizeof(*sim));
	int code;

	*out = NULL;
	if (sim == NULL) {
		snprintf(err, errlen, "out of memory for the simulated machine");
		return -ENOMEM;
	}
	code = parse(sim, spec, err, errlen);
	if (code == 0)
		code = build(sim, err, errlen);
	if (code != 0) {
		sim_close(sim);
		return code;
	}
	*out = sim;
	return 0;
}

void sim_close(struct sim *sim)
{
	if (sim == NULL)
		return;
	sim_pcie_free(sim);
	sim_nodes_free(sim);
	sim_hash_free(&sim->hash);
	free(sim->hash_file);
	free(sim->cpus);
	free(sim->boxes);
	free(sim->pci);
	free(sim->devices);
	free(sim->slice);
	free(sim->space);
	free(sim->msrs);
	free(sim->windows);
	free(sim->words);
	free(sim->core);
	free(sim);
}
