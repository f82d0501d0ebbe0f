// SPDX-License-Identifier: BSD-3-Clause
// lost_writes_test.cc - writes that succeed without effect: of filters at a start, which would
// then count everything, and of any register at a stop, which would then not be restored.
#include <map>

#include "support/controls.h"
#include "support/interposer.h"
#include "support/plan.h"

namespace
{

using support::Controls;
using support::Handle;
using support::Interposer;
using support::place;
using support::Place;
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
	// Past the library.
	void write_filter(unsigned box, uint64_t value)
	{
		unc_op op = {};

		op.kind = UNCORE_WRITE;
		op.space = UNCORE_MSR;
		op.address = kFilter + box * kNext;
		op.value = value;
		ASSERT_EQ(0, machine.hardware.behind()->ops->write(machine.hardware.behind(), &op,
								   value));
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

TEST_F(LostFilter, OfTwoBoxesIsShownByTheOthers)
{
	machine.lose([seen = 0u](const unc_op &op) mutable { return is_filter(op) && seen++ < 2; });
	EXPECT_EQ(UNCORE_EIO, all.start());
	EXPECT_NE(std::string::npos, machine.handle.message().find("start again"))
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
		EXPECT_EQ(0, all.start()) << machine.handle.message();
		EXPECT_GT(0, all.stop()) << n;
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
	write_filter(2, UINT64_C(0x180) << 23);
	lose_write(0);
	EXPECT_EQ(UNCORE_EIO, one.start());
	EXPECT_NE(std::string::npos, machine.handle.message().find("holds 0xc0000000 instead of"))
		<< machine.handle.message();
}

// It is 0, as after a reset of the box: not a value of another tool.
TEST_F(LostFilter, ThatABoxHasResetIsRefused)
{
	write_filter(2, UINT64_C(0x180) << 23);
	machine.hardware.on_value = [](const unc_op &op, uint64_t value) {
		return is_filter(op) ? 0 : value;
	};
	EXPECT_EQ(UNCORE_EIO, one.start());
	EXPECT_NE(std::string::npos, machine.handle.message().find(" holds 0 instead of"))
		<< machine.handle.message();
}

// It reads back late: from then on it counts as one that reads back.
TEST_F(LostFilter, ThatReadsBackLateIsCheckedAtTheStop)
{
	unsigned late = 0;

	machine.hardware.on_write = [&](const unc_op &op, uint64_t) {
		late += is_filter(op);
		return 0;
	};
	machine.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = machine.hardware.read(op, value);

		if (late == 1 && is_filter(op)) {
			*value = 0;
			late++;
		}
		return r;
	};
	ASSERT_EQ(0, one.start()) << machine.handle.message();
	ASSERT_EQ(2u, late);
	write_filter(2, UINT64_C(0x180) << 23);
	EXPECT_EQ(UNCORE_ESTOLEN, one.stop());
	machine.hardware.on_read = nullptr;
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

// ---- restored registers ----

struct Case {
	const char *name, *spec;
	std::vector<std::string> events;
};

std::ostream &operator<<(std::ostream &out, const Case &c)
{
	return out << c.name;
}

class LostRestore : public testing::TestWithParam<Case>
{
};

// The result of a stop that loses writes, and its message.
template <typename F> std::pair<int, std::string> stop_with(Machine &machine, Set &set, F is_lost)
{
	machine.n_lost = 0;
	machine.lose(is_lost);
	const int code = set.stop();
	const std::string message = machine.handle.message();
	machine.lose_nothing();
	return {code, message};
}

// Loses a different write of the stop in each run.
TEST_P(LostRestore, IsReportedAndRetried)
{
	Machine machine(GetParam().spec);
	Set set(machine.handle, GetParam().events);
	unsigned reported = 0;

	for (unsigned at = 0; !HasFailure(); at++) {
		ASSERT_EQ(0, set.start()) << machine.handle.message();
		const auto [code, message] =
			stop_with(machine, set,
				  [at, seen = 0u](const unc_op &) mutable { return seen++ == at; });
		SCOPED_TRACE("write " + std::to_string(at) + ", " + hex(machine.lost.address));
		if (code == 0) {
			EXPECT_EQ(machine.before, machine.registers());
		} else {
			reported++;
			EXPECT_NE(std::string::npos, message.find(hex(machine.lost.address)))
				<< message;
		}
		EXPECT_EQ(0, uncore_restore(machine.handle.u)) << machine.handle.message();
		EXPECT_EQ(machine.before, machine.registers());
		if (machine.n_lost == 0)
			break;
	}
	EXPECT_EQ(0u, reported) << "a write that is lost once is repeated at once";
}

// Loses all writes of a register from the moment that one is lost.
TEST_P(LostRestore, ThatLastsNamesTheRegister)
{
	Machine machine(GetParam().spec);
	Set set(machine.handle, GetParam().events);
	unsigned reported = 0;

	for (unsigned at = 0; !HasFailure(); at++) {
		ASSERT_EQ(0, set.start()) << machine.handle.message();
		const auto [code, message] = stop_with(
			machine, set, [&machine, at, seen = 0u](const unc_op &op) mutable {
				return seen++ == at ||
				       (seen > at && op.address == machine.lost.address &&
					op.unit == machine.lost.unit);
			});
		if (machine.n_lost == 0)
			break;
		SCOPED_TRACE("write " + std::to_string(at) + ", " + hex(machine.lost.address));
		if (machine.before != machine.registers()) {
			EXPECT_GT(0, code);
		}
		if (code < 0) {
			reported++;
			EXPECT_NE(std::string::npos, message.find(hex(machine.lost.address)))
				<< message;
		}
		EXPECT_EQ(0, uncore_restore(machine.handle.u)) << machine.handle.message();
		EXPECT_EQ(machine.before, machine.registers());
	}
	EXPECT_LT(0u, reported);
}

TEST_P(LostRestore, IsFoundByAtMostOneReadOfARegister)
{
	Machine machine(GetParam().spec);
	Set set(machine.handle, GetParam().events);
	std::map<Place, unsigned> reads;

	for (int run = 0; run < 2; run++) {
		ASSERT_EQ(0, set.start());
		machine.hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			reads[place(op)]++;
			return machine.hardware.read(op, value);
		};
		machine.lose([&](const unc_op &) {
			reads.clear();
			return false;
		});
		EXPECT_EQ(0, set.stop());
		machine.hardware.on_read = nullptr;
		machine.lose_nothing();
	}
	EXPECT_FALSE(reads.empty());
	for (const auto &[where, n] : reads)
		EXPECT_EQ(1u, n) << std::hex << where.address;
}

const Case kCases[] = {
	{"snbep",
	 "sim:snbep:packages=2,cores=2,time=virtual",
	 {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:pkg=0", "UNC_M_CAS_COUNT:RD:pkg=0",
	  "UNC_H_CLOCKTICKS:pkg=0", "UNC_P_CLOCKTICKS:pkg=0"}},
	{"nhmex",
	 "sim:nhmex:packages=2,cores=2,time=virtual",
	 {"UNC_C_LLC_MISSES:pkg=0:box=0", "UNC_M_DRAM_CMD:CAS_RD_OPN:pkg=0:box=0",
	  "UNC_R_FLITS_SENT:PORT3:pkg=0:box=0"}},
	{"skx",
	 "sim:skx:packages=2,cores=2,time=virtual",
	 {"UNC_C_TOR_INSERTS:IRQ:pkg=0", "UNC_M_CAS_COUNT:RD:pkg=0", "UNC_UPI_CLOCKTICKS:pkg=0"}},
	{"icx",
	 "sim:icx:packages=2,cores=2,time=virtual",
	 {"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8:pkg=0", "UNC_M_CAS_COUNT:RD:pkg=0"}},
	{"spr",
	 "sim:spr:packages=2,cores=2,time=virtual",
	 {"spr_unc_cha::RAW:config=0x01:pkg=0", "spr_unc_imc::RAW:config=0x0101:pkg=0"}},
	{"cpu", "sim:skx:packages=2,cores=2,time=virtual", {"ix86arch::INSTRUCTION_RETIRED:cpu=1"}},
};

INSTANTIATE_TEST_SUITE_P(Machines, LostRestore, testing::ValuesIn(kCases),
			 [](const auto &info) { return std::string(info.param.name); });

} // namespace
