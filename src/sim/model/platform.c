/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.c - shared by several platforms.
 */
#include "sim/model/platform.h"

const struct sim_dword sim_qpi_match[4] = {
	{0x228, 0x8003fff8},
	{0x22c, 0x000f000f},
	{0x238, 0x8003fff8},
	{0x23c, 0x000f000f},
};

const struct sim_dword sim_ha_match[3] = {
	{0x40, 0xffffffc0},
	{0x44, 0x00003fff},
	{0x48, 0x0000003f},
};

const struct sim_pci sim_others[3] = {
	{.bus = 0, .devfn = DEVFN(0, 0), .vendor = 0x8086, .device = 0x3c00}, /* DMI2 port */
	{.bus = 2, .devfn = DEVFN(0, 0), .vendor = 0x8086, .device = 0x1521}, /* network */
	{.bus = 4, .devfn = DEVFN(0, 0), .vendor = 0x1000, .device = 0x0072}, /* storage */
};
