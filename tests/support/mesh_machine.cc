// SPDX-License-Identifier: BSD-3-Clause
#include "support/mesh_machine.h"

namespace support
{

std::ostream &operator<<(std::ostream &out, const Mesh &mesh)
{
	return out << mesh.name;
}

std::vector<Span> with_common(std::vector<Span> spans)
{
	spans.insert(spans.end(), {{0x704, 1, 0, 1}, {0x709, 2, 0, 1}, {0x717, 4, 0, 1}});
	return spans;
}

const Mesh kSkx = {
	"skx",
	400,
	with_common({{0xe08, 4, 0x10, 28},
		     {0xa41, 5, 0x20, 6},
		     {0xa59, 2, 0x20, 6},
		     {0xb00, 16, 0x10, 6}}),
	{{0xd8, 4, 0, 1},
	 {0xf0, 2, 0, 1},
	 {0x228, 8, 0, 1},
	 {0x258, 1, 0, 1},
	 {0x350, 8, 0, 1},
	 {0x378, 1, 0, 1}},
	{
		{"UNC_C_CLOCKTICKS", "cha", {"cha", 0}},
		{"UNC_P_CLOCKTICKS", "pcu", {"pcu", 0}},
		{"UNC_IO_CLOCKTICKS", "iio", {"iio", 1}},
		{"UNC_I_CLOCKTICKS", "irp", {"irp", 1}},
		{"UNC_M2_CLOCKTICKS", "m2m", {"m2m", 0}},
		{"UNC_UPI_CLOCKTICKS", "upi", {"upi", 1}},
		{"UNC_M3_CLOCKTICKS", "m3upi", {"m3upi", 1}},
		{"UNC_M_CAS_COUNT:RD", "imc", {"imc", 0x0304}},
		{"UNC_M_CAS_COUNT:WR", "imc", {"imc", 0x0c04}},
		{"UNC_M2_IMC_READS:ALL", "m2m", {"m2m", 0x0437}},
		{"UNC_UPI_TXL_FLITS:ALL_DATA", "upi", {"upi", 0x0f02}},
		{"UNC_C_TOR_INSERTS:IRQ", "cha", {"cha", 0x3135, UINT64_C(0x3b) << 32}},
	},
};

const Mesh kIcx = {
	"icx",
	600,
	with_common({{0xe08, 4, 0xe, 18},
		     {0xf12, 4, 0xe, 16},
		     {0xb68, 4, 0xe, 6},
		     {0xa51, 5, 0x20, 3},
		     {0xae1, 5, 0x20, 3},
		     {0xa4b, 2, 0x20, 3},
		     {0xadb, 2, 0x20, 3},
		     {0xa41, 4, 0x20, 3},
		     {0xad1, 4, 0x20, 3},
		     {0xaa0, 8, 0x10, 3},
		     {0xb30, 8, 0x10, 3}}),
	{{0xa0, 1, 0, 1},
	 {0xd8, 4, 0, 1},
	 {0x318, 1, 0, 1},
	 {0x350, 8, 0, 1},
	 {0x438, 1, 0, 1},
	 {0x468, 8, 0, 1}},
	{
		{"UNC_CHA_CLOCKTICKS", "cha", {"cha", 0}},
		{"UNC_P_CLOCKTICKS", "pcu", {"pcu", 0}},
		{"UNC_IIO_CLOCKTICKS", "iio", {"iio", 1}},
		{"UNC_I_CLOCKTICKS", "irp", {"irp", 1}},
		{"UNC_M2P_CLOCKTICKS", "m2pcie", {"m2pcie", 1}},
		{"UNC_M2M_CLOCKTICKS", "m2m", {"m2m", 0}},
		{"UNC_UPI_CLOCKTICKS", "upi", {"upi", 1}},
		{"UNC_M3UPI_CLOCKTICKS", "m3upi", {"m3upi", 1}},
		{"UNC_M_CAS_COUNT:RD", "imc", {"imc", 0x0f04}},
		{"UNC_M_CAS_COUNT:WR", "imc", {"imc", 0x3004}},
		{"UNC_M2M_IMC_READS:ALL", "m2m", {"m2m", 0x700000437}},
		{"UNC_UPI_TXL_FLITS:ALL_DATA", "upi", {"upi", 0x0f02}},
		{"UNC_CHA_TOR_INSERTS:IA_MISS", "cha", {"cha", 0xc001fe00000135}},
		{"UNC_CHA_CLOCKTICKS:tf=8", "cha", {"cha", 0x80000, 8}},
		{"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8", "cha", {"cha", 0xc001fe00080135, 8}},
		{"UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART0", "iio", {"iio", 0x7001000000183}},
	},
};

const Mesh kKnl = {
	"knl",
	90,
	with_common({{0xe08, 4, 0xc, 38}}),
	{{0xd8, 4, 0, 1},
	 {0xf0, 2, 0, 1},
	 {0x420, 5, 0, 1},
	 {0x454, 1, 0, 1},
	 {0xa20, 5, 0, 1},
	 {0xa44, 1, 0, 1},
	 {0xb20, 5, 0, 1},
	 {0xb44, 1, 0, 1}},
	{
		{"UNC_H_U_CLOCKTICKS", "cha", {"cha", 0}},
		{"UNC_P_CLOCKTICKS", "pcu", {"pcu", 0}},
		{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", "pcu", {"pcu", 0x4080}},
		{"UNC_I_CLOCKTICKS", "irp", {"irp", 0}},
		{"UNC_M_U_CLOCKTICKS", "imc_uclk", {"imc_uclk", 0}},
		{"UNC_M_D_CLOCKTICKS", "imc", {"imc", 0}},
		{"UNC_E_U_CLOCKTICKS", "edc_uclk", {"edc_uclk", 0}},
		{"UNC_E_E_CLOCKTICKS", "edc_eclk", {"edc_eclk", 0}},
		{"UNC_M_CAS_COUNT:RD", "imc", {"imc", 0x0103}},
		{"UNC_E_RPQ_INSERTS", "edc_eclk", {"edc_eclk", 0x0101}},
		{"UNC_M2P_INGRESS_CYCLES_NE", "m2pcie", {"m2pcie", 0x8010}},
		{"UNC_H_TOR_INSERTS:IRQ_MISS", "cha", {"cha", 0x2135, UINT64_C(0x2b) << 32}},
		{"knl_unc_cha::RAW:config=0x2135:config1=0x4040000000000",
		 "cha",
		 {"cha", 0x2135, UINT64_C(0x202) << 41 | UINT64_C(0x23) << 32}},
	},
};

MeshMachine::MeshMachine(const Mesh &on, const std::string &options)
    : Stepped(on.name, options), mesh(on)
{
}

uint64_t MeshMachine::msr(uint32_t address, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
	return value;
}

std::vector<uint64_t> MeshMachine::controls()
{
	std::vector<uint64_t> all;

	if (msrs.empty())
		find_msrs();
	for (unsigned p = 0; p < machine().packages; p++)
		for (uint32_t address : msrs)
			all.push_back(msr(address, p));
	add_config(all);
	for (unsigned p = 0; mesh.name == "icx" && p < machine().packages; p++)
		add_channels(all, p);
	return all;
}

double MeshMachine::rate(const Truth &t, unsigned box, unsigned package)
{
	return sim_rate(sim, package, t.kind, box, t.control, t.filter);
}

double MeshMachine::total(const Known &k, uint64_t ns, int package)
{
	double sum = 0;

	for (const uncore_box_info &b : boxes(k.kind))
		if (!b.absent && (package < 0 || package == static_cast<int>(b.package)))
			sum += rate(k.truth, b.index, b.package) * static_cast<double>(ns) /
			       kSecond;
	return sum;
}

int64_t MeshMachine::count(const std::string &event, uint64_t ns)
{
	Set set(*this, {event});

	EXPECT_EQ(0, set.start()) << event << ": " << message();
	sim_advance(sim, ns);
	EXPECT_EQ(0, set.stop()) << event << ": " << message();
	return set.count();
}

bool MeshMachine::is_counter(uint32_t address) const
{
	for (const Span &s : mesh.counters)
		for (uint32_t b = 0; b < s.boxes; b++)
			if (address >= s.first + b * s.stride &&
			    address < s.first + b * s.stride + s.n)
				return true;
	return false;
}

void MeshMachine::find_msrs()
{
	uint64_t value;

	for (uint32_t a = 0x700; a < 0x1000; a++)
		if (!is_counter(a) && sim_msr_read(sim, 0, a, &value) == 0)
			msrs.push_back(a);
}

void MeshMachine::add_config(std::vector<uint64_t> &all)
{
	size_t n;
	const sim_pci *pci = sim_pci_devices(sim, &n);

	for (size_t i = 0; i < n; i++)
		for (const Span &s : mesh.config)
			for (uint32_t k = 0; k < s.n; k++) {
				uint64_t value = 0;

				sim_pci_read(sim, pci[i].segment, pci[i].bus, pci[i].devfn,
					     s.first + 4 * k, 32, &value);
				all.push_back(value);
			}
}

void MeshMachine::add_channels(std::vector<uint64_t> &all, unsigned package)
{
	for (uint64_t channel = 0; channel < 12; channel++)
		for (uint32_t offset : {0x0, 0x40, 0x44, 0x48, 0x4c, 0x54}) {
			const uint64_t base = (UINT64_C(0x1a0) + 5 * package) << 23;
			const uint64_t controller = (0x100 + 0x80 * (channel / 3)) << 12;
			uint64_t value = 0;

			EXPECT_EQ(0, sim_mmio_read(sim, package,
						   base + controller + 0x22800 +
							   0x4000 * (channel % 3) + offset,
						   32, &value));
			all.push_back(value);
		}
}

void expect_close(double expected, int64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 100 + 1e-9 * expected);
}

} // namespace support
