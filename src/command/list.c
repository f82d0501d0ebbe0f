/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - `uncore list`: the events of the machine. */
#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* How well an event matches a search; better ones are printed first. */
enum rank { RANK_BOX, RANK_NAME, RANK_KIND, RANK_TEXT, RANKS };

/* A word to search for. */
struct word {
	const char *text;
	const char *kind; /* the boxes that perf calls so ("uncore_imc_0"); NULL: none */
};

struct listing {
	struct uncore *u;
	struct screen screen;
	unsigned column;    /* of the descriptions */
	struct word *words; /* all must match */
	unsigned n_words;
	bool verbose, wide, json;
	bool metrics;     /* only metrics */
	bool errata;      /* only known errors of events */
	bool all;         /* including experimental events */
	unsigned hidden;  /* number of experimental events not shown */
	enum rank rank;   /* of the events that are printed; without words all have the first */
	const char *kind; /* box kind of the heading printed last */
	unsigned shown;
};

/* ---- searching ---- */

static bool is_metric(const struct uncore_event_info *event)
{
	return *event->formula;
}

/* Events and Intel's manuals call the L3 cache LLC. */
static bool is_in(const struct word *word, const char *text)
{
	return strcasestr(text, word->text) ||
	       (strcasecmp(word->text, "L3") == 0 && strcasestr(text, "LLC"));
}

/* A search for CXL also finds boxes of that name.  Formulas are searched only with --metrics. */
static enum rank rank_of_word(const struct listing *l, const struct uncore_event_info *event,
			      const struct word *word)
{
	const bool kinds = !is_metric(event);

	if (kinds && strcasecmp(event->kind, word->kind ? word->kind : word->text) == 0)
		return RANK_BOX;
	if (word->kind)
		return RANKS;
	if (is_in(word, event->name))
		return RANK_NAME;
	if (kinds && (is_in(word, event->kind) || is_in(word, event->kind_title)))
		return RANK_KIND;
	if (is_in(word, event->text) || (l->metrics && is_in(word, event->formula)))
		return RANK_TEXT;
	return RANKS;
}

/* RANKS: a word does not match. */
static enum rank rank_of(const struct listing *l, const struct uncore_event_info *event)
{
	enum rank worst = RANK_BOX;

	for (unsigned i = 0; i < l->n_words; i++) {
		const enum rank rank = rank_of_word(l, event, &l->words[i]);

		worst = rank > worst ? rank : worst;
	}
	return worst;
}

static const char *own_text(const struct uncore_event_info *umask)
{
	return umask->text + umask->umasks_at;
}

/* Search umask and event together, as they are counted together. */
static bool is_found_by(const struct listing *l, const struct uncore_event_info *event,
			const struct uncore_event_info *umask)
{
	unsigned i = 0;

	while (i < l->n_words &&
	       (is_in(&l->words[i], umask->name) || is_in(&l->words[i], own_text(umask)) ||
		rank_of_word(l, event, &l->words[i]) < RANKS))
		i++;
	return i == l->n_words;
}

/* ---- umasks ---- */

/* Umask i.  Qualifiers follow the last umask; they have separate meanings. */
static const char *umask_at(struct uncore *u, unsigned event, unsigned i,
			    struct uncore_event_info *umask)
{
	const char *name;
	unsigned id;

	if (uncore_event_umask(u, event, i, &id) != 1 || uncore_event_info(u, id, umask) != 0)
		return NULL;
	name = strchr(umask->name, ':');
	return name && !strchr(name, '=') ? name : NULL;
}

static bool any_umask_found(const struct listing *l, const struct uncore_event_info *event,
			    unsigned id)
{
	struct uncore_event_info umask = {.size = sizeof(umask)};

	for (unsigned i = 0; umask_at(l->u, id, i, &umask); i++)
		if (is_found_by(l, event, &umask))
			return true;
	return false;
}

static void print_qualifiers(const struct listing *l, unsigned id)
{
	struct uncore_qualifier_info qualifier = {.size = sizeof(qualifier)};

	for (unsigned i = 0; uncore_event_qualifier(l->u, id, i, &qualifier) == 1; i++) {
		char *row = text_of(":%s=N", qualifier.name);

		print_row(&l->screen, 6, row, l->column, qualifier.text);
		free(row);
	}
}

/* ---- descriptions ---- */

/* The first sentence: up to a full stop that is followed by a new sentence. */
static size_t sentence(const char *text, size_t len)
{
	for (size_t i = 0; i + 2 < len; i++) {
		const size_t gap = strspn(text + i + 1, " ");

		if (text[i] == '.' && gap && i + 1 + gap < len &&
		    isupper((unsigned char)text[i + 1 + gap]))
			return i + 1;
	}
	return len;
}

