// SPDX-License-Identifier: BSD-3-Clause
// config_fuzz.cc - PCI config spaces, and other sources of boxes, of any kind: no crash, no
// write, and a machine that fits together or a sentence.
//
// The first byte chooses a simulated machine.  Records of eight bytes change what the library
// reads of it (little-endian):
//
//	kind, which, offset (2), value (4)
//
//	0  config space of device `which`: the dword at the offset
//	1  an MSR of package `which` at the offset: its lower half
//	2  CPUID: leaf is the offset's low byte, subleaf its high byte; register `which`
//	3  memory: dwords whose address ends in the offset
//	4  device `which` has another id (lower half), bus and function (upper half, 0: the same)
//	5  device `which` is near package value - 1, or offline
//	6  CPU `which` is in another package, or die
//	7  reads of config space of device `which` from the offset on fail
//	8  reads of MSRs (which % 2) or of memory from the offset on fail, up to the value
//	9  device `which` and as many as offset tells behind it are hidden
//	10 the machine is a virtual one; not all devices could be listed; partial sums are wanted
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "fuzz/machine_checks.h"
#include "sim/sim.h"

namespace
{

using fuzz::demand;

constexpr const char *kMachines[] = {
#define MACHINE(name) "sim:" #name ":cores=4,time=virtual",
#include "sim/machines.def"
#undef MACHINE
	"sim:skx:packages=4,dies=2,cores=4,time=virtual",
	"sim:snbep:packages=4,cores=3,numa=no,time=virtual",
	"sim:hswep:cores=4,slices=8,silent=yes,time=virtual",
	"sim:spr:hbm=yes,cores=4,time=virtual",
};

// ---- what is read ----

struct Record {
	uint8_t kind, which;
	uint16_t offset;
	uint32_t value;
};

constexpr int kErrors[] = {EIO, EACCES, EPERM, ENODATA, ERANGE, ENOENT, ENXIO, EFAULT, EROFS};

int error_of(uint32_t value)
{
	return -kErrors[value % std::size(kErrors)];
}

// A machine behind which is another one.
struct Changed {
	unc_hw base;
	unc_hw *real;
	const unc_topology *real_topo; // what the real one knows devices by
	std::vector<unsigned> unit;    // its number of each device
	std::map<std::tuple<unsigned, unsigned, uint64_t>, uint32_t> dwords;
	std::map<std::tuple<uint32_t, uint32_t, unsigned>, uint32_t> cpuid;
	std::vector<Record> failures;
	unsigned reads = 0;
};

Changed &changed(unc_hw *hw)
{
	return *reinterpret_cast<Changed *>(hw);
}

bool fails(const Record &r, const unc_op &op, size_t n_pci)
{
	if (r.kind == 7)
		return op.space == UNCORE_PCI && n_pci && op.unit == r.which % n_pci &&
		       op.address >= r.offset;
	if (r.which % 2)
		return op.space == UNCORE_MSR && op.address >= r.offset && op.address <= r.value;
	return op.space == UNCORE_MMIO && (op.address & 0xffff) >= r.offset;
}

int do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
{
	Changed &c = changed(hw);
	unc_op real = *op;

	c.reads++;
	*value = 0;
	demand(op->kind == UNCORE_READ, "no read");
	for (const Record &r : c.failures)
		if (fails(r, *op, hw->topo->n_pci))
			return error_of(r.value);
	if (op->space == UNCORE_PCI) {
		demand(op->unit < c.unit.size(), "no such device");
		real.unit = static_cast<uint16_t>(c.unit[op->unit]);
	}
	const int r = c.real->ops->read(c.real, &real, value);
	const unsigned where = op->space == UNCORE_PCI ? op->unit : op->package;
	for (unsigned half = 0; half < op->width / 32u; half++) {
		const uint64_t at = op->space == UNCORE_MMIO ? (op->address + 4 * half) & 0xffff
							     : op->address + 4 * half;
		const auto d = c.dwords.find({op->space, op->space == UNCORE_MMIO ? 0 : where, at});

		if (d != c.dwords.end() && (half == 0 || op->space != UNCORE_MSR))
			*value = (*value & ~(UINT64_C(0xffffffff) << 32 * half)) |
				 static_cast<uint64_t>(d->second) << 32 * half;
	}
	return r;
}

int do_write(unc_hw *, const unc_op *, uint64_t)
{
	demand(false, "a register is written");
	return 0;
}

int do_read_many(unc_hw *, const unc_op *const *, unsigned, uint64_t *)
{
	return -EIO;
}

int do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer)
{
	Changed &c = changed(hw);

	switch (q->asked) {
	case UNC_ASKED_MSR_FILE:
		demand(q->where < hw->topo->n_packages, "no such package");
		return 0;
	case UNC_ASKED_PCI_FILE:
		demand(q->where < hw->topo->n_pci, "no such device");
		return 0;
	case UNC_ASKED_BAR:
		demand(q->where < hw->topo->n_pci && q->width < 6, "no such BAR");
		return 0;
	case UNC_ASKED_MAPPING:
		demand(q->where < hw->topo->n_packages && q->width > 0 && q->width <= 1 << 20,
		       "a mapping");
		return c.real->ops->ask(c.real, q, answer);
	case UNC_ASKED_CPUID:
		break;
	default:
		demand(false, "what the topology does not have");
	}
	const int r = c.real->ops->ask(c.real, q, answer);
	for (unsigned i = 0; r == 0 && i < 4; i++) {
		const auto reg = c.cpuid.find({static_cast<uint32_t>(q->address >> 32),
					       static_cast<uint32_t>(q->address), i});

		if (reg != c.cpuid.end())
			answer[i / 2] = (answer[i / 2] & ~(UINT64_C(0xffffffff) << 32 * (i % 2))) |
					static_cast<uint64_t>(reg->second) << 32 * (i % 2);
	}
	return r;
}

