/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - a code and one sentence that names the object, the cause and the
 * remedy.  Shared by all rooms; not for the read path, which never formats.
 */
#ifndef UNC_ERROR_H
#define UNC_ERROR_H

#include <pthread.h>
#include <stddef.h>

#include "mutex.h"
#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_err;

/* What a function has found that may neither lock nor format, since it runs in signal handlers. */
struct unc_noted {
	struct unc_op op;
	int error; /* -errno of the access; 0: the register held value instead of op.value */
	uint64_t value;
	void (*tell)(const void *who, struct unc_err *err); /* NULL: it was an access */
	const void *who;
};

/* The same, of a thread.  busy and there with the __atomic builtins: C++ includes this, too. */
struct unc_late {
	bool busy, there;
	pthread_t by;
	struct unc_noted is;
};

#define UNC_ERR_THREADS 4 /* of so many the last failures are kept apart */

struct unc_err {
	struct unc_mutex lock;
	char text[UNCORE_ERRMSG_MAX]; /* the newest */
	struct unc_said {
		bool there;
		pthread_t by;
		char text[UNCORE_ERRMSG_MAX];
	} said[UNC_ERR_THREADS];
	unsigned n_said;                       /* of threads that were not in there */
	struct unc_late late[UNC_ERR_THREADS]; /* newer than the texts of their threads */
};

void unc_err_init(struct unc_err *err);
void unc_err_destroy(struct unc_err *err);

/* What was quoted in a sentence must not command a terminal, nor begin another line. */
void unc_no_controls(char *text);

/*
 * Copy what comes from a file, as much as fits, with ? for what isprint() does not know; to may be
 * from.
 */
void unc_printable(char *to, size_t len, const char *from);

/* Format the sentence, return code.  Any thread; err may be NULL (no sentence). */
int unc_fail(struct unc_err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What an operation is refused with that is on no PMON register; no device gives it. */
#define UNC_NOT_PMON EADDRNOTAVAIL

/* -errno -> enum uncore_error */
int unc_code_of_errno(int error);

/* For uncore_errmsg(), which makes a sentence of it.  Signal-safe. */
void unc_err_late(struct unc_err *err, const struct unc_op *op, int error, uint64_t value);
/* The same of what tell() makes the sentence of.  Signal-safe. */
void unc_err_late_by(struct unc_err *err, void (*tell)(const void *who, struct unc_err *err),
		     const void *who);
/* What that thread has noted, this one has.  Signal-safe. */
void unc_err_adopt(struct unc_err *err, pthread_t by);
/* Take this thread's; false: there is none that is newer than its text. */
bool unc_err_take_late(struct unc_err *err, struct unc_noted *noted);
/* Take another one's, unless this thread has failed itself. */
bool unc_err_take_others(struct unc_err *err, struct unc_noted *noted);

/* The sentence of this thread's last failure; if it has none, the newest one. */
void unc_err_text(struct unc_err *err, char *buf, size_t len);

/* The static analyzer does not see that the code comes back. */
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
