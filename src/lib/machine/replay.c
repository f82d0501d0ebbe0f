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

/* A question that was not recorded has no answer; the package of a device is unknown then. */
static int replay_ask(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2])
{
	const struct unc_answer *a = unc_answers_find(&replayed_of(hw)->recording->answers, q);

	if (!a)
		return q->asked == UNC_ASKED_NODE ? -1 : -ENODATA;
	memcpy(answer, a->value, sizeof(a->value));
	return a->error;
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
	.ask = replay_ask,
	.explain = replay_explain,
	.close = replay_close,
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
