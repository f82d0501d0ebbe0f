/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and messages. */
#include "error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "config.h"
#include "environment.h"
#include "warnings.h"

static const char meaning[][64] = {
	[-UNCORE_OK] = "success",
	[-UNCORE_EINVAL] = "an argument is out of range",
	[-UNCORE_ENOMEM] = "out of memory",
	[-UNCORE_ENOEVENT] = "no such event",
	[-UNCORE_EATTR] = "unknown, missing or invalid umask or qualifier",
	[-UNCORE_ECOMBO] = "conflicting umasks or qualifiers",
	[-UNCORE_ENODEV] = "no such box, package or device on this machine",
	[-UNCORE_ENOSUPP] = "this machine has no supported uncore",
	[-UNCORE_EACCESS] = "permission denied for the register devices",
	[-UNCORE_ECONFLICT] = "the events cannot be counted together",
	[-UNCORE_EBUSY] = "the counter is in use",
	[-UNCORE_EIO] = "a register access failed",
	[-UNCORE_ESTATE] = "not allowed in this state",
	[-UNCORE_ESTOLEN] = "a counter was reprogrammed by another tool",
	[-UNCORE_EFORK] = "the object belongs to the parent process",
};

const char *uncore_version(void)
{
	return UNCORE_VERSION;
}

const char *uncore_strerror(int code)
{
	if (code > 0 || code <= -(int)(sizeof(meaning) / sizeof(*meaning)))
		return "unknown error";
	return meaning[-code];
}

void unc_err_init(struct unc_err *err)
{
	memset(err, 0, sizeof(*err));
	pthread_mutex_init(&err->lock.mutex, NULL);
}

void unc_err_destroy(struct unc_err *err)
{
	pthread_mutex_destroy(&err->lock.mutex);
}

/* ---- errors for later messages; signal-safe ---- */

/* A slot that is being written or read, maybe by an interrupted thread, is skipped. */
static bool hold(struct unc_late *late)
{
	return !__atomic_test_and_set(&late->busy, __ATOMIC_ACQUIRE);
}

static void let_go(struct unc_late *late)
{
	__atomic_clear(&late->busy, __ATOMIC_RELEASE);
}

static bool is_present(const struct unc_late *late)
{
	return __atomic_load_n(&late->noted, __ATOMIC_ACQUIRE);
}

/* Find a slot that is in use. */
static bool is_by(const struct unc_late *late, pthread_t thread)
{
	return is_present(late) && pthread_equal(late->by, thread);
}

/* A slot for an error of this thread: its own, a free one, else any. */
static struct unc_late *place_for(struct unc_err *err, pthread_t self)
{
	for (unsigned way = 0; way < 3; way++)
		for (unsigned i = 0; i < UNC_ERR_THREADS; i++) {
			struct unc_late *late = &err->late[i];

			if (!hold(late))
				continue;
			if (way == 2 || (way == 1 && !is_present(late)) || is_by(late, self))
				return late;
			let_go(late);
		}
	return NULL;
}

static void note(struct unc_err *err, const struct unc_noted *noted)
{
	const pthread_t self = pthread_self();
	struct unc_late *late = place_for(err, self);

	if (!late)
		return;
	late->by = self;
	late->is = *noted;
	__atomic_store_n(&late->noted, true, __ATOMIC_RELEASE);
	let_go(late);
}

void unc_err_late(struct unc_err *err, const struct unc_op *op, int error, uint64_t value)
{
	note(err, &(struct unc_noted){.op = *op, .error = error, .value = value});
}

void unc_err_late_by(struct unc_err *err, void (*format)(const void *who, struct unc_err *err),
		     const void *who)
{
	note(err, &(struct unc_noted){.format = format, .who = who});
}

/* thread NULL: of any thread. */
static bool take(struct unc_err *err, const pthread_t *by, struct unc_noted *taken)
{
	bool found = false;

	for (unsigned i = 0; !found && i < UNC_ERR_THREADS; i++) {
		struct unc_late *late = &err->late[i];

		if (!hold(late))
			continue;
		found = by ? is_by(late, *by) : is_present(late);
		if (found) {
			*taken = late->is;
			__atomic_store_n(&late->noted, false, __ATOMIC_RELEASE);
		}
		let_go(late);
	}
	return found;
}

bool unc_err_take_late(struct unc_err *err, struct unc_noted *taken)
{
	const pthread_t self = pthread_self();

	return take(err, &self, taken);
}

void unc_err_adopt(struct unc_err *err, pthread_t by)
{
	struct unc_noted noted;

	if (take(err, &by, &noted))
		note(err, &noted);
}

#undef unc_fail

