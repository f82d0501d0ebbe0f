/* SPDX-License-Identifier: BSD-3-Clause */
// mesh_machine.h - simulated machines with a mesh (skx, knl, icx): their registers as in
// docs/hardware/, and the true counts of their boxes.
#ifndef SUPPORT_MESH_MACHINE_H
#define SUPPORT_MESH_MACHINE_H

#include <ostream>

#include "support/sim_machine.h"

namespace support
{

// n consecutive registers from first on, in each of the boxes.
struct Span {
	uint32_t first, n, stride, boxes;
};

// An event, its box type in the library, and its truth.
struct Known {
	const char *event, *kind;
	Truth truth;
};

struct Mesh {
	std::string name;
	unsigned events;            // minimum number of listed events
	std::vector<Span> counters; // MSRs that change while counting or by a reset
	std::vector<Span> config;   // offsets of controls; stride and boxes unused
	std::vector<Known> known;
};

std::ostream &operator<<(std::ostream &out, const Mesh &mesh);

// The U-Box and the PCU are the same on all three.
std::vector<Span> with_common(std::vector<Span> spans);

// Codes as in Intel's event list. FILTER1 0x3b matches everything.
extern const Mesh kSkx;

// Codes as in Intel's event list.
extern const Mesh kIcx;

// libpfm4's codes. FILTER1 0x2b matches everything.
extern const Mesh kKnl;

class MeshMachine : public Stepped
{
      public:
	MeshMachine(const Mesh &on, const std::string &options);

	uint64_t msr(uint32_t address, unsigned package = 0);
	// All control registers: existing MSRs, config space, memory channels of icx.
	std::vector<uint64_t> controls();
	double rate(const Truth &t, unsigned box, unsigned package);
	// The sum over the existing boxes of a type, while the clock advanced from 0 to ns.
	double total(const Known &k, uint64_t ns, int package = -1);
	int64_t count(const std::string &event, uint64_t ns = kSecond);

      private:
	bool is_counter(uint32_t address) const;
	void find_msrs();
	void add_config(std::vector<uint64_t> &all);
	// Uses the addresses that device 3451 of the simulated machine reports: see
	// docs/hardware/icx.md, "Registers".
	void add_channels(std::vector<uint64_t> &all, unsigned package);

	const Mesh &mesh;
	std::vector<uint32_t> msrs;
};

// Each box rounds its count down once, and the simulated machine rounds rates.
void expect_close(double expected, int64_t actual);

} // namespace support

#endif
