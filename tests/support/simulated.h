/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulated.h - the library's internals on a simulated machine: boxes and event table,
 * without the session state of the public API.
 */
#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H

#include <cstring>
#include <stdexcept>
#include <string>

#include "event/event.h"
#include "hw/regs.h"
#include "machine/machine.h"
#include "plan/allow.h"
#include "plan/plan.h"

class Simulated
{
      public:
	explicit Simulated(const char *spec = "sim:snbep:packages=2,cores=8,time=virtual")
	{
		const struct unc_platform *platform = nullptr;
		int code = 0;

		unc_err_init(&err);
		hw = unc_hw_simulated(spec, &machine.topo, &err, &code);
		if (!hw || unc_platform_find(&machine.topo, &platform, &err) != 0 ||
		    unc_machine_build(&machine, platform, hw, &err) != 0 ||
		    unc_map_make(&pmon, &machine) != 0 ||
		    unc_names_new(&names, &machine, nullptr, &err) != 0)
			throw std::runtime_error(err.text);
		hw->pmon = &pmon;
	}
	~Simulated()
	{
		unc_names_free(names);
		hw->ops->close(hw);
		unc_pmon_free(&pmon);
		unc_machine_free(&machine);
		unc_err_destroy(&err);
	}
	Simulated(const Simulated &) = delete;
	Simulated &operator=(const Simulated &) = delete;

	/* The encoded event; NULL if the name is refused. why() returns the message. */
	const struct unc_event *event(const std::string &name)
	{
		unsigned id = 0;
		int code = unc_names_find(names, name.c_str(), &id);

		return code == 0 ? unc_names_event(names, id, &code) : nullptr;
	}
	/* The number of listed events, which are numbered from 0. */
	unsigned listed() const
	{
		return unc_names_count(names);
	}
	const struct unc_event *event(unsigned id)
	{
		int code = 0;

		return unc_names_event(names, id, &code);
	}
	const struct unc_box_type *type(const std::string &name) const
	{
		for (auto t = machine.types; *t; t++)
			if (name == (*t)->name)
				return *t;
		throw std::runtime_error("no box type " + name);
	}
	unsigned box_index(const std::string &type, unsigned index, unsigned package) const
	{
		for (unsigned i = 0; i < machine.n_boxes; i++)
			if (type == machine.boxes[i].type->name &&
			    machine.boxes[i].index == index && machine.boxes[i].package == package)
				return i;
		throw std::runtime_error("no box " + type);
	}
	const struct unc_box *box(const std::string &type, unsigned index = 0,
				  unsigned package = 0) const
	{
		return &machine.boxes[box_index(type, index, package)];
	}
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
	Ops() : unc_ops{}
	{
	}
	~Ops()
	{
		unc_ops_free(this);
	}
	Ops(const Ops &) = delete;
	Ops &operator=(const Ops &) = delete;

	const struct unc_op *begin() const
	{
		return op;
	}
	const struct unc_op *end() const
	{
		return op + n;
	}
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
inline struct unc_use together(const struct unc_use &use, const struct unc_assignment *settings,
			       unsigned n)
{
	struct unc_use all = use;

	for (unsigned i = 0; i < n; i++)
		all.at[all.n++] = settings[i];
	return all;
}

#endif