/* Bytes of a control character (C0, C1) or a mark of direction in UTF-8; 0: another character. */
static size_t control_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	if (iscntrl(c[0]))
		return 1;
	if ((c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f) || (c[0] == 0xd8 && c[1] == 0x9c))
		return 2;
	if (c[0] != 0xe2 || (c[1] != 0x80 && c[1] != 0x81))
		return 0;
	if (c[1] == 0x81)
		return c[2] >= 0xa6 && c[2] <= 0xa9 ? 3 : 0;
	return c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae) ? 3 : 0;
}

void unc_no_controls(char *text)
{
	for (char *c = text; *c;) {
		const size_t n = control_length(c);

		memset(c, '?', n);
		c += n ? n : 1;
	}
}

void unc_printable(char *to, size_t len, const char *from)
{
	size_t i = 0;

	for (; from[i] && i < len - 1; i++)
		to[i] = isprint((unsigned char)from[i]) ? from[i] : '?';
	to[i] = '\0';
}

/* ---- sentences ---- */

/* Under lock: the text of this thread, or NULL. */
static struct unc_said *own(struct unc_err *err)
{
	for (unsigned i = 0; i < UNC_ERR_THREADS; i++)
		if (err->said[i].noted && pthread_equal(err->said[i].by, pthread_self()))
			return &err->said[i];
	return NULL;
}

static struct unc_said *place_of(struct unc_err *err)
{
	struct unc_said *said = own(err);

	if (!said)
		said = &err->said[err->next_slot++ % UNC_ERR_THREADS];
	said->noted = true;
	said->by = pthread_self();
	return said;
}

int unc_fail(struct unc_err *err, int code, const char *format, ...)
{
	struct unc_noted older;
	va_list args;

	if (!err)
		return code;
	unc_mutex_lock(&err->lock);
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	unc_no_controls(err->text);
	memcpy(place_of(err)->text, err->text, sizeof(err->text));
	unc_err_take_late(err, &older);
	unc_mutex_unlock(&err->lock);
	return code;
}

void unc_err_text(struct unc_err *err, char *buf, size_t len)
{
	const struct unc_said *said;

	unc_mutex_lock(&err->lock);
	said = own(err);
	if (len)
		snprintf(buf, len, "%s", said ? said->text : err->text);
	unc_mutex_unlock(&err->lock);
}

bool unc_err_take_others(struct unc_err *err, struct unc_noted *taken)
{
	bool silent;

	unc_mutex_lock(&err->lock);
	silent = !own(err);
	unc_mutex_unlock(&err->lock);
	return silent && take(err, NULL, taken);
}

int unc_code_of_errno(int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
	case ENOENT:
	case ENODATA:
	case EROFS:
		return UNCORE_EACCESS;
	case ENODEV:
	case ENXIO:
	case ERANGE:
		return UNCORE_ENODEV;
	case ENOMEM:
	case EMFILE:
	case ENFILE:
		return UNCORE_ENOMEM;
	case UNC_NOT_PMON:
		return UNCORE_EINVAL;
	default:
		return UNCORE_EIO;
	}
}

/* ---- environment.h ---- */

bool unc_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

const char *unc_variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value && *value ? value : NULL;
}

static bool is_ignored(const char *name)
{
	const char *value = getenv(name);

	return value && *value && !unc_variable(name);
}

void unc_ignored_variables(const char *const *names, char *text, size_t len)
{
	size_t n = 0;

	*text = '\0';
	for (; *names; names++) {
		if (!is_ignored(*names))
			continue;
		n = strlen(text);
		snprintf(text + n, len - n, "%s%s", n ? ", " : "", *names);
	}
	n = strlen(text);
	if (n)
		snprintf(text + n, len - n,
			 ": ignored, because this program runs with elevated privileges (setuid, "
			 "setgid or file capabilities); run it without them, or have it set "
			 "uncore_options");
}

/* ---- warnings.h ---- */

int unc_warnings_add(struct unc_warnings *w, enum uncore_warning_code code, const char *format, ...)
{
	struct unc_warning *list = realloc(w->list, (w->n + 1) * sizeof(*list));
	va_list args;
	int r;

	if (!list)
		return UNCORE_ENOMEM;
	w->list = list;
	list[w->n].code = code;
	va_start(args, format);
	r = vasprintf(&list[w->n].text, format, args);
	va_end(args);
	if (r < 0)
		return UNCORE_ENOMEM;
	unc_no_controls(list[w->n++].text);
	return 0;
}

const struct unc_warning *unc_warning(const struct unc_warnings *w, unsigned i)
{
	return i < w->n ? &w->list[i] : NULL;
}

void unc_warnings_cut(struct unc_warnings *w, unsigned n)
{
	while (w->n > n)
		free(w->list[--w->n].text);
}

void unc_warnings_free(struct unc_warnings *w)
{
	unc_warnings_cut(w, 0);
	free(w->list);
	*w = (struct unc_warnings){.n = 0};
}
