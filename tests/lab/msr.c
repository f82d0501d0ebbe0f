/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * msr.c - msr CPU REGISTER [VALUE [TIMES]]: read or write an MSR through /dev/cpu/CPU/msr, as often
 * as is said.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char path[64];
	uint64_t value;
	off_t reg;
	int fd;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "usage: msr CPU REGISTER [VALUE [TIMES]]\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/dev/cpu/%s/msr", argv[1]);
	reg = strtol(argv[2], NULL, 0);
	fd = open(path, argc > 3 ? O_WRONLY : O_RDONLY);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	if (argc > 3) {
		long times = argc > 4 ? strtol(argv[4], NULL, 0) : 1;

		value = strtoull(argv[3], NULL, 0);
		while (times > 0 && pwrite(fd, &value, sizeof(value), reg) == sizeof(value))
			times--;
		if (times == 0)
			return 0;
	} else if (pread(fd, &value, sizeof(value), reg) == sizeof(value)) {
		printf("%#" PRIx64 "\n", value);
		return 0;
	}
	perror(argv[2]);
	return 1;
}
