#include "experiments/regress/kept_samples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/files/file.h"
#include "experiments/regress/night_rows.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/drop_samples.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kSamples = 20000;  // so that they take most of a part

History long_history(int nights, int boundary) {
  History history;
  for (int i = 0; i < nights; ++i) {
    history.nights.push_back(
        {.index = i, .date = fmt::format("d{}", i), .method = i < boundary ? "m0" : "m1"});
  }
  return history;
}

TEST(KeptSamples, AreThoseOfThePresent) {
  EXPECT_THAT(nights_without_need(long_history(60, 0), {}), IsEmpty());
  EXPECT_THAT(nights_without_need(long_history(63, 0), {}), ElementsAre("d0", "d1", "d2"));
  EXPECT_THAT(nights_without_need(long_history(63, 4), {}), ElementsAre("d0", "d1", "d2", "d3"))
      << "of another segment";
  Alert alert{.range = {.good_night = 1, .bad_night = 2}};
  EXPECT_THAT(nights_without_need(long_history(63, 4), {alert}), ElementsAre("d0", "d3"));
  alert.life = AlertLife::kFixed;
  EXPECT_THAT(nights_without_need(long_history(63, 4), {alert}), SizeIs(4));
}

/// Nights of a suite with many samples, one record each.
class PrunedNights : public ::testing::Test {
 protected:
  PrunedNights() {
    for (int night = 0; night < 6; ++night) add("small", night);
    add("other", 0);
  }

  void add(const std::string& suite, int night) {
    BenchmarkRecord record;
    record.timestamp = fmt::format("2026-11-2{}T00:00:00Z", night);
    record.status = "ok";
    record.workload = "conv2d";
    record.engine = "halide";
    record.scope = "unit";
    record.hardware = "cpu";
    record.labels =
        labels_of({.suite = suite, .branch = "main", .night = name_of_night(night)}, "m");
    record.machine_hash = std::string(64, 'a');
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i) samples.push_back(2 + 1e-7 * ((i * 7919 + night) % 99991));
    record.runtime_raw_ms = samples;
    record.runtime_ms_median = 2.1;
    ASSERT_TRUE(append_records(store_, {record}));
  }

  static std::string name_of_night(int night) { return fmt::format("d{}", night); }

  /// Samples of the nights of a suite.
  std::vector<size_t> counts(const std::string& suite) {
    std::vector<size_t> counts;
    const auto results = night_results(store_, suite);
    for (const NightResult& result : results.value()) {
      counts.push_back(result.values.size());
    }
    return counts;
  }

  TemporaryFolder folder_ = std::move(*TemporaryFolder::make());
  StoreFolder store_ = StoreFolder::open_to_write(folder_.path() / "store").value();
  SampleScope scope_ = {.suite = "small", .branch = "main", .machine = std::string(64, 'a')};
};

TEST_F(PrunedNights, LoseTheOldestUntilTheStoreIsSmall) {
  const auto before = static_cast<double>(bytes_of_results(store_).value());
  const auto pruned = prune_samples(store_, scope_, {"d0", "d1", "d2", "d3"}, before * 0.75);
  ASSERT_TRUE(pruned) << to_text(pruned.error());
  EXPECT_LE(pruned->bytes, before * 0.75);
  EXPECT_EQ(pruned->freed_bytes, before - pruned->bytes);
  EXPECT_GE(pruned->nights, 2);
  EXPECT_LT(pruned->nights, 4) << "no more than it takes";
  const auto left = counts("small");
  EXPECT_EQ(left[0], 3U);
  EXPECT_EQ(left[3], kSamples);
  EXPECT_THAT(counts("other"), ElementsAre(kSamples));
  const auto all = prune_samples(store_, scope_, {"d0", "d1", "d2", "d3"}, 0);
  ASSERT_TRUE(all);
  EXPECT_GT(all->bytes, 0) << "what is needed stays";
  EXPECT_THAT(counts("small"), ElementsAre(3, 3, 3, 3, kSamples, kSamples));
  EXPECT_EQ(prune_samples(store_, scope_, {"d0"}, 1e9)->nights, 0);
}

TEST_F(PrunedNights, SayTheSameToTheAnalysis) {
  const NightResult before = night_results(store_, "small")->front();
  ASSERT_TRUE(prune_samples(store_, scope_, {"d0"}, 0));
  const NightResult after = night_results(store_, "small")->front();
  std::vector<double> sorted = before.values;
  std::ranges::sort(sorted);
  EXPECT_NEAR(after.values[1], (sorted[kSamples / 2 - 1] + sorted[kSamples / 2]) / 2, 1e-12);
  EXPECT_LT(after.values[0], after.values[1]);
  EXPECT_NEAR(std::log(after.values[2] / after.values[1]), 0.00124, 0.0001);
  EXPECT_EQ(after.labels, before.labels);
}

}  // namespace
}  // namespace opbench
