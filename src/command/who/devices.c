/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.c - see devices.h. */
#include "command/who/devices.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/base/text.h"
#include "command/who/proc.h"

/* Links such as ../../devices/pci0000:3d/0000:3d:00.0/0000:3e:00.0/net/eth0. */
static const char *const classes[] = {"net", "nvme", "infiniband", "drm", "scsi_host"};

/* "/pci0000:3d/" of a stack, to be freed; NULL: unknown. */
static char *bus_of(const char *root, unsigned package, unsigned box)
{
	char *text = read_text("%s/sys/devices/uncore_iio_%u/die%u", root, box, package);
	unsigned domain, bus;
	const bool known = text && sscanf(text, "%x:%x", &domain, &bus) == 2;

	free(text);
	return known ? text_of("/pci%04x:%02x/", domain, bus) : NULL;
}

static bool is_behind(const char *path, const char *bus)
{
	char target[PATH_MAX];
	const ssize_t n = readlink(path, target, sizeof(target) - 1);

	target[n < 0 ? 0 : n] = '\0';
	return strstr(target, bus) != NULL;
}

static char *add_names(char *names, const char *root, const char *class, const char *bus)
{
	char *dir = text_of("%s/sys/class/%s", root, class);
	struct dirent **list;
	const int n = scandir(dir, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = text_of("%s/%s", dir, list[i]->d_name);

		if (is_behind(path, bus))
			names = text_and(names, "%s%s", *names ? ", " : "", list[i]->d_name);
		free(path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	free(dir);
	return names;
}

char *devices_of_stack(const char *root, unsigned package, unsigned box)
{
	char *bus = bus_of(root, package, box), *names;

	if (!bus)
		return NULL;
	names = text_of("%s", "");
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		names = add_names(names, root, classes[i], bus);
	free(bus);
	if (*names)
		return names;
	free(names);
	return NULL;
}
