/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_rows.h - macros of the .def files: one line per event, followed by its umasks.
 *
 * A .def file is included in the initializer of each array of struct unc_row that has its rows.
 *
 *	EVENT(NAME, control bits, counters that may count it or 0, text)
 *	UMASK(NAME, additional control bits, text)        umasks may be combined
 *	ALONE(NAME, bits, text)                           excludes all others
 *	CHOICE(group, NAME, bits, config1, text)          excludes others of its group
 *	CHOICE_OF(group, NAME, config1, mask of the relevant part, text)
 *	CHOICE_AT(box, NAME, bits, text)                  group 0, in one box only
 *
 * An X before the macro's name: accepted, but not listed.  REGULAR after the text of EVENT,
 * UMASK or ALONE: in Intel's regular list (unc_platform_desc.regular_rows), not in the
 * experimental one.
 */
#ifndef UNC_EVENT_ROWS_H
#define UNC_EVENT_ROWS_H

#include "types.h"

/* clang-format off */
#define EVENT(name_, bits_, counters_, ...) \
	{.name = #name_, .bits = (bits_), .counters = (counters_), \
	 .text = __VA_ARGS__},
#define XEVENT(name_, bits_, counters_, ...) \
	{.name = #name_, .bits = (bits_), .counters = (counters_), .unlisted = true, \
	 .text = __VA_ARGS__},
#define UMASK(name_, bits_, ...) \
	{.name = #name_, .bits = (bits_), .umask = true, .text = __VA_ARGS__},
#define XUMASK(name_, bits_, ...) \
	{.name = #name_, .bits = (bits_), .umask = true, .unlisted = true, .text = __VA_ARGS__},
#define ALONE(name_, bits_, ...) \
	{.name = #name_, .bits = (bits_), .umask = true, .alone = true, \
	 .text = __VA_ARGS__},
#define XALONE(name_, bits_, ...) \
	{.name = #name_, .bits = (bits_), .umask = true, .alone = true, .unlisted = true, \
	 .text = __VA_ARGS__},
#define REGULAR			   .regular = UINT8_MAX
#define EXPERIMENTAL		   .regular = 0
#define REGULAR_ALONE(name_, bits_, text_) ALONE(name_, bits_, text_, REGULAR)
/* A umask of a group other than 0, with its own counters or filter value. */
#define UMASK_IN(group_, name_, bits_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .group = (group_)},
#define UMASK_ON(name_, bits_, counters_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .counters = (counters_)},
#define UMASK_WITH(name_, bits_, config1_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .config1 = (config1_)},
/* An event whose units do not follow from its name. */
#define EVENT_IN(unit_, name_, bits_, text_) \
	{.name = #name_, .text = text_, .unit = unit_, .bits = (bits_)},
#define EVENT_WITH(name_, bits_, config1_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .config1 = (config1_)},
#define CHOICE(group_, name_, bits_, config1_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .config1 = (config1_), \
	 .choice = true, .group = (group_)},
#define CHOICE_AT(box_, name_, bits_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .choice = true, \
	 .box = (box_) + 1},
#define CHOICE_OF(group_, name_, config1_, looks_at_, text_) \
	{.name = #name_, .text = text_, .umask = true, .config1 = (config1_), \
	 .looks_at = (looks_at_), .choice = true, .group = (group_)},
/* An event of libpfm4; the umasks that follow are missing there. */
#define MORE(name_, bits_) {.name = #name_, .text = "", .bits = (bits_)},
/* The same, and a complete event, in a table for several box types. */
#define MORE_OF(kind_, name_, bits_) \
	{.name = #name_, .text = "", .bits = (bits_), .kind = #kind_},
#define EVENT_OF(kind_, name_, bits_, counters_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .counters = (counters_), .kind = #kind_},
/* An event, or a umask that excludes all others, for CPUs of this or a later stepping. */
#define EVENT_SINCE(stepping_, name_, bits_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .stepping = (stepping_)},
#define SINCE(stepping_, name_, bits_, text_) \
	{.name = #name_, .text = text_, .bits = (bits_), .umask = true, .alone = true, \
	 .stepping = (stepping_)},
/*
 * A umask per port of a PCIe stack, from Sapphire Rapids on: bits 47:36 select the ports, 50:48
 * the flow classes (7: all).
 */
#define PART(kind_, name_, n_, bits_, text_) \
	kind_(name_##_PART##n_, 0x7ull << 48 | 1ull << (36 + (n_)) | (bits_), text_ ", port " #n_)
#define PARTS(kind_, name_, bits_, text_) \
	PART(kind_, name_, 0, bits_, text_) PART(kind_, name_, 1, bits_, text_) \
	PART(kind_, name_, 2, bits_, text_) PART(kind_, name_, 3, bits_, text_) \
	PART(kind_, name_, 4, bits_, text_) PART(kind_, name_, 5, bits_, text_) \
	PART(kind_, name_, 6, bits_, text_) PART(kind_, name_, 7, bits_, text_)
#define ROWS_END {.name = ""}
/* Rows of struct unc_alias, and lines of regular events, in separate files. */
#define ALIAS(event_, is_)		    {event_, false, false, "", is_},
#define UMASK_ALIAS(event_, umask_, is_)    {event_, true, false, umask_, is_},
#define REFUSED(event_, why_)		    {event_, false, true, "", why_},
#define UMASK_REFUSED(event_, umask_, why_) {event_, true, true, umask_, why_},
#define REGULAR_NAMES(event_, umasks_)	    #event_ " " umasks_ "\n"
#define ALIASES_END			    {"", false, false, "", ""}
/* clang-format on */

#endif
