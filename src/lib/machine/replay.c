/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - a machine that answers from a recording. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recording.h"
#include "machine/replay.h"

static struct unc_replayed *replayed_of(struct unc_hw *hw)
{
	return (struct unc_replayed *)hw;
}

static const struct unc_answer *find(struct unc_hw *hw, enum unc_asked asked, uint32_t where,
				     uint64_t address, uint32_t width)
{
	const struct unc_question q = {
		.asked = (uint8_t)asked, .width = width, .where = where, .address = address};

	return unc_answers_find(&replayed_of(hw)->recording->answers, &q);
}

/* For calls that return a number or -errno; a question that was not recorded has no answer. */
static int number(const struct unc_answer *a)
{
	if (!a)
		return -ENODATA;
	return a->error ? a->error : (int)a->value[0];
}

static int replay_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	const struct unc_question q = unc_question_of(op);
	const struct unc_answer *a = unc_answers_find(&replayed_of(hw)->recording->answers, &q);

	if (!a)
		return -ENODATA;
	*value = a->value[0];
	return a->error;
}

static int replay_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	(void)hw;
	(void)op;
	(void)value;
	return -EROFS;
}

static int replay_open_msr(struct unc_hw *hw, unsigned package)
{
	return number(find(hw, UNC_ASKED_MSR_FILE, package, 0, 0));
}

static int replay_open_pci(struct unc_hw *hw, unsigned unit)
{
	return number(find(hw, UNC_ASKED_PCI_FILE, unit, 0, 0));
}

static int replay_map(struct unc_hw *hw, unsigned package, uint64_t address, size_t bytes)
{
	return number(find(hw, UNC_ASKED_MAPPING, package, address, (uint32_t)bytes));
}

static uint64_t replay_bar_bytes(struct unc_hw *hw, unsigned unit, unsigned bar, uint64_t base)
{
	const struct unc_answer *a = find(hw, UNC_ASKED_BAR, unit, base, bar);

	return a ? a->value[0] : 0;
}

static int replay_cpuid(struct unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4])
{
	const struct unc_answer *a =
		find(hw, UNC_ASKED_CPUID, cpu, (uint64_t)leaf << 32 | subleaf, 0);

	if (!a || a->error)
		return a ? a->error : -ENODATA;
	for (size_t i = 0; i < 2; i++) {
		regs[2 * i] = (uint32_t)a->value[i];
		regs[2 * i + 1] = (uint32_t)(a->value[i] >> 32);
	}
	return 0;
}

static int replay_core(struct unc_hw *hw, unsigned cpu)
{
	return number(find(hw, UNC_ASKED_CORE, cpu, 0, 0));
}

static int replay_near(struct unc_hw *hw, unsigned unit)
{
	const struct unc_answer *a = find(hw, UNC_ASKED_NODE, unit, 0, 0);

	return a ? number(a) : -1;
}

static void replay_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	const struct unc_question q = unc_question_of(op);
	const struct unc_answer *a = unc_answers_find(&replayed_of(hw)->recording->answers, &q);

	if (a && a->why)
		snprintf(text, len, "%s", a->why);
	else
		snprintf(text, len, "register %#" PRIx64 ": %s in this recording", op->address,
			 error == -ENODATA ? "not" : strerror(-error));
}

static void replay_close(struct unc_hw *hw)
{
	unc_recording_free(replayed_of(hw)->recording);
	free(hw);
}

static const struct unc_hw_ops replay_ops = {
	.read = replay_read,
	.write = replay_write,
	.read_many = unc_read_each,
	.open_msr = replay_open_msr,
	.open_pci = replay_open_pci,
	.map = replay_map,
	.bar_bytes = replay_bar_bytes,
	.cpuid = replay_cpuid,
	.explain = replay_explain,
	.close = replay_close,
	.core = replay_core,
	.near = replay_near,
};

struct unc_replayed *unc_replayed_new(const struct unc_topology *topo)
{
	struct unc_replayed *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->recording = unc_recording_new("/");
	if (!r->recording) {
		free(r);
		return NULL;
	}
	r->hw.ops = &replay_ops;
	r->hw.topo = topo;
	r->hw.where = UNC_RECORDED;
	return r;
}

int unc_replayed_failure(struct unc_hw *hw, const char **why)
{
	const struct unc_recording *recording = replayed_of(hw)->recording;

	*why = recording->why;
	return recording->code;
}
