/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.c - see policy.h. */
#include "daemon/policy.h"
#include "daemon/say.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS     " \t\r\n"
#define LINE_BYTES 1024
#define MAX_GROUPS 65536 /* maximum per user: NGROUPS_MAX */

/* ---- the file ---- */

struct line {
	const char *path;
	unsigned number;
	bool again; /* take names from files, since the system call filter is active */
};

#define WORD_SHOWN 64

/* As much of the word as a message needs, without control characters. */
static int wrong(const struct line *at, const char *what, const char *word)
{
	char shown[WORD_SHOWN];

	snprintf(shown, sizeof(shown), "%s", word ? word : "");
	for (char *c = shown; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	daemon_say(SAY_ERROR, "%s, line %u: %s%s%s", at->path, at->number, what, word ? ": " : "",
		   shown);
	return -1;
}

/* Numbers need no look-up. -1 is invalid. */
static bool is_number(const char *name, unsigned *id)
{
	char *end;
	const unsigned long long n = strtoull(name, &end, 10);

	*id = (unsigned)n;
	return strspn(name, "0123456789") == strlen(name) && !*end && n < UINT_MAX;
}

static bool find_id(bool is_group, const char *name, unsigned *id)
{
	const struct group *group = is_group ? getgrnam(name) : NULL;
	const struct passwd *user = is_group ? NULL : getpwnam(name);

	if (group)
		*id = group->gr_gid;
	else if (user)
		*id = user->pw_uid;
	return group || user;
}

static int find_user(const struct line *at, const char *kind, const char *name,
		     struct policy_rule *rule)
{
	const bool is_group = strcmp(kind, "group") == 0;

	*rule = (struct policy_rule){.is_group = is_group};
	if (!is_group && strcmp(kind, "user") != 0)
		return wrong(at, "expected `user NAME` or `group NAME` after `allow`", kind);
	if (is_number(name, &rule->id) || find_id(is_group, name, &rule->id))
		return 0;
	if (at->again)
		return wrong(at,
			     is_group ? "unknown group in the files of this computer (for groups "
					"of LDAP or SSSD, use the number or restart uncored)"
				      : "unknown user in the files of this computer (for users of "
					"LDAP or SSSD, use the number or restart uncored)",
			     name);
	return wrong(at, is_group ? "unknown group" : "unknown user", name);
}

static unsigned right_of(const char *word)
{
	static const char *const words[] = {"count", "see", "stop", "energy", "traffic"};

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(word, words[i]) == 0)
			return 1u << i;
	return 0;
}

static int read_rule(const struct line *at, char *text, struct policy_rule *rule)
{
	char *rest, *verb = strtok_r(text, BLANKS, &rest);
	const char *kind, *name, *word;

	if (strcmp(verb, "allow") != 0)
		return wrong(at, "expected `allow user|group NAME RIGHT...`, found", verb);
	kind = strtok_r(NULL, BLANKS, &rest);
	name = strtok_r(NULL, BLANKS, &rest);
	if (!kind || !name)
		return wrong(at, "expected `user NAME` or `group NAME` after `allow`", NULL);
	if (find_user(at, kind, name, rule) < 0)
		return -1;
	while ((word = strtok_r(NULL, BLANKS, &rest))) {
		if (!right_of(word))
			return wrong(
				at, "expected the right count, see, stop, energy or traffic, found",
				word);
		rule->may |= right_of(word);
	}
	return rule->may
		       ? 0
		       : wrong(at, "missing right: use count, see, stop, energy or traffic", NULL);
}

/*
 * The next line without its comment, in memory that does not grow: 1, 0 at the end, or -1 after a
 * message.
 */
static int next_line(struct line *at, FILE *f, char text[LINE_BYTES])
{
	bool comment = false;
	size_t n = 0;
	int c = getc(f);

	if (c == EOF)
		return 0;
	for (at->number++; c != '\n' && c != EOF; c = getc(f)) {
		comment |= c == '#';
		if (c == '\0')
			return wrong(at, "the line contains a NUL character", NULL);
		if (comment)
			continue;
		if (n == LINE_BYTES - 1)
			return wrong(at, "too long: the maximum is 1023 characters", NULL);
		text[n++] = (char)c;
	}
	text[n] = '\0';
	return 1;
}

