// SPDX-License-Identifier: BSD-3-Clause
#include "support/perf_tree.h"

#include <sstream>

namespace support
{

const std::map<std::string, std::string> kPerfFormats = {
	{"plain", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-31"},
	{"ubox", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-28"},
	{"hswep_ubox", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-28 filter_tid=config1:0 "
		       "filter_cid=config1:5"},
	{"snbep_cbox", "event=0-7 umask=8-15 edge=18 tid_en=19 inv=23 thresh=24-31 "
		       "filter_tid=config1:0-4 filter_nid=config1:10-17 "
		       "filter_state=config1:18-22 filter_opc=config1:23-31"},
	{"ivbep_cbox",
	 "event=0-7 umask=8-15 edge=18 tid_en=19 thresh=24-31 filter_tid=config1:0-4 "
	 "filter_link=config1:5-8 filter_state=config1:17-22 filter_nid=config1:32-47 "
	 "filter_opc=config1:52-60 filter_nc=config1:62 filter_c6=config1:61 "
	 "filter_isoc=config1:63"},
	{"hswep_cbox",
	 "event=0-7 umask=8-15 edge=18 tid_en=19 thresh=24-31 filter_tid=config1:0-5 "
	 "filter_link=config1:6-8 filter_state=config1:17-23 filter_nid=config1:32-47 "
	 "filter_opc=config1:52-60 filter_nc=config1:62 filter_c6=config1:61 "
	 "filter_isoc=config1:63"},
	{"hswep_sbox", "event=0-7 umask=8-15 edge=18 tid_en=19 inv=23 thresh=24-31"},
	{"pcu", "event=0-7 occ_sel=14-15 edge=18 inv=23 thresh=24-28 occ_invert=30 occ_edge=14-51 "
		"filter_band0=config1:0-7 filter_band1=config1:8-15 filter_band2=config1:16-23 "
		"filter_band3=config1:24-31"},
	{"skx_pcu",
	 "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-31 occ_invert=30 occ_edge_det=31 "
	 "filter_band0=config1:0-7 filter_band1=config1:8-15 filter_band2=config1:16-23 "
	 "filter_band3=config1:24-31"},
	{"qpi", "event=0-7,21 umask=8-15 edge=18 inv=23 thresh=24-31 match_rds=config1:48-51 "
		"match0=config1:0-31 match1=config1:32-63 mask0=config2:0-31 mask1=config2:32-63"},
	{"skx_cha", "event=0-7 umask=8-15 edge=18 tid_en=19 inv=23 thresh=24-31 "
		    "filter_tid=config1:0-8 filter_state=config1:17-26 filter_rem=config1:32 "
		    "filter_loc=config1:33 filter_nm=config1:36 filter_all_op=config1:35 "
		    "filter_not_nm=config1:37 filter_opc0=config1:41-50 filter_opc1=config1:51-60 "
		    "filter_nc=config1:62 filter_isoc=config1:63"},
	{"skx_iio", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-35 ch_mask=36-43 fc_mask=44-46"},
	{"icx_cha", "event=0-7 umask=8-15,32-57 edge=18 tid_en=19 inv=23 thresh=24-31 "
		    "filter_tid=config1:0-9"},
	{"icx_iio", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-35 ch_mask=36-47 fc_mask=48-50"},
	{"icx_m2m", "event=0-7 umask=8-15,32-39 edge=18 inv=23 thresh=24-31"},
	{"umask24", "event=0-7 umask=8-15,32-55 edge=18 inv=23 thresh=24-31"},
	{"spr_cha", "event=0-7 umask=8-15,32-63 tid_en=16 edge=18 inv=23 thresh=24-31 "
		    "filter_tid=config1:0-9"},
	{"skx_upi", "event=0-7 umask=8-15,32-43,45-55 edge=18 inv=23 thresh=24-31"},
	{"free", "event=0-7 umask=8-15"},
	{"nhmex_ubox", "event=0-7 edge=18"},
	{"nhmex_bbox", "event=1-5 counter=6-7 match=config1:0-63 mask=config2:0-63"},
	{"nhmex_sbox", "event=0-7 umask=8-15 edge=18 inv=23 thresh=24-31 match=config1:0-63 "
		       "mask=config2:0-63"},
	{"nhmex_mbox", "count_mode=2-3 storage_mode=4-5 wrap_mode=6 flag_mode=7 inc_sel=9-13 "
		       "set_flag_sel=19-21 filter_cfg_en=config2:63 filter_match=config2:0-33 "
		       "filter_mask=config2:34-61 dsp=config1:0-31 pld=config1:32-63"},
	{"nhmex_rbox", "event=1-5 xbr_mm_cfg=32-63 xbr_match=config1:0-63 xbr_mask=config2:0-63"},
};

const std::map<std::string, std::vector<PerfPmu>> kPerfPmus = {
	{"snbep",
	 {{"cbox", 8, "snbep_cbox"},
	  {"ubox", 1, "ubox"},
	  {"pcu", 1, "pcu"},
	  {"ha", 1, "plain"},
	  {"imc", 4, "plain"},
	  {"qpi", 2, "qpi"},
	  {"r2pcie", 1, "plain"},
	  {"r3qpi", 2, "plain"}}},
	{"ivbep",
	 {{"cbox", 15, "ivbep_cbox"}, {"ubox", 1, "ubox"}, {"pcu", 1, "pcu"}, {"irp", 1, "plain"}}},
	{"hswep",
	 {{"cbox", 18, "hswep_cbox"},
	  {"sbox", 4, "hswep_sbox"},
	  {"ubox", 1, "hswep_ubox"},
	  {"pcu", 1, "pcu"},
	  {"ha", 2, "plain"}}},
	{"bdx",
	 {{"cbox", 24, "hswep_cbox"},
	  {"sbox", 4, "hswep_sbox"},
	  {"ubox", 1, "ubox"},
	  {"pcu", 1, "pcu"}}},
	{"skx",
	 {{"cha", 28, "skx_cha"},
	  {"iio", 6, "skx_iio"},
	  {"iio_free_running", 6, "free"},
	  {"irp", 6, "plain"},
	  {"ubox", 1, "ubox"},
	  {"pcu", 1, "skx_pcu"},
	  {"upi", 3, "skx_upi"}}},
	{"icx",
	 {{"cha", 40, "icx_cha"},
	  {"iio", 6, "icx_iio"},
	  {"iio_free_running", 6, "free"},
	  {"irp", 6, "plain"},
	  {"m2pcie", 6, "plain"},
	  {"m2m", 4, "icx_m2m"},
	  {"imc", 12, "plain"},
	  {"imc_free_running", 4, "free"},
	  {"ubox", 1, "ubox"},
	  {"pcu", 1, "skx_pcu"}}},
	{"spr",
	 {{"cha", 8, "spr_cha"},
	  {"imc", 8, "umask24"},
	  {"upi", 4, "umask24"},
	  {"pcu", 1, "plain"},
	  {"type_5", 1, "plain"}}},
	{"nhmex",
	 {{"ubox", 1, "nhmex_ubox"},
	  {"cbox", 8, "plain"},
	  {"bbox", 2, "nhmex_bbox"},
	  {"sbox", 2, "nhmex_sbox"},
	  {"mbox", 2, "nhmex_mbox"},
	  {"rbox", 2, "nhmex_rbox"},
	  {"wbox", 1, "plain"}}},
};

void write_pmu(Tree &tree, const std::string &pmu, unsigned type, const std::string &format,
	       const std::string &cpumask)
{
	std::istringstream fields(format);

	tree.write(kPerfDevices + pmu + "/type", std::to_string(type) + "\n");
	tree.write(kPerfDevices + pmu + "/cpumask", cpumask + "\n");
	for (std::string field; fields >> field;) {
		const size_t equals = field.find('=');
		const std::string bits = field.substr(equals + 1);

		tree.write(kPerfDevices + pmu + "/format/" + field.substr(0, equals),
			   (bits.find(':') == bits.npos ? "config:" : "") + bits + "\n");
	}
}

void write_pmus(Tree &tree, const std::string &platform, const std::string &cpumask)
{
	unsigned type = 10;

	for (const PerfPmu &pmu : kPerfPmus.at(platform))
		for (unsigned i = 0; i < pmu.boxes; i++)
			write_pmu(tree,
				  "uncore_" + pmu.name +
					  (pmu.boxes > 1 ? "_" + std::to_string(i) : ""),
				  type++, kPerfFormats.at(pmu.format), cpumask);
}

} // namespace support