/* The first part of a sentence: up to a colon or semicolon. */
static size_t clause(const char *text, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++)
		if ((text[i] == ':' || text[i] == ';') && text[i + 1] == ' ')
			return i;
	return len;
}

/*
 * The description, followed by what is counted without a umask.  A search shows complete
 * descriptions, because the match may be in the last sentence.
 */
static void print_text(const struct listing *l, const struct uncore_event_info *event)
{
	const char *more = event->text + event->description_len;
	const size_t len = event->description_len;
	const bool whole = l->verbose || l->metrics || (l->n_words && !is_metric(event));
	static const char *const marks[] = {[UNCORE_WRONG] = ", wrong",
					    [UNCORE_UNDERCOUNTS] = ", undercounts",
					    [UNCORE_OVERCOUNTS] = ", overcounts",
					    [UNCORE_ONLY_WITH] = "",
					    [UNCORE_UNVERIFIED] = ""};
	const size_t shown = whole              ? len
			     : is_metric(event) ? clause(event->text, len)
						: sentence(event->text, len);
	char *text =
		text_of("%.*s%s [%s%s%s]", (int)shown, event->text,
			whole || !is_metric(event) ? more : "", event->units,
			event->real ? ", real" : "", event->erratum ? marks[event->verdict] : "");

	print_row(&l->screen, 2, event->name, l->column, text);
	free(text);
}

static void print_formula(const struct listing *l, const struct uncore_event_info *event)
{
	char *text = text_of("= %s", event->formula);

	fprintf(l->screen.out, "      ");
	print_folded(&l->screen, 6, 8, text);
	free(text);
}

/* Below the event or umask that it is about; before: the event's own, which umasks repeat. */
static void print_erratum(const struct listing *l, const struct uncore_event_info *event,
			  const char *before)
{
	char *text = event->erratum == before ? NULL : erratum_text(event);

	if (text)
		print_row(&l->screen, 6, "", 8, text);
	free(text);
}

/* of: only umasks that match the search for this event; NULL: all.  erratum: the event's own */
static void print_umasks(const struct listing *l, unsigned id, const struct uncore_event_info *of,
			 const char *erratum)
{
	struct uncore_event_info umask = {.size = sizeof(umask)};
	const char *name;

	for (unsigned i = 0; (name = umask_at(l->u, id, i, &umask)); i++)
		if (of ? is_found_by(l, of, &umask) : l->all || !umask.experimental) {
			print_row(&l->screen, 6, name, l->column, own_text(&umask));
			print_erratum(l, &umask, erratum);
		}
}

/* ---- events ---- */

/* Print the machine before the first event only. */
static void print_heading(struct listing *l, const struct uncore_event_info *event)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	if (!l->shown) {
		uncore_machine(l->u, &machine);
		print_machine(&l->screen, &machine);
	}
	if (!l->kind || strcmp(l->kind, event->kind) != 0) {
		fputc('\n', l->screen.out);
		print_folded(&l->screen, 0, 2, event->kind_title);
	}
	l->kind = event->kind;
	l->shown++;
}

/* ---- for programs ---- */

static struct json_object *umask_object(const struct uncore_event_info *umask, const char *name)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "name", name);
	add_json_text(o, "text", own_text(umask));
	add_erratum_json(o, umask);
	return o;
}

/* of: only those that match the search for this event; NULL: all. */
static void add_umasks(struct json_object *o, const struct listing *l, unsigned id,
		       const struct uncore_event_info *of)
{
	struct uncore_event_info umask = {.size = sizeof(umask)};
	struct json_object *list = json_object_new_array();
	const char *name;

	for (unsigned i = 0; (name = umask_at(l->u, id, i, &umask)); i++)
		if (of ? is_found_by(l, of, &umask) : l->all || !umask.experimental)
			json_object_array_add(list, umask_object(&umask, name));
	json_object_object_add(o, "umasks", list);
}

static void add_qualifiers(struct json_object *o, const struct listing *l, unsigned id)
{
	struct uncore_qualifier_info qualifier = {.size = sizeof(qualifier)};
	struct json_object *list = json_object_new_object();

	for (unsigned i = 0; uncore_event_qualifier(l->u, id, i, &qualifier) == 1; i++)
		add_json_text(list, qualifier.name, qualifier.text);
	json_object_object_add(o, "qualifiers", list);
}

/* An event that was found. */
struct found {
	const struct listing *l;
	unsigned id;
	const struct uncore_event_info *event;
	bool by_umask; /* only its umasks match the search */
};

