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

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of questions, with the members of struct unc_question that they use. */
enum unc_asked {
	UNC_ASKED_REGISTER, /* space, width, where, address */
	UNC_ASKED_CPUID,    /* where: CPU; address: leaf << 32 | subleaf */
	UNC_ASKED_MSR_FILE, /* where: package */
	UNC_ASKED_PCI_FILE, /* where: device */
	UNC_ASKED_MAPPING,  /* where: package; address; width: bytes */
	UNC_ASKED_BAR,      /* where: device; address: its base; width: its number */
	UNC_ASKED_CORE,     /* where: CPU */
	UNC_ASKED_NODE,     /* where: device */
	UNC_ASKED_KINDS
};

/* Their names, and those of register spaces, in the file. */
extern const char *const unc_asked_words[UNC_ASKED_KINDS];
#define UNC_SPACES 4
extern const char *const unc_space_words[UNC_SPACES];

struct unc_question {
	uint8_t asked; /* enum unc_asked */
	uint8_t space; /* enum uncore_space */
	uint32_t width;
	uint32_t where; /* a package, a CPU, or an index into the list of PCI devices */
	uint64_t address;
};

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
