/* SPDX-License-Identifier: BSD-3-Clause */
/* question.h - what is asked of a machine while it is opened, and recorded with its first answer.
 */
#ifndef UNC_QUESTION_H
#define UNC_QUESTION_H

#include <stdint.h>

/* Kinds of questions, with the members of struct unc_question that they use, and their answers. */
enum unc_asked {
	UNC_ASKED_REGISTER, /* space, width, where, address; not by unc_hw_ops.ask */
	UNC_ASKED_CPUID, /* where: CPU; address: leaf << 32 | subleaf; EAX | EBX << 32, ECX | EDX <<
			    32 */
	UNC_ASKED_MSR_FILE, /* where: package, whose MSRs will be used */
	UNC_ASKED_PCI_FILE, /* where: device, whose registers will be used */
	UNC_ASKED_MAPPING,  /* where: package; address; width: bytes; its number, for unc_op.unit */
	UNC_ASKED_BAR,  /* where: device; address: its base; width: its number; bytes, 0: unknown */
	UNC_ASKED_CORE, /* where: CPU, whose core the topology left at UNC_NOT_ASKED */
	UNC_ASKED_NODE, /* where: device, whose package the topology left at UNC_NOT_ASKED */
	UNC_ASKED_KINDS,
	/* not recorded; where: CPU: open now what the first access to its registers would open */
	UNC_ASKED_CPU_FILE = UNC_ASKED_KINDS
};

struct unc_question {
	uint8_t asked; /* enum unc_asked */
	uint8_t space; /* enum uncore_space */
	uint16_t none; /* 0, as none_either: questions are compared as bytes, without padding */
	uint32_t width;
	uint32_t where; /* a package, a CPU, or an index into the list of PCI devices */
	uint32_t none_either;
	uint64_t address;
};

#endif
