// SPDX-License-Identifier: BSD-3-Clause
// program_test.cc - operations that register programs must and must not contain, for random
// events on every box, both idle and in use. Registers and bits are literals from
// docs/hardware/snbep.md.
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "plan/complete.h"
#include "plan/ledger.h"
#include "support/plan.h"
#include "support/simulated.h"
#include "support/snbep_registers.h"
#include "support/stepped.h"

namespace
{

using support::snbep::Kind;
using support::snbep::kind_of;

constexpr uint64_t kEnable = 1u << 22, kClear = 1u << 17, kOverflow = 1u << 20;
constexpr uint64_t kRun = 0x10000, kFreeze = 0x10100, kReset = 0x10102;

/* One job and its programs. */
struct Programs {
	explicit Programs(const struct unc_job &job)
	{
		unc_program_save(&save, &job);
		unc_program_setup(&setup, &job);
		unc_program_start(&start, &job);
		unc_program_read(&read, &job);
		unc_program_stop(&stop, &job);
		unc_program_check(&check, &job);
		restore_all(job);
	}
	void restore_all(const struct unc_job &job)
	{
		const unsigned group = unc_group_of_box(
			job.machine, static_cast<unsigned>(job.box - job.machine->boxes));
		struct unc_ledger ledger;
		const struct unc_op *back;

		ASSERT_TRUE(unc_ledger_make(&ledger, unc_count_groups(job.machine)));
		for (size_t i = 0; i < save.n; i++)
			if (unc_op_is_saved(&save.op[i])) {
				ASSERT_TRUE(unc_ledger_note(&ledger, group, &save.op[i], 0, 0));
				unc_ledger_save(&ledger, group, &save.op[i]);
			}
		for (struct unc_ledger_entry *e = nullptr;
		     (e = unc_ledger_next(&ledger, group, e));)
			e->due = UINT64_MAX;
		for (size_t i = 0, n = unc_ledger_restore(&ledger, &back); i < n; i++)
			unc_ops_push(&restore, back[i]);
		unc_ledger_free(&ledger);
	}
	Ops save, setup, start, read, stop, check, restore;
};

class Program : public testing::Test
{
      protected:
	Simulated sim;

