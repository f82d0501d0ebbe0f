/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    papi_uncore_presets.h
 * @ingroup papi_components
 * @brief   The component's presets, in the order of papi_uncore_std_event_defs.h.  PAPI 7.2 and
 *          later include it in papi_internal.c only.
 *
 * Each preset is the native event whose name follows "PAPI_".  presets.c adds it when the machine
 * has been opened, if the machine can count it.
 */
#ifndef PAPI_UNCORE_PRESETS_H
#define PAPI_UNCORE_PRESETS_H

#define UNCORE_PRESET(metric, brief, text, bits)                                    \
	{                                                                           \
		.symbol = "PAPI_" metric, .short_descr = brief, .long_descr = text, \
		.event_type = bits                                                  \
	}

hwi_presets_t _uncore_presets[PAPI_MAX_uncore_PRESETS] = {
	UNCORE_PRESET("UNCORE_MEM_READ_BYTES", "Memory bytes read",
		      "Bytes read from memory by all agents", PAPI_PRESET_BIT_MEM),
	UNCORE_PRESET("UNCORE_MEM_WRITE_BYTES", "Memory bytes written",
		      "Bytes written to memory by all agents", PAPI_PRESET_BIT_MEM),
	UNCORE_PRESET("UNCORE_MEM_BYTES", "Memory bytes",
		      "Bytes read from and written to memory by all agents", PAPI_PRESET_BIT_MEM),
	UNCORE_PRESET("UNCORE_LLC_LOOKUPS", "LLC lookups", "Lookups of the last-level cache",
		      PAPI_PRESET_BIT_CACH),
	UNCORE_PRESET("UNCORE_LLC_MISSES", "LLC misses",
		      "Requests that missed the last-level cache", PAPI_PRESET_BIT_CACH),
	UNCORE_PRESET("UNCORE_SOCKET_IN_BYTES", "Bytes from sockets",
		      "Data received from other sockets in bytes", PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_SOCKET_OUT_BYTES", "Bytes to sockets",
		      "Data sent to other sockets in bytes", PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_PCIE_READ_BYTES", "PCIe bytes read",
		      "Bytes that PCIe devices read from memory", PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_PCIE_WRITE_BYTES", "PCIe bytes written",
		      "Bytes that PCIe devices wrote to memory", PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_CLOCKTICKS", "Uncore cycles", "Cycles of the uncore clock",
		      PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_ENERGY_PACKAGE_UJ", "Package energy",
		      "Energy used by the packages in microjoules", PAPI_PRESET_BIT_MSC),
	UNCORE_PRESET("UNCORE_ENERGY_DRAM_UJ", "DRAM energy",
		      "Energy used by the memory in microjoules", PAPI_PRESET_BIT_MSC),
};

#undef UNCORE_PRESET

#endif
