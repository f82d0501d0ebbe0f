/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - an error code and a message that names the object, the cause and the remedy.  For
 * all folders; not for the read path, which never formats.
 */
#ifndef UNC_ERROR_H
#define UNC_ERROR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/shared.h"
#include "mutex.h"
#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_err;

/* An error found where locking and formatting are not possible, such as in a signal handler. */
struct unc_noted {
	struct unc_op op;
	int error; /* -errno of the access; 0: the register held `value` instead of op.value */
	uint64_t value;
	void (*format)(const void *who,
		       struct unc_err *err); /* formats the message; NULL: an access failed */
	const void *who;
};

/* The same with its thread.  Accessed with __atomic builtins, because C++ includes this, too. */
struct unc_late {
	bool busy, noted;
	pthread_t by;
	struct unc_noted is;
};

#define UNC_ERR_THREADS 4 /* the last errors of this many threads are kept */

struct unc_err {
	struct unc_mutex lock;
	char text[UNCORE_ERRMSG_MAX]; /* the latest message */
	struct unc_said {
		bool noted;
		pthread_t by;
		char text[UNCORE_ERRMSG_MAX];
	} said[UNC_ERR_THREADS];
	unsigned next_slot;                    /* for a thread without a slot; round robin */
	struct unc_late late[UNC_ERR_THREADS]; /* errors that are not formatted yet */
};

UNC_SHARED void unc_err_init(struct unc_err *err);
UNC_SHARED void unc_err_destroy(struct unc_err *err);

/*
 * Replace control characters in quoted text, which could control a terminal or start another
 * line.
 */
void unc_no_controls(char *text);

/*
 * Copy text from a file, as much as fits, with ? for bytes that are not isprint(); to may equal
 * from.
 */
void unc_printable(char *to, size_t len, const char *from);

/* Format the message and return code.  Any thread; err may be NULL (no message). */
int unc_fail(struct unc_err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The error of a write to a register that is not a PMON register; no device returns it. */
#define UNC_NOT_PMON EADDRNOTAVAIL

/* -errno -> enum uncore_error */
int unc_code_of_errno(int error);

/* Note an error for uncore_errmsg(), which formats it.  Signal-safe. */
void unc_err_late(struct unc_err *err, const struct unc_op *op, int error, uint64_t value);
/* The same with a function that formats it.  Signal-safe. */
void unc_err_late_by(struct unc_err *err, void (*format)(const void *who, struct unc_err *err),
		     const void *who);
/* Copy the error noted by another thread to this one.  Signal-safe. */
void unc_err_adopt(struct unc_err *err, pthread_t by);
/* Take the error of this thread; false: none since its last message. */
bool unc_err_take_late(struct unc_err *err, struct unc_noted *noted);
/* Take the error of another thread, unless this thread has one. */
bool unc_err_take_others(struct unc_err *err, struct unc_noted *noted);

/* The message of this thread's last error; if it has none, the latest one. */
void unc_err_text(struct unc_err *err, char *buf, size_t len);

/* The static analyzer does not see that the code is returned. */
#ifdef __clang_analyzer__
#define unc_fail(err, code, ...) (unc_failed(__VA_ARGS__), (code))
static inline void unc_failed(const char *format, ...)
{
	(void)format;
}
#endif

#ifdef __cplusplus
}
#endif
#endif
