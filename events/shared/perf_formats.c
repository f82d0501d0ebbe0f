/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_formats.c - the formats and aliases of the PMUs of Linux's uncore driver. */
#include "shared/perf_formats.h"

#include <stddef.h>

/* clang-format off */
#define CODE     "event=0-7 "
#define UMASK    "event=0-7 umask=8-15 "
#define LONG_8   "event=0-7 umask=8-15,32-39 "
#define LONG_24  "event=0-7 umask=8-15,32-55 "
#define LONG_32  "event=0-7 umask=8-15,32-63 "
#define EDGE     "edge=18 "
#define TID      "tid_en=19 "
#define INV      "inv=23 "
#define THRESH   "thresh=24-31 "
#define THRESH5  "thresh=24-28 "
#define PLAIN    UMASK EDGE INV THRESH

#define BANDS    "filter_band0=1:0-7 filter_band1=1:8-15 filter_band2=1:16-23 filter_band3=1:24-31 "
/* The driver's file says 14-51 for occ_edge; the bit is 31. */
#define OCC      "occ_sel=14-15 occ_invert=30 occ_edge=31 "
#define NC_C6    "filter_nc=1:62 filter_c6=1:61 filter_isoc=1:63 "
#define QPI_SIDE(side, word) \
	side "_rds=" word "48-51 " side "_rnid30=" word "32-35 " side "_rnid4=" word "31 " \
	side "_dnid=" word "13-17 " side "_mc=" word "9-12 " side "_opc=" word "5-8 " \
	side "_vnw=" word "3-4 " side "0=" word "0-31 " side "1=" word "32-63 "
#define QPI      "event=0-7,21 umask=8-15 " EDGE THRESH QPI_SIDE("match", "1:") QPI_SIDE("mask", "2:")
#define MATCH    "match=1:0-63 mask=2:0-63 "
#define SKX_CHA \
	TID EDGE INV THRESH "filter_tid=1:0-8 filter_state=1:17-26 filter_rem=1:32 filter_loc=1:33 " \
	"filter_nm=1:36 filter_all_op=1:35 filter_not_nm=1:37 filter_opc0=1:41-50 " \
	"filter_opc1=1:51-60 filter_nc=1:62 filter_isoc=1:63 "
#define DMR_PCIE \
	PLAIN "thresh_ext=32-35 rs3_sel=36 rx_sel=37 tx_sel=38 iep_sel=39 vc_sel=40-47 port_sel=48-55 "
#define EX       " nhmex wsmex "
#define MESH     " spr emr gnr srf cwf "
#define FREE     " iio_free_running imc_free_running "

