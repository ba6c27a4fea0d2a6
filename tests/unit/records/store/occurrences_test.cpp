#include "records/store/import/occurrences.h"

#include <gmock/gmock.h>

#include <set>

namespace opbench {
namespace {

TEST(Occurrences, GiveEveryRepetitionAnIdentityOfItsOwn) {
  Occurrences occurrences(10);  // far too few: the table grows
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (uint64_t round = 0; round < 50; ++round) {
    std::vector<Id128> ids;
    for (uint64_t i = 1; i <= 1000; ++i) {
      ids.push_back({i * 0x9E3779B97F4A7C15U, i * 0xC2B2AE3D27D4EB4FU});
    }
    const std::vector<Id128> contents = ids;
    occurrences.number(ids);
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_TRUE(seen.insert({ids[i].high, ids[i].low}).second);
      EXPECT_EQ(ids[i], occurrence_id(contents[i], static_cast<int64_t>(round)));
    }
  }
}

}  // namespace
}  // namespace opbench