	/* The register, numbered as in box 0. Fails if it does not belong to this box. */
	uint32_t own_register(const struct unc_box &b, const struct unc_op &op)
	{
		const Kind &k = kind_of(b.type->name);

		EXPECT_EQ(k.is_pci() ? UNCORE_PCI : UNCORE_MSR, op.space);
		EXPECT_EQ(b.package, op.package);
		if (!k.is_pci())
			return op.address - k.away(b.index);
		const bool filter = k.filters.count(op.address);
		const uint8_t devfn =
			filter && !k.extra.empty() ? k.extra.at(b.index) : k.devfn.at(b.index);
		const struct unc_pci &p = sim.machine.topo.pci[op.unit];

		EXPECT_EQ(devfn, op.devfn) << std::hex << op.address;
		EXPECT_EQ(devfn, p.devfn);
		EXPECT_EQ(b.package == 0 ? 0x7f : 0xff, p.bus);
		return op.address;
	}
	void check_op(const struct unc_box &b, const struct unc_op &op)
	{
		const Kind &k = kind_of(b.type->name);
		const uint32_t reg = own_register(b, op);
		const bool control = k.is_control(reg), count = k.is_counter(reg);
		const bool filter = k.filters.count(reg);
		const bool box = k.box_control && reg == k.box_control;
		const bool fixed_ctl = k.fixed_control && reg == k.fixed_control;
		const bool fixed_ctr = k.fixed_counter && reg == k.fixed_counter;
		const bool write = op.kind == UNCORE_WRITE && !op.saved;

		EXPECT_TRUE(control || count || filter || box || fixed_ctl || fixed_ctr)
			<< "not a register of this box: " << std::hex << op.address;
		EXPECT_EQ(!k.is_pci() || count || fixed_ctr ? 64 : 32, op.width);
		EXPECT_NE(UNCORE_RMW, op.kind) << "the box control cannot be read";
		if (op.kind == UNCORE_WRITE) {
			EXPECT_FALSE(count || fixed_ctr) << "counters are cleared, never written";
		}
		if (write && control) {
			EXPECT_EQ(0u, op.value & ~(k.bits | kEnable | kClear));
			EXPECT_EQ(0u, op.value & kOverflow);
			EXPECT_NE(kEnable | kClear, op.value & (kEnable | kClear));
		}
		if (write && filter) {
			EXPECT_EQ(0u, op.value & ~k.filters.at(reg));
		}
		if (write && fixed_ctl) {
			EXPECT_EQ(0u, op.value & ~kEnable);
		}
		if (write && box) {
			EXPECT_TRUE(op.value == kRun || op.value == kFreeze || op.value == kReset)
				<< std::hex << op.value;
		}
	}
	bool is_box(const struct unc_box &b, const struct unc_op &op)
	{
		const Kind &k = kind_of(b.type->name);

		return k.box_control && own_register(b, op) == k.box_control;
	}
	bool is_filter(const struct unc_box &b, const struct unc_op &op)
	{
		return kind_of(b.type->name).filters.count(own_register(b, op));
	}
	void check_any(const struct unc_job &job, const Programs &p);
	void check_idle(const struct unc_job &job, const Programs &p);
	void check_running(const struct unc_job &job, const Programs &p);
	void check(const struct unc_job &job);
	void for_random_jobs(bool with_running, unsigned n);
};

void Program::check_any(const struct unc_job &job, const Programs &p)
{
	std::set<std::pair<uint32_t, uint8_t>> saved, checked;
	std::vector<struct unc_op> to_restore; // values that restore[] must restore
	bool control_seen = false;

	for (const Ops *list :
	     {&p.save, &p.setup, &p.start, &p.read, &p.stop, &p.check, &p.restore})
		for (const auto &op : *list)
			check_op(*job.box, op);
	for (const auto &op : p.save) {
		EXPECT_EQ(UNCORE_READ, op.kind);
		if (op.mask) {
			EXPECT_EQ(kEnable, op.mask) << "a counter that the box's reset would clear";
			EXPECT_EQ(kEnable, op.value) << "the bits that must be 0";
			checked.insert({op.address, op.devfn});
			continue;
		}
		to_restore.push_back(op);
		saved.insert({op.address, op.devfn});
	}
	EXPECT_EQ(to_restore.size(), saved.size()) << "a register is saved once";
	for (const auto &own : saved)
		EXPECT_FALSE(checked.count(own));
	for (const Ops *list : {&p.setup, &p.start, &p.stop})
		for (const auto &op : *list)
			EXPECT_TRUE(op.kind == UNCORE_READ || saved.count({op.address, op.devfn}))
				<< "changed but not saved: " << std::hex << op.address;
	for (const auto &op : p.setup) {
		EXPECT_EQ(UNCORE_WRITE, op.kind);
		control_seen |= !is_box(*job.box, op) && !is_filter(*job.box, op);
		EXPECT_FALSE(control_seen && is_filter(*job.box, op)) << "filter after control";
	}
	ASSERT_EQ(to_restore.size(), p.restore.n);
	for (size_t i = 0; i < to_restore.size(); i++) {
		const struct unc_op &was = to_restore[i],
				    &back = p.restore[to_restore.size() - 1 - i];

		EXPECT_EQ(UNCORE_WRITE, back.kind);
		EXPECT_TRUE(back.saved);
		EXPECT_EQ(was.address, back.address);
		EXPECT_EQ(was.unit, back.unit);
		EXPECT_EQ(was.width, back.width);
	}
	EXPECT_EQ(job.n, p.read.n);
	for (unsigned i = 0; i < job.n; i++) {
		const Kind &k = kind_of(job.box->type->name);
		const unsigned counter = job.assignments[i].counter;

		EXPECT_EQ(UNCORE_READ, p.read[i].kind);
		EXPECT_EQ(counter == k.counters ? k.fixed_counter : k.counter_of(counter),
			  own_register(*job.box, p.read[i]));
	}
}

void Program::check_idle(const struct unc_job &job, const Programs &p)
{
	const Kind &k = kind_of(job.box->type->name);

	if (!k.box_control) { // U-Box: cleared by its control, the event select with enable comes
			      // last
		ASSERT_EQ(job.n, p.setup.n);
		ASSERT_EQ(job.n, p.start.n);
		for (unsigned i = 0; i < job.n; i++) {
			const bool fixed = job.assignments[i].counter == k.counters;

			EXPECT_EQ(p.setup[i].address, p.start[i].address);
			EXPECT_EQ(fixed ? 0 : job.assignments[i].control | kClear,
				  p.setup[i].value);
			EXPECT_EQ((fixed ? 0 : job.assignments[i].control) | kEnable,
				  p.start[i].value);
			EXPECT_EQ(UNCORE_WRITE, p.stop[i].kind);
			EXPECT_EQ(p.start[i].value & ~kEnable, p.stop[i].value);
		}
		return;
	}
	size_t checks = 0;

	for (const auto &op : p.save)
		checks += op.mask != 0;
	EXPECT_EQ(k.counters + (k.fixed_counter ? 1u : 0u), checks + job.n)
		<< "all others must be checked";
	ASSERT_TRUE(is_box(*job.box, p.setup[0]));
	EXPECT_EQ(kReset, p.setup[0].value);
	for (size_t i = 1; i < p.setup.n; i++) {
		EXPECT_FALSE(is_box(*job.box, p.setup[i])) << "frozen and reset once";
		EXPECT_TRUE(is_filter(*job.box, p.setup[i]) || (p.setup[i].value & kEnable));
		EXPECT_EQ(0u, p.setup[i].value & (is_filter(*job.box, p.setup[i]) ? 0 : kClear));
	}
	ASSERT_EQ(1u, p.start.n);
	EXPECT_TRUE(is_box(*job.box, p.start[0]));
	EXPECT_EQ(kRun, p.start[0].value);
	EXPECT_TRUE(is_box(*job.box, p.stop[0]));
	EXPECT_EQ(UNCORE_WRITE, p.stop[0].kind);
	EXPECT_EQ(kFreeze, p.stop[0].value);
	EXPECT_TRUE(is_box(*job.box, p.restore[p.restore.n - 1])) << "the box control comes last";
	EXPECT_EQ(1u, p.stop.n);
	EXPECT_EQ(job.n, p.check.n);
	for (const auto &op : p.check)
		EXPECT_EQ(UNCORE_READ, op.kind);
}

void Program::check_running(const struct unc_job &job, const Programs &p)
{
	const Kind &k = kind_of(job.box->type->name);
	std::set<unsigned> ours;

	for (unsigned i = 0; i < job.n; i++)
		ours.insert(job.assignments[i].counter);
	for (const Ops *list : {&p.save, &p.setup, &p.start, &p.stop, &p.check, &p.restore})
		for (const auto &op : *list) {
			const uint32_t reg = own_register(*job.box, op);

			EXPECT_FALSE(is_box(*job.box, op)) << "others are counting";
			for (unsigned c = 0; c < k.counters; c++)
				EXPECT_TRUE(reg != k.control_of(c) || ours.count(c))
					<< "a counter of another set";
		}
	for (const auto &op : p.setup) {
		unsigned f = 0;

		if (!is_filter(*job.box, op)) {
			EXPECT_EQ(0u, op.value & kEnable);
			EXPECT_TRUE(op.value == 0 || (op.value & kClear));
			continue;
		}
		while (f + 1u < job.box->type->n_filters &&
		       job.box->type->filters[f].address + job.box->offset != op.address)
			f++;
		for (unsigned i = 0; i < job.before->n; i++)
			for (unsigned b = 0; b < job.before->at[i].n_bits; b++) {
				const struct unc_bits &bits = job.before->at[i].bits[b];

				if (bits.filter == f) {
					EXPECT_EQ(bits.value, op.value & bits.mask)
						<< "a filter in use changes";
				}
			}
	}
	ASSERT_EQ(job.n, p.start.n);
	for (unsigned i = 0; i < job.n; i++)
		EXPECT_EQ(kEnable, p.start[i].value & (kEnable | kClear));
}

void Program::check(const struct unc_job &job)
{
	const Programs p(job);

	check_any(job, p);
	if (job.before->n == 0)
		check_idle(job, p);
	else
		check_running(job, p);
}

/* Events with random bits in every word, as many as fit. */
void Program::for_random_jobs(bool with_running, unsigned n)
{
	std::mt19937_64 random(12345);
	unsigned jobs = 0;

	for (unsigned round = 0; round < n; round++)
		for (size_t i = 0; i < sim.machine.n_boxes; i++) {
			const struct unc_box &b = sim.machine.boxes[i];

			if (b.type->arch)
				continue; /* core_program_test.cc */
			std::vector<struct unc_event> events(1 + random() % b.type->n_counters);
			std::vector<const struct unc_event *> list;
			std::vector<struct unc_assignment> out(UNC_SLOTS);

			for (auto &ev : events) {
				ev = {};
				ev.type = b.type;
				ev.control = random() & b.type->event_mask;
				if (random() % 3 == 0)
					ev.control = b.type->fixed.coded ? 0xff : ev.control;
				else if (random() % 3 == 0)
					ev.control =
						(ev.control & ~0xffull) |
						(random() % 4 + (b.type->families ? 0x0b : 0x34));
				unc_event_finish(&ev, random(), random(), false);
				list.push_back(&ev);
			}
			if (!unc_assign(b.type, nullptr, list.data(), list.size(), out.data()))
				continue;
			const unsigned running = with_running ? list.size() / 2 : 0;
			const unsigned fresh = static_cast<unsigned>(list.size()) - running;
			const struct unc_use none = {};
			const struct unc_use before = together(none, out.data(), running);
			const struct unc_use after = together(before, &out[running], fresh);

			if (with_running && running == 0)
				continue;
			SCOPED_TRACE(std::string(b.type->name) + std::to_string(b.index) +
				     " round " + std::to_string(round));
			jobs++;
			check({&sim.machine, &b, &before, &after, &out[running], fresh});
			if (HasFailure())
				return;
		}
	EXPECT_GT(jobs, n);
}

TEST_F(Program, AnIdleBoxIsFrozenResetFilteredControlledAndReleased)
{
	for_random_jobs(false, 100);
}

TEST_F(Program, ABoxThatCountsIsNeitherFrozenNorReset)
{
	for_random_jobs(true, 100);
}

TEST_F(Program, AReadInStopSaysWhichBitsToCompare)
{
	for (const char *name : {"snbep_unc_cbo::RAW:config=0x1f8c0335:box=2:pkg=1",
				 "snbep_unc_imc::RAW:config=0xff:box=1:pkg=0",
				 "snbep_unc_qpi::RAW:config=0x200002:box=0:pkg=0"}) {
		const struct unc_event *ev = sim.event(name);
		const struct unc_use none = {};
		struct unc_assignment s;

		ASSERT_TRUE(ev && unc_assign(ev->type, nullptr, &ev, 1, &s)) << name;
		const struct unc_box *b = sim.box(ev->type->name, ev->where.boxes.range[0].low,
						  ev->where.packages.range[0].low);
		const struct unc_use after = together(none, &s, 1);
		const Programs p({&sim.machine, b, &none, &after, &s, 1});
		const struct unc_op &op = p.check[p.check.n - 1];
		const uint64_t bits = ev->fixed ? 0 : kind_of(ev->type->name).bits;

		EXPECT_EQ(UNCORE_READ, op.kind);
		EXPECT_EQ(bits | kEnable, op.mask);
		EXPECT_EQ(((ev->fixed ? 0 : ev->control) | kEnable) & op.mask, op.value);
	}
}

/* Over several boxes: all are set up before the first starts, the U-Box starts last. */
TEST_F(Program, TheUBoxStartsAfterAllOtherBoxes)
{
	const support::Handle handle(support::sim_options("sim:snbep:packages=2,cores=8"));
	struct uncore *u = handle.u;
	struct uncore_plan *plan = nullptr;
	unsigned ids[4];
	bool ubox = false, writes = false;

	ASSERT_EQ(0, uncore_event(u, "UNC_U_LOCK_CYCLES", &ids[0]));
	ASSERT_EQ(0, uncore_event(u, "UNC_U_CLOCKTICKS", &ids[1]));
	ASSERT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS", &ids[2]));
	ASSERT_EQ(0, uncore_event(u, "UNC_M_CLOCKTICKS", &ids[3]));
	ASSERT_EQ(0, uncore_plan(u, ids, 4, nullptr, &plan));
	ASSERT_TRUE(plan->feasible);
	for (size_t i = 0; i < plan->setup.n; i++) {
		EXPECT_FALSE(writes && plan->setup.op[i].kind == UNCORE_READ) << "saved too late";
		writes |= plan->setup.op[i].kind == UNCORE_WRITE;
	}
	for (size_t i = 0; i < plan->start.n; i++) {
		if (plan->start.op[i].kind == UNCORE_READ)
			continue;
		const uint32_t a = plan->start.op[i].address;
		const bool now = plan->start.op[i].space == UNCORE_MSR && a >= 0xc08 && a <= 0xc17;

		EXPECT_EQ(now ? kEnable : 0, plan->start.op[i].value & kEnable);
		EXPECT_FALSE(ubox && !now);
		ubox |= now;
	}
	// the U-Box has no box control to read
	EXPECT_EQ(2u * 2 + 2 * (16 + 8), plan->start.n);
	uncore_plan_free(plan);
}

// A register that the last round of multiplexed events did not write may hold any value.
TEST_F(Program, AFilterThatTheLastRoundDidNotUseIsWritten)
{
	const struct unc_box *box = sim.machine.boxes;

	while (!box->type->n_filters || box->type->filter_always)
		box++;
	SCOPED_TRACE(box->type->name);
	struct unc_assignment with = {}, without = {};
	with.control = 0x1;
	with.n_bits = 1;
	with.bits[0] = {};
	with.bits[0].mask = 0xff;
	without.control = 0x2;
	const auto writes = [&](const struct unc_assignment &last) {
		struct unc_use before = {};
		const struct unc_use after = together({}, &with, 1);
		const struct unc_job job = {&sim.machine, box, &before, &after, &with, 1};
		unsigned filters = 0;

		before.held = 1;
		before.at[0] = last;
		const Programs p(job);
		for (const auto &op : p.setup)
			filters += is_filter(*box, op);
		return std::pair<size_t, unsigned>(p.setup.n, filters);
	};

	EXPECT_EQ((std::pair<size_t, unsigned>(0, 0)), writes(with));
	EXPECT_EQ((std::pair<size_t, unsigned>(2, 1)), writes(without));
}

} // namespace