static struct json_object *event_object(const void *of)
{
	const struct found *f = of;
	const struct uncore_event_info *event = f->event;
	struct json_object *o = json_object_new_object();

	add_json_text(o, "event", event->name);
	if (is_metric(event))
		add_json_text(o, "formula", event->formula);
	else
		add_json_text(o, "box", event->kind);
	add_json_text(o, "units", event->units);
	add_json_flag(o, "real", event->real);
	add_json_flag(o, "experimental", event->experimental);
	add_json_text(o, "text", event->text);
	add_erratum_json(o, event);
	if (f->l->verbose || f->by_umask)
		add_umasks(o, f->l, f->id, f->l->verbose ? NULL : event);
	if (f->l->verbose)
		add_qualifiers(o, f->l, f->id);
	return o;
}

/* ---- for people ---- */

static void event_text(const void *of, const struct screen *screen)
{
	const struct found *f = of;
	const struct listing *l = f->l;

	(void)screen; /* that of the list */
	print_text(l, f->event);
	if (is_metric(f->event) && (l->verbose || l->metrics))
		print_formula(l, f->event);
	if (l->verbose)
		print_erratum(l, f->event, NULL);
	if (l->verbose || f->by_umask)
		print_umasks(l, f->id, l->verbose ? NULL : f->event, f->event->erratum);
	if (l->verbose)
		print_qualifiers(l, f->id);
}

static const struct rows_class events_found = {.object = event_object, .text = event_text};

static void print_event(struct listing *l, unsigned id, const struct uncore_event_info *event)
{
	const enum rank rank = rank_of(l, event);
	const bool found = rank < RANKS;
	const struct found f = {l, id, event, !found};
	const struct rows rows = {&events_found, &f};

	if (found ? rank != l->rank : l->rank != RANK_TEXT || !any_umask_found(l, event, id))
		return;
	if (l->json)
		l->shown++;
	else
		print_heading(l, event);
	emit_json_or_text(l->json, &l->screen, &rows);
}

/* The text of a metric ends with its formula, which is shown separately. */
static bool get_event(struct uncore *u, unsigned id, struct uncore_event_info *event)
{
	if (uncore_event_info(u, id, event) != 0)
		return false;
	if (event->formula_at)
		event->text[event->formula_at] = '\0';
	return true;
}

/* All metrics, or all other events. */
static void print_events(struct listing *l, bool metrics)
{
	struct uncore_event_info event = {.size = sizeof(event)};
	unsigned id;

	for (unsigned i = 0; uncore_listed_event(l->u, i, &id) == 1; i++)
		if (get_event(l->u, id, &event) && is_metric(&event) == metrics) {
			if (event.experimental && !l->all)
				l->hidden += l->rank == RANK_BOX;
			else
				print_event(l, id, &event);
		}
}

/* The number of events that match a word, without the others. */
static unsigned count_matches(const struct listing *l, struct word *word)
{
	const struct listing one = {.u = l->u, .metrics = l->metrics, .words = word, .n_words = 1};
	struct uncore_event_info event = {.size = sizeof(event)};
	unsigned id, n = 0;

	for (unsigned i = 0; uncore_listed_event(l->u, i, &id) == 1; i++)
		n += get_event(l->u, id, &event) && (is_metric(&event) || !l->metrics) &&
		     (rank_of(&one, &event) < RANKS || any_umask_found(&one, &event, id));
	return n;
}

/* "; alone, bandwidth matches 14 and nonsense 0" */
static char *matches_of_words(const struct listing *l)
{
	char *text = text_of("%s", "");

	for (unsigned i = 0; l->n_words > 1 && i < l->n_words; i++)
		text = text_and(text, i == 0 ? "; alone, %s matches %u" : " and %s %u",
				l->words[i].text, count_matches(l, &l->words[i]));
	return text;
}

static void print_no_match(const struct listing *l)
{
	char *words = text_of("%s", l->n_words ? l->words[0].text : ""),
	     *alone = matches_of_words(l);

	for (unsigned i = 1; i < l->n_words; i++)
		words = text_and(words, " and %s", l->words[i].text);
	if (l->n_words)
		say("no %s of this machine matches %s in its name, description or umasks%s",
		    l->metrics ? "metric" : "event", words, alone);
	else
		say("this machine has no %s", l->metrics ? "metric" : "event");
	free(words);
	free(alone);
}

static void print_hidden(const struct listing *l)
{
	char *text =
		text_of("%u experimental events are not shown: see `uncore list --all`", l->hidden);

	fputc('\n', l->screen.out);
	print_folded(&l->screen, 0, 2, text);
	free(text);
}

