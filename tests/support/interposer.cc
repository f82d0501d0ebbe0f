// SPDX-License-Identifier: BSD-3-Clause
#include "support/interposer.h"

// The programs of the unit tests are linked with --wrap for these functions.
extern "C" {
struct unc_hw *__real_unc_hw_simulated(const char *spec, struct unc_topology *topo,
				       struct unc_err *err, int *code);
struct unc_hw *__real_unc_hw_native(const char *root, const struct unc_topology *topo);

struct unc_hw *__wrap_unc_hw_simulated(const char *spec, struct unc_topology *topo,
				       struct unc_err *err, int *code)
{
	return support::Interposer::opened(__real_unc_hw_simulated(spec, topo, err, code));
}

struct unc_hw *__wrap_unc_hw_native(const char *root, const struct unc_topology *topo)
{
	return support::Interposer::opened(__real_unc_hw_native(root, topo));
}
}

namespace support
{

Interposer::Interposer(const Handle &handle) : Interposer(handle.u)
{
}

Interposer::Interposer(uncore *handle) : u(handle)
{
	unc_hw_replace(u, before(unc_hw_of(u)));
}

Interposer::Interposer()
{
	waiting() = this;
}

Interposer::~Interposer()
{
	if (waiting() == this)
		waiting() = nullptr;
	if (u)
		unc_hw_replace(u, inner);
}

unc_hw *Interposer::opened(unc_hw *backend)
{
	Interposer *i = waiting();

	waiting() = nullptr;
	return i && backend ? i->before(backend) : backend;
}

int Interposer::read(const unc_op &op, uint64_t *value)
{
	const unc_op from = where ? where(op) : op;

	return inner->ops->read(inner, &from, value);
}

Interposer *Interposer::self(unc_hw *hw)
{
	return reinterpret_cast<Hw *>(hw)->self;
}

int Interposer::do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
{
	Interposer *i = self(hw);

	__atomic_fetch_add(&i->reads, 1, __ATOMIC_RELAXED); /* several threads read */
	return i->on_read ? i->on_read(*op, value) : i->read(*op, value);
}

int Interposer::do_write(unc_hw *hw, const unc_op *op, uint64_t value)
{
	Interposer *i = self(hw);
	const int r = i->on_write ? i->on_write(*op, value) : 0;
	const unc_op to = i->where ? i->where(*op) : *op;

	i->writes++;
	if (i->on_value)
		value = i->on_value(*op, value);
	const int done = r < 0 ? r : i->inner->ops->write(i->inner, &to, value);
	if (i->after_write)
		i->after_write();
	return done;
}

int Interposer::do_read_many(unc_hw *hw, const unc_op *const *op, unsigned n, uint64_t *values)
{
	Interposer *i = self(hw);
	int r = 0;

	i->runs++;
	if (!i->on_read && !i->where)
		return i->inner->ops->read_many(i->inner, op, n, values);
	for (unsigned k = 0; r == 0 && k < n; k++)
		r = i->on_read ? i->on_read(*op[k], &values[k]) : i->read(*op[k], &values[k]);
	return r;
}

int Interposer::may_open()
{
	return on_open ? on_open() : 0;
}

int Interposer::do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer)
{
	const bool opens = q->asked == UNC_ASKED_MSR_FILE || q->asked == UNC_ASKED_PCI_FILE ||
			   q->asked == UNC_ASKED_MAPPING || q->asked == UNC_ASKED_CPUID;
	const int r = opens ? self(hw)->may_open() : 0;

	return r < 0 ? r : self(hw)->inner->ops->ask(self(hw)->inner, q, answer);
}

void Interposer::do_explain(unc_hw *hw, const unc_op *op, int error, char *text, size_t len)
{
	self(hw)->inner->ops->explain(self(hw)->inner, op, error, text, len);
}

void Interposer::do_close(unc_hw *hw)
{
	self(hw)->inner->ops->close(self(hw)->inner);
	self(hw)->u = nullptr;
}

int64_t Interposer::do_now(unc_hw *hw)
{
	self(hw)->looks++;
	return unc_hw_now(self(hw)->inner);
}

unc_hw *Interposer::before(unc_hw *backend)
{
	inner = backend;
	hw.self = this;
	hw.base = *inner;
	hw.base.ops = &ops;
	hw.base.batch = 0;
	hw.base.looks = 0;
	return &hw.base;
}

void Interposer::do_signals_blocked(unc_hw *hw, bool blocked)
{
	unc_hw *to = self(hw)->inner;

	if (to->ops->signals_blocked)
		to->ops->signals_blocked(to, blocked);
}

Interposer *&Interposer::waiting()
{
	static thread_local Interposer *one;

	return one;
}

} // namespace support
