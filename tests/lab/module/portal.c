// SPDX-License-Identifier: GPL-2.0-only
/*
 * portal.c - the MSRs of a simulated machine outside the guest, through the
 * config space of a PCI function that stands for it (tests/lab/simpci/proxy.h).
 */
#include <linux/errno.h>
#include <linux/pci.h>
#include <linux/spinlock.h>

#include "lab.h"

enum { PACKAGE = 0x40, ADDRESS = 0x44, VALUE = 0x48, GO = 0x50, STATUS = 0x54 };
enum { READ_MSR = 1, WRITE_MSR = 2 };

static struct pci_dev *portal;
static DEFINE_RAW_SPINLOCK(turn);

static int portal_init(unsigned int packages)
{
	portal = pci_get_device(0x1234, 0x5350, NULL);
	return portal ? 0 : -ENODEV;
}

static void portal_exit(void)
{
	pci_dev_put(portal);
}

static int ask(unsigned int package, u32 msr, u32 command)
{
	u32 status = ~0U;

	pci_write_config_dword(portal, PACKAGE, package);
	pci_write_config_dword(portal, ADDRESS, msr);
	pci_write_config_dword(portal, GO, command);
	pci_read_config_dword(portal, STATUS, &status);
	return status ? -EIO : 0;
}

static int portal_read(unsigned int package, u32 msr, u64 *value)
{
	u32 low = 0, high = 0;
	int err;

	raw_spin_lock(&turn);
	err = ask(package, msr, READ_MSR);
	pci_read_config_dword(portal, VALUE, &low);
	pci_read_config_dword(portal, VALUE + 4, &high);
	raw_spin_unlock(&turn);
	*value = err ? 0 : (u64)high << 32 | low;
	return err;
}

static int portal_write(unsigned int package, u32 msr, u64 value)
{
	int err;

	raw_spin_lock(&turn);
	pci_write_config_dword(portal, VALUE, lower_32_bits(value));
	pci_write_config_dword(portal, VALUE + 4, upper_32_bits(value));
	err = ask(package, msr, WRITE_MSR);
	raw_spin_unlock(&turn);
	return err;
}

const struct lab_backend lab_portal = {
	.name = "portal",
	.init = portal_init,
	.exit = portal_exit,
	.read = portal_read,
	.write = portal_write,
};
