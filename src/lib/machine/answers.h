/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers.h - what a machine answered while it was being understood: registers, CPUID, files.
 * Each question has one answer, the first.
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

/* What was asked; the members of struct unc_question that it has. */
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

/* What a file calls them, and the spaces of registers. */
extern const char *const unc_asked_words[UNC_ASKED_KINDS];
#define UNC_SPACES 4
extern const char *const unc_space_words[UNC_SPACES];

struct unc_question {
	uint8_t asked; /* enum unc_asked */
	uint8_t space; /* enum uncore_space */
	uint32_t width;
	uint32_t where; /* a package, a CPU, or a place in the list of PCI devices */
	uint64_t address;
};

struct unc_answer {
	struct unc_question question;
	int error;         /* -errno */
	char *why;         /* of a register: the sentence; NULL: none */
	uint64_t value[2]; /* of CPUID: EAX | EBX << 32, ECX | EDX << 32 */
};

struct unc_answers {
	size_t n, room;
	struct unc_answer *at;
	struct unc_index index;
	bool failed; /* no memory: something is missing */
};

void unc_answers_free(struct unc_answers *answers);
/* NULL: it was not asked. */
struct unc_answer *unc_answers_find(const struct unc_answers *answers,
				    const struct unc_question *question);
/* A new one, to be filled in; NULL: there is one already, or no memory (failed). */
struct unc_answer *unc_answers_add(struct unc_answers *answers,
				   const struct unc_question *question);

#ifdef __cplusplus
}
#endif
#endif
