/* list.c - `uncore list`: the events of the machine. */
#include <string.h>

#include "tools.h"

struct listing {
	struct uncore *u;
	const char *pattern; /* NULL: all */
	bool verbose;
	bool metrics;     /* nothing else */
	const char *kind; /* box kind of the heading printed last */
	unsigned shown;
};

static bool wanted(const struct listing *l, const struct uncore_event_info *event)
{
	return !l->pattern || strcasestr(event->name, l->pattern) ||
	       strcasestr(event->text, l->pattern);
}

/* The walk goes on to the qualifiers, which have meanings of their own below. */
static void print_umasks(struct uncore *u, unsigned id)
{
	struct uncore_event_info umask;
	unsigned next = id;

	while (uncore_umask_next(u, &next) == 0 && uncore_event_info(u, next, &umask) == 0) {
		const char *mark = ", masks:", *text = strstr(umask.text, mark);
		const char *name = strchr(umask.name, ':');

		if (name && !strchr(name, '='))
			printf("      %-26s %s\n", name, text ? text + strlen(mark) : umask.text);
	}
}

static void print_qualifiers(struct uncore *u, unsigned id)
{
	const char *name, *text;

	for (unsigned i = 0; uncore_qualifier(u, id, i, &name, &text) == 0; i++)
		printf("      :%s=%-*s %s\n", name, (int)(24 - strlen(name)), "N", text);
}

/* The text ends with the formula, which goes to a line of its own. */
static void print_metric(const struct uncore_event_info *event)
{
	const char *formula = strstr(event->text, "; = ");
	const int len = formula ? (int)(formula - event->text) : (int)strlen(event->text);

	printf("  %s [%s%s]\n      %.*s\n      = %s\n", event->name, event->units,
	       event->real ? ", real" : "", len, event->text, event->formula);
}

static void print_event(struct listing *l, unsigned id)
{
	struct uncore_event_info event;

	if (uncore_event_info(l->u, id, &event) < 0 || !wanted(l, &event) ||
	    (l->metrics && !*event.formula))
		return;
	if (!l->kind || strcmp(l->kind, event.kind) != 0)
		printf("%s%s\n", l->shown ? "\n" : "", event.kind_title);
	l->kind = event.kind;
	l->shown++;
	if (l->metrics)
		print_metric(&event);
	else
		printf("  %-30s %s [%s]\n", event.name, event.text, event.units);
	if (!l->verbose)
		return;
	print_umasks(l->u, id);
	print_qualifiers(l->u, id);
}

static int list(struct listing *l)
{
	const char *warning;
	unsigned id = 0;

	for (unsigned i = 0; (warning = uncore_warning(l->u, i)); i++)
		fprintf(stderr, "uncore: warning: %s\n", warning);
	for (int r = uncore_event_next(l->u, true, &id); r == 0;
	     r = uncore_event_next(l->u, false, &id))
		print_event(l, id);
	if (l->shown)
		return TOOL_OK;
	fprintf(stderr, "uncore: no %s of this machine has %s in its name or description\n",
		l->metrics ? "metric" : "event", l->pattern ? l->pattern : "");
	return TOOL_NO_FIT;
}

static int run(int argc, char **argv, const char *machine)
{
	static const struct option options[] = {COMMON_OPTIONS,
						{"verbose", no_argument, NULL, 'v'},
						{"metrics", no_argument, NULL, 'm'},
						{NULL, 0, NULL, 0}};
	struct listing l = {.verbose = false};
	int status, c;

	while ((c = next_option(argc, argv, "hv", options, &list_command, &machine)) != -1)
		*(c == 'm' ? &l.metrics : &l.verbose) = true;
	if (argc - optind > 1)
		return wrong_usage(&list_command, "list takes one pattern, not %s", argv[argc - 1]);
	l.pattern = argv[optind];
	l.u = open_machine(machine);
	if (!l.u)
		return TOOL_FAILED;
	status = list(&l);
	uncore_close(l.u);
	return status;
}

const struct command list_command = {
	.name = "list",
	.run = run,
	.usage = " [-v] [--metrics] [PATTERN]",
	.help = "List the events of this machine, by kind of box, with their units.  With\n"
		"PATTERN only those that have it in their name or description; letter case\n"
		"does not matter.  Exit status 1: there is none.\n\n"
		"  -v, --verbose      umasks and qualifiers of each event, too\n"
		"  --metrics          metrics only, each with the events that it is made of\n"
		"  --machine MACHINE  native or sim:NAME\n",
};
