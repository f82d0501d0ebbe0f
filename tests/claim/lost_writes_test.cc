// SPDX-License-Identifier: BSD-3-Clause
// lost_writes_test.cc - writes that succeed without effect: of filters at a start, which would
// then count everything.
#include "support/controls.h"
#include "support/interposer.h"
#include "support/plan.h"

namespace
{

using support::Controls;
using support::Handle;
using support::Interposer;
using support::Set;

std::string hex(uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "register %#llx", static_cast<unsigned long long>(address));
	return text;
}

// A machine on which some writes leave the register as it is.
class Machine
{
      public:
	explicit Machine(const std::string &spec)
	    : handle(options(spec)), hardware(handle), controls(handle), before(registers())
	{
	}
	// Called before each write: whether it is lost.
	template <typename F> void lose(F is_lost)
	{
		hardware.on_value = [this, is_lost](const unc_op &op, uint64_t value) mutable {
			unc_op read = op;
			uint64_t old = 0;

			if (!is_lost(op))
				return value;
			read.kind = UNCORE_READ;
			EXPECT_EQ(0, hardware.read(read, &old));
			lost = op;
			n_lost++;
			return old;
		};
	}
	void lose_nothing()
	{
		hardware.on_value = nullptr;
	}
	std::vector<uint64_t> registers()
	{
		return controls.values([this](const unc_op &op, uint64_t *value) {
			return hardware.read(op, value);
		});
	}

	Handle handle;
	Interposer hardware;
	Controls controls;
	const std::vector<uint64_t> before;
	unc_op lost = {};
	unsigned n_lost = 0;

      private:
	static uncore_options options(const std::string &spec)
	{
		auto o = support::sized<uncore_options>();

		o.machine = spec.c_str();
		return o;
	}
};

// ---- filters ----

// The filter of C-Box n (manual 327043, table 2-8), and a value of its opcode field.
constexpr uint32_t kFilter = 0xd14, kNext = 0x20;

class LostFilter : public testing::Test
{
      protected:
	static bool is_filter(const unc_op &op)
	{
		return op.space == UNCORE_MSR && op.address >= kFilter &&
		       op.address < kFilter + 4 * kNext && (op.address - kFilter) % kNext == 0;
	}
	// Loses the write number n of filters.
	void lose_write(unsigned n)
	{
		machine.lose([n, seen = 0u](const unc_op &op) mutable {
			return is_filter(op) && seen++ == n;
		});
	}
	// Loses all of them, in the boxes from first on.
	void lose_boxes(unsigned first)
	{
		machine.lose([first](const unc_op &op) {
			return is_filter(op) && op.address >= kFilter + first * kNext;
		});
	}
	int start_and_stop(Set &set)
	{
		const int started = set.start();

		return started < 0 ? started : set.stop();
	}

	Machine machine{"sim:snbep:packages=1,cores=4,time=virtual"};
	Set all{machine.handle, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"}};
	Set one{machine.handle, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=2"}};
};

TEST_F(LostFilter, OfTheFirstBoxIsShownByTheOthers)
{
	lose_write(0);
	EXPECT_EQ(UNCORE_EIO, all.start());
	EXPECT_EQ(kFilter, machine.lost.address);
	EXPECT_NE(std::string::npos, machine.handle.message().find(hex(kFilter) + " holds 0"))
		<< machine.handle.message();
	machine.lose_nothing();
	EXPECT_EQ(machine.before, machine.registers());
	EXPECT_EQ(0, start_and_stop(all)) << machine.handle.message();
}

// Once a box has shown that filters read back, they are read at the stop only.
TEST_F(LostFilter, OfAnyOtherBoxIsReported)
{
	for (unsigned n = 1; n < 4; n++) {
		lose_write(n);
		EXPECT_GT(0, start_and_stop(all)) << n;
		EXPECT_EQ(kFilter + n * kNext, machine.lost.address);
		EXPECT_NE(std::string::npos,
			  machine.handle.message().find(hex(machine.lost.address)))
			<< machine.handle.message();
		machine.lose_nothing();
		EXPECT_EQ(machine.before, machine.registers());
	}
	EXPECT_EQ(0, start_and_stop(all)) << machine.handle.message();
}

// The manual documents the field as readable.
TEST_F(LostFilter, OfASingleBoxIsRefused)
{
	lose_write(0);
	EXPECT_EQ(UNCORE_EIO, one.start());
	EXPECT_NE(std::string::npos,
		  machine.handle.message().find(hex(kFilter + 2 * kNext) + " holds 0"))
		<< machine.handle.message();
	machine.lose_nothing();
	EXPECT_EQ(machine.before, machine.registers());
	EXPECT_EQ(0, start_and_stop(one)) << machine.handle.message();
	EXPECT_EQ(0, start_and_stop(all)) << machine.handle.message();
}

// A value that the register held before.
TEST_F(LostFilter, OfASingleBoxThatHadAnotherOneIsRefused)
{
	unc_op op = {};

	op.kind = UNCORE_WRITE;
	op.space = UNCORE_MSR;
	op.address = kFilter + 2 * kNext;
	op.value = UINT64_C(0x180) << 23;
	ASSERT_EQ(0,
		  machine.hardware.behind()->ops->write(machine.hardware.behind(), &op, op.value));
	lose_write(0);
	EXPECT_EQ(UNCORE_EIO, one.start());
	EXPECT_NE(std::string::npos, machine.handle.message().find("holds 0xc0000000 instead of"))
		<< machine.handle.message();
}

// Three boxes without it, and one with it: the one shows that it exists.
TEST_F(LostFilter, OfAllBoxesButOneIsReported)
{
	lose_boxes(1);
	EXPECT_GT(0, start_and_stop(all));
	machine.lose_nothing();
	EXPECT_EQ(0, uncore_restore(machine.handle.u)) << machine.handle.message();
	EXPECT_EQ(machine.before, machine.registers());
}

// Several boxes of which none shows it: these parts do not have it, and a single box has not.
TEST_F(LostFilter, OfAllBoxesDoesNotExist)
{
	lose_boxes(0);
	EXPECT_EQ(0, start_and_stop(all)) << machine.handle.message();
	EXPECT_EQ(0, start_and_stop(one)) << machine.handle.message();
	EXPECT_LT(0u, machine.n_lost);
}

} // namespace
