/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load_bench.c - what a program pays for a library that it only loads: relocations, and memory that
 * it shares with no other process.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RELOCATIONS 1500
#define MOST_DIRTY       100 /* kB */

/* Without those of the libraries that it needs. */
static unsigned long relocations(const struct link_map *library)
{
	unsigned long bytes = 0;

	for (const ElfW(Dyn) *d = library->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_RELASZ || d->d_tag == DT_PLTRELSZ)
			bytes += d->d_un.d_val;
	return bytes / sizeof(ElfW(Rela));
}

/* Private_Dirty of the mappings of a file, in kB. */
static unsigned dirty(const char *file)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	unsigned total = 0, value;
	char line[1024];
	bool within = false;

	while (smaps && fgets(line, sizeof(line), smaps)) {
		if (strchr(line, '-') && !strstr(line, " kB"))
			within = strstr(line, file) != NULL;
		if (within && sscanf(line, "Private_Dirty: %u", &value) == 1)
			total += value;
	}
	if (smaps)
		fclose(smaps);
	return total;
}

/* Pages that are not on disk yet count as dirty, too. */
static void flush(const char *file)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* In a process of its own, which loads nothing else. */
static void load(const char *what, const char *path, const char *bounds)
{
	char file[4096] = "";
	struct link_map *map;
	void *library;

	fflush(stdout);
	if (fork() != 0) {
		wait(NULL);
		return;
	}
	if (realpath(path, file))
		flush(file);
	library = *file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
		printf("  %-30s %6lu relocations %6u kB of its own%s\n", what, relocations(map),
		       dirty(file), bounds);
	else
		printf("  %-30s not loaded: %s\n", what, library ? "no map" : path);
	fflush(stdout);
	_exit(0);
}

static void load_from(const char *what, const char *name, const char *bounds)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("BUILD"), name);
	load(what, path, bounds);
}

/* The first line of what a command prints, without its newline. */
static void ask(const char *command, char *line, size_t len)
{
	FILE *pipe = popen(command, "r");

	if (!pipe || !fgets(line, (int)len, pipe))
		*line = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (pipe)
		pclose(pipe);
}

int main(void)
{
	char stock[4096], bounds[64];

	if (!getenv("BUILD"))
		return 1;
	snprintf(bounds, sizeof(bounds), "   (bounds: %d, %d)", MOST_RELOCATIONS, MOST_DIRTY);
	ask("PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libpapi\\.so\\..* => //p'", stock,
	    sizeof(stock));
	printf("loading a library, without those that it needs:\n");
	load("the distribution's libpapi", stock, "");
	load_from("libpapi with the component", "papi/libpapi.so", "");
	load_from("libuncore.so", "libuncore.so", bounds);
	load_from("libuncore-sim.so", "libuncore-sim.so", "");
	return 0;
}
