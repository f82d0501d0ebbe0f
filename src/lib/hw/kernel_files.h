/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_files.h - the kernel's links and directories below a root directory, or those of a machine
 * that is simulated in this process.
 */
#ifndef UNC_KERNEL_FILES_H
#define UNC_KERNEL_FILES_H

#include <stddef.h>

#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* root NULL: there are no files, unless the machine is simulated in this process. */
struct unc_kernel_files {
	struct unc_hw *hw;
	const char *root;
};

bool unc_kernel_has_files(const struct unc_kernel_files *files);

/*
 * Where a path leads, without links and without the root: "/sys/devices/pci0000:17/...".
 * 0 or -errno: -ENOSYS without files, -ENAMETOOLONG.
 */
int unc_kernel_link(const struct unc_kernel_files *files, const char *path, char *target,
		    size_t len);

/* The line of a file without its end; false: it does not exist. */
bool unc_kernel_line(const struct unc_kernel_files *files, const char *path, char *text,
		     size_t len);

/* The contents of a file, to be freed; NULL with errno. */
char *unc_kernel_text(const struct unc_kernel_files *files, const char *path);

/* The names in a directory, in alphabetical order. */
struct unc_kernel_names {
	size_t n;
	char **name;
};

/* 0 or -errno; no names after an error. */
int unc_kernel_list(const struct unc_kernel_files *files, const char *dir,
		    struct unc_kernel_names *to);
void unc_kernel_names_free(struct unc_kernel_names *names);

#ifdef __cplusplus
}
#endif
#endif
