/* SPDX-License-Identifier: BSD-3-Clause */
/* recording.h - the struct behind record.h; for src/lib/machine only. */
#ifndef UNC_RECORDING_H
#define UNC_RECORDING_H

#include <limits.h>

#include "machine/answers.h"
#include "machine/record.h"
#include "machine/timeline.h"

#define UNC_RECORDING_FORMAT 1

struct unc_recording {
	char root[PATH_MAX]; /* prefix of the kernel's files */
	struct unc_answers answers;
	struct unc_timeline timeline;
	bool other_machine; /* not this computer, so its kernel files do not apply */
	int code;           /* 0: the machine could be opened */
	char why[UNCORE_ERRMSG_MAX];
};

/* The question that an operation's read asks. */
struct unc_question unc_question_of(const struct unc_op *op);

#endif