static int list(struct listing *l)
{
	const char *warning;

	for (unsigned i = 0; uncore_warning(l->u, i, &warning) == 1; i++)
		say("warning: %s", warning);
	for (l->rank = RANK_BOX; l->rank < (l->n_words ? RANKS : RANK_NAME); l->rank++) {
		print_events(l, true);
		if (!l->metrics)
			print_events(l, false);
	}
	if (l->shown && l->hidden && !l->json)
		print_hidden(l);
	if (l->shown)
		return TOOL_OK;
	print_no_match(l);
	return TOOL_NO_FIT;
}

/* ---- names of perf and LIKWID ---- */

/* The kind of "uncore_imc_0"; NULL: no PMU of this machine. */
static const char *kind_of_pmu(struct uncore *u, const char *word)
{
	struct uncore_event_info event = {.size = sizeof(event)};
	char *name = text_of("%s/config=0/", word);
	unsigned id;
	const bool known = strncasecmp(word, "uncore_", strlen("uncore_")) == 0 &&
			   !strchr(word, '/') && uncore_event(u, name, &id) == 0 &&
			   uncore_event_info(u, id, &event) == 0;

	free(name);
	return known ? event.kind : NULL;
}

/* A name of perf or LIKWID: the event that it means.  To be freed. */
static char *meaning_of(const struct listing *l, const char *word)
{
	struct word whole = {word, NULL};
	const char *name;
	unsigned id;

	if (!strpbrk(word, "/.:") || count_matches(l, &whole) || uncore_event(l->u, word, &id) != 0)
		return text_of("%s", word);
	name = uncore_event_name(l->u, id);
	return text_of("%.*s", (int)strcspn(name, ":"), name);
}

static void take_words(struct listing *l, char *const *words, unsigned n)
{
	l->n_words = n;
	l->words = need_memory(n + 1, sizeof(*l->words));
	for (unsigned i = 0; i < n; i++) {
		l->words[i].kind = kind_of_pmu(l->u, words[i]);
		l->words[i].text = meaning_of(l, words[i]);
	}
}

static void free_words(struct listing *l)
{
	for (unsigned i = 0; i < l->n_words; i++)
		free((char *)l->words[i].text);
	free(l->words);
}

/* Names have three eighths of the width, and need no more than 33 columns. */
static unsigned text_column(const struct screen *s)
{
	return s->width > 88 ? 33 : s->width * 3 / 8;
}

static int run(int argc, char **argv, const char *machine)
{
	struct listing l = {.screen = screen_of(stdout)};
	int status = read_options(&list_command, argc, argv, &l, &machine);

	if (status != TOOL_OK)
		return status;
	if (l.wide)
		l.screen.width = SCREEN_WIDE;
	l.column = text_column(&l.screen);
	l.all |= optind < argc; /* a search includes experimental events */
	l.u = open_machine(machine, &list_command);
	if (!l.u)
		return TOOL_FAILED;
	take_words(&l, argv + optind, (unsigned)(argc - optind));
	status = l.errata ? list_errata(l.u, &l.screen, l.json) : list(&l);
	free_words(&l);
	uncore_close(l.u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "-v, --verbose",
	 .help = "show full descriptions, formulas of metrics, errata, umasks and qualifiers",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, verbose)},
	{.names = "-w, --wide",
	 .help = "one line per event, however long, for grep and other programs; the default is "
		 "the width of the terminal, COLUMNS if set, or 80 columns",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, wide)},
	{.names = "--all",
	 .help = "include experimental events and umasks",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, all)},
	{.names = "--metrics",
	 .help = "list only metrics, each with its formula, which WORD is also compared with",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, metrics)},
	{.names = "--errata",
	 .help = "list the known errors of events of this machine, with sources",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, errata)},
	{.names = "--json",
	 .help = "print a JSON object for each event, one per line",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct listing, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command list_command = {
	.name = "list",
	.summary = "find events and metrics by words",
	.run = run,
	.usage = "[WORD...]",
	.help = "List the events of this machine with their units: first the metrics, which have "
		"the same names on all machines, then the events, grouped by kind of box.\n"
		"\n"
		"On platforms for which Intel publishes a separate list of experimental events, "
		"these are shown only with --all or WORD. All of them can be counted.\n"
		"\n"
		"With WORD, list only events whose name, description, kind of box or umasks "
		"contain it, ignoring case: first those whose name contains it. If several words "
		"are given, all must match. Matching events are shown with their full "
		"description and the matching umasks. Words may also be perf's PMUs and events "
		"(uncore_imc, llc_misses.mem_read) and names of LIKWID's groups; L3 also finds "
		"LLC. The exit status is 1 if no event matches.",
	.options = options,
	.example = "list",
};
