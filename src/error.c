/* Error codes and messages. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
}

void unc_err_destroy(struct unc_err *err)
{
	pthread_mutex_destroy(&err->lock);
}

#undef unc_fail

int unc_fail(struct unc_err *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	pthread_mutex_lock(&err->lock);
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	pthread_mutex_unlock(&err->lock);
	return code;
}
