#include "kernels/space/space_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/numbers/divisors.h"
#include "base/numbers/random.h"
#include "kernels/space/axis_orders.h"
#include "kernels/space/cpython_set.h"
#include "kernels/space/split_sizes.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SplitSizes> sizes(int64_t length, const SplitOptions& options) {
  auto result = split_sizes(length, options);
  EXPECT_TRUE(result) << to_text(result.error());
  return result.value_or(std::vector<SplitSizes>{});
}

/// The last sizes of splits in two.
std::vector<int64_t> lasts(int64_t length, SplitOptions options) {
  std::vector<int64_t> result;
  for (const SplitSizes& list : sizes(length, options)) result.push_back(list.back());
  return result;
}

std::vector<int64_t> powers_of_two(int64_t limit) {
  std::vector<int64_t> result;
  for (int64_t power = 1; power <= limit; power *= 2) result.push_back(power);
  return result;
}

std::string message_of(SpaceBuilder builder) {
  const auto space = std::move(builder).finish();
  return space ? "" : to_text(space.error());
}

TEST(SplitSizes, VariesTheSecondSizeFastest) {
  using S = SplitSizes;
  EXPECT_THAT(sizes(8, {.num_outputs = 3}),
              ElementsAre(S{-1, 1, 1}, S{-1, 2, 1}, S{-1, 4, 1}, S{-1, 8, 1}, S{-1, 1, 2},
                          S{-1, 2, 2}, S{-1, 4, 2}, S{-1, 1, 4}, S{-1, 2, 4}, S{-1, 1, 8}));
}

TEST(SplitSizes, HasTheFactorsOfEachPolicy) {
  EXPECT_THAT(lasts(10, {.policy = "power2"}), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(lasts(10, {.policy = "verbose"}), ElementsAre(1, 2, 4, 5, 8, 10));
  EXPECT_THAT(lasts(10, {.max_factor = 4, .no_tail = false}), ElementsAre(1, 2));
  EXPECT_THAT(lasts(7, {.policy = "verbose"}), ElementsAre(1, 2, 4, 7));
  EXPECT_THAT(lasts(112, {.policy = "verbose",
                          .filter = [](const SplitSizes& list) { return list.back() <= 64; }}),
              ElementsAre(32, 1, 2, 64, 4, 7, 8, 14, 16, 56, 28));
  EXPECT_THAT(lasts(10, {.policy = "power2", .no_tail = true}), ElementsAre(1, 2));
}

TEST(SplitSizes, TakesCandidatesAsTheyStand) {
  const SplitOptions options{.policy = "candidate", .candidates = {{3, 5}, {-1, 2}}};
  EXPECT_THAT(sizes(7, options), ElementsAre(SplitSizes{3, 5}, SplitSizes{-1, 2}));
  const auto wrong = split_sizes(7, {.policy = "candidate", .candidates = {{1, 2, 3}}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "candidate [1, 2, 3] of a split in 2 parts");
}

/// For n = ∏ p^a and k parts there are ∏ C(a + k - 1, k - 1) splits by factors.
TEST(SplitSizes, CountsAsTheClosedFormula) {
  const auto choose = [](int64_t n, int64_t k) {
    int64_t result = 1;
    for (int64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;
  };
  const auto formula = [&](int64_t n, int parts) {
    int64_t result = 1;
    for (int64_t p = 2; n > 1; ++p) {
      int64_t exponent = 0;
      for (; n % p == 0; n /= p) ++exponent;
      result *= choose(exponent + parts - 1, parts - 1);
    }
    return static_cast<size_t>(result);
  };
  EXPECT_THAT(sizes(360, {.num_outputs = 4}), SizeIs(800));
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const auto length = static_cast<int64_t>(1 + random.below(4096));
    const int parts = 2 + static_cast<int>(random.below(3));
    ASSERT_THAT(sizes(length, {.num_outputs = parts}), SizeIs(formula(length, parts)))
        << length << " in " << parts;
  }
}

/// The loops as they are defined, without leaving a branch early.
TEST(SplitSizes, LeavesOutNothingThatTheLoopsMeet) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const auto length = static_cast<int64_t>(1 + random.below(200));
    const bool no_tail = random.below(2) == 0;
    const std::string policy = std::vector{"factors", "power2", "verbose"}[random.below(3)];
    const auto factors = lasts(length, {.policy = policy, .no_tail = false});
    std::vector<SplitSizes> wanted;
    for (const int64_t last : factors) {
      for (const int64_t middle : factors) {
        const int64_t product = last * middle;
        if (product <= length && (length % product == 0 || (!no_tail && product < length))) {
          wanted.push_back({-1, middle, last});
        }
      }
    }
    ASSERT_EQ(sizes(length, {.policy = policy, .num_outputs = 3, .no_tail = no_tail}), wanted)
        << length << " " << policy;
  }
}

