/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_table.c - see metric_table.h. */
#include "command/base/metric_table.h"

#include <string.h>
#include <strings.h>

#include "command/base/basket.h"
#include "command/base/text.h"
#include "metrics/metrics.h"

static const struct metric_group groups[METRIC_GROUPS] = {
	[GROUP_memory] = {"memory", "Memory bandwidth", 1, false},
	[GROUP_latency] = {"latency", "Latency", 2, false},
	[GROUP_cache] = {"cache", "Last-level cache", 6, false},
	[GROUP_links] = {"links", "Links between sockets", 4, false},
	[GROUP_pcie] = {"pcie", "PCIe", 5, false},
	[GROUP_power] = {"power", "Power and frequency", 8, false},
	/* Some processors cannot count these together with the memory's bytes. */
	[GROUP_dram] = {"dram", NULL, 3, true},
	/* Separate from power: energy requires different permissions. */
	[GROUP_energy] = {"energy", NULL, 7, false},
	[GROUP_frequency] = {"frequency", NULL, 9, false},
};

enum {
#define METRIC(name_, ...) ROW_##name_,
#define MEAN(name_, ...)   ROW_##name_,
#include "metrics/vocabulary.def"
#undef METRIC
#undef MEAN
	N_ROWS
};

/* clang-format off */
static const struct metric_row table[N_ROWS] = {
#define METRIC(name_, unit_, kind_, ...) \
	{.name = UNC_METRIC_PREFIX #name_, .units = unit_, .real = kind_ != UNC_TOTAL, .text = __VA_ARGS__},
#define MEAN(name_, unit_, kind_, above_, below_, ...) METRIC(name_, unit_, kind_, __VA_ARGS__)
#define GROUP(group_, place_)              .place[GROUP_##group_] = place_
/* Designated initializers cannot be in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define COLUMN(label_, detail_)            .column = {label_, TOP_##detail_, false, GROUP_memory}
#define MAP(group_, label_)                .column = {label_, TOP_MAP, true, GROUP_##group_}
#define FAMILY(name_, help_)               .family = {"uncore_" #name_, help_, false}
#define MEAN_FAMILY(name_, help_)          .family = {"uncore_" #name_, help_, true}
#define SAME_FAMILY(metric_)               .same_family = &table[ROW_##metric_]
#define EXPORT(group_, window_, place_)    .exported = {GROUP_##group_, window_, place_}
#define OTHERWISE(group_, window_, place_) .otherwise = {GROUP_##group_, window_, place_}
/* NOLINTEND(bugprone-macro-parentheses) */
#include "metrics/vocabulary.def"
};
/* clang-format on */

const struct metric_row *metric_row(unsigned i)
{
	return i < N_ROWS ? &table[i] : NULL;
}

const struct metric_row *metric_row_named(const char *name)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* ---- groups ---- */

const struct metric_group *metric_group(unsigned i)
{
	return i < METRIC_GROUPS && groups[i].title ? &groups[i] : NULL;
}

const struct metric_group *metric_group_named(const char *name)
{
	const struct metric_group *group;

	for (unsigned i = 0; (group = metric_group(i)); i++)
		if (strcasecmp(name, group->name) == 0)
			return group;
	return NULL;
}

const struct metric_group *exported_group(unsigned i)
{
	for (size_t k = 0; k < METRIC_GROUPS; k++)
		if (groups[k].exported == i + 1)
			return &groups[k];
	return NULL;
}

char *metric_group_names(const struct metric_group *(*group)(unsigned))
{
	char *text = text_of("%s", group(0)->name);

	for (unsigned i = 1; group(i); i++)
		text = text_and(text, ", %s", group(i)->name);
	return text;
}

/* ---- the metrics of a group ---- */

/* Rows that have a place, sorted by it; equal places stay in the order of the vocabulary. */
struct sorted {
	const struct metric_row **rows;
	uint8_t places[METRIC_GROUP_MAX];
	size_t n;
};

static void insert(struct sorted *s, const struct metric_row *row, uint8_t place)
{
	size_t i = s->n;

	if (!place || s->n == METRIC_GROUP_MAX)
		return;
	for (; i && s->places[i - 1] > place; i--) {
		s->rows[i] = s->rows[i - 1];
		s->places[i] = s->places[i - 1];
	}
	s->rows[i] = row;
	s->places[i] = place;
	s->n++;
}

uint8_t metric_place(const struct metric_row *row, const struct metric_group *group)
{
	return row->place[group - groups];
}

size_t metric_group_rows(const struct metric_group *group,
			 const struct metric_row *rows[METRIC_GROUP_MAX])
{
	struct sorted s = {.rows = rows};

	for (size_t i = 0; i < N_ROWS; i++)
		insert(&s, &table[i], metric_place(&table[i], group));
	return s.n;
}

size_t metric_window_rows(const struct metric_group *group, uint8_t window, bool otherwise,
			  const struct metric_row *rows[METRIC_GROUP_MAX])
{
	struct sorted s = {.rows = rows};

	for (size_t i = 0; i < N_ROWS; i++) {
		const struct metric_window *w =
			otherwise ? &table[i].otherwise : &table[i].exported;

		if (w->window == window && &groups[w->group] == group)
			insert(&s, &table[i], w->place);
	}
	return s.n;
}

int metric_group_events(struct uncore *u, const struct metric_group *group,
			unsigned ids[METRIC_GROUP_MAX])
{
	const struct metric_row *rows[METRIC_GROUP_MAX];
	const size_t n_rows = metric_group_rows(group, rows);
	uint8_t found = 0; /* the place of the last one */
	int n = 0;

	for (size_t i = 0; i < n_rows; i++) {
		int code;

		if (metric_place(rows[i], group) == found)
			continue;
		code = event_that_fits(u, &ids[n], "%s", rows[i]->name);
		if (code == 0) {
			found = metric_place(rows[i], group);
			n++;
		} else if (!is_not_here(code)) {
			return code;
		}
	}
	return n;
}
