/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuse_msr LIST LOG - msr-safe's batch device as a character device in user space:
 * /dev/msr_batch carries out arrays of operations on /dev/cpu/N/msr, for registers of
 * the file LIST, which has the lines of an allow-list.  Each array leaves a line in LOG.
 *
 * Written from the documentation of msr-safe.  There is no msr_safe here: the kernel
 * does not tell a device of this kind which offset is read.
 */
#define FUSE_USE_VERSION 31

#include <cuse_lowlevel.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse_opt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct batch_op {
	uint16_t cpu, isrdmsr;
	int32_t err;
	uint32_t msr;
	uint64_t msrdata, wmask;
};

struct batch_array {
	uint32_t numops, version;
	void *ops; /* the caller's address */
};

#define REQUEST 0xc01063a2u

struct line {
	uint32_t msr;
	uint64_t mask;
};

struct device {
	struct line list[4096];
	unsigned n_lines;
	FILE *log;
};

static void read_list(struct device *d, const char *path)
{
	FILE *f = fopen(path, "re");
	char text[256];

	while (f && fgets(text, sizeof(text), f) && d->n_lines < 4096) {
		struct line *l = &d->list[d->n_lines];

		d->n_lines += sscanf(text, "%" SCNx32 " %" SCNx64, &l->msr, &l->mask) == 2;
	}
	if (f)
		fclose(f);
}

static int open_cpu(unsigned cpu)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* Errors that are detected before anything is carried out. */
static int check(const struct device *d, struct batch_op *op)
{
	const int fd = open_cpu(op->cpu);

	op->err = fd < 0 ? -ENXIO : -EACCES;
	if (fd < 0)
		return op->err;
	close(fd);
	for (unsigned i = 0; i < d->n_lines; i++) {
		if (d->list[i].msr != op->msr)
			continue;
		op->wmask = d->list[i].mask;
		op->err = op->wmask == 0 && !op->isrdmsr ? -EROFS : 0;
	}
	return op->err;
}

static void carry_out(struct batch_op *op)
{
	const int fd = open_cpu(op->cpu);
	uint64_t old, value;
	ssize_t n = pread(fd, &old, sizeof(old), op->msr);

	if (n == sizeof(old) && op->isrdmsr) {
		op->msrdata = old;
	} else if (n == sizeof(old)) {
		value = (op->msrdata & op->wmask) | (old & ~op->wmask);
		n = pwrite(fd, &value, sizeof(value), op->msr);
	}
	if (n != sizeof(old))
		op->err = -EIO;
	close(fd);
}

static int run(struct device *d, struct batch_op *ops, unsigned n)
{
	int error = 0;

	for (unsigned i = 0; i < n; i++)
		error = check(d, &ops[i]) ? ops[i].err : error;
	for (unsigned i = 0; error == 0 && i < n; i++)
		carry_out(&ops[i]);
	for (unsigned i = 0; error == 0 && i < n; i++)
		error = ops[i].err;
	fprintf(d->log, "%u %d\n", n, error);
	fflush(d->log);
	return error;
}

/* ---- the device ---- */

static void batch_open(fuse_req_t request, struct fuse_file_info *fi)
{
	fuse_reply_open(request, fi);
}

/* The array's operations: asked for once more, now with their address. */
static void fetch(fuse_req_t request, void *arg, const struct batch_array *array)
{
	const size_t bytes = array->numops * sizeof(struct batch_op);
	const struct iovec in[] = {{arg, sizeof(*array)}, {array->ops, bytes}};

	fuse_reply_ioctl_retry(request, in, 2, &in[1], 1);
}

static void batch_ioctl(fuse_req_t request, int command, void *arg, struct fuse_file_info *fi,
			unsigned flags, const void *in, size_t in_bytes, size_t out_bytes)
{
	const struct iovec head = {arg, sizeof(struct batch_array)};
	struct batch_array array;
	struct batch_op *ops;

	(void)fi;
	(void)flags;
	if ((unsigned)command != REQUEST) {
		fuse_reply_err(request, ENOTTY);
		return;
	}
	if (in_bytes < sizeof(array)) {
		fuse_reply_ioctl_retry(request, &head, 1, NULL, 0);
		return;
	}
	memcpy(&array, in, sizeof(array));
	if (array.numops == 0 || array.numops > 1024) {
		fuse_reply_err(request, array.numops ? E2BIG : EINVAL);
	} else if (out_bytes == 0) {
		fetch(request, arg, &array);
	} else {
		ops = malloc(out_bytes);
		if (!ops)
			exit(1);
		memcpy(ops, (const char *)in + sizeof(array), out_bytes);
		const int result = run(fuse_req_userdata(request), ops, array.numops);

		fuse_reply_ioctl(request, result, ops, out_bytes);
		free(ops);
	}
}

int main(int argc, char **argv)
{
	static const struct cuse_lowlevel_ops ops = {.open = batch_open, .ioctl = batch_ioctl};
	static const char *names[] = {"DEVNAME=msr_batch"};
	static const struct cuse_info info = {
		.dev_info_argc = 1, .dev_info_argv = names, .flags = CUSE_UNRESTRICTED_IOCTL};
	char *arguments[] = {argv[0], (char[]){"-f"}, (char[]){"-s"}, NULL};
	static struct device d;

	if (argc != 3) {
		fprintf(stderr, "usage: cuse_msr LIST LOG\n");
		return 2;
	}
	read_list(&d, argv[1]);
	d.log = fopen(argv[2], "ae");
	return d.log ? cuse_lowlevel_main(3, arguments, &info, &ops, &d) : 1;
}
