/* SPDX-License-Identifier: BSD-3-Clause */
// launched.h - the environment of a rank, as launchers set it.
#ifndef SUPPORT_LAUNCHED_H
#define SUPPORT_LAUNCHED_H

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace support
{

// All variables that say something about ranks; those of the test program come back at the end.
class Launched
{
      public:
	using Variables = std::vector<std::pair<std::string, std::string>>;

	explicit Launched(const Variables &variables = {})
	{
		for (const char *name : names) {
			const char *value = getenv(name);

			if (value)
				before.emplace_back(name, value);
		}
		become(variables);
	}
	~Launched()
	{
		become(before);
	}
	Launched(const Launched &) = delete;
	Launched &operator=(const Launched &) = delete;

	static void become(const Variables &variables)
	{
		for (const char *name : names)
			unsetenv(name);
		for (const auto &v : variables)
			setenv(v.first.c_str(), v.second.c_str(), 1);
	}
	// A task of a Slurm step that has four on this node.
	static Variables task(const std::string &rank, const std::string &step = "0",
			      const std::string &job = "4711")
	{
		return {{"SLURM_JOB_ID", job + "-" + std::to_string(getpid())},
			{"SLURM_STEP_ID", step},
			{"SLURM_STEP_TASKS_PER_NODE", "1,4(x2)"},
			{"SLURM_NODEID", "2"},
			{"SLURM_LOCALID", rank}};
	}

      private:
	static constexpr const char *names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE",
						"OMPI_COMM_WORLD_LOCAL_RANK",
						"MPI_LOCALNRANKS",
						"MPI_LOCALRANKID",
						"SLURM_STEP_TASKS_PER_NODE",
						"SLURM_TASKS_PER_NODE",
						"SLURM_NTASKS_PER_NODE",
						"SLURM_NTASKS",
						"SLURM_NODEID",
						"SLURM_LOCALID",
						"SLURM_JOB_ID",
						"SLURM_JOBID",
						"SLURM_STEP_ID",
						"SLURM_STEPID",
						"PMIX_NAMESPACE",
						"OMPI_MCA_ess_base_jobid",
						"OMPI_MCA_orte_ess_jobid",
						"UNCORE_SHARE"};
	Variables before;
};

} // namespace support

#endif