void do_explain(unc_hw *, const unc_op *, int error, char *text, size_t len)
{
	snprintf(text, len, "changed: %s", strerror(-error));
}

void do_close(unc_hw *)
{
}

constexpr unc_hw_ops kOps = {do_read,    do_write, do_read_many, nullptr, do_ask,
			     do_explain, do_close, nullptr,      nullptr};

// ---- what is changed ----

void apply_to_device(unc_topology &t, const Record &r)
{
	unc_pci &p = t.pci[r.which % t.n_pci];

	if (r.kind == 4) {
		p.device = static_cast<uint16_t>(r.value);
		p.bus = r.value >> 24 ? static_cast<uint8_t>(r.value >> 24) : p.bus;
		p.devfn = r.value >> 16 & 0xff ? static_cast<uint8_t>(r.value >> 16) : p.devfn;
	} else {
		p.near = r.value % 10 == 9 ? UNC_OFFLINE : static_cast<int>(r.value % 10) - 1;
	}
}

void hide(unc_topology &t, std::vector<unsigned> &unit, const Record &r)
{
	const size_t from = r.which % t.n_pci;
	const size_t n = std::min<size_t>(1 + r.offset % 256, t.n_pci - from);

	std::copy(t.pci + from + n, t.pci + t.n_pci, t.pci + from);
	unit.erase(unit.begin() + static_cast<ptrdiff_t>(from),
		   unit.begin() + static_cast<ptrdiff_t>(from + n));
	t.n_pci -= n;
}

