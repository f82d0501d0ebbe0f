/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.c - see hash.h. */
#include "sim/hash/hash.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP      16
#define MOST_LINES 65536

/* ---- measured hashes ---- */

static unsigned digit(char c)
{
	if (c >= 'a')
		return (unsigned)(c - 'a') + 36;
	return c >= 'A' ? (unsigned)(c - 'A') + 10 : (unsigned)(c - '0');
}

static unsigned measured_owner(const struct sim_measured_hash *measured, size_t line)
{
	const char *place = &measured->places[line / GROUP * 2];

	const size_t group = (size_t)digit(place[0]) * GROUP;

	return digit(measured->groups[group + (line % GROUP ^ digit(place[1]))]);
}

static const struct sim_measured_hash *find(const char *platform, unsigned slices)
{
	const struct sim_measured_hash *measured = sim_measured_hashes;

	while (measured->platform != NULL &&
	       (measured->slices != slices || strcmp(measured->platform, platform) != 0))
		measured++;
	return measured->platform != NULL ? measured : NULL;
}

/* ---- files ---- */

/* Does not wait for a writer of a pipe. */
static FILE *open_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && file == NULL)
		close(fd);
	return file;
}

/* The next number: 1, 0 at the end, or -EINVAL. */
static int next_slice(FILE *file, unsigned slices, uint16_t *slice)
{
	unsigned value = 0;
	int c = getc(file);

	while (isspace(c))
		c = getc(file);
	if (c == EOF)
		return ferror(file) ? -EIO : 0;
	for (; isdigit(c) && value < slices; c = getc(file))
		value = value * 10 + (unsigned)(c - '0');
	*slice = (uint16_t)value;
	return value < slices && (c == EOF || isspace(c)) ? 1 : -EINVAL;
}

static int read_owners(struct sim_hash *hash, FILE *file)
{
	uint16_t slice;
	int more;

	hash->owners = calloc(MOST_LINES, sizeof(*hash->owners));
	if (hash->owners == NULL)
		return -ENOMEM;
	while ((more = next_slice(file, hash->slices, &slice)) == 1) {
		if (hash->lines == MOST_LINES)
			return -EINVAL;
		hash->owners[hash->lines++] = slice;
	}
	return more == 0 && hash->lines == 0 ? -EINVAL : more;
}

static int read_hash(struct sim_hash *hash, const char *path)
{
	FILE *file = open_file(path);
	int code;

	if (file == NULL)
		return errno != 0 ? -errno : -ENOMEM;
	code = read_owners(hash, file);
	fclose(file);
	return code;
}

/* ---- interface ---- */

int sim_hash_init(struct sim_hash *hash, const char *platform, unsigned slices, const char *file)
{
	*hash = (struct sim_hash){.slices = slices};
	if (file != NULL)
		return read_hash(hash, file);
	hash->measured = find(platform, slices);
	hash->lines = hash->measured != NULL ? strlen(hash->measured->places) / 2 * GROUP : slices;
	return 0;
}

void sim_hash_free(struct sim_hash *hash)
{
	free(hash->owners);
}

unsigned sim_hash_owner(const struct sim_hash *hash, uint64_t address)
{
	const size_t line = (size_t)(address / SIM_LINE % hash->lines);

	if (hash->measured != NULL)
		return measured_owner(hash->measured, line);
	return hash->owners != NULL ? hash->owners[line] : (unsigned)line;
}
