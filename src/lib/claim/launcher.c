/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c - see launcher.h. */
#include "claim/launcher.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sysfs.h"

#define FIRST_SPECIAL_STEP 0xfffffff0u /* batch script, interactive, external, pending */
#define MOST_PARENTS       64

/* ---- numbers ---- */

/* UINT_MAX: not set, or not a number. */
static unsigned number_in(const char *name)
{
	const char *text = unc_variable(name);
	char *end;
	unsigned long n;

	if (!text || *text < '0' || *text > '9')
		return UINT_MAX;
	n = strtoul(text, &end, 10);
	return *end || n > UINT_MAX ? UINT_MAX : (unsigned)n;
}

/* The next number; NULL: at the end, or if it is too large. */
static const char *take_number(const char *p, unsigned long *n)
{
	char *end;

	if (*p < '0' || *p > '9')
		return NULL;
	*n = strtoul(p, &end, 10);
	return *n < UINT_MAX ? end : NULL;
}

unsigned unc_tasks_of_node(const char *p, unsigned node)
{
	while (p) {
		unsigned long tasks, nodes = 1;

		p = take_number(p, &tasks);
		if (p && p[0] == '(' && p[1] == 'x') {
			p = take_number(p + 2, &nodes);
			p = p && *p == ')' ? p + 1 : NULL;
		}
		if (!p || (*p && *p != ','))
			return 0;
		if (node < nodes)
			return (unsigned)tasks;
		node -= (unsigned)nodes;
		p = *p ? p + 1 : NULL;
	}
	return 0;
}

/* ---- launchers ---- */

/*
 * A batch script that was submitted from within a step may have that step's variables: its cgroup
 * says what it is.
 */
static bool is_in_step(void)
{
	const unsigned id = number_in("SLURM_STEP_ID");
	char *cgroups;
	bool batch;

	if (id != UINT_MAX && id >= FIRST_SPECIAL_STEP)
		return false;
	cgroups = unc_read_all("/", "proc/self/cgroup");
	batch = cgroups && (strstr(cgroups, "/step_batch") || strstr(cgroups, "/step_extern") ||
			    strstr(cgroups, "/step_interactive"));
	free(cgroups);
	return !batch;
}

/* With one number for all nodes, that of the node is not needed. */
static unsigned tasks_of_slurm(void)
{
	const char *list = unc_variable("SLURM_STEP_TASKS_PER_NODE");
	const unsigned node = number_in("SLURM_NODEID");

	if (!list || !is_in_step() || (node == UINT_MAX && strchr(list, ',')))
		return 0;
	return unc_tasks_of_node(list, node == UINT_MAX ? 0 : node);
}

struct launcher {
	const char *ranks, *rank; /* variables */
};

/* The innermost first: mpirun is often started in a step of Slurm. */
static const struct launcher launchers[] = {
	{"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
	{"MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
	{"SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID"},
};

#define N_LAUNCHERS (sizeof(launchers) / sizeof(*launchers))

static const struct launcher *find_launcher(unsigned *ranks)
{
	for (size_t i = 0; i < N_LAUNCHERS; i++) {
		const unsigned n =
			i + 1 < N_LAUNCHERS ? number_in(launchers[i].ranks) : tasks_of_slurm();

		if (n > 1 && n != UINT_MAX) {
			*ranks = n;
			return &launchers[i];
		}
	}
	return NULL;
}

/* ---- the process that has started the ranks ---- */

/* Whether a process was started with the variable: 1 or 0 (also of other users), or -errno. */
static int has_variable(int pid, const char *name)
{
	const size_t length = strlen(name);
	char path[64], *variable = NULL;
	int found = 0;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = unc_fopen(path);
	if (!file && unc_is_shortage(errno))
		return -errno;
	while (file && !found && getdelim(&variable, &room, '\0', file) > 0)
		found = strncmp(variable, name, length) == 0 && variable[length] == '=';
	free(variable);
	if (file)
		fclose(file);
	return found;
}

/* The nearest ancestor that is not a rank itself, nor a script that a rank runs in.  0 or -errno.
 */
static int find_parent(const char *variable, int *pid, struct unc_process_now *now)
{
	int error, is_rank;

	*pid = (int)getppid();
	for (int i = 0;; i++) {
		error = unc_look_at_process(now, *pid);
		if (unc_is_shortage(error))
			return -error;
		is_rank = i<MOST_PARENTS && * pid> 1 ? has_variable(*pid, variable) : 0;
		if (is_rank <= 0)
			return is_rank;
		*pid = now->parent;
	}
}

/* ---- name ---- */

static size_t add(struct unc_launch *step, size_t n, const char *variable)
{
	const char *value = unc_variable(variable);

	if (value && n < sizeof(step->name))
		n += (size_t)snprintf(step->name + n, sizeof(step->name) - n, " %s", value);
	return n;
}

/* Hydra does not number its jobs: there the process that has started the ranks is the launch. */
static int name_step(struct unc_launch *step, const struct launcher *launcher)
{
	static const char *const launches[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
					       "OMPI_MCA_orte_ess_jobid"};
	size_t n = (size_t)snprintf(step->name, sizeof(step->name), "%u", (unsigned)geteuid());
	struct unc_process_now now;
	size_t before;
	int parent, r;

	n = add(step, n, unc_variable("SLURM_JOB_ID") ? "SLURM_JOB_ID" : "SLURM_JOBID");
	before = n;
	n = add(step, n, unc_variable("SLURM_STEP_ID") ? "SLURM_STEP_ID" : "SLURM_STEPID");
	if (launcher == &launchers[N_LAUNCHERS - 1] && n > before)
		return 0;
	before = n;
	for (size_t i = 0; launcher == launchers && i < sizeof(launches) / sizeof(*launches); i++)
		n = add(step, n, launches[i]);
	if (n > before || n >= sizeof(step->name))
		return 0;
	r = find_parent(launcher->ranks, &parent, &now);
	if (r == 0)
		snprintf(step->name + n, sizeof(step->name) - n, " %d %" PRIu64, parent, now.began);
	return r;
}

int unc_launch_find(struct unc_launch *step)
{
	const struct launcher *launcher = find_launcher(&step->ranks);
	unsigned rank;
	int r;

	if (!launcher)
		return 0;
	rank = number_in(launcher->rank);
	step->rank = rank > INT_MAX ? -1 : (int)rank;
	r = name_step(step, launcher);
	return r < 0 ? r : 1;
}