void apply(Changed &c, unc_machine &m, const Record &r)
{
	unc_topology &t = m.topo;

	if (r.kind == 0 && t.n_pci)
		c.dwords[{UNCORE_PCI, r.which % t.n_pci, r.offset & ~3u}] = r.value;
	else if (r.kind == 1)
		c.dwords[{UNCORE_MSR, r.which % 4, r.offset}] = r.value;
	else if (r.kind == 2)
		c.cpuid[{r.offset & 0xff, r.offset >> 8, r.which % 4}] = r.value;
	else if (r.kind == 3)
		c.dwords[{UNCORE_MMIO, 0, r.offset & ~3u}] = r.value;
	else if ((r.kind == 4 || r.kind == 5) && t.n_pci)
		apply_to_device(t, r);
	else if (r.kind == 6)
		t.cpus[r.which % t.n_cpus].package = r.value & 0x7fff7fff;
	else if (r.kind == 7 || r.kind == 8)
		c.failures.push_back(r);
	else if (r.kind == 9 && t.n_pci)
		hide(t, c.unit, r);
	else if (r.kind == 10) {
		t.hypervisor = r.which & 1;
		t.unread = r.which & 2 ? -EACCES : 0;
		snprintf(t.unread_file, sizeof(t.unread_file), "%s", r.which & 2 ? "a file" : "");
		m.partial = r.which & 4;
	}
}

template <class T> T *copied(const T *from, size_t n)
{
	T *to = static_cast<T *>(calloc(n + 1, sizeof(T)));

	demand(to != nullptr, "no memory");
	std::copy(from, from + n, to);
	return to;
}

// Machines are opened once: nothing changes them.
class Real
{
      public:
	explicit Real(const char *spec)
	{
		unc_err err;
		int code;

		unc_err_init(&err);
		hw = unc_hw_simulated(spec, &topo, &err, &code);
		demand(hw && unc_platform_find(&topo, &platform, &err) == 0, "no machine", spec);
		unc_err_destroy(&err);
	}
	~Real()
	{
		hw->ops->close(hw);
		unc_topology_free(&topo);
	}

	unc_topology topo = {};
	const unc_platform *platform = nullptr;
	unc_hw *hw;
};

// ---- what is asked of it ----

void check_sums(const unc_machine &m)
{
	const unc_places all = {{}, {}, -1};
	char why[700];

	for (auto type = m.types; *type; type++) {
		size_t begin;
		const size_t end = unc_boxes_of(&m, *type, &begin);

		demand(begin <= end && end <= m.n_boxes, "boxes of a type");
		*why = '\0';
		if (unc_unreached(&m, *type, &all, why, sizeof(why)) < 0)
			demand(fuzz::is_sentence(why), "a sum lacks boxes without a reason");
	}
}

void build(const Real &real, const std::vector<Record> &records)
{
	Changed c = {{}, real.hw, &real.topo, {}, {}, {}, {}};
	unc_machine m = {};
	unc_err err = {};
	int r;

	m.topo = real.topo;
	m.topo.cpus = copied(real.topo.cpus, real.topo.n_cpus);
	m.topo.pci = copied(real.topo.pci, real.topo.n_pci);
	for (unsigned i = 0; i < m.topo.n_pci; i++)
		c.unit.push_back(i);
	for (const Record &record : records)
		apply(c, m, record);
	c.base.ops = &kOps;
	c.base.topo = &m.topo;
	unc_err_init(&err);
	r = unc_machine_build(&m, real.platform, &c.base, &err);
	fuzz::check_machine(m, r, err);
	if (r == 0) {
		fuzz::check_map(m);
		check_sums(m);
	}
	demand(c.reads < 2000000, "reads without end");
	unc_machine_free(&m);
	unc_err_destroy(&err);
	demand(sim_writes(unc_hw_sim(real.hw)) == 0, "a register was written");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static std::unique_ptr<Real> machines[std::size(kMachines)];
	const size_t which = fuzz::choice(data, size, std::size(kMachines));
	std::vector<Record> records;

	if (!machines[which])
		machines[which] = std::make_unique<Real>(kMachines[which]);
	for (size_t at = 1; at + sizeof(Record) <= size; at += sizeof(Record)) {
		Record record;

		memcpy(&record, data + at, sizeof(record));
		record.kind %= 11;
		records.push_back(record);
	}
	build(*machines[which], records);
	return 0;
}
