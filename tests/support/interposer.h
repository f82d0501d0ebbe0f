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
	explicit Interposer(const Handle &handle);
	explicit Interposer(uncore *handle);
	// Interposes on the next machine that this thread opens, from the first access on, and
	// must outlive it. Only in the programs of the unit tests: see interposer.cc.
	Interposer();
	~Interposer();
	// The backend that is being opened, behind the interposer that waits for it, if any.
	static unc_hw *opened(unc_hw *backend);
	Interposer(const Interposer &) = delete;
	Interposer &operator=(const Interposer &) = delete;

	// Reads the register without calling the hooks.
	int read(const unc_op &op, uint64_t *value);

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
	unsigned reads = 0, runs = 0, writes = 0, looks = 0; // looks at the clock

      private:
	struct Hw {
		unc_hw base;
		Interposer *self;
	};
	static Interposer *self(unc_hw *hw);
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value);
	static int do_write(unc_hw *hw, const unc_op *op, uint64_t value);
	static int do_read_many(unc_hw *hw, const unc_op *const *op, unsigned n, uint64_t *values);
	int may_open();
	static int do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer);
	static void do_explain(unc_hw *hw, const unc_op *op, int error, char *text, size_t len);
	// Closes the backend: neither can be used afterwards.
	static void do_close(unc_hw *hw);
	static int64_t do_now(unc_hw *hw);

	unc_hw *before(unc_hw *backend);
	static void do_signals_blocked(unc_hw *hw, bool blocked);
	static Interposer *&waiting();

	unc_hw_ops ops = {do_read,    do_write, do_read_many, nullptr,           do_ask,
			  do_explain, do_close, do_now,       do_signals_blocked};
	struct uncore *u = nullptr;
	unc_hw *inner = nullptr;
	Hw hw = {};
};

} // namespace support

#endif