const struct unc_perf_format unc_perf_formats[] = {
	{"", FREE, UMASK},
	{EX, " ubox ", CODE EDGE},
	{EX, " bbox ", "event=1-5 counter=6-7 " MATCH},
	{EX, " sbox ", PLAIN MATCH},
	{EX, " mbox ",
	 "count_mode=2-3 storage_mode=4-5 wrap_mode=6 flag_mode=7 inc_sel=9-13 set_flag_sel=19-21 "
	 "filter_cfg_en=2:63 filter_match=2:0-33 filter_mask=2:34-61 dsp=1:0-31 thr=1:0-31 "
	 "fvc=1:0-31 pgt=1:0-31 map=1:0-31 iss=1:0-31 pld=1:32-63 "},
	{EX, " rbox ",
	 "event=1-5 xbr_mm_cfg=32-63 xbr_match=1:0-63 xbr_mask=2:0-63 qlx_cfg=1:0-15 iperf_cfg=1:0-31 "},
	{" snbep ivbep bdx skx icx ", " ubox ", UMASK EDGE INV THRESH5},
	{" hswep ", " ubox ", UMASK EDGE INV THRESH5 "filter_tid=1:0 filter_cid=1:5 "},
	{" knl ", " ubox ", UMASK TID EDGE INV THRESH5},
	{" snbep ", " cbox ",
	 PLAIN TID "filter_tid=1:0-4 filter_nid=1:10-17 filter_state=1:18-22 filter_opc=1:23-31 "},
	{" ivbep ", " cbox ",
	 UMASK EDGE TID THRESH "filter_tid=1:0-4 filter_link=1:5-8 filter_state=1:17-22 "
	 "filter_nid=1:32-47 filter_opc=1:52-60 " NC_C6},
	{" hswep bdx ", " cbox ",
	 UMASK EDGE TID THRESH "filter_tid=1:0-5 filter_link=1:6-8 filter_state=1:17-23 "
	 "filter_nid=1:32-47 filter_opc=1:52-60 " NC_C6},
	{" hswep bdx ", " sbox ", PLAIN TID},
	{" snbep hswep bdx ", " pcu ", CODE OCC EDGE INV THRESH5 BANDS},
	{" ivbep ", " pcu ", CODE OCC EDGE THRESH5 BANDS},
	/* the driver's file says 24-31 for thresh; bits 30 and 31 are the other two fields */
	{" skx icx ", " pcu ", UMASK EDGE INV THRESH5 "occ_invert=30 occ_edge_det=31 " BANDS},
	{" knl ", " pcu ",
	 "event=0-6 use_occ_ctr=7 occ_sel=14-15 edge=18 tid_en=19 inv=23 thresh=24-29 occ_invert=30 "
	 "occ_edge_det=31 "},
	{" snbep hswep bdx ", " qpi ", INV QPI},
	{" ivbep ", " qpi ", QPI},
	{" knl ", " cha ",
	 PLAIN TID "qor=16 filter_tid=1:0-8 filter_link=1:12 filter_state=1:18-20 filter_local=1:33 "
	 "filter_all_op=1:35 filter_nnm=1:37 filter_opc=1:41-60 filter_nc=1:62 filter_isoc=1:63 "},
	{" knl ", " irp ", PLAIN "qor=16 "},
	{" skx ", " cha ", UMASK SKX_CHA},
	{" icx ", " cha ", "event=0-7 umask=8-15,32-57 " TID EDGE INV THRESH "filter_tid=1:0-9 "},
	{MESH, " cha ", LONG_32 "tid_en=16 " EDGE INV THRESH "filter_tid=1:0-9 "},
	{" skx ", " iio ", UMASK EDGE INV "thresh=24-35 ch_mask=36-43 fc_mask=44-46 "},
	{" icx spr emr gnr srf cwf ", " iio ",
	 UMASK EDGE INV "thresh=24-35 ch_mask=36-47 fc_mask=48-50 "},
	{" skx ", " upi ", "event=0-7 umask=8-15,32-43,45-55 " EDGE INV THRESH},
	{" icx ", " upi ", LONG_24 EDGE INV THRESH},
	{" icx ", " m2m ", LONG_8 EDGE INV THRESH},
	{MESH,
	 " irp m2pcie imc m2m mdf cxlcm cxldp hbm upi m3upi b2cmi b2cxl b2upi pciex16 pciex8 ",
	 LONG_24 EDGE INV THRESH},
	{" dmr ", " imc ", UMASK EDGE INV "thresh=23-32 "},
	{" dmr ", " sca hamvf cbo ula dda sbo ubr cpc itc otc ", LONG_32 EDGE INV THRESH},
	{" dmr ", " cxlcm ", UMASK EDGE "inv=21 thresh=23-31 port_en=32-35 "},
	{" dmr ", " pcie4 pcie6 ", DMR_PCIE},
	{"", "", PLAIN},
};

#define IMC(read, write) "cas_count_read:" read " cas_count_write:" write " "
#define FREE_AT(name, umask) name ":event=0xff,umask=" umask " "
#define PORTS4(name, umask) \
	FREE_AT(name "0", umask "0") FREE_AT(name "1", umask "1") \
	FREE_AT(name "2", umask "2") FREE_AT(name "3", umask "3")
#define PORTS8(name, umask) \
	PORTS4(name, umask) \
	FREE_AT(name "4", umask "4") FREE_AT(name "5", umask "5") \
	FREE_AT(name "6", umask "6") FREE_AT(name "7", umask "7")

