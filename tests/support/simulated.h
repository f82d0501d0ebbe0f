/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulated.h - the library's internals on a simulated machine: boxes and event table,
 * without the session state of the public API.
 */
#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H

#include <string>

#include "plan/allow.h"

class Simulated
{
      public:
	explicit Simulated(const char *spec = "sim:snbep:packages=2,cores=8,time=virtual");
	~Simulated();
	Simulated(const Simulated &) = delete;
	Simulated &operator=(const Simulated &) = delete;

	/* The encoded event; NULL if the name is refused. why() returns the message. */
	const struct unc_event *event(const std::string &name);
	/* The number of listed events, which are numbered from 0. */
	unsigned listed() const;
	const struct unc_event *event(unsigned id);
	const struct unc_box_type *type(const std::string &name) const;
	unsigned box_index(const std::string &type, unsigned index, unsigned package) const;
	const struct unc_box *box(const std::string &type, unsigned index = 0,
				  unsigned package = 0) const;
	std::string why() const
	{
		return err.text;
	}

	struct unc_machine machine = {};
	struct unc_pmon pmon = {};
	struct unc_hw *hw = nullptr;

      private:
	struct unc_err err = {};
	struct unc_names *names = nullptr;
};

/* A list of register operations that frees itself. */
class Ops : public unc_ops
{
      public:
	Ops();
	~Ops();
	Ops(const Ops &) = delete;
	Ops &operator=(const Ops &) = delete;

	const struct unc_op *begin() const
	{
		return op;
	}
	const struct unc_op *end() const;
	const struct unc_op &operator[](size_t i) const
	{
		return op[i];
	}
	bool empty() const
	{
		return n == 0;
	}
};

/* The settings of `use` as the list that unc_program_* and unc_assign take. */
struct unc_use together(const struct unc_use &use, const struct unc_assignment *settings,
			unsigned n);

#endif
