/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * description.c - the file that describes processes.  A line has a first word and pairs of a key
 * and a value; # begins a comment.
 *
 *	process PID name=WORD cgroup=PATH uid=N cpu=N threads=N read=BYTES/S write=BYTES/S
 *	        remote=SHARE llc=BYTES from=S until=S move=S:CPU evicted_by=PID parent=PID
 *	resctrl rmids=N energy=yes shared=yes unavailable=yes
 *	background FACTOR
 *	kernel RELEASE
 *	offline PACKAGE FROM UNTIL
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "processes_inside.h"

#define RMIDS 96

struct line {
	struct processes *all;
	const char *file;
	unsigned number;
	char *why;
	size_t len;
};

static int wrong(const struct line *l, const char *what, const char *text)
{
	snprintf(l->why, l->len, "%s, line %u: invalid %s \"%s\": see uncore(1)", l->file,
		 l->number, what, text);
	return -1;
}

/* 0 or more; a suffix k, M or G is decimal. */
static bool take_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || !(*value >= 0) || isinf(*value))
		return false;
	if (*end && strchr("kMG", *end))
		*value *= *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : 1e9, end++;
	return !*end;
}

static bool take_whole(const char *text, unsigned *value, unsigned most)
{
	double number;

	if (!take_number(text, &number) || number > most || floor(number) < number)
		return false;
	*value = (unsigned)number;
	return true;
}

static bool take_word(const char *text, char **word)
{
	free(*word);
	*word = strdup(text);
	return *word && **word;
}

static bool take_move(const char *text, struct process *p)
{
	struct move *m = &p->moves[p->n_moves];
	char *copy = strdup(text), *colon = copy ? strchr(copy, ':') : NULL;
	bool valid = false;

	if (colon && p->n_moves < MOST_MOVES) {
		*colon = '\0';
		valid = take_number(copy, &m->at) && take_whole(colon + 1, &m->cpu, 65535) &&
			(p->n_moves == 0 || m->at > m[-1].at);
	}
	p->n_moves += valid;
	free(copy);
	return valid;
}

static bool take_share(const char *text, double *value)
{
	return take_number(text, value) && *value <= 1;
}

/* ---- lines ---- */

static bool take_of_process(struct process *p, const char *key, const char *value)
{
	const struct {
		const char *key;
		double *value;
	} numbers[] = {{"read", &p->read},
		       {"write", &p->write},
		       {"llc", &p->llc},
		       {"from", &p->from},
		       {"until", &p->until}};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (strcmp(key, numbers[i].key) == 0)
			return take_number(value, numbers[i].value);
	if (strcmp(key, "name") == 0)
		return take_word(value, &p->name);
	if (strcmp(key, "cgroup") == 0)
		return take_word(value, &p->cgroup) && *value == '/';
	if (strcmp(key, "uid") == 0)
		return take_whole(value, &p->uid, 1 << 30);
	if (strcmp(key, "cpu") == 0)
		return take_whole(value, &p->cpu, 65535);
	if (strcmp(key, "threads") == 0)
		return take_whole(value, &p->n_threads, 4096) && p->n_threads > 0;
	if (strcmp(key, "remote") == 0)
		return take_share(value, &p->remote);
	if (strcmp(key, "parent") == 0)
		return take_whole(value, &p->parent, 1 << 30) && p->parent > 0;
	if (strcmp(key, "evicted_by") == 0)
		return take_whole(value, &p->evicted_by, 1 << 30);
	return strcmp(key, "move") == 0 && take_move(value, p);
}

static bool take_of_resctrl(struct processes *all, const char *key, const char *value)
{
	const bool yes = strcmp(value, "yes") == 0;

	if (strcmp(key, "rmids") == 0)
		return take_whole(value, &all->rmids, 4096) && all->rmids > 0;
	if (strcmp(key, "energy") == 0)
		all->energy = yes;
	else if (strcmp(key, "shared") == 0)
		all->shared = yes;
	else if (strcmp(key, "unavailable") == 0)
		all->unavailable = yes;
	else
		return false;
	return yes || strcmp(value, "no") == 0;
}

