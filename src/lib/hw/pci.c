/* SPDX-License-Identifier: BSD-3-Clause */
/* pci.c - PCI config space through sys/bus/pci/devices/.../config. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "hw/native.h"

int unc_pci_open(int *fd, const struct unc_pci *pci, const char *root)
{
	char path[PATH_MAX], name[UNC_PCI_NAME];

	if (*fd >= 0)
		return 0;
	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/config", root,
		 unc_pci_name(name, pci));
	*fd = unc_open(path, O_RDWR);
	return *fd < 0 ? -errno : 0;
}

/*
 * Without CAP_SYS_ADMIN the file ends after 64 bytes: a short read means missing privileges,
 * and is reported as ENODATA. Without MMCONFIG the file ends after 256 bytes for all users:
 * ERANGE.
 */
static int short_read(int fd, uint32_t offset)
{
	struct stat st;

	return offset >= 256 && fstat(fd, &st) == 0 && st.st_size == 256 ? -ERANGE : -ENODATA;
}

int unc_pci_read(int fd, uint32_t offset, void *value, size_t bytes)
{
	const ssize_t n = fd < 0 ? -1 : unc_pread(fd, value, bytes, (off_t)offset);

	if (n == (ssize_t)bytes)
		return 0;
	if (fd < 0)
		return -ENODEV;
	return n < 0 ? -errno : short_read(fd, offset);
}

int unc_pci_write(int fd, uint32_t offset, const void *value, size_t bytes)
{
	const ssize_t n = fd < 0 ? -1 : unc_pwrite(fd, value, bytes, (off_t)offset);

	if (n == (ssize_t)bytes)
		return 0;
	if (fd < 0)
		return -ENODEV;
	return n < 0 ? -errno : -ENODATA;
}
