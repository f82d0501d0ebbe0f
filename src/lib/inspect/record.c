/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - write a recording of a machine: the accesses made while opening it. */
#include "machine/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "set/set.h"

/* All registers of a box with their values; failed reads are noted, too. */
static void read_box(struct unc_hw *hw, const struct unc_machine *m, const struct unc_box *b)
{
	for (int which = UNCORE_UNIT_CONTROL; which <= UNCORE_FILTER; which++)
		for (unsigned n = 0; n <= 64; n++) {
			struct unc_op op;
			uint64_t value;

			if (unc_register_op(m, b, (enum uncore_register)which, n, &op))
				hw->ops->read(hw, &op, &value);
		}
}

static int read_registers(struct uncore *u)
{
	struct unc_hw *hw = unc_hw_recorded(u->hw, u->recording);

	if (!hw)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a recording");
	for (size_t i = 0; i < u->machine.n_boxes; i++)
		if (!u->machine.boxes[i].absent && !u->machine.boxes[i].type->arch)
			read_box(hw, &u->machine, &u->machine.boxes[i]);
	hw->ops->close(hw);
	return 0;
}

static int write_file(struct uncore *u, int fd)
{
	const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
	int r = UNCORE_EIO;

	if (file)
		r = unc_recording_write(u->recording, &u->machine.topo, file);
	if (r == UNCORE_EIO)
		unc_fail(&u->err, r, "cannot write the recording: %s", strerror(errno));
	else if (r < 0)
		unc_fail(&u->err, r,
			 r == UNCORE_ENOMEM
				 ? "out of memory for a recording"
				 : "recording requires json-c: this library was built without it "
				   "(LISTS=no)");
	if (file)
		fclose(file);
	else if (copy >= 0)
		close(copy);
	return r;
}

int uncore_record(struct uncore *u, int fd, unsigned flags)
{
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0 && u->alive)
		return r;
	if (flags & ~UNCORE_RECORD_REGISTERS)
		return unc_fail(&u->err, UNCORE_EINVAL, "invalid recording flags: %#x", flags);
	if (!u->recording)
		return unc_fail(&u->err, UNCORE_ESTATE,
				"recording is not enabled: open the handle with "
				"uncore_options.record = 1");
	unc_lock(u, &before);
	r = flags && u->hw ? read_registers(u) : 0;
	if (r == 0)
		r = write_file(u, fd);
	unc_unlock(u, &before);
	return r;
}
