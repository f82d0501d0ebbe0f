/* SPDX-License-Identifier: BSD-3-Clause */
/* named.c - from the name of a device to its path; device.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"

/* Directories with a file per device; and those devices that it uses: in `below`, with `prefix`. */
static const struct {
	char dir[32], below[12], prefix[8];
} classes[] = {
	{"sys/class/net", "", "lower_"}, {"sys/class/infiniband", "-", ""},
	{"sys/class/nvme", "-", ""},     {"sys/class/block", "slaves", ""},
	{"sys/class/drm", "-", ""},      {"sys/bus/dsa/devices", "-", ""},
};

#define N_CLASSES (sizeof(classes) / sizeof(*classes))

const char *unc_device_class(size_t i)
{
	return i < N_CLASSES ? classes[i].dir : NULL;
}

/* ---- addresses ---- */

/* "3b:00.0", "0000_3b_00.0": to the kernel's form; false: not an address. */
static bool complete_address(const char *name, char text[UNC_AT_TEXT])
{
	static const char prefixes[][6] = {"", "0000:"};
	struct unc_at at;
	const char *end;

	for (size_t i = 0; i < 2; i++) {
		const int n = snprintf(text, UNC_AT_TEXT, "%s%s", prefixes[i], name);

		for (char *c = text; *c; c++)
			*c = *c == '_' || *c == '-' ? ':' : (char)tolower((unsigned char)*c);
		end = n < UNC_AT_TEXT ? unc_at_parse(text, &at) : NULL;
		if (end && !*end) {
			unc_at_text(&at, text);
			return true;
		}
	}
	return false;
}

static int by_address(const struct unc_devices *d, const char *address, struct unc_chain *chain,
		      struct unc_err *err)
{
	char path[64], target[UNC_PATH_TEXT];
	int r;

	snprintf(path, sizeof(path), "sys/bus/pci/devices/%s", address);
	r = unc_kernel_link(&d->files, path, target, sizeof(target));
	if (r == 0 && unc_chain_parse(target, chain))
		return 0;
	return unc_fail(err, UNCORE_ENODEV, "no PCI device %s on this machine: %s", address,
			r < 0 ? strerror(-r) : "its path has no root bus");
}

/* ---- names ---- */

/* A device that uses others: "; its devices are eth0 and eth1". */
static void add_others(const struct unc_devices *d, size_t class, const char *name, char *text,
		       size_t len)
{
	const char *prefix = classes[class].prefix;
	struct unc_kernel_names names;
	char dir[UNC_PATH_TEXT];
	size_t n = 0;

	text[0] = '\0';
	snprintf(dir, sizeof(dir), "%s/%s/%s", classes[class].dir, name, classes[class].below);
	if (unc_kernel_list(&d->files, dir, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		if (strncmp(names.name[i], prefix, strlen(prefix)) == 0 && n < len)
			n += (size_t)snprintf(text + n, len - n, "%s%s",
					      n ? ", " : "; name one of its devices: ",
					      names.name[i] + strlen(prefix));
	unc_kernel_names_free(&names);
}

/* 1: the class has it, with its path; 0: it has not. */
static int path_in(const struct unc_devices *d, size_t class, const char *name, char *target)
{
	static const char files[][8] = {"/device", ""};
	char path[UNC_PATH_TEXT];
	struct unc_chain chain;
	int r, found = 0;

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", classes[class].dir, name, files[i]);
		r = unc_kernel_link(&d->files, path, target, UNC_PATH_TEXT);
		found |= r == 0;
		if (r == 0 && unc_chain_parse(target, &chain))
			break;
	}
	return found;
}

static int by_name(const struct unc_devices *d, const char *name, struct unc_chain *chain,
		   struct unc_err *err)
{
	char target[UNC_PATH_TEXT], others[UNC_PATH_TEXT], at[2][UNC_AT_TEXT];
	bool any = false;

	for (size_t i = 0; i < N_CLASSES; i++) {
		struct unc_chain here;

		if (!path_in(d, i, name, target))
			continue;
		if (!unc_chain_parse(target, &here)) {
			add_others(d, i, name, others, sizeof(others));
			return unc_fail(err, UNCORE_ENODEV, "%s is not a PCI device (%.200s)%.200s",
					name, target, others);
		}
		if (any && !unc_at_same(&here.device, &chain->device))
			return unc_fail(err, UNCORE_EINVAL,
					"%s is the name of two devices, %s and %s: use the address",
					name, unc_at_text(&chain->device, at[0]),
					unc_at_text(&here.device, at[1]));
		*chain = here;
		any = true;
	}
	return any ? 0
		   : unc_fail(err, UNCORE_ENODEV,
			      "no device %s on this machine: use the name of a network interface, "
			      "InfiniBand device, NVMe controller, block device or GPU, or a PCI "
			      "address such as 0000:3b:00.0",
			      name);
}

int unc_device_named(const struct unc_devices *d, const char *name, struct unc_chain *chain,
		     struct unc_err *err)
{
	char address[UNC_AT_TEXT];

	if (!unc_kernel_has_files(&d->files))
		return unc_fail(
			err, UNCORE_ENOSUPP,
			"device %s cannot be found: this is not the machine with the device, "
			"so use box= and pkg=",
			name);
	if (strchr(name, '/') || strcmp(name, "..") == 0 || strcmp(name, ".") == 0 || !*name)
		return unc_fail(err, UNCORE_EINVAL, "\"%s\" is not the name of a device", name);
	if (complete_address(name, address))
		return by_address(d, address, chain, err);
	return by_name(d, name, chain, err);
}