/// The checksum over 1 to 5000 was made with CPython 3.11.7, which knows nothing of this program:
///   h = 1469598103934665603
///   for n in range(1, 5001):
///     for v in list(set(divisors(n)) | set(powers_of_two(n))) + [0]:
///       h = ((h ^ v) * 1099511628211) % 2**64
/// 4974 of these orders are not ascending.
TEST(CpythonSet, IteratesAsCpythonDoes) {
  EXPECT_THAT(cpython_union_order(divisors_of(224), powers_of_two(224)),
              ElementsAre(64, 1, 2, 128, 4, 7, 8, 14, 16, 28, 32, 224, 112, 56));
  EXPECT_THAT(cpython_union_order(divisors_of(360), powers_of_two(360)),
              ElementsAre(64, 1, 2, 3, 4, 5, 6, 128, 8, 9, 10, 72, 12, 256, 15, 16, 18, 20, 24, 90,
                          30, 32, 36, 40, 360, 45, 180, 120, 60));
  uint64_t hash = 1469598103934665603u;
  for (int64_t n = 1; n <= 5000; ++n) {
    auto order = cpython_union_order(divisors_of(n), powers_of_two(n));
    order.push_back(0);
    for (const int64_t value : order) {
      hash = (hash ^ static_cast<uint64_t>(value)) * 1099511628211u;
    }
  }
  EXPECT_EQ(hash, 17896616498346841297u);
}

TEST(AxisOrders, FollowsEachPolicy) {
  using V = std::vector<int>;
  EXPECT_THAT(axis_orders(3, {}).value(), ElementsAre(V{0, 1, 2}));
  EXPECT_THAT(axis_orders(3, {.policy = "all"}).value(),
              ElementsAre(V{0, 1, 2}, V{0, 2, 1}, V{1, 0, 2}, V{1, 2, 0}, V{2, 0, 1}, V{2, 1, 0}));
  EXPECT_THAT(axis_orders(4, {.policy = "interval_all", .begin = 1, .end = 3}).value(),
              ElementsAre(V{0, 1, 2, 3}, V{0, 2, 1, 3}));
  EXPECT_THAT(axis_orders(2, {.policy = "candidate", .candidates = {{1, 0}}}).value(),
              ElementsAre(V{1, 0}));
  const ReorderOptions chains{
      .policy = "interleave", .spatial = {{0, 1}, {2, 3}}, .reduce = {{4, 5}}};
  EXPECT_THAT(axis_orders(6, chains).value(), ElementsAre(V{0, 2, 4, 1, 3, 5}));
  auto cuda = chains;
  cuda.policy = "interleave_cuda";
  EXPECT_THAT(axis_orders(6, cuda).value(), ElementsAre(V{0, 2, 4, 5, 1, 3}));
}

TEST(AxisAnnotations, TriesTheFirstAxisSlowest) {
  using W = std::vector<std::string>;
  EXPECT_THAT(
      axis_annotations(2, "try_unroll_vec").value(),
      ElementsAre(W{"none", "none"}, W{"none", "unroll"}, W{"none", "vec"}, W{"unroll", "none"},
                  W{"unroll", "unroll"}, W{"unroll", "vec"}, W{"vec", "none"}, W{"vec", "unroll"}));
  EXPECT_THAT(axis_annotations(1, "try_unroll").value(), SizeIs(2));
  EXPECT_THAT(axis_annotations(2, "try_unroll").value(), SizeIs(4));
  EXPECT_THAT(axis_annotations(3, "try_unroll_vec").value(), SizeIs(20));
  EXPECT_THAT(axis_annotations(3, "try_vec").value(), SizeIs(4));
  EXPECT_THAT(axis_annotations(5, "unroll").value(), SizeIs(1));
}

