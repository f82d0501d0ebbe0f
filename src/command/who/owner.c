/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.c - see owner.h. */
#include "command/who/owner.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/base/text.h"
#include "command/who/shares.h"

static const char *const names[] = {"process", "job", "cgroup", "user", "container", "socket"};

#define SHORT_ID 12 /* as docker and podman print it */
#define LONG_ID  64

const char *who_by_name(unsigned by)
{
	return by < WHO_BYS ? names[by] : NULL;
}

bool who_by_named(const char *name, enum who_by *by)
{
	for (unsigned i = 0; i < WHO_BYS; i++)
		if (strcmp(name, names[i]) == 0) {
			*by = (enum who_by)i;
			return true;
		}
	return false;
}

/* ---- containers ---- */

#define HEX_DIGITS "0123456789abcdef"

/* The rest of a path after a word, up to the next slash; NULL: the path lacks the word. */
static char *after(const char *path, const char *word)
{
	const char *at = strstr(path, word);

	return at && at[strlen(word)]
		       ? text_of("%.*s", (int)strcspn(at + strlen(word), "/"), at + strlen(word))
		       : NULL;
}

/*
 * Containers of these programs have an ID of 64 digits, the innermost one comes last; Apptainer's
 * instances have a name.
 */
static char *container_of(const char *cgroup)
{
	char *instance = after(cgroup, "/apptainer-");
	const char *found = NULL;

	if (instance)
		return instance;
	for (const char *at = cgroup; *at;) {
		const size_t digits = strspn(at, HEX_DIGITS);

		if (digits == LONG_ID)
			found = at;
		at += digits ? digits : 1;
	}
	return found ? text_of("%.*s", SHORT_ID, found) : text_of("(no container)");
}

/* ---- any ---- */

static char *user_of(uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	return user ? text_of("%s", user->pw_name) : text_of("%u", (unsigned)uid);
}

char *owner_of(const struct proc *p, enum who_by by)
{
	switch (by) {
	case BY_PROCESS:
		return text_of("%s (%d)", p->name, (int)p->pid);
	case BY_JOB:
		return text_of("%s", p->job ? p->job : "(no job)");
	case BY_CGROUP:
		return text_of("%s", p->cgroup);
	case BY_USER:
		return user_of(p->uid);
	case BY_CONTAINER:
		return container_of(p->cgroup);
	default:
		return text_of("all");
	}
}

bool owner_is_shown(const struct proc *p)
{
	return geteuid() == 0 || p->uid == geteuid();
}

char *owner_shown(const struct proc *p, enum who_by by)
{
	return owner_is_shown(p) ? owner_of(p, by) : text_of("%s", OWNER_OTHERS);
}
