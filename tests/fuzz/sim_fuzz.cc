// SPDX-License-Identifier: BSD-3-Clause
// sim_fuzz.cc - descriptions of simulated machines and of their traffic: no crash, a machine of a
// bounded size or a sentence, rates that are rates, and registers that answer twice the same.
//
// The first line is a machine as UNCORE_MACHINE takes it.  Each further line is one of
//
//	traffic PACKAGE FIELD VALUE            a number of struct sim_traffic, made to fit its range
//	pattern PACKAGE PERIOD BUSY QUIET SCATTERED
//	opcode PACKAGE INDEX OPCODE KIND SHARE MISS
//	rate PACKAGE KIND BOX CONTROL FILTER
//	core CPU SELECT
//	msr PACKAGE ADDRESS [VALUE]            with a value: a write
//	cpu CPU ADDRESS [VALUE]
//	pci NUMBER OFFSET WIDTH [VALUE]        a device, by number or by bus and function
//	mmio PACKAGE ADDRESS WIDTH [VALUE]
//	advance NS
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "fuzz/machine_checks.h"
#include "sim/sim.h"

namespace
{

using fuzz::demand;

constexpr unsigned kLines = 64, kMachines = 10000;
constexpr uint64_t kMostTime = 1000000000000000; // 11 days, ns

// ---- the machine ----

void check_size(const sim *sim)
{
	size_t n_cpus, n_pci;
	const sim_cpu *cpus = sim_cpus(sim, &n_cpus);
	const sim_pci *pci = sim_pci_devices(sim, &n_pci);
	std::set<std::tuple<unsigned, unsigned, unsigned>> addresses;

	demand(n_cpus > 0 && n_cpus <= 8 * 288, "too many CPUs");
	demand(n_pci <= 8 * 256, "too many devices");
	for (size_t i = 0; i < n_cpus; i++)
		demand(cpus[i].id == i && cpus[i].package < 8 && cpus[i].die < 2, "CPUs");
	for (size_t i = 0; i < n_pci; i++)
		demand(addresses.insert({pci[i].segment, pci[i].bus, pci[i].devfn}).second,
		       "two devices at one address");
}

// The same machine comes again and again: opening it takes most of the time.
bool is_new(const std::string &spec)
{
	static std::set<std::string> known;

	if (known.size() == kMachines)
		known.clear();
	return known.insert(spec).second;
}

// The library finds its way in it.
void check_open(unc_hw *hw, const unc_topology &topo)
{
	const unc_platform *platform = nullptr;
	unc_machine m = {};
	unc_err err = {};
	int r;

	unc_err_init(&err);
	m.topo = topo;
	hw->topo = &m.topo;
	r = unc_platform_find(&m.topo, &platform, &err);
	demand(r == 0, "no platform", err.text);
	r = unc_machine_build(&m, platform, hw, &err);
	fuzz::check_machine(m, r, err);
	if (r == 0)
		fuzz::check_map(m);
	demand(sim_writes(unc_hw_sim(hw)) == 0, "a register was written");
	unc_machine_free(&m);
	unc_err_destroy(&err);
}

// ---- its traffic ----

double within(double value, double low, double high)
{
	return std::isfinite(value) ? std::min(std::max(std::fabs(value), low), high) : low;
}

struct Field {
	double sim_traffic::*at;
	double low, high;
};

constexpr double kHz = 1e10, kRate = 1e11, kNs = 1e6;
constexpr Field kFields[] = {
	{&sim_traffic::uclk_hz, 1e6, kHz},    {&sim_traffic::dclk_hz, 1e6, kHz},
	{&sim_traffic::qclk_hz, 1e6, kHz},    {&sim_traffic::pclk_hz, 1e6, kHz},
	{&sim_traffic::reads, 0, kRate},      {&sim_traffic::remote_reads, 0, 1},
	{&sim_traffic::writes, 0, kRate},     {&sim_traffic::remote_writes, 0, 1},
	{&sim_traffic::snoops, 0, kRate},     {&sim_traffic::noncoherent, 0, kRate},
	{&sim_traffic::interrupts, 0, kRate}, {&sim_traffic::hit_ns, 0, kNs},
	{&sim_traffic::local_ns, 0, kNs},     {&sim_traffic::remote_ns, 0, kNs},
	{&sim_traffic::ingress_ns, 0, kNs},   {&sim_traffic::rpq_ns, 0, kNs},
	{&sim_traffic::wpq_ns, 0, kNs},       {&sim_traffic::link_ns, 0, kNs},
	{&sim_traffic::victims_es, 0, 100},   {&sim_traffic::page_miss, 0, 1},
	{&sim_traffic::page_empty, 0, 1},     {&sim_traffic::core_c0, 0, 1},
	{&sim_traffic::core_c3, 0, 1},        {&sim_traffic::core_c6, 0, 1},
};

void set_traffic(sim *sim, const char *line)
{
	unsigned package, field;
	double value;

	if (sscanf(line, "traffic %u %u %lf", &package, &field, &value) != 3 ||
	    !sim_traffic(sim, package))
		return;
	const Field &f = kFields[field % std::size(kFields)];
	sim_traffic(sim, package)->*f.at = within(value, f.low, f.high);
}

void set_pattern(sim *sim, const char *line)
{
	unsigned package, scattered;
	uint64_t period;
	double busy, quiet;

	if (sscanf(line, "pattern %u %" SCNu64 " %lf %lf %u", &package, &period, &busy, &quiet,
		   &scattered) != 5 ||
	    !sim_traffic(sim, package))
		return;
	sim_traffic(sim, package)->pattern = {period % kMostTime, within(busy, 0, 1),
					      within(quiet, 0, 1), scattered % 2 == 1};
}

void set_opcode(sim *sim, const char *line)
{
	unsigned package, i, opcode, kind;
	double share, miss;

	if (sscanf(line, "opcode %u %u %x %u %lf %lf", &package, &i, &opcode, &kind, &share,
		   &miss) != 6 ||
	    !sim_traffic(sim, package))
		return;
	sim_traffic(sim, package)->opcodes[i % SIM_OPCODES] = {
		static_cast<uint16_t>(opcode), static_cast<uint8_t>(SIM_OP_READ + kind % 4),
		within(share, 0, 2), within(miss, 0, 1)};
}

// A number that is not negative, unless the box is missing.
void check_rate(sim *sim, const char *line)
{
	unsigned package, box;
	uint64_t control, filter;
	char kind[16];
	double rate;

	if (sscanf(line, "rate %u %15s %u %" SCNx64 " %" SCNx64, &package, kind, &box, &control,
		   &filter) != 5)
		return;
	rate = sim_rate(sim, package, kind, box, control, filter);
	demand(std::isnan(rate) || (rate >= 0 && rate <= 1e15), "an invalid rate", line);
}

void check_core_rate(sim *sim, const char *line)
{
	unsigned cpu;
	uint64_t select;

	if (sscanf(line, "core %u %" SCNx64, &cpu, &select) == 2) {
		const double rate = sim_core_rate(sim, cpu, select);

		demand(rate >= 0 && rate <= 1e15, "an invalid rate", line);
	}
}

void check_active(sim *sim, uint64_t before)
{
	const uint64_t now = sim_now(sim);

	for (unsigned p = 0; p < 8 && sim_traffic(sim, p); p++) {
		const uint64_t then = sim_active(sim, p, before), active = sim_active(sim, p, now);

		demand(then <= active && active <= now, "traffic that runs backwards");
		demand(active - then <= now - before, "more traffic than time");
	}
}

void advance(sim *sim, const char *line)
{
	const uint64_t before = sim_now(sim);
	uint64_t ns;

	if (sscanf(line, "advance %" SCNu64, &ns) != 1)
		return;
	sim_advance(sim, before < kMostTime ? ns % kMostTime : 0);
	if (sim_is_virtual(sim))
		check_active(sim, before);
}

// ---- its registers ----

// On the second look, too, unless time passes.
template <class Read> void check_read(const sim *sim, const char *line, unsigned width, Read read)
{
	uint64_t value = 0, again = 0;
	const int r = read(&value);

	demand(r == 0 || r == -EIO || r == -ENODEV || r == -EINVAL || r == -ENXIO, "an odd error",
	       line);
	if (r < 0)
		return;
	demand(width >= 64 || value >> width == 0, "more bits than were asked for", line);
	demand(read(&again) == 0 && (again == value || !sim_is_virtual(sim)), "another value",
	       line);
}

// Of a package or of a CPU, according to the first word of the line.
template <class Read, class Write>
void access_msr(sim *sim, const char *line, const char *word, Read read, Write write)
{
	unsigned whose;
	uint32_t address;
	uint64_t value;
	int n = 0;

	if (strncmp(line, word, strlen(word)) == 0)
		n = sscanf(line + strlen(word), " %u %" SCNx32 " %" SCNx64, &whose, &address,
			   &value);
	if (n == 3)
		write(sim, whose, address, value);
	if (n >= 2)
		check_read(sim, line, 64,
			   [&](uint64_t *got) { return read(sim, whose, address, got); });
}

void access_pci(sim *sim, const char *line)
{
	size_t devices;
	const sim_pci *pci = sim_pci_devices(sim, &devices);
	unsigned number, width;
	uint32_t offset;
	uint64_t value;
	const int n =
		sscanf(line, "pci %u %" SCNx32 " %u %" SCNx64, &number, &offset, &width, &value);
	sim_pci p = {};

	p.bus = static_cast<uint8_t>(number >> 8);
	p.devfn = static_cast<uint8_t>(number);
	if (number < devices)
		p = pci[number];
	if (n == 4)
		sim_pci_write(sim, p.segment, p.bus, p.devfn, offset, width, value);
	if (n >= 3)
		check_read(sim, line, width, [&](uint64_t *got) {
			return sim_pci_read(sim, p.segment, p.bus, p.devfn, offset, width, got);
		});
}

void access_mmio(sim *sim, const char *line)
{
	unsigned package, width;
	uint64_t address, value;
	const int n =
		sscanf(line, "mmio %u %" SCNx64 " %u %" SCNx64, &package, &address, &width, &value);

	if (n == 4)
		sim_mmio_write(sim, package, address, width, value);
	if (n >= 3)
		check_read(sim, line, width, [&](uint64_t *got) {
			return sim_mmio_read(sim, package, address, width, got);
		});
}

void obey(sim *sim, const char *line)
{
	set_traffic(sim, line);
	set_pattern(sim, line);
	set_opcode(sim, line);
	check_rate(sim, line);
	check_core_rate(sim, line);
	access_msr(sim, line, "msr", sim_msr_read, sim_msr_write);
	access_msr(sim, line, "cpu", sim_cpu_msr_read, sim_cpu_msr_write);
	access_pci(sim, line);
	access_mmio(sim, line);
	advance(sim, line);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	std::istringstream lines(std::string(reinterpret_cast<const char *>(data), size));
	std::string spec, line;
	unc_topology topo = {};
	unc_err err = {};
	int code = 0;

	std::getline(lines, spec);
	unc_err_init(&err);
	unc_hw *hw = unc_hw_simulated(spec.c_str(), &topo, &err, &code);
	demand((hw != nullptr) == (code == 0), "neither a machine nor an error", spec.c_str());
	if (hw) {
		sim *sim = unc_hw_sim(hw);

		check_size(sim);
		if (is_new(spec))
			check_open(hw, topo);
		else
			unc_topology_free(&topo);
		for (unsigned i = 0; i < kLines && std::getline(lines, line); i++)
			obey(sim, line.c_str());
		hw->ops->close(hw);
	} else {
		demand(code == UNCORE_EINVAL, "an odd code", spec.c_str());
		demand(fuzz::is_sentence(err.text), "no sentence", err.text);
	}
	unc_err_destroy(&err);
	return 0;
}
