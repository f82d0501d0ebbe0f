/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and messages. */
#include "error.h"

#include <ctype.h>
#include <errno.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config.h"

static const char *const meaning[] = {
	[-UNCORE_OK] = "success",
	[-UNCORE_EINVAL] = "an argument is out of range",
	[-UNCORE_ENOMEM] = "out of memory",
	[-UNCORE_ENOEVENT] = "no such event",
	[-UNCORE_EATTR] = "unknown, missing or bad umask or qualifier",
	[-UNCORE_ECOMBO] = "umasks or qualifiers that exclude each other",
	[-UNCORE_ENODEV] = "no such box, package or device on this machine",
	[-UNCORE_ENOSUPP] = "no uncore that is known on this machine",
	[-UNCORE_EACCESS] = "the register devices may not be used",
	[-UNCORE_ECONFLICT] = "the events cannot be counted together",
	[-UNCORE_EBUSY] = "the counter is used by somebody else",
	[-UNCORE_EIO] = "a register access failed",
	[-UNCORE_ESTATE] = "not in this state",
	[-UNCORE_ESTOLEN] = "a counter was reprogrammed by somebody else",
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
	pthread_mutex_init(&err->lock, NULL);
	err->text[0] = '\0';
	err->late = (struct unc_late){.there = false};
}

void unc_err_destroy(struct unc_err *err)
{
	pthread_mutex_destroy(&err->lock);
}

/* Two at once, or a handler that interrupts this: the one that is being written stays. */
void unc_err_late(struct unc_err *err, const struct unc_op *op, int error, uint64_t value)
{
	struct unc_late *late = &err->late;

	if (__atomic_test_and_set(&late->busy, __ATOMIC_ACQUIRE))
		return;
	late->op = *op;
	late->error = error;
	late->value = value;
	__atomic_store_n(&late->there, true, __ATOMIC_RELEASE);
	__atomic_clear(&late->busy, __ATOMIC_RELEASE);
}

bool unc_err_take_late(struct unc_err *err, struct unc_late *taken)
{
	struct unc_late *late = &err->late;
	bool there;

	if (__atomic_test_and_set(&late->busy, __ATOMIC_ACQUIRE))
		return false;
	there = __atomic_exchange_n(&late->there, false, __ATOMIC_ACQ_REL);
	if (there)
		*taken = *late;
	__atomic_clear(&late->busy, __ATOMIC_RELEASE);
	return there;
}

#undef unc_fail

void unc_no_controls(char *text)
{
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
}

void unc_printable(char *to, size_t len, const char *from)
{
	size_t i = 0;

	for (; from[i] && i < len - 1; i++)
		to[i] = isprint((unsigned char)from[i]) ? from[i] : '?';
	to[i] = '\0';
}

int unc_fail(struct unc_err *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	pthread_mutex_lock(&err->lock);
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	unc_no_controls(err->text);
	__atomic_store_n(&err->late.there, false, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&err->lock);
	return code;
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
