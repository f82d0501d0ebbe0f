/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closed.c - a machine whose registers are not accessed: reports what is known without
 * privileges, and refuses all else.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw/native.h"

struct closed {
	struct unc_hw hw;
	char root[PATH_MAX];
	struct unc_numa numa;
};

static struct closed *closed_of(struct unc_hw *hw)
{
	return (struct closed *)hw;
}

static int closed_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	(void)hw;
	(void)op;
	*value = 0;
	return -EPERM;
}

static int closed_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	(void)hw;
	(void)op;
	(void)value;
	return -EPERM;
}

static int closed_ask(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2])
{
	struct closed *c = closed_of(hw);
	uint32_t regs[4];
	int r;

	switch (q->asked) {
	case UNC_ASKED_CPUID:
		r = unc_cpuid(c->root, q->where, (uint32_t)(q->address >> 32), (uint32_t)q->address,
			      regs);
		return unc_answer_cpuid(r, regs, answer);
	case UNC_ASKED_CORE:
		return unc_answer_number(unc_topology_core(c->root, q->where), answer);
	case UNC_ASKED_NODE:
		return unc_answer_number(unc_near(hw->topo, c->root, q->where, &c->numa), answer);
	case UNC_ASKED_BAR:
		return 0;
	default:
		return -EPERM;
	}
}

static void closed_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	(void)hw;
	(void)op;
	(void)error;
	snprintf(text, len,
		 "cannot access registers while counting through the kernel's driver: use "
		 "UNCORE_ACCESS=direct");
}

static void closed_close(struct unc_hw *hw)
{
	free(hw);
}

static const struct unc_hw_ops closed_ops = {
	.read = closed_read,
	.write = closed_write,
	.read_many = unc_read_each,
	.ask = closed_ask,
	.explain = closed_explain,
	.close = closed_close,
};

struct unc_hw *unc_hw_closed(const char *root, const struct unc_topology *topo)
{
	struct closed *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->hw.ops = &closed_ops;
	c->hw.topo = topo;
	c->hw.where = UNC_CLOSED;
	snprintf(c->root, sizeof(c->root), "%s", root);
	return &c->hw;
}