TEST(AxisAnnotations, BindsTheLastAxesToTheGpu) {
  using W = std::vector<std::string>;
  EXPECT_THAT(axis_annotations(3, "bind_gpu").value(),
              ElementsAre(W{"fuse", "blockIdx.x", "threadIdx.x"}));
  EXPECT_THAT(axis_annotations(4, "bind_gpu").value(),
              ElementsAre(W{"blockIdx.y", "blockIdx.x", "threadIdx.y", "threadIdx.x"}));
  EXPECT_THAT(axis_annotations(7, "bind_gpu").value(),
              ElementsAre(W{"fuse", "blockIdx.z", "blockIdx.y", "blockIdx.x", "threadIdx.z",
                            "threadIdx.y", "threadIdx.x"}));
  EXPECT_THAT(axis_annotations(7, "bind_gpu_virtual").value(),
              ElementsAre(W{"fuse", "blockIdx.y", "blockIdx.x", "vthread", "vthread", "threadIdx.y",
                            "threadIdx.x"}));
  EXPECT_THAT(axis_annotations(9, "bind_gpu_virtual").value()[0], SizeIs(9));
  EXPECT_FALSE(axis_annotations(1, "bind_gpu"));
  EXPECT_FALSE(axis_annotations(2, "bind_gpu_virtual"));
}

TEST(AxisCombinations, IsLexicographic) {
  using V = std::vector<int>;
  EXPECT_THAT(axis_combinations(3, 2), ElementsAre(V{0, 1}, V{0, 2}, V{1, 2}));
  EXPECT_THAT(axis_combinations(2, 0), ElementsAre(V{}));
  EXPECT_THAT(axis_combinations(1, 2), IsEmpty());
}

TEST(SpaceBuilder, KeepsThePlaceOfAKnobThatIsDefinedAgain) {
  SpaceBuilder builder;
  builder.define_split("a", 4, 2);
  builder.define_option("b", {1, 2});
  builder.define_split("a", 6, 2);
  const ConfigSpace space = std::move(builder).finish().value();
  ASSERT_THAT(space.knobs, SizeIs(2));
  EXPECT_EQ(space.knobs[0].name, "a");
  EXPECT_EQ(space.knobs[0].product, 6);
}

TEST(SpaceBuilder, SaysWhichKnobCannotBe) {
  const auto split = [](int64_t length, const SplitOptions& options) {
    SpaceBuilder builder;
    builder.define_split("tile", length, options);
    return message_of(std::move(builder));
  };
  EXPECT_EQ(split(8, {.filter = [](const SplitSizes&) { return false; }}),
            "error: knob \"tile\": no value is possible\n");
  EXPECT_EQ(split(8, {.num_outputs = 1}), "error: knob \"tile\": a split in 1 parts is none\n");
  EXPECT_EQ(split(0, {}), "error: knob \"tile\": an axis of length 0\n");
  EXPECT_EQ(split(-1, {}), "error: knob \"tile\": an axis of length -1\n");
  EXPECT_THAT(split(8, {.policy = "factor"}), HasSubstr("did you mean: factors?"));
  EXPECT_THAT(split(110270160, {.num_outputs = 5}), HasSubstr("more than 1048576 ways"));
  SpaceBuilder words;
  words.define_annotate("ann", 2, "try_unrol");
  EXPECT_THAT(message_of(std::move(words)), HasSubstr("unknown annotation \"unrol\""));
  SpaceBuilder many;
  for (int i = 0; i < 13; ++i) many.define_split(std::to_string(i), 32, 3);
  many.define_split("last", 1 << 14, 5);
  EXPECT_THAT(message_of(std::move(many)), HasSubstr("more than 2^64 points"));
}

}  // namespace
}  // namespace opbench