static int read_lines(struct policy *p, FILE *f, struct line at)
{
	char text[LINE_BYTES];
	int r = 0, more;

	while (r == 0 && (more = next_line(&at, f, text)) != 0) {
		if (more < 0)
			return -1;
		if (text[strspn(text, BLANKS)] == '\0')
			continue;
		if (p->n == POLICY_RULES)
			r = wrong(&at, "too many lines: the maximum is 256", NULL);
		else
			r = read_rule(&at, text, &p->rules[p->n++]);
	}
	if (r == 0 && ferror(f)) {
		daemon_say(SAY_ERROR, "%s: %s", at.path, strerror(errno));
		r = -1;
	}
	return r;
}

/*
 * An empty file would lock out all users but root.  It is more likely truncated, or about to be
 * written.
 */
static int check_lines(const struct policy *p, const char *path)
{
	unsigned may = 0;

	for (size_t i = 0; i < p->n; i++)
		may |= p->rules[i].may;
	if (p->n == 0) {
		daemon_say(SAY_ERROR,
			   "%s: empty policy; add `allow user|group NAME RIGHT...`, or "
			   "remove the file to let all users who can open the socket count",
			   path);
		return -1;
	}
	if (!(may & UNC_MAY_COUNT))
		daemon_say(SAY_WARNING,
			   "%s: warning: no line allows `count`, so only root may "
			   "count",
			   path);
	return 0;
}

static int check_owner(const struct policy *p, FILE *f, const char *path)
{
	const char *cause = NULL;
	struct stat st;

	if (fstat(fileno(f), &st) < 0)
		cause = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		cause = "not a regular file";
	else if (st.st_uid != 0 && st.st_uid != p->owner)
		cause = "must be owned by root: chown it to root";
	else if (st.st_mode & (S_IWGRP | S_IWOTH))
		cause = "must be writable by its owner only: chmod 644";
	if (cause)
		daemon_say(SAY_ERROR, "%s: %s", path, cause);
	return cause ? -1 : 0;
}

/* NULL with errno; opening a FIFO must not block. */
static FILE *open_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static int read_file(struct policy *p, const char *path, bool again)
{
	const struct line at = {path ? path : UNCORED_POLICY, 0, again};
	FILE *f = open_file(at.path);
	int r;

	if (!f && !path && errno == ENOENT)
		return 0;
	if (!f) {
		daemon_say(SAY_ERROR, "%s: %s%s", at.path, strerror(errno),
			   again && errno == EACCES
				   ? "; the user that uncored runs as must be able "
				     "to read it: chmod 644"
				   : "");
		return -1;
	}
	p->listed = true;
	r = check_owner(p, f, at.path);
	if (r == 0)
		r = read_lines(p, f, at);
	if (r == 0)
		r = check_lines(p, at.path);
	fclose(f);
	return r;
}

int policy_read(struct policy *p, const char *path)
{
	return read_file(p, path, false);
}

int policy_reload(struct policy *p, const char *path)
{
	struct policy is = {.energy = p->energy, .owner = p->owner};
	int r = read_file(&is, path, true);

	if (r == 0 && p->listed && !is.listed) {
		daemon_say(SAY_ERROR, "%s was removed", UNCORED_POLICY);
		r = -1;
	}
	if (r == 0)
		*p = is;
	else
		daemon_say(SAY_ERROR, "keeping the previous policy; reload it when this is fixed");
	return r;
}

/* ---- permissions of a user ---- */

static unsigned of_group(const struct policy *p, gid_t group)
{
	unsigned may = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->rules[i].is_group && p->rules[i].id == group)
			may |= p->rules[i].may;
	return may;
}

static unsigned of_groups(const struct policy *p, int fd)
{
	socklen_t len = MAX_GROUPS * sizeof(gid_t);
	gid_t *groups = malloc(len);
	struct ucred who;
	unsigned may = 0;

	if (groups && getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) == 0)
		for (size_t i = 0; i < len / sizeof(*groups); i++)
			may |= of_group(p, groups[i]);
	free(groups);
	len = sizeof(who);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0)
		may |= of_group(p, who.gid);
	return may;
}

unsigned policy_of(const struct policy *p, int fd, uid_t user)
{
	unsigned may = p->listed ? of_groups(p, fd) : UNC_MAY_COUNT;

	if (user == 0)
		return UNC_MAY_ALL;
	for (size_t i = 0; i < p->n; i++)
		if (!p->rules[i].is_group && p->rules[i].id == user)
			may |= p->rules[i].may;
	return p->energy && (may & UNC_MAY_COUNT) ? may | UNC_MAY_ENERGY : may;
}
