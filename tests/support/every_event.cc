// SPDX-License-Identifier: BSD-3-Clause
#include "support/every_event.h"

#include "set/inside.h"

namespace support
{

std::vector<unsigned> listed(const Handle &h)
{
	std::vector<unsigned> ids;
	unsigned id = 0;

	for (unsigned i = 0; uncore_listed_event(h.u, i, &id) == 1; i++)
		ids.push_back(id);
	return ids;
}

std::vector<std::string> listed_names(const Handle &h)
{
	std::vector<std::string> names;

	for (unsigned id : listed(h))
		names.emplace_back(uncore_event_name(h.u, id));
	return names;
}

void count_each(const Handle &h, const std::vector<unsigned> &ids, unsigned *counting,
		const std::function<void()> &then)
{
	for (unsigned id : ids) {
		SCOPED_TRACE(uncore_event_name(h.u, id));
		{
			Set set(h);

			ASSERT_EQ(0, uncore_set_assign(set.set, &id, 1)) << h.message();
			ASSERT_EQ(0, set.start()) << h.message();
			sim_advance(unc_hw_sim(unc_hw_of(h.u)), kMillisecond);
			const int64_t running = set.count();
			EXPECT_GE(running, 0);
			ASSERT_EQ(0, set.stop()) << h.message();
			EXPECT_EQ(running, set.count());
			*counting += running > 0;
		}
		then();
		if (testing::Test::HasFailure())
			return;
	}
}

} // namespace support
