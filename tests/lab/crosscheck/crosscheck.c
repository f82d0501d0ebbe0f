/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crosscheck.c - the kernel and the library read the same counters of the simulated machine.
 *
 * crosscheck advance NS: let the machine's time pass.
 *
 * crosscheck agree SPEC <FILE: each line is
 *
 *	KIND CONFIG CONFIG1 PMU EVENT
 *
 * KIND as sim_rate() has it, uncore_PMU what the kernel calls it, EVENT what the
 * library does.  Every box of every package counts it through the kernel and then
 * through the library, each for the same time, while no other time passes.  Each
 * count must be exactly what one register of the box, read past both, moved by, and
 * no other counter of it may have moved.  The two counts must be the same and what
 * a machine SPEC of our own says; that may be one off, as the machine carries the
 * fraction of an event from one second to the next.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux.h"
#include "sim/sim.h"

#define SECOND   UINT64_C(1000000000)
#define BOXES    256
#define PACKAGES 8
#define COUNTERS 8

struct bench {
	struct uncore *uncore;
	struct sim *truth;
	int cpu[PACKAGES];
	size_t packages;
	unsigned wrong, compared;
};

struct row {
	char kind[16], pmu[16], event[128];
	uint64_t config, config1;
};

/* A box of a package, as kernel and library know it. */
struct place {
	struct pmu pmu;
	unsigned package, box;
	int fd;
	int number; /* for uncore_box(), -1: the library has no such box */
	uint64_t before[COUNTERS], after[COUNTERS];
	uint64_t by_kernel;
	int64_t by_library;
};

static void wrong(struct bench *b, const char *event, const struct place *place, const char *what)
{
	b->wrong++;
	printf("WRONG %s %s package %u: %s (kernel %" PRIu64 ", library %" PRId64 ")\n", event,
	       place->pmu.name, place->package, what, place->by_kernel, place->by_library);
}

/* The library says why. */
static void refused(struct bench *b, const char *event, const struct place *place)
{
	char why[UNCORE_ERRMSG_MAX];

	wrong(b, event, place, uncore_errmsg(b->uncore, why, sizeof(why)));
}

/* ---- registers, read around both libraries ---- */

/* The library's names of some boxes, except on Nehalem-EX and Westmere-EX. */
static const char *library_kind(const char *pmu)
{
	if (strcmp(pmu, "cbox") == 0)
		return "cbo";
	if (strcmp(pmu, "ubox") == 0)
		return "ubo";
	return strcmp(pmu, "sbox") == 0 ? "sbo" : pmu;
}

static int find_box(struct uncore *u, const char *kind, unsigned box, unsigned package)
{
	struct uncore_box_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_box(u, i, &info) == 1; i++)
		if (strcmp(info.kind, kind) == 0 && info.index == box && info.package == package)
			return info.absent == NULL ? (int)i : -1;
	return -1;
}

static void read_registers(const struct bench *b, const struct place *place, uint64_t *values)
{
	struct uncore_box_info info = {.size = sizeof(info)};
	struct uncore_op_info op = {.size = sizeof(op)};

	uncore_box(b->uncore, (unsigned)place->number, &info);
	for (unsigned n = 0; n < COUNTERS; n++) {
		values[n] = 0;
		if (uncore_register(b->uncore, (unsigned)place->number, UNCORE_COUNTER, n, &op) ==
		    1)
			read_register(&op, info.location, b->cpu[place->package], &values[n]);
	}
}

/* Let a second pass and see by how much the registers move. */
static void pass(struct bench *b, struct place *place, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].number >= 0)
			read_registers(b, &place[i], place[i].before);
	if (advance(SECOND) != 0) {
		printf("WRONG the simulated machine's clock cannot be reached\n");
		b->wrong++;
	}
	for (size_t i = 0; i < n; i++)
		if (place[i].number >= 0)
			read_registers(b, &place[i], place[i].after);
}

/* One counter of the box moved, by that much; for 0, none did. */
static bool moved(const struct place *place, uint64_t count)
{
	unsigned moved = 0, right = 0;

	for (unsigned n = 0; n < COUNTERS; n++) {
		const uint64_t by = place->after[n] - place->before[n];

		moved += by != 0;
		right += by != 0 && by == count;
	}
	return count != 0 ? moved == 1 && right == 1 : moved == 0;
}

/* ---- counting ---- */

static size_t find_places(const struct bench *b, const struct row *row, struct place *place)
{
	struct pmu pmu[BOXES];
	const size_t n = find_pmus(row->pmu, pmu, BOXES);
	size_t places = 0;

	for (size_t i = 0; i < n; i++) {
		for (unsigned p = 0; p < b->packages && places < BOXES; p++) {
			struct place *new = &place[places++];

			*new = (struct place){.pmu = pmu[i], .package = p, .by_library = -1};
			new->box = pmu[i].box < 0 ? 0 : (unsigned)pmu[i].box;
			new->number = find_box(b->uncore, row->pmu, new->box, p);
			if (new->number < 0)
				new->number =
					find_box(b->uncore, library_kind(row->pmu), new->box, p);
		}
	}
	return places;
}

