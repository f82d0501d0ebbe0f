// SPDX-License-Identifier: BSD-3-Clause
#include "support/simulated.h"

#include <stdexcept>

Simulated::Simulated(const char *spec)
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

Simulated::~Simulated()
{
	unc_names_free(names);
	hw->ops->close(hw);
	unc_pmon_free(&pmon);
	unc_machine_free(&machine);
	unc_err_destroy(&err);
}

const struct unc_event *Simulated::event(const std::string &name)
{
	unsigned id = 0;
	int code = unc_names_find(names, name.c_str(), &id, nullptr);

	return code == 0 ? unc_names_event(names, id, &code) : nullptr;
}

unsigned Simulated::listed() const
{
	return unc_names_count(names);
}

const struct unc_event *Simulated::event(unsigned id)
{
	int code = 0;

	return unc_names_event(names, id, &code);
}

const struct unc_box_type *Simulated::type(const std::string &name) const
{
	for (auto t = machine.types; *t; t++)
		if (name == (*t)->name)
			return *t;
	throw std::runtime_error("no box type " + name);
}

unsigned Simulated::box_index(const std::string &type, unsigned index, unsigned package) const
{
	for (unsigned i = 0; i < machine.n_boxes; i++)
		if (type == machine.boxes[i].type->name && machine.boxes[i].index == index &&
		    machine.boxes[i].package == package)
			return i;
	throw std::runtime_error("no box " + type);
}

const struct unc_box *Simulated::box(const std::string &type, unsigned index,
				     unsigned package) const
{
	return &machine.boxes[box_index(type, index, package)];
}

Ops::Ops() : unc_ops{}
{
}

Ops::~Ops()
{
	unc_ops_free(this);
}

const struct unc_op *Ops::end() const
{
	return op + n;
}

struct unc_use together(const struct unc_use &use, const struct unc_assignment *settings,
			unsigned n)
{
	struct unc_use all = use;

	for (unsigned i = 0; i < n; i++)
		all.at[all.n++] = settings[i];
	return all;
}
