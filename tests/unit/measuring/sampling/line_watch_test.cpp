#include "measuring/sampling/line_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/system/monotonic_clock.h"
#include "machine/ceilings/line_time.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// CPUs 0 and 1 share a cache, 2 and 3 another.
Topology two_caches() {
  Topology topology;
  for (const int first : {0, 2}) {
    topology.caches.push_back({.level = 3, .bytes = 32 << 20, .cpus = {first, first + 1}});
  }
  return topology;
}

/// What is said after one look a second, each of which took so long.
std::string warning_after(const std::vector<double>& ns) {
  size_t next = 0;
  LineWatch watch(two_caches(), {0, 1}, [&](int, int) { return ns[next++]; });
  for (size_t i = 0; i < ns.size(); ++i) watch.look(Seconds(static_cast<double>(i)));
  EXPECT_EQ(next, ns.size());
  return watch.warning();
}

TEST(LineWatch, SaysHowOftenAndHowFarTheCpusLayApart) {
  EXPECT_EQ(warning_after({29, 171, 28, 170, 172, 30}),
            "CPUs 0-1 share a cache by the machine's word, but in 3 of 6 looks a cache line took "
            "171 ns between them and 29 ns in the others: their cores lay apart then, which slows "
            "threads that exchange data");
  EXPECT_THAT(warning_after({170, 170, 170}),
              HasSubstr("in 3 of 3 looks a cache line took 170 ns between them: "));
}

TEST(LineWatch, SaysNothingOfCpusThatAreNear) {
  EXPECT_THAT(warning_after({}), IsEmpty());
  EXPECT_THAT(warning_after({29, 30, 65, 99}), IsEmpty());
}

TEST(LineWatch, SaysNothingOfALookOrTwoAmongMany) {
  EXPECT_THAT(warning_after({29, 29, 400}), IsEmpty());
  std::vector<double> ns(50, 29);
  ns[3] = ns[7] = 170;
  EXPECT_THAT(warning_after(ns), IsEmpty());
}

TEST(LineWatch, LooksFourTimesASecondAtMost) {
  int looks = 0;
  LineWatch watch(two_caches(), {0, 1}, [&](int, int) { return ++looks; });
  for (int i = 0; i < 1000; ++i) watch.look(Seconds(i * 0.001));
  EXPECT_EQ(looks, 4);
}

TEST(LineWatch, LooksAtThoseThatShareACacheWithTheFirst) {
  Topology topology = two_caches();
  topology.caches.front().cpus = {0, 1, 4};
  std::set<std::pair<int, int>> seen;
  LineWatch watch(topology, {0, 1, 2, 3, 4}, [&](int first, int second) {
    seen.insert({first, second});
    return 30;
  });
  for (int i = 0; i < 10; ++i) watch.look(Seconds(i));
  EXPECT_EQ(seen, (std::set<std::pair<int, int>>{{0, 1}, {0, 4}}));
}

TEST(LineWatch, LooksAtNothingWhereNoCacheIsShared) {
  for (const std::vector<int>& cpus : {std::vector<int>{}, {0}, {1, 2}}) {
    LineWatch watch(two_caches(), cpus, [](int, int) -> double {
      ADD_FAILURE() << "looked";
      return 0;
    });
    watch.look(Seconds(1));
    EXPECT_THAT(watch.warning(), IsEmpty());
  }
}

TEST(LineTime, IsThatOfAFewCacheMissesBetweenTwoCpus) {
  const std::vector<int> cpus = current_affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  // Beside busy programs the two threads seldom run at the same time.
  std::optional<double> ns;
  const double end = monotonic_s() + 120;
  while (!ns && monotonic_s() < end) ns = line_time_ns(cpus[0], cpus[1]);
  ASSERT_TRUE(ns);
  EXPECT_GT(*ns, 1);
  EXPECT_LT(*ns, 1e5);
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(LineTime, IsNotKnownOfACpuThatIsNotThere) {
  EXPECT_FALSE(line_time_ns(current_affinity().front(), 60000));
  EXPECT_FALSE(line_time_ns(60000, current_affinity().front()));
}

}  // namespace
}  // namespace opbench
