/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu_time.c - see cpu_time.h. */
#include "command/who/cpu_time.h"

static uint64_t ticks_before(const struct cpu_time *t, const struct proc *p, pid_t tid)
{
	const struct proc *before = procs_find(&t->last, p->pid);

	for (size_t i = 0; before && before->start == p->start && i < before->n; i++)
		if (before->threads[i].tid == tid)
			return before->threads[i].ticks;
	return 0;
}

void cpu_time_look(struct cpu_time *t, struct procs *procs, cpu_time_used *used, void *of)
{
	for (size_t i = 0; t->last.list && i < procs->n; i++) {
		const struct proc *p = &procs->list[i];

		for (size_t k = 0; k < p->n; k++) {
			const struct proc_thread *thread = &p->threads[k];
			const uint64_t ticks = thread->ticks - ticks_before(t, p, thread->tid);

			if (ticks)
				used(of, p, thread->cpu, ticks);
		}
	}
	cpu_time_free(t);
	t->last = *procs;
	*procs = (struct procs){NULL, 0};
}

void cpu_time_free(struct cpu_time *t)
{
	procs_free(&t->last);
}
