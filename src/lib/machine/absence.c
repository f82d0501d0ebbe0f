/* SPDX-License-Identifier: BSD-3-Clause */
/* absence.c - why a box cannot be used: a message for each code of uncore_inspect.h. */
#include <errno.h>

#include "machine/boxes.h"

static const char sentences[][112] = {
	[UNCORE_ABSENT_HIDDEN] = "its PCI device is hidden by the firmware or fused off",
	[UNCORE_ABSENT_LOCATOR_HIDDEN] =
		"the PCI device that reports its address is hidden by the firmware",
	[UNCORE_ABSENT_DEAD] = "its registers read as all ones: the device is dead or disabled",
	[UNCORE_ABSENT_ZERO] = "its registers read as zero: this part does not have it",
	[UNCORE_ABSENT_INCOMPLETE] =
		"its PCI device shows, but the rest of its memory controller does not: this part does not have it",
	[UNCORE_ABSENT_NO_ADDRESS] = "the firmware gave its memory controller no address",
	[UNCORE_ABSENT_SAME_ADDRESS] =
		"the firmware gave its memory controller the address of another one",
	[UNCORE_ABSENT_NO_REGISTER] = "this processor, or virtual machine, has no such register",
	[UNCORE_ABSENT_NO_ENERGY] = "the firmware does not report it: the counter stays at 0",
	[UNCORE_ABSENT_NO_LIMIT] = "the firmware does not report it: the register holds 0",
	[UNCORE_ABSENT_NO_TPMI] =
		"the processor's TPMI does not report the location of its register",
	[UNCORE_ABSENT_NOT_RECORDED] = "its registers were not recorded",
	[UNCORE_ABSENT_NO_DEVICE] = "it has no PCI device of its own on this machine",
	[UNCORE_ABSENT_PACKAGE] = "the package of its PCI device is unknown",
	[UNCORE_ABSENT_UNLISTED] = "the PCI devices cannot all be listed",
	[UNCORE_ABSENT_LOCATOR] = "the PCI device that reports its address cannot be read",
	[UNCORE_ABSENT_RIGHTS] = "its registers may not be accessed with these rights",
	[UNCORE_ABSENT_WRITES] =
		"the msr module refuses to write its registers (msr.allow_writes=off)",
	[UNCORE_ABSENT_CONFIG_64] =
		"only the first 64 bytes of its config space are readable with these rights",
	[UNCORE_ABSENT_CONFIG_256] =
		"only the first 256 bytes of its config space are there: no MMCONFIG",
	[UNCORE_ABSENT_NO_FILE] = "its register device does not exist",
	[UNCORE_ABSENT_IN_MEMORY] = "its address is in the main memory, where no registers are",
	[UNCORE_ABSENT_NOT_OPENED] = "its register device cannot be opened",
	[UNCORE_ABSENT_SILENT] = "its registers do not answer",
	[UNCORE_ABSENT_KERNEL_RIGHTS] = "the kernel lets this user count no uncore events",
	[UNCORE_ABSENT_KERNEL_CPU] = "the kernel's driver has no CPU for it in this package",
	[UNCORE_ABSENT_KERNEL_PMU] = "the kernel's driver has no PMU for it",
	[UNCORE_ABSENT_KERNEL_BOX] = "the kernel's driver has no such box in this package",
	[UNCORE_ABSENT_FILES] = "too many files are open",
	[UNCORE_ABSENT_RECORD] = "its record in the discovery table cannot be used",
};

void unc_box_mark(struct unc_box *b, enum uncore_absence absence)
{
	b->absence = absence;
	b->absent = *sentences[absence] ? sentences[absence] : NULL;
}

enum uncore_absence unc_absence(int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
		return UNCORE_ABSENT_RIGHTS;
	case EROFS:
		return UNCORE_ABSENT_WRITES;
	case ENODATA:
		return UNCORE_ABSENT_CONFIG_64;
	case ERANGE:
		return UNCORE_ABSENT_CONFIG_256;
	case ENOENT:
		return UNCORE_ABSENT_NO_FILE;
	case EFAULT:
		return UNCORE_ABSENT_IN_MEMORY;
	case EMFILE:
	case ENFILE:
		return UNCORE_ABSENT_NOT_OPENED;
	default:
		return UNCORE_ABSENT_SILENT;
	}
}
