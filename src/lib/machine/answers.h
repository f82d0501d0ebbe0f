/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers.h - the answers of a machine while it was opened: registers, CPUID, files.  Each
 * question is recorded once, with its first answer.
 */
#ifndef UNC_ANSWERS_H
#define UNC_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "hw/question.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names of the kinds of questions, and those of register spaces, in the file. */
extern const char *const unc_asked_words[UNC_ASKED_KINDS];
#define UNC_SPACES 4
extern const char *const unc_space_words[UNC_SPACES];

struct unc_answer {
	struct unc_question question;
	int error;         /* -errno */
	char *why;         /* of a register: the message, or NULL */
	uint64_t value[2]; /* of CPUID: EAX | EBX << 32, ECX | EDX << 32 */
};

struct unc_answers {
	size_t n, room;
	struct unc_answer *at;
	struct unc_index index;
	bool failed; /* out of memory: an answer is missing */
};

void unc_answers_free(struct unc_answers *answers);
/* NULL: not asked. */
struct unc_answer *unc_answers_find(const struct unc_answers *answers,
				    const struct unc_question *question);
/* A new answer to be filled in; NULL: it exists already, or no memory (failed). */
struct unc_answer *unc_answers_add(struct unc_answers *answers,
				   const struct unc_question *question);

#ifdef __cplusplus
}
#endif
#endif
