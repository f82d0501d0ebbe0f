/* SPDX-License-Identifier: BSD-3-Clause */
/* remedy.c - cause and remedy of a failed register access. */
#include <errno.h>
#include <string.h>

#include "base/documents.h"
#include "hw/native.h"

/* Failures that any file can have; NULL: another one. */
static const char *file_remedy(int error)
{
	switch (-error) {
	case EMFILE:
		return "raise the limit of open files (ulimit -n)";
	case ENFILE:
		return "too many files are open on this machine: raise fs.file-max";
	case EINTR:
		return "repeatedly interrupted by signals: try again";
	case ESPIPE:
		return "the path is not the expected device";
	default:
		return NULL;
	}
}

static const char *mmio_remedy(int error)
{
	switch (-error) {
	case ENOENT:
		return "this kernel has no /dev/mem (CONFIG_DEVMEM)";
	case EPERM:
		return "the memory is reserved by a kernel driver: unload intel_uncore, or boot "
		       "with iomem=relaxed";
	case EACCES:
		return "run as root, or give your group read and write access to the file";
	default:
		return "the address is not that of a register";
	}
}

const char *unc_remedy(const struct unc_op *op, int error, bool locked_down)
{
	const bool msr = op->space == UNCORE_MSR || op->space == UNCORE_CPU;

	if (file_remedy(error))
		return file_remedy(error);
	if (op->space == UNCORE_MMIO && !locked_down)
		return mmio_remedy(error);

	switch (-error) {
	case ENOENT:
		return msr ? "load the msr module (modprobe msr)" : "the device has vanished";
	case EPERM:
		if (locked_down)
			return "the kernel is locked down: disable Secure Boot or lockdown";
		return msr ? "CAP_SYS_RAWIO is required (" UNC_DOC_PERMISSIONS "), or run as root; "
			     "writes require msr.allow_writes=on"
			   : "CAP_SYS_ADMIN is required (" UNC_DOC_PERMISSIONS "), or run as root";
	case EROFS:
		return "the msr module refuses writes: set msr.allow_writes=on";
	case ENXIO:
		return msr ? "no CPU that reaches it is online" : "the device is gone or dead";
	case EACCES:
		return "the file's mode forbids it: run as root, or give your group read and write "
		       "access";
	case ENODATA:
		return msr ? "the file ends within the register"
			   : "the file ends early: CAP_SYS_ADMIN is required, or run as root";
	case ERANGE:
		return "the kernel has no access to the rest (MMCONFIG): boot without pci=nommconf";
	case EIO:
		return "the CPU refuses this register: no such counter here, or a virtual machine";
	default:
		return "the device is gone or dead";
	}
}

const char *unc_what_failed(int error)
{
	switch (-error) {
	case ENODATA:
	case ERANGE:
		return "short read";
	case EROFS:
		return "not writable";
	case ESPIPE:
		return "neither a file nor a device";
	default:
		return strerror(-error);
	}
}
