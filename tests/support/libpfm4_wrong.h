/* SPDX-License-Identifier: BSD-3-Clause */
// libpfm4_wrong.h - for each platform of libpfm4: the size of its tables and their errors.
#ifndef SUPPORT_LIBPFM4_WRONG_H
#define SUPPORT_LIBPFM4_WRONG_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace support::libpfm4
{

/*
 * The values that libpfm4 has wrong: docs/reference/differences.md, except that
 * three PCU events of SNB-EP carry a umask in bits 9:8, which a PCU control does not
 * have (docs/hardware/snbep.md, "Controls").
 */
struct EventFix {
	const char *event;
	uint64_t clear, set;
};

struct UmaskFix {
	const char *event, *umask; // event: a pattern, with "@(A|B)"
	unsigned theirs, code;
	unsigned unless = 0; // libpfm4 is correct if one of these umask bits is set
	uint64_t set = 0;    // control bits in addition to the umask
};

struct Platform {
	std::string name;
	unsigned kinds, events; // events: at least
	std::vector<EventFix> event_fixes;
	std::vector<UmaskFix> umask_fixes;
	const char *tor = "UNC_C_TOR";            // _INSERTS, _OCCUPANCY
	unsigned tor_names = 20, modified = 2001; // minimum numbers of accepted names
	uint64_t tor_filter = 0;                  // filter bits of TOR events that libpfm4 lacks
	bool opcode_bit = true; // umask bit 0 of a TOR event enables the opcode match
	bool whole = false;     // unused fields of its filter match everything
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

extern const Platform kSnbep;

extern const Platform kIvbep;

extern const Platform kHswep;

extern const Platform kBdx;

/* UPI: the filter word is the upper half of the control (docs/hardware/skx.md, "Controls"). */
extern const Platform kSkx;

/*
 * libpfm4 has no modifiers for this platform, and some umasks contradict Intel's event list.
 * TOR events require bit 3 of FILTER1, to count all opcodes.
 */
extern const Platform kKnl;

} // namespace support::libpfm4

#endif
