// SPDX-License-Identifier: BSD-3-Clause
#include "support/recovery.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>

#include "claim/share.h"
#include "plan/plan.h"
#include "set/inside.h"
#include "support/sized.h"

namespace support
{

unc_place place_in_map(const unc_machine *m, const unc_pmon *map, size_t i)
{
	const unc_pmon_register &reg = map->reg[i % map->n];
	unc_op op = {};

	op.space = reg.space;
	op.width = reg.width;
	op.address = reg.address;
	(reg.space == UNCORE_MSR ? op.package : op.unit) = reg.unit;
	if (reg.space == UNCORE_PCI)
		op.package = static_cast<uint16_t>(m->topo.pci[reg.unit].package);
	return unc_place_of(&m->topo, &op);
}

Recovery::Recovery(const std::string &spec)
{
	auto options = sized<uncore_options>();
	char name[] = "/tmp/uncore-recovery-XXXXXX";

	options.machine = spec.c_str();
	options.wrap_poller = -1;
	if (uncore_open(&u, &options) != 0 || !mkdtemp(name))
		throw std::runtime_error(spec);
	root = name;
	dir = root + "/journals";
	mkdir(dir.c_str(), 0700);
	ops.read = do_read;
	ops.write = do_write;
	watched.self = this;
	watched.base.ops = &ops;
	watched.base.topo = unc_hw_of(u)->topo;
	watched.base.pmon = unc_hw_of(u)->pmon;
	watched.base.stepped = true;
	locked.assign(machine()->topo.n_packages + 1, 1);
	find_controls();
}

Recovery::~Recovery()
{
	rmdir(dir.c_str());
	rmdir(root.c_str());
	uncore_close(u);
}

const unc_machine *Recovery::machine() const
{
	return unc_machine_of(u);
}

const unc_pmon *Recovery::map() const
{
	return unc_hw_of(u)->pmon;
}

struct sim *Recovery::sim() const
{
	return unc_hw_sim(unc_hw_of(u));
}

unc_journal_head Recovery::head() const
{
	const unc_topology &t = machine()->topo;
	unc_journal_head h = {};

	h.magic = UNC_JOURNAL_MAGIC;
	h.format = UNC_JOURNAL_FORMAT;
	h.pid = 999999999;
	snprintf(h.name, sizeof(h.name), "hostile");
	snprintf(h.machine, sizeof(h.machine), "%s %u-%u-%u", t.vendor, t.family, t.model,
		 t.stepping);
	return h;
}

unc_place Recovery::place(size_t i) const
{
	return place_in_map(machine(), map(), i);
}

uint64_t Recovery::read(const unc_op &op) const
{
	unc_hw *hw = unc_hw_of(u);
	uint64_t value = 0;

	hw->ops->read(hw, &op, &value);
	return value;
}

void Recovery::write(const unc_op &op, uint64_t value) const
{
	unc_hw *hw = unc_hw_of(u);

	hw->ops->write(hw, &op, value);
}

void Recovery::recover(const void *bytes, size_t n)
{
	const std::string file = dir + "/999999999-0123456789abcdef";
	const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ::write(fd, bytes, n) != static_cast<ssize_t>(n))
		throw std::runtime_error(file);
	close(fd);
	written.clear();
	take();
	remains = unlink(file.c_str()) == 0;
}

void Recovery::recover(const unc_journal &journal)
{
	const auto bytes = encoded(journal);

	recover(bytes.data(), bytes.size());
}

void Recovery::recover(std::vector<unc_saved> saved, std::vector<unc_shown> shown)
{
	unc_journal j = {};

	j.head = head();
	j.head.n_saved = static_cast<uint32_t>(saved.size());
	j.head.n_shown = static_cast<uint32_t>(shown.size());
	j.saved = saved.data();
	j.shown = shown.data();
	recover(j);
}

bool Recovery::stopped() const
{
	for (const unc_op &op : controls)
		if (read(op) & unc_pmon_find(map(), &op)->starts)
			return false;
	return true;
}

int Recovery::do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
{
	const Recovery *r = reinterpret_cast<Hw *>(hw)->self;
	unc_hw *inner = unc_hw_of(r->u);

	return r->read_error ? r->read_error : inner->ops->read(inner, op, value);
}

int Recovery::do_write(unc_hw *hw, const unc_op *op, uint64_t value)
{
	Recovery *r = reinterpret_cast<Hw *>(hw)->self;
	unc_hw *inner = unc_hw_of(r->u);

	r->look(*op, value);
	r->written.push_back(*op);
	return inner->ops->write(inner, op, value);
}

void Recovery::look(const unc_op &op, uint64_t value) const
{
	const unc_pmon_register *reg = unc_pmon_find(map(), &op);
	const uint64_t held = read(op);

	if (!wrong)
		return;
	if (!reg)
		wrong("outside the map of registers", op);
	else if ((value ^ held) & value & ~reg->bits)
		wrong("bits outside the map", op);
	else if (value & ~held & reg->starts)
		wrong("something may count or interrupt", op);
}

void Recovery::take()
{
	unc_err err;
	unc_ledger ledger = {};
	auto *m = const_cast<unc_machine *>(machine());

	unc_err_init(&err);
	unc_share *share = unc_share_new(root.c_str(), dir.c_str(), m, &ledger, &err, &code);
	if (share && around)
		around(true);
	if (share)
		code = unc_share_take(share, &watched.base,
				      reinterpret_cast<const bool *>(locked.data()));
	if (share && around)
		around(false);
	if (!share || (code != 1 && !around))
		throw std::runtime_error(err.text);
	unc_share_drop(share);
	unc_share_free(share);
	unlink((dir + "/999999999-0123456789abcdef.lock").c_str());
	for (unsigned p = 0; p < m->topo.n_packages; p++)
		unlink((dir + "/package-" + std::to_string(p) + ".lock").c_str());
	unc_err_destroy(&err);
}

void Recovery::find_controls()
{
	const unc_machine *m = machine();
	unc_op op;

	for (size_t b = 0; b < m->n_boxes; b++)
		for (unsigned i = 0; !m->boxes[b].type->arch && !m->boxes[b].absent &&
				     unc_register_op(m, &m->boxes[b], UNCORE_CONTROL, i, &op);
		     i++)
			if (unc_pmon_find(map(), &op))
				controls.push_back(op);
}

} // namespace support
