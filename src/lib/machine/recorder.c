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

static int record_ask(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2])
{
	struct recorder *r = recorder_of(hw);
	const int result = r->behind->ops->ask(r->behind, q, answer);
	struct unc_answer *a =
		q->asked < UNC_ASKED_KINDS ? unc_answers_add(&r->recording->answers, q) : NULL;

	if (!a)
		return result;
	a->error = result;
	if (result == 0)
		memcpy(a->value, answer, sizeof(a->value));
	return result;
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
	.ask = record_ask,
	.explain = record_explain,
	.close = record_close,
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
