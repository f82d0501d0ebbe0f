/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - see program.h. */
#include "command/explain/program.h"

#include <math.h>
#include <sys/resource.h>
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

static bool has_monitoring(struct uncore *u)
{
	char why[UNCORE_ERRMSG_MAX];
	struct resctrl resctrl;
	const bool is = resctrl_open(&resctrl, files_root(), u, why, sizeof(why));

	resctrl_close(&resctrl);
	return is;
}

const struct core_reads *program_reads(struct program *p, struct uncore *u)
{
	p->divided = has_groups(u) && !has_monitoring(u) &&
		     own_reads_open(&p->reads, u, files_root(), getpid());
	return p->divided ? &p->reads.reads : NULL;
}

void program_row(struct program *p, const struct collection *c)
{
	if (p->divided)
		own_reads_row(&p->reads, c);
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
	if (p->divided)
		own_reads_close(&p->reads);
	p->counted = p->divided = false;
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

/* CPU time of the processes that have ended. */
static uint64_t ticks_spent(void)
{
	struct rusage usage;
	double seconds;

	if (getrusage(RUSAGE_CHILDREN, &usage) != 0)
		return 0;
	seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
		  1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
	return (uint64_t)(seconds * (double)sysconf(_SC_CLK_TCK));
}

void program_add(struct program *p, const struct collection *c, struct facts *run)
{
	struct share_values values;

	if (p->counted && own_read(&p->own, &values))
		program_share(run, &values, p->own.resctrl.uncorrected);
	if (p->divided)
		own_reads_add(&p->reads, c, run, ticks_spent());
}