/* The pairs that follow; p: of a process, NULL: of resctrl. */
static int take_pairs(const struct line *l, char *rest, struct process *p)
{
	for (char *pair, *at; (pair = strtok_r(rest, " \t", &at)) != NULL; rest = NULL) {
		char *equals = strchr(pair, '=');
		bool valid = false;

		if (equals) {
			*equals = '\0';
			valid = p ? take_of_process(p, pair, equals + 1)
				  : take_of_resctrl(l->all, pair, equals + 1);
			*equals = '=';
		}
		if (!valid)
			return wrong(l, p ? "property of a process" : "property of resctrl", pair);
	}
	return 0;
}

static bool is_taken(const struct processes *all, const struct process *p)
{
	for (const struct process *q = all->first; q; q = q->next)
		if (q != p && p->pid < q->pid + q->n_threads && q->pid < p->pid + p->n_threads)
			return true;
	return false;
}

static int take_process(const struct line *l, char *rest)
{
	char *at, *pid = strtok_r(rest, " \t", &at);
	struct process *p = calloc(1, sizeof(*p)), **end = &l->all->first;

	if (!p)
		return wrong(l, "process: out of memory", "");
	while (*end)
		end = &(*end)->next;
	*end = p;
	p->n_threads = p->parent = 1;
	p->name = strdup("program");
	p->cgroup = strdup("/");
	if (!pid || !take_whole(pid, &p->pid, 1 << 30) || p->pid == 0)
		return wrong(l, "PID", pid ? pid : "");
	if (take_pairs(l, at, p) < 0)
		return -1;
	return is_taken(l->all, p) ? wrong(l, "PID of an earlier process or thread", pid) : 0;
}

/* PACKAGE FROM UNTIL */
static int take_offline(const struct line *l, char *rest)
{
	struct processes *all = l->all;
	char *at, *package = strtok_r(rest, " \t", &at), *from = strtok_r(NULL, " \t", &at),
		  *until = strtok_r(NULL, " \t", &at);

	if (until && take_whole(package, &all->offline.package, MOST_PACKAGES - 1) &&
	    take_number(from, &all->offline.from) && take_number(until, &all->offline.until) &&
	    all->offline.until > all->offline.from)
		return 0;
	return wrong(l, "package that is offline", rest);
}

static int take_line(const struct line *l, char *text)
{
	char *rest, *word;

	text[strcspn(text, "#\n")] = '\0';
	word = strtok_r(text, " \t", &rest);
	if (!word)
		return 0;
	if (strcmp(word, "process") == 0)
		return take_process(l, rest);
	if (strcmp(word, "resctrl") == 0)
		return take_pairs(l, rest, NULL);
	rest += strspn(rest, " \t");
	if (strcmp(word, "background") == 0)
		return take_number(rest, &l->all->background) ? 0 : wrong(l, "factor", rest);
	if (strcmp(word, "kernel") == 0)
		return take_word(rest, &l->all->kernel) ? 0 : wrong(l, "kernel", rest);
	if (strcmp(word, "offline") == 0)
		return take_offline(l, rest);
	return wrong(l, "word", word);
}

int processes_describe(struct processes *all, const char *file, char *why, size_t len)
{
	struct line l = {all, file, 0, why, len};
	FILE *in = fopen(file, "re");
	char *text = NULL;
	size_t room = 0;
	int code = 0;

	all->background = 1;
	all->rmids = RMIDS;
	if (!in) {
		snprintf(why, len, "cannot read the processes of %s: %s", file, strerror(errno));
		return -1;
	}
	while (code == 0 && getline(&text, &room, in) >= 0) {
		l.number++;
		code = take_line(&l, text);
	}
	if (code == 0 && ferror(in)) {
		snprintf(why, len, "cannot read the processes of %s: %s", file, strerror(errno));
		code = -1;
	}
	free(text);
	fclose(in);
	return code;
}
