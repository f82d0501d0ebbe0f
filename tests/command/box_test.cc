// SPDX-License-Identifier: BSD-3-Clause
// box_test.cc - names of boxes in texts for people: sockets, channels and links.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/box.h"
}

namespace
{

std::string with_places(const char *text)
{
	char *places = text_with_places(text);
	const std::string all = places;

	free(places);
	return all;
}

TEST(TextWithPlaces, CallsChannelsAndLinksByTheirNames)
{
	EXPECT_EQ("ha0, channels 0-3 of socket 0 not reached",
		  with_places("ha0, imc0-3 of package 0 not reached"));
	EXPECT_EQ("links 0-1, r3qpi0-1 of sockets 0-1; link 2 of socket 2",
		  with_places("qpi0-1, r3qpi0-1 of packages 0-1; qpi2 of package 2"));
	EXPECT_EQ("link 3: HBM channel 12, HBM channel 1, MCDRAM channels 0-7",
		  with_places("upi3: hbm12, mchbm1, edc_eclk0-7"));
	EXPECT_EQ("the socket's boxes", with_places("the package's boxes"));
}

TEST(TextWithPlaces, LeavesOtherWords)
{
	for (const char *text :
	     {"", "imc: clocks of all boxes", "m3upi0", "imc_free_running_0", "imc0x",
	      "UNC_M_CAS_COUNT:RD:box=0", "packaged", "cbo0", "imc-1", "qpi0_1", "unc_imc0"})
		EXPECT_EQ(text, with_places(text)) << text;
}

} // namespace
