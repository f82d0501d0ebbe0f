/* SPDX-License-Identifier: BSD-3-Clause */
/* rights.c - what uncored may do while it serves others: no more than it needs. */
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/daemon.h"

/*
 * To open register devices (docs/permissions.md, "What is needed"), files of others, and to give
 * the socket and the journals their group.
 */
#define NEEDED                                                         \
	(UINT64_C(1) << CAP_SYS_RAWIO | UINT64_C(1) << CAP_SYS_ADMIN | \
	 UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_CHOWN | UINT64_C(1) << CAP_FOWNER)

int daemon_drop_rights(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &head, data) < 0)
		return -1;
	for (unsigned i = 0; i < 2; i++) {
		data[i].permitted &= (uint32_t)(NEEDED >> 32 * i);
		data[i].effective &= data[i].permitted;
		data[i].inheritable = 0;
	}
	return (int)syscall(SYS_capset, &head, data);
}