static void count_by_kernel(struct bench *b, const struct row *row, struct place *place, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		place[i].fd = open_counter(&place[i].pmu, b->cpu[place[i].package], row->config,
					   row->config1);
		if (place[i].fd < 0)
			wrong(b, row->event, &place[i], strerror(-place[i].fd));
	}
	pass(b, place, n);
	for (size_t i = 0; i < n; i++) {
		if (place[i].fd < 0)
			continue;
		if (read_counter(place[i].fd, &place[i].by_kernel) != 0)
			wrong(b, row->event, &place[i], "cannot be read");
		else if (place[i].number >= 0 && !moved(&place[i], place[i].by_kernel))
			wrong(b, row->event, &place[i], "no register has the kernel's count");
		close(place[i].fd);
	}
}

/* The places that the library has; their numbers in `which`, their events in `ids`. */
static size_t translate(struct bench *b, const struct row *row, struct place *place, size_t n,
			size_t *which, unsigned *ids)
{
	char name[UNCORE_NAME_MAX + 40];
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (place[i].number < 0)
			continue;
		snprintf(name, sizeof(name), "%s:box=%u:pkg=%u", row->event, place[i].box,
			 place[i].package);
		if (uncore_event(b->uncore, name, &ids[known]) == 0)
			which[known++] = i;
		else
			refused(b, name, &place[i]);
	}
	return known;
}

static void count_by_library(struct bench *b, const struct row *row, struct place *place, size_t n)
{
	size_t which[BOXES];
	unsigned ids[BOXES];
	int64_t values[BOXES];
	const size_t known = translate(b, row, place, n, which, ids);
	struct uncore_set *set;
	int r;

	if (known == 0 || uncore_set_create(b->uncore, &set) != 0)
		return;
	r = uncore_set_assign(set, ids, known);
	if (r == 0)
		r = uncore_set_start(set);
	if (r == 0)
		pass(b, place, n);
	if (r == 0)
		r = uncore_set_stop(set);
	if (r == 0)
		r = uncore_set_read(set, values);
	if (r != 0)
		refused(b, row->event, &place[which[0]]);
	for (size_t i = 0; r == 0 && i < known; i++) {
		place[which[i]].by_library = values[i];
		if (!moved(&place[which[i]], (uint64_t)values[i]))
			wrong(b, row->event, &place[which[i]],
			      "no register has the library's count");
	}
	uncore_set_destroy(set);
}

static void compare(struct bench *b, const struct row *row, const struct place *place)
{
	const double truth = sim_rate(b->truth, place->package, row->kind, place->box, row->config,
				      row->config1);

	if (place->number < 0)
		wrong(b, row->event, place, "the library has no such box");
	if (isnan(truth) || fabs((double)place->by_kernel - truth) > 1)
		wrong(b, row->event, place, "the machine counts something else");
	else if (place->number >= 0 && llabs((int64_t)place->by_kernel - place->by_library) > 1)
		wrong(b, row->event, place, "the counts differ");
	b->compared += place->number >= 0;
}

static void run_row(struct bench *b, const struct row *row)
{
	struct place *place = calloc(BOXES, sizeof(*place));
	const unsigned wrong_before = b->wrong, before = b->compared;
	uint64_t sum = 0;
	size_t n;

	if (place == NULL)
		return;
	n = find_places(b, row, place);
	count_by_kernel(b, row, place, n);
	count_by_library(b, row, place, n);
	for (size_t i = 0; i < n; i++) {
		compare(b, row, &place[i]);
		sum += place[i].by_kernel;
	}
	if (b->compared == before) {
		printf("WRONG no box of uncore_%s was compared\n", row->pmu);
		b->wrong++;
	}
	printf("%-8s %-40s %u of %zu boxes, %" PRIu64 " in all\n",
	       b->wrong == wrong_before ? "agree" : "DISAGREE", row->event, b->compared - before, n,
	       sum);
	free(place);
}

static int agree(const char *spec)
{
	struct bench b = {.wrong = 0};
	struct row row;
	char line[256], why[UNCORE_ERRMSG_MAX];

	b.packages = package_cpus(b.cpu, PACKAGES);
	if (sim_open(spec, &b.truth, why, sizeof(why)) != 0) {
		printf("WRONG %s\n", why);
		return 1;
	}
	if (uncore_open(&b.uncore, NULL) != 0) {
		printf("WRONG %s\n", uncore_errmsg(b.uncore, why, sizeof(why)));
		return 1;
	}
	while (fgets(line, sizeof(line), stdin) != NULL)
		if (sscanf(line, "%15s %" SCNx64 " %" SCNx64 " %15s %127s", row.kind, &row.config,
			   &row.config1, row.pmu, row.event) == 5)
			run_row(&b, &row);
	uncore_close(b.uncore);
	sim_close(b.truth);
	printf("%u counters compared, %u wrong\n", b.compared, b.wrong);
	return b.wrong != 0 || b.compared == 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "agree") == 0)
		return agree(argv[2]);
	if (argc == 3 && strcmp(argv[1], "advance") == 0) {
		if (advance(strtoull(argv[2], NULL, 10)) == 0)
			return 0;
		fprintf(stderr, "crosscheck: the simulated machine's clock cannot be reached\n");
		return 1;
	}
	fprintf(stderr, "usage: crosscheck agree SPEC <EVENTS | crosscheck advance NS\n");
	return 2;
}
