// SPDX-License-Identifier: BSD-3-Clause
// event_tables_test.cc - the names and descriptions in events/ are arrays: a compiler accepts a
// literal that leaves no room for its end.
#include "metrics/metrics.h"
#include "pch.h"
#include "shared/likwid_counters.h"
#include "shared/perf_formats.h"
#include "types.h"

namespace
{

template <size_t N> void ends(const char (&text)[N])
{
	EXPECT_LT(strnlen(text, N), N) << std::string(text, N);
}

template <typename... Texts> void end(const Texts &...texts)
{
	(ends(texts), ...);
}

void rows_end(const struct unc_row *row)
{
	for (; row && *row->name; row++)
		end(row->name, row->text, row->unit, row->kind);
}

void type_ends(const struct unc_box_type *t)
{
	if (!t)
		return;
	end(t->name, t->sysfs_name, t->title);
	rows_end(t->rows);
	rows_end(t->alike);
	for (auto m = t->modifiers; m && *m->name; m++)
		end(m->name, m->text);
	for (auto q = t->qualifiers; q && *q->name; q++)
		end(q->name, q->text);
	for (unsigned i = 0; i < t->n_filters; i++)
		end(t->filters[i].name);
	for (auto need = t->needs; need && need->fields; need++)
		for (unsigned f = 0; f < 64; f++)
			if (need->fields >> f & 1)
				end(t->fields[f].name);
}

void discovered_end(const struct unc_discovered_type *d)
{
	for (bool last = !d; !last; d++) {
		type_ends(d->like);
		type_ends(d->free_type);
		last = d->number == UNC_UNNAMED;
	}
}

void names_end(const struct unc_platform_desc *d)
{
	rows_end(d->more);
	for (auto row = d->defaults; row && *row->event; row++)
		end(row->event, row->parts);
	for (auto row = d->fixes; row && *row->event; row++)
		end(row->event, row->umask);
	for (auto row = d->modifier_fixes; row && *row->modifier; row++)
		end(row->modifier, row->other);
	for (auto row = d->aliases; row && *row->event; row++)
		end(row->event, row->umask, row->is);
}

void recipes_end(const struct unc_recipe *r)
{
	for (; *r->events->event; r++) {
		end(r->instead);
		for (const struct unc_metric_event &e : r->events)
			end(e.event, e.each);
	}
}

TEST(EventTables, EachTextEndsInItsArray)
{
	for (auto p = unc_platforms; *p; p++) {
		const struct unc_platform_desc *d = (*p)->desc;

		SCOPED_TRACE((*p)->name);
		end((*p)->name, (*p)->title);
		for (auto t = d->types; t && *t; t++)
			type_ends(*t);
		discovered_end(d->discovered);
		names_end(d);
		for (auto list = d->metrics; list && *list; list++)
			recipes_end(*list);
	}
	for (auto p = unc_power; p->platform; p++) {
		for (auto t = p->types; *t; t++)
			type_ends(*t);
		recipes_end(p->recipes);
	}
}

TEST(EventTables, EachTextOfAllPlatformsEndsInItsArray)
{
	for (const struct unc_text *rows : {unc_texts, unc_words})
		for (auto r = rows; *r->event; r++)
			end(r->event, r->umask, r->text);
	for (auto e = unc_errata; *e->platforms; e++)
		end(e->platforms, e->events, e->text, e->instead, e->source);
	for (auto m = unc_metrics; *m->name; m++)
		end(m->name, m->unit, m->text);
	for (auto f = unc_perf_formats; *f->platforms || *f->kinds; f++)
		end(f->platforms, f->kinds, f->fields);
	for (auto a = unc_perf_aliases; *a->aliases; a++)
		end(a->platforms, a->kinds, a->aliases);
	for (auto l = unc_likwid_counters; *l->platforms; l++)
		end(l->platforms, l->counters);
	for (auto u = unc_unlocated; u->platform; u++)
		end(u->prefix, u->box, u->why);
	for (auto m = unc_memory_events; *m->prefix; m++)
		end(m->prefix, m->kind, m->memory, m->has);
	for (auto l = unc_slice_lines; l->platform; l++)
		end(l->kind);
}

} // namespace
