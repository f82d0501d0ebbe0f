/* SPDX-License-Identifier: BSD-3-Clause */
// interposer.h - a backend between a handle and its registers. It sees every access and can
// fail it or change its value.
#ifndef SUPPORT_INTERPOSER_H
#define SUPPORT_INTERPOSER_H

#include <functional>

#include "set/inside.h"
#include "support/handle.h"

namespace support
{

class Interposer
{
      public:
	explicit Interposer(const Handle &handle) : Interposer(handle.u)
	{
	}
	explicit Interposer(uncore *handle) : u(handle)
	{
		unc_hw_replace(u, before(unc_hw_of(u)));
	}
	// Interposes on the next machine that this thread opens, from the first access on, and
	// must outlive it. Only in the unit test program: see faults_test.cc.
	Interposer()
	{
		waiting() = this;
	}
	~Interposer()
	{
		if (waiting() == this)
			waiting() = nullptr;
		if (u)
			unc_hw_replace(u, inner);
	}
	// The backend that is being opened, behind the interposer that waits for it, if any.
	static unc_hw *opened(unc_hw *backend)
	{
		Interposer *i = waiting();

		waiting() = nullptr;
		return i && backend ? i->before(backend) : backend;
	}
	Interposer(const Interposer &) = delete;
	Interposer &operator=(const Interposer &) = delete;

	// Reads the register without calling the hooks.
	int read(const unc_op &op, uint64_t *value)
	{
		const unc_op from = where ? where(op) : op;

		return inner->ops->read(inner, &from, value);
	}

	// NULL until a machine is opened.
	unc_hw *behind() const
	{
		return inner;
	}

	// Called instead of a read or write when set; return 0 or -errno.
	std::function<int(const unc_op &op, uint64_t *value)> on_read;
	std::function<int(const unc_op &op, uint64_t value)> on_write;
	std::function<void()> after_write;
	// Redirects an access to another register, or replaces the value that is written.
	std::function<unc_op(const unc_op &op)> where;
	std::function<uint64_t(const unc_op &op, uint64_t value)> on_value;
	// Called before files are opened or mapped and before CPUID is executed; returns 0 or
	// -errno.
	std::function<int()> on_open;
	unsigned reads = 0, runs = 0, writes = 0;

      private:
	struct Hw {
		unc_hw base;
		Interposer *self;
	};
	static Interposer *self(unc_hw *hw)
	{
		return reinterpret_cast<Hw *>(hw)->self;
	}
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
	{
		Interposer *i = self(hw);

		__atomic_fetch_add(&i->reads, 1, __ATOMIC_RELAXED); /* several threads read */
		return i->on_read ? i->on_read(*op, value) : i->read(*op, value);
	}
	static int do_write(unc_hw *hw, const unc_op *op, uint64_t value)
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
	static int do_read_many(unc_hw *hw, const unc_op *const *op, unsigned n, uint64_t *values)
	{
		Interposer *i = self(hw);
		int r = 0;

		i->runs++;
		if (!i->on_read && !i->where)
			return i->inner->ops->read_many(i->inner, op, n, values);
		for (unsigned k = 0; r == 0 && k < n; k++)
			r = i->on_read ? i->on_read(*op[k], &values[k])
				       : i->read(*op[k], &values[k]);
		return r;
	}
	int may_open()
	{
		return on_open ? on_open() : 0;
	}
	static int do_open_msr(unc_hw *hw, unsigned package)
	{
		const int r = self(hw)->may_open();

		return r < 0 ? r : self(hw)->inner->ops->open_msr(self(hw)->inner, package);
	}
	static int do_open_pci(unc_hw *hw, unsigned unit)
	{
		const int r = self(hw)->may_open();

		return r < 0 ? r : self(hw)->inner->ops->open_pci(self(hw)->inner, unit);
	}
	static int do_map(unc_hw *hw, unsigned package, uint64_t address, size_t bytes)
	{
		const int r = self(hw)->may_open();

		return r < 0 ? r
			     : self(hw)->inner->ops->map(self(hw)->inner, package, address, bytes);
	}
	static uint64_t do_bar_bytes(unc_hw *hw, unsigned unit, unsigned bar, uint64_t base)
	{
		return self(hw)->inner->ops->bar_bytes(self(hw)->inner, unit, bar, base);
	}
	static int do_cpuid(unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			    uint32_t regs[4])
	{
		const int r = self(hw)->may_open();

		return r < 0 ? r
			     : self(hw)->inner->ops->cpuid(self(hw)->inner, cpu, leaf, subleaf,
							   regs);
	}
	static void do_explain(unc_hw *hw, const unc_op *op, int error, char *text, size_t len)
	{
		self(hw)->inner->ops->explain(self(hw)->inner, op, error, text, len);
	}
	// Closes the backend: neither can be used afterwards.
	static void do_close(unc_hw *hw)
	{
		self(hw)->inner->ops->close(self(hw)->inner);
		self(hw)->u = nullptr;
	}
	static int64_t do_now(unc_hw *hw)
	{
		return unc_hw_now(self(hw)->inner);
	}

	static int do_core(unc_hw *hw, unsigned cpu)
	{
		return self(hw)->inner->ops->core(self(hw)->inner, cpu);
	}
	static int do_near(unc_hw *hw, unsigned unit)
	{
		return self(hw)->inner->ops->near(self(hw)->inner, unit);
	}
	unc_hw *before(unc_hw *backend)
	{
		inner = backend;
		ops.core = inner->ops->core ? do_core : nullptr;
		ops.near = inner->ops->near ? do_near : nullptr;
		hw.self = this;
		hw.base = *inner;
		hw.base.ops = &ops;
		hw.base.batch = 0;
		hw.base.looks = 0;
		return &hw.base;
	}
	static void do_signals_blocked(unc_hw *hw, bool blocked)
	{
		unc_hw *to = self(hw)->inner;

		if (to->ops->signals_blocked)
			to->ops->signals_blocked(to, blocked);
	}
	static Interposer *&waiting()
	{
		static thread_local Interposer *one;

		return one;
	}

	unc_hw_ops ops = {do_read,     do_write,    do_read_many, nullptr,
			  do_open_msr, do_open_pci, do_map,       do_bar_bytes,
			  do_cpuid,    do_explain,  do_close,     do_now,
			  nullptr,     nullptr,     nullptr,      do_signals_blocked};
	struct uncore *u = nullptr;
	unc_hw *inner = nullptr;
	Hw hw = {};
};

} // namespace support

#endif
