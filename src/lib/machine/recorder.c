/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder.c - record the accesses to a machine while it is opened. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/answers.h"
#include "machine/recording.h"
#include "uncore_inspect.h"

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

/* ---- the answers of a machine, answers.h ---- */

const char *const unc_asked_words[UNC_ASKED_KINDS] = {
	[UNC_ASKED_REGISTER] = "register", [UNC_ASKED_CPUID] = "cpuid",
	[UNC_ASKED_MSR_FILE] = "msr_file", [UNC_ASKED_PCI_FILE] = "pci_file",
	[UNC_ASKED_MAPPING] = "mapping",   [UNC_ASKED_BAR] = "bar",
	[UNC_ASKED_CORE] = "core",         [UNC_ASKED_NODE] = "node",
};

const char *const unc_space_words[UNC_SPACES] = {
	[UNCORE_MSR] = "msr",
	[UNCORE_PCI] = "pci",
	[UNCORE_MMIO] = "mmio",
	[UNCORE_CPU] = "cpu",
};

void unc_answers_free(struct unc_answers *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->at[i].why);
	free(a->at);
	unc_index_free(&a->index);
	*a = (struct unc_answers){.n = 0};
}

static uint32_t hash(const struct unc_question *q)
{
	return UNC_HASH(q->address, (uint64_t)q->where << 32 | (uint64_t)q->width << 8 |
					    (uint64_t)q->asked << 4 | q->space);
}

_Static_assert(sizeof(struct unc_question) == 24, "no padding in the key");

static const struct unc_keys keys = {sizeof(struct unc_answer),
				     offsetof(struct unc_answer, question),
				     sizeof(struct unc_question)};

struct unc_answer *unc_answers_find(const struct unc_answers *a, const struct unc_question *q)
{
	const uint32_t i = unc_index_find(&a->index, &keys, a->at, q, hash(q));

	return i ? &a->at[i - 1] : NULL;
}

struct unc_answer *unc_answers_add(struct unc_answers *a, const struct unc_question *q)
{
	if (unc_answers_find(a, q))
		return NULL;
	if (unc_room_for_one((void **)&a->at, a->n, &a->room, sizeof(*a->at))) {
		a->at[a->n] = (struct unc_answer){.question = *q};
		if (unc_index_add(&a->index, hash(q), a->n + 1))
			return &a->at[a->n++];
	}
	a->failed = true;
	return NULL;
}
