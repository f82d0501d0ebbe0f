// SPDX-License-Identifier: BSD-3-Clause
#include "support/published_parts.h"

#include <cstring>
#include <stdexcept>

namespace support
{

const std::vector<Sku> kSkus = {
	{"Core i7-3820", 4, 4},
	{"Core i7-3930K", 6, 6}, // 12 MB, 2 MB a slice; also E5-1650, i7-4930K and E5-1650 v2
	{"E5-1607 0", 4, 4},
	{"E5-1620 0", 4, 4},
	{"E5-1650 0", 6, 6},
	{"E5-2407 0", 4, 4},
	{"E5-2420 0", 6, 6},
	{"E5-2430 0", 6, 6},
	{"E5-2450L 0", 8, 8},
	{"E5-2609 0", 4, 4},
	{"E5-2620 0", 6, 6},
	{"E5-2630L 0", 6, 6},
	{"E5-2640 0", 6, 6},
	{"E5-2650L 0", 8, 8},
	{"E5-2660 0", 8, 8},
	{"E5-2670 0", 8, 8},
	{"E5-2689 0", 8, 8},
	{"E5-2690 0", 8, 8},
	{"Core i7-4930K", 6, 6},
	{"E5-1650 v2", 6, 6},
	{"E5-2407 v2", 4, 4},
	{"E5-2420 v2", 6, 6},
	{"E5-2430 v2", 6, 6},
	{"E5-2430L v2", 6, 6},
	{"E5-2450 v2", 8, 8},
	{"E5-2620 v2", 6, 6},
	{"E5-2637 v2", 4, 6}, // 15 MB
	{"E5-2640 v2", 8, 8},
	{"E5-2650 v2", 8, 8},
	{"E5-2660 v2", 10, 10},
	{"E5-2680 v2", 10, 10},
	{"E5-2695 v2", 12, 12},
	{"Core i7-5820K", 6, 6},
	{"E5-1620 v3", 4, 4},
	{"E5-1650 v3", 6, 6},
	{"E5-2620 v3", 6, 6},
	{"E5-2623 v3", 4, 4},
	{"E5-2630 v3", 8, 8},
	{"E5-2630L v3", 8, 8},
	{"E5-2637 v3", 4, 6}, // 15 MB
	{"E5-2643 v3", 6, 8}, // 20 MB
	{"E5-2650 v3", 10, 10},
	{"E5-2650L v3", 12, 12},
	{"E5-2678 v3", 12, 12},
	{"E5-2697 v3", 14, 14},
	{"Core i7-6800K", 6, 6},
	{"Pentium D1508", 2, 2}, // 3 MB, 1.5 MB a slice; also Xeon D
	{"D-1518", 4, 4},
	{"D-1520", 4, 4},
	{"D-1521", 4, 4},
	{"D-1528", 6, 6},
	{"D-1537", 8, 8},
	{"D-1540", 8, 8},
	{"D-1541", 8, 8},
	{"E5-1620 v4", 4, 4},
	{"E5-1650 v4", 6, 6},
	{"E5-2620 v4", 8, 8},
	{"E5-2623 v4", 4, 4},
	{"E5-2630 v4", 10, 10},
	{"E5-2630L v4", 10, 10},
	{"E5-2640 v4", 10, 10},
	{"E5-2650 v4", 12, 12},
	{"E5-2660 v4", 14, 14},
	{"E5-2667 v4", 8, 10}, // 25 MB
	{"E5-2680 v4", 14, 14},
	{"E5-2683 v4", 16, 16},
	{"E5-2690 v4", 14, 14},
	// an engineering sample without published data: 20 MB
	{"Genuine Intel 0000", 8, 8},
	// Skylake-X and Cascade Lake-X: 1.375 MB a slice
	{"Core i9-9820X", 10, 12}, // 16.5 MB
	{"Core i9-9900X", 10, 14}, // 19.25 MB
	{"D-2123IT", 4, 6},        // 8.25 MB
	{"D-2141I", 8, 8},         // 11 MB
	{"D-2146NT", 8, 8},        // 11 MB
	{"D-2187NT", 16, 16},      // 22 MB
	{"Bronze 3104", 6, 6},     // 8.25 MB
	{"Bronze 3204", 6, 6},     // 8.25 MB
	{"Silver 4114", 10, 10},   // 13.75 MB
	{"Silver 4116", 12, 12},   // 16.5 MB
	{"Silver 4208", 8, 8},     // 11 MB
	{"Silver 4210", 10, 10},   // 13.75 MB
	{"Silver 4214", 12, 12},   // 16.5 MB
};

const Sku &sku_of(const std::string &cpu)
{
	for (const Sku &s : kSkus)
		if (cpu.find(std::string(s.name) + " @") != std::string::npos)
			return s;
	throw std::runtime_error("no published data of " + cpu);
}

const std::vector<Dump> kDumps = {
	// engineering sample of an E5-2600: 20 MB, 2.5 MB a slice
	{"GenuineIntel00206D5_SandyBridgeEP_CPUID.txt", "snbep", 2, 8, 32, 8},
	// X7560: 24 MB of 3
	{"GenuineIntel00206E6_Beckton_CPUID2.txt", "nhmex", 2, 8, 32, 8},
	// E7-4870: 30 MB of 3
	{"GenuineIntel00206F2_Eagleton_CPUID.txt", "wsmex", 4, 10, 80, 10},
	// i7-4930K: 12 MB of 2
	{"GenuineIntel00306E4_IvyBridgeE_CPUID.txt", "ivbep", 1, 6, 12, 6},
	// E5-2630 v3: 20 MB of 2.5
	{"GenuineIntel00306F2_HaswellEP_00_CPUID.txt", "hswep", 1, 8, 16, 8},
	// engineering sample, 14 cores: 35 MB of 2.5
	{"GenuineIntel00306F2_HaswellEP_01_CPUID.txt", "hswep", 1, 14, 28, 14},
	// i7-6900K: 20 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_01_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2620 v4: 20 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_02_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2697 v4: 45 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_CPUID4.txt", "bdx", 2, 18, 72, 18},
	// i7-6950X: 25 MB of 2.5
	{"GenuineIntel00406F1_BroadwellE_CPUID5.txt", "bdx", 1, 10, 20, 10},
	// D-1540: 12 MB of 1.5
	{"GenuineIntel0050662_BroadwellDE_CPUID.txt", "bdx", 1, 8, 16, 8},
	// E5-2650L v4: 35 MB of 2.5
	{"Intel-Broadwell-2xXeon-E5-2650Lv4.tar.bz2", "bdx", 2, 14, 56, 14},
	// E5-2680 v3: 30 MB of 2.5, Cluster-on-Die, a thread a core
	{"Intel-Haswell-2xXeon-E5-2680v3.tar.bz2", "hswep", 2, 12, 24, 12},
	// i7-7800X: 8.25 MB of 1.375
	{"GenuineIntel0050654_SkylakeX_CPUID2.txt", "skx", 1, 6, 12, 6},
	// Platinum 8160: 33 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_20_CPUID.txt", "skx", 2, 24, 96, 24},
	// Gold 6154: 24.75 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_CPUID.txt", "skx", 1, 18, 36, 18},
	// Silver 4108: 11 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_CPUID8.txt", "skx", 2, 8, 32, 8},
	// Jintide C2460, a Platinum 8160: 33 MB of 1.375
	{"GenuineIntel0050654_SkylakeXeon_Jintide_CPUID1.txt", "skx", 2, 24, 96, 24},
	// Gold 6140: 24.75 MB of 1.375
	{"Intel-Skylake-2xXeon6140.tar.bz2", "skx", 2, 18, 72, 18},
	// i9-10980XE: 24.75 MB of 1.375
	{"GenuineIntel0050657_CascadeLakeX_CPUID1.txt", "skx", 1, 18, 36, 18},
	// Platinum 8280: 38.5 MB of 1.375
	{"GenuineIntel0050657_CascadeLakeXeon_CPUID.txt", "skx", 1, 28, 56, 28},
	// Xeon Phi: no L3
	{"GenuineIntel0050671_KnightsLanding_CPUID.txt", "knl", 1, 64, 256, 0},
	{"GenuineIntel0050671_KnightsLanding_CPUID2.txt", "knl", 1, 72, 288, 0},
	{"Intel-KnightsLanding-XeonPhi-7210.tar.bz2", "knl", 1, 64, 256, 0},
	// Gold 6330: 42 MB of 1.5
	{"GenuineIntel00606A6_ICX_CPUID2.txt", "icx", 2, 28, 112, 28},
	// Platinum 8351N: 54 MB of 1.5
	{"GenuineIntel00606A6_ICX_CPUID3.txt", "icx", 1, 36, 72, 36},
	// w7-2475X: 37.5 MB of 1.875
	{"GenuineIntel00806F8_SapphireRapids_05_CPUID.txt", "spr", 1, 20, 40, 20},
	// w9-3475X: 82.5 MB of 1.875
	{"GenuineIntel00806F8_SapphireRapids_06_CPUID.txt", "spr", 1, 36, 72, 44},
	// Max 9460: 97.5 MB of 1.875
	{"Intel-SapphireRapids-2xXeonMax9460.tar.bz2", "spr", 2, 40, 160, 52},
	// Gold 5520+: 52.5 MB of 1.875
	{"GenuineIntel00C06F2_EmeraldRapids_01_CPUID.txt", "emr", 2, 28, 112, 28},
	// Xeon 658X: 144 MB of 2
	{"GenuineIntel00A06D1_GraniteRapids_03_CPUID.txt", "gnr", 1, 24, 48, 72},
	// unsupported: QEMU, Clovertown, Knights Corner, Nehalem-EP, Dunnington, Raptor Lake,
	// Westmere-EP
	{"Intel-CPUID.1F-Qemu-2p3d3c2t.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Core-2xXeon-E5345.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-KnightsCorner-XeonPhi-SE10P.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Nehalem-2xXeon-X5550.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Penryn-4xXeon-X7460.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-RaptorLake-Corei7-1370P.tar.bz2", "", 0, 0, 0, 0},
	{"Intel-Westmere-2xXeon-X5650.tar.bz2", "", 0, 0, 0, 0},
};

const Dump &dump_of(const std::string &source)
{
	for (const Dump &d : kDumps)
		if (source.size() > strlen(d.file) &&
		    source.compare(source.size() - strlen(d.file), std::string::npos, d.file) == 0)
			return d;
	throw std::runtime_error("no published data of " + source);
}

} // namespace support
