/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - see program.h. */
#include "command/explain/program.h"

#include <math.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/base/rate.h"
#include "command/base/root.h"
#include "command/who/report.h"
#include "uncore_inspect.h"

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* Groups of this computer say nothing about another machine. */
static bool has_groups(struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	return !m.recorded && (!m.simulated || *files_root());
}

void program_open(struct program *p, struct uncore *u)
{
	char why[UNCORE_ERRMSG_MAX];

	p->counted = has_groups(u) &&
		     own_open(&p->own, files_root(), u, this_thread(), why, sizeof(why));
}

void program_close(struct program *p)
{
	if (p->counted)
		own_close(&p->own);
	p->counted = false;
}

void program_enter(struct program *p)
{
	if (p->counted && own_enter(&p->own, this_thread()) != 0)
		program_close(p);
}

void program_leave(struct program *p)
{
	if (p->counted && own_leave(&p->own, this_thread()) != 0)
		program_close(p);
}

/* Groups count by the package of the CPU: bytes of other packages' memory. */
static double remote_bytes(const struct share_values *values, unsigned packages, unsigned package)
{
	double sum = 0;

	for (unsigned p = 0; p < packages; p++)
		if (p != package)
			sum += fmax(values->total[p] - values->local[p], 0);
	return sum;
}

/* Of three packages it is unknown to which of the other two the remote bytes belong. */
void program_share(struct facts *run, const struct share_values *values, bool uncorrected)
{
	const double seconds = run->end - run->begin;

	for (unsigned p = 0; p < run->packages && run->packages <= WHO_PACKAGES; p++) {
		struct package_facts *f = &run->at[p];
		const double remote = remote_bytes(values, run->packages, p);
		const double others = fmax(run->packages - 1.0, 1);
		const double bytes =
			run->packages > 1 ? values->local[p] + remote / others : values->total[p];
		const double error =
			report_monitoring_error(bytes, memory_traffic(f) * seconds,
						f->rate[Q_WRITE] * seconds, uncorrected);

		f->own = per_second(bytes, seconds);
		f->own_error =
			error * f->own + (run->packages > 2 ? per_second(remote, seconds) : 0);
		f->has_own = isfinite(f->own) && isfinite(f->own_error);
	}
}

void program_add(struct program *p, struct facts *run)
{
	struct share_values values;

	if (p->counted && own_read(&p->own, &values))
		program_share(run, &values, p->own.resctrl.uncorrected);
}