const struct unc_perf_alias unc_perf_aliases[] = {
	{" snbep ivbep ", " imc ",
	 "clockticks:event=0xff,umask=0x00 " IMC("event=0x04,umask=0x03", "event=0x04,umask=0x0c")},
	{" hswep bdx skx ", " imc ",
	 "clockticks:event=0x00,umask=0x00 " IMC("event=0x04,umask=0x03", "event=0x04,umask=0x0c")},
	{" icx ", " imc ",
	 "clockticks:event=0x00,umask=0x00 " IMC("event=0x04,umask=0x0f", "event=0x04,umask=0x30")},
	{" spr emr ", " imc ",
	 "clockticks:event=0x01,umask=0x00 " IMC("event=0x05,umask=0xcf", "event=0x05,umask=0xf0")},
	{" gnr srf cwf ", " imc ",
	 "clockticks:event=0x01,umask=0x00 "
	 "cas_count_read_sch0:event=0x05,umask=0xcf cas_count_read_sch1:event=0x06,umask=0xcf "
	 "cas_count_write_sch0:event=0x05,umask=0xf0 cas_count_write_sch1:event=0x06,umask=0xf0 "},
	{" snbep ", " qpi ",
	 "clockticks:event=0x14 txl_flits_active:event=0x00,umask=0x06 "
	 "drs_data:event=0x102,umask=0x08 ncb_data:event=0x103,umask=0x04 "},
	{" skx ", " iio_free_running ",
	 FREE_AT("ioclk", "0x10") PORTS4("bw_in_port", "0x2")
	 FREE_AT("bw_out_port0", "0x24") FREE_AT("bw_out_port1", "0x25")
	 FREE_AT("bw_out_port2", "0x26") FREE_AT("bw_out_port3", "0x27")
	 FREE_AT("util_in_port0", "0x30") FREE_AT("util_out_port0", "0x31")
	 FREE_AT("util_in_port1", "0x32") FREE_AT("util_out_port1", "0x33")
	 FREE_AT("util_in_port2", "0x34") FREE_AT("util_out_port2", "0x35")
	 FREE_AT("util_in_port3", "0x36") FREE_AT("util_out_port3", "0x37")},
	{" icx spr emr gnr srf cwf ", " iio_free_running ",
	 FREE_AT("ioclk", "0x10") PORTS8("bw_in_port", "0x2")},
	{" dmr ", " iio_free_running ",
	 PORTS8("inb_data_port", "0x1") PORTS8("bw_in_port", "0x2") PORTS8("bw_out_port", "0x3")
	 FREE_AT("clockticks", "0x40")},
	{" icx ", " imc_free_running ",
	 FREE_AT("dclk", "0x10") FREE_AT("read", "0x20") FREE_AT("write", "0x21")
	 FREE_AT("ddrt_read", "0x30") FREE_AT("ddrt_write", "0x31")},
	{" spr emr ", " imc_free_running ",
	 FREE_AT("dclk", "0x10") FREE_AT("rpq_cycles", "0x20") FREE_AT("wpq_cycles", "0x21")},
	{EX, " wbox ", "clockticks:event=0xff,umask=0 "},
	{" nhmex ", " mbox ",
	 "bbox_cmds_read:inc_sel=0xd,fvc=0x2800 bbox_cmds_write:inc_sel=0xd,fvc=0x2820 "},
	{" wsmex ", " mbox ",
	 "bbox_cmds_read:inc_sel=0xd,fvc=0x5000 bbox_cmds_write:inc_sel=0xd,fvc=0x5040 "},
	/* "filt" and "date" are spelled as in the driver */
	{EX, " rbox ",
	 "qpi0_flit_send:event=0x0,iperf_cfg=0x80000000 qpi1_filt_send:event=0x6,iperf_cfg=0x80000000 "
	 "qpi0_idle_filt:event=0x0,iperf_cfg=0x40000000 qpi1_idle_filt:event=0x6,iperf_cfg=0x40000000 "
	 "qpi0_date_response:event=0x0,iperf_cfg=0xc4 qpi1_date_response:event=0x6,iperf_cfg=0xc4 "},
	{"", "", ""},
};
/* clang-format on */
