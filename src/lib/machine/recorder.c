/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder.c - record the accesses to a machine while it is opened. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/recording.h"

struct recorder {
	struct unc_hw hw;
	struct unc_hw *behind;
	struct unc_recording *recording;
};

static struct recorder *recorder_of(struct unc_hw *hw)
{
	return (struct recorder *)hw;
}

struct unc_recording *unc_recording_new(const char *root)
{
	struct unc_recording *recording = calloc(1, sizeof(*recording));

	if (recording)
		snprintf(recording->root, sizeof(recording->root), "%s", root);
	return recording;
}

void unc_recording_free(struct unc_recording *recording)
{
	if (!recording)
		return;
	unc_answers_free(&recording->answers);
	unc_timeline_free(&recording->timeline);
	free(recording);
}

void unc_recording_failed(struct unc_recording *recording, int code, const char *why)
{
	recording->code = code;
	snprintf(recording->why, sizeof(recording->why), "%s", why);
}

struct unc_question unc_question_of(const struct unc_op *op)
{
	return (struct unc_question){
		.asked = UNC_ASKED_REGISTER,
		.space = op->space,
		.width = op->width,
		.where = op->space == UNCORE_MSR || op->space == UNCORE_MMIO ? op->package
									     : op->unit,
		.address = op->address,
	};
}

/* For calls that return a number or -errno. */
static int note(struct unc_hw *hw, enum unc_asked asked, uint32_t where, uint64_t address,
		uint32_t width, int result)
{
	const struct unc_question q = {
		.asked = (uint8_t)asked, .width = width, .where = where, .address = address};
	struct unc_answer *a = unc_answers_add(&recorder_of(hw)->recording->answers, &q);

	if (a && result < 0)
		a->error = result;
	else if (a)
		a->value[0] = (uint64_t)result;
	return result;
}

static void note_why(struct unc_hw *behind, const struct unc_op *op, struct unc_answer *a)
{
	char why[512];

	behind->ops->explain(behind, op, a->error, why, sizeof(why));
	a->why = strdup(why);
}

static int record_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	struct recorder *r = recorder_of(hw);
	const struct unc_question q = unc_question_of(op);
	const int result = r->behind->ops->read(r->behind, op, value);
	struct unc_answer *a = unc_answers_add(&r->recording->answers, &q);

	if (!a)
		return result;
	a->error = result;
	if (result == 0)
		a->value[0] = *value;
	else
		note_why(r->behind, op, a);
	return result;
}

/* Opening only reads. */
static int record_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	(void)hw;
	(void)op;
	(void)value;
	return -EROFS;
}

static int record_open_msr(struct unc_hw *hw, unsigned package)
{
	struct unc_hw *behind = recorder_of(hw)->behind;

	return note(hw, UNC_ASKED_MSR_FILE, package, 0, 0, behind->ops->open_msr(behind, package));
}

static int record_open_pci(struct unc_hw *hw, unsigned unit)
{
	struct unc_hw *behind = recorder_of(hw)->behind;

	return note(hw, UNC_ASKED_PCI_FILE, unit, 0, 0, behind->ops->open_pci(behind, unit));
}

static int record_map(struct unc_hw *hw, unsigned package, uint64_t address, size_t bytes)
{
	struct unc_hw *behind = recorder_of(hw)->behind;

	return note(hw, UNC_ASKED_MAPPING, package, address, (uint32_t)bytes,
		    behind->ops->map(behind, package, address, bytes));
}

static uint64_t record_bar_bytes(struct unc_hw *hw, unsigned unit, unsigned bar, uint64_t base)
{
	struct unc_hw *behind = recorder_of(hw)->behind;
	const struct unc_question q = {
		.asked = UNC_ASKED_BAR, .width = bar, .where = unit, .address = base};
	const uint64_t bytes = behind->ops->bar_bytes(behind, unit, bar, base);
	struct unc_answer *a = unc_answers_add(&recorder_of(hw)->recording->answers, &q);

	if (a)
		a->value[0] = bytes;
	return bytes;
}

static int record_cpuid(struct unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4])
{
	struct unc_hw *behind = recorder_of(hw)->behind;
	const struct unc_question q = {
		.asked = UNC_ASKED_CPUID, .where = cpu, .address = (uint64_t)leaf << 32 | subleaf};
	const int result = behind->ops->cpuid(behind, cpu, leaf, subleaf, regs);
	struct unc_answer *a = unc_answers_add(&recorder_of(hw)->recording->answers, &q);

	if (!a)
		return result;
	a->error = result;
	for (size_t i = 0; result == 0 && i < 2; i++)
		a->value[i] = regs[2 * i] | (uint64_t)regs[2 * i + 1] << 32;
	return result;
}

static int record_core(struct unc_hw *hw, unsigned cpu)
{
	struct unc_hw *behind = recorder_of(hw)->behind;

	return note(hw, UNC_ASKED_CORE, cpu, 0, 0, behind->ops->core(behind, cpu));
}

static int record_near(struct unc_hw *hw, unsigned unit)
{
	struct unc_hw *behind = recorder_of(hw)->behind;

	return note(hw, UNC_ASKED_NODE, unit, 0, 0, behind->ops->near(behind, unit));
}

/* Also for a register whose file could not be opened. */
static void record_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	struct recorder *r = recorder_of(hw);
	const struct unc_question q = unc_question_of(op);
	struct unc_answer *a = unc_answers_add(&r->recording->answers, &q);

	r->behind->ops->explain(r->behind, op, error, text, len);
	if (!a)
		return;
	a->error = error;
	a->why = strdup(text);
}

static void record_close(struct unc_hw *hw)
{
	free(hw);
}

static const struct unc_hw_ops record_ops = {
	.read = record_read,
	.write = record_write,
	.read_many = unc_read_each,
	.open_msr = record_open_msr,
	.open_pci = record_open_pci,
	.map = record_map,
	.bar_bytes = record_bar_bytes,
	.cpuid = record_cpuid,
	.explain = record_explain,
	.close = record_close,
	.core = record_core,
	.near = record_near,
};

struct unc_hw *unc_hw_recorded(struct unc_hw *hw, struct unc_recording *recording)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->hw = *hw;
	r->hw.ops = &record_ops;
	r->hw.batch = 0;
	r->behind = hw;
	r->recording = recording;
	recording->other_machine = !unc_is_shared(hw);
	return &r->hw;
}
