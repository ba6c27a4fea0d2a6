#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "node_on_tensors.h"

/// Integers that are no doubles, unsigned ones of 64 bits, and positions at both ends of an int64.
namespace opbench {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr uint64_t kHigh = uint64_t{1} << 63U;
constexpr int64_t kBeyond = (int64_t{1} << 53U) + 1;  // the first that is no double

Tensor uint_tensor(const Shape& shape, const std::vector<uint64_t>& values) {
  return tensor_of(DataType::kUint64, shape, values);
}

std::vector<int64_t> integers_by(const std::string& type, std::vector<Tensor> operands,
                                 Attributes attributes = {}) {
  return NodeOnTensors(make_node(type, std::move(attributes)), std::move(operands)).integers();
}

std::vector<uint64_t> naturals_by(const std::string& type, std::vector<Tensor> operands,
                                  Attributes attributes = {}) {
  const auto all =
      NodeOnTensors(make_node(type, std::move(attributes)), std::move(operands)).results();
  EXPECT_TRUE(all) << to_text(all.error());
  if (!all) return {};
  const auto values = (*all)[0].as<uint64_t>();
  return {values.begin(), values.end()};
}

TEST(ExactIntegers, AreReducedAsSuch) {
  const Tensor x = int_tensor({2, 2}, {kBeyond, kBeyond - 1, -kBeyond, 1 - kBeyond});
  const Attributes rows = {{"axes", std::vector<int64_t>{1}}, {"keepdims", int64_t{0}}};
  EXPECT_THAT(integers_by("ReduceMax", {x}, rows), ElementsAre(kBeyond, 1 - kBeyond));
  EXPECT_THAT(integers_by("ReduceMin", {x}, rows), ElementsAre(kBeyond - 1, -kBeyond));
  EXPECT_THAT(integers_by("ReduceSum", {x, int_tensor({1}, {1})}),
              ElementsAre(2 * kBeyond - 1, 1 - 2 * kBeyond));
  EXPECT_THAT(integers_by("ReduceL1", {x}, rows), ElementsAre(2 * kBeyond - 1, 2 * kBeyond - 1));
  EXPECT_THAT(integers_by("ReduceProd", {int_tensor({2}, {kBeyond, 3})}), ElementsAre(3 * kBeyond));
  EXPECT_THAT(integers_by("ReduceSumSquare", {int_tensor({2}, {94906267, 1})}),
              ElementsAre(int64_t{94906267} * 94906267 + 1));
  EXPECT_THAT(integers_by("ReduceMean", {int_tensor({2}, {kBeyond, kBeyond})}),
              ElementsAre(kBeyond));
  EXPECT_THAT(integers_by("ReduceMean", {int_tensor({2}, {-3, -4})}), ElementsAre(-3));
}

TEST(ExactIntegers, OfNothingAreTheEndsOfTheirType) {
  const Tensor x = int_tensor({0}, {});
  EXPECT_THAT(integers_by("ReduceMax", {x}), ElementsAre(kLeast));
  EXPECT_THAT(integers_by("ReduceMin", {x}), ElementsAre(kMost));
  EXPECT_THAT(integers_by("ReduceProd", {x}), ElementsAre(1));
}

TEST(ExactIntegers, WithoutASignHaveNone) {
  const Tensor a = uint_tensor({3}, {kHigh + 6, 7, UINT64_MAX});
  const Tensor b = uint_tensor({3}, {4, kHigh, 10});
  EXPECT_THAT(naturals_by("Div", {a, b}), ElementsAre((kHigh + 6) / 4, 0, UINT64_MAX / 10));
  EXPECT_THAT(naturals_by("Mod", {a, b}), ElementsAre(2, 7, UINT64_MAX % 10));
  EXPECT_THAT(naturals_by("Mod", {a, b}, {{"fmod", int64_t{1}}}),
              ElementsAre(2, 7, UINT64_MAX % 10));
  EXPECT_THAT(naturals_by("Max", {a, b}), ElementsAre(kHigh + 6, kHigh, UINT64_MAX));
  EXPECT_THAT(naturals_by("Min", {a, b}), ElementsAre(4, 7, 10));
  EXPECT_THAT(naturals_by("ReduceMax", {a}), ElementsAre(UINT64_MAX));
  EXPECT_THAT(naturals_by("ReduceMin", {a}), ElementsAre(7));
  EXPECT_THAT(naturals_by("ReduceMean", {uint_tensor({2}, {kHigh, 2})}),
              ElementsAre(kHigh / 2 + 1));
  EXPECT_THAT(naturals_by("ReduceL1", {uint_tensor({2}, {kHigh, 2})}), ElementsAre(kHigh + 2));
  EXPECT_THAT(naturals_by("Abs", {a}), ElementsAre(kHigh + 6, 7, UINT64_MAX));
  EXPECT_THAT(integers_by("Greater", {a, b}), ElementsAre(1, 0, 1));
  EXPECT_THAT(integers_by("Less", {a, b}), ElementsAre(0, 1, 0));
  EXPECT_THAT(integers_by("GreaterOrEqual", {a, b}), ElementsAre(1, 0, 1));
  EXPECT_THAT(integers_by("LessOrEqual", {a, b}), ElementsAre(0, 1, 0));
}

TEST(ExactIntegers, KeepTheirDigitsInFunctionsOfOne) {
  const Tensor x = int_tensor({3}, {-kBeyond, kBeyond, kLeast});
  EXPECT_THAT(integers_by("Abs", {x}), ElementsAre(kBeyond, kBeyond, kLeast));
  EXPECT_THAT(integers_by("Neg", {x}), ElementsAre(kBeyond, -kBeyond, kLeast));
  EXPECT_THAT(integers_by("Relu", {x}), ElementsAre(0, kBeyond, 0));
}

TEST(ExactIntegers, ArePowersToo) {
  EXPECT_THAT(integers_by("Pow", {int_tensor({5}, {3, -3, 1, -1, 2}),
                                  int_tensor({5}, {39, 3, -5, -3, -1})}),
              ElementsAre(4052555153018976267, -27, 1, -1, 0));
  EXPECT_THAT(integers_by("Pow", {int_tensor({2}, {9, 2}), float_tensor({2}, {0.5F, 3})}),
              ElementsAre(3, 8));
}

TEST(ExactIntegers, AreCountedInARange) {
  const auto scalar = [](int64_t value) { return int_tensor({}, {value}); };
  EXPECT_THAT(integers_by("Range", {scalar(kBeyond), scalar(kBeyond + 2), scalar(1)}),
              ElementsAre(kBeyond, kBeyond + 1));
  EXPECT_THAT(integers_by("Range", {scalar(kMost), scalar(kLeast), scalar(kLeast)}),
              ElementsAre(kMost, -1));
  EXPECT_THAT(integers_by("Range", {scalar(1), scalar(5), scalar(-1)}), ElementsAre());
}

std::vector<int64_t> sliced(int64_t start, int64_t end, int64_t step) {
  return integers_by(
      "Slice", {int_tensor({5}, {0, 1, 2, 3, 4}), int_tensor({1}, {start}), int_tensor({1}, {end}),
                int_tensor({1}, {0}), int_tensor({1}, {step})});
}

TEST(SliceExtremes, TakeOneElementByAStepThatLeadsOut) {
  EXPECT_THAT(sliced(1, kMost, kMost), ElementsAre(1));
  EXPECT_THAT(sliced(3, kLeast, kLeast), ElementsAre(3));
  EXPECT_THAT(sliced(kMost, kLeast, kLeast + 1), ElementsAre(4));
  EXPECT_THAT(sliced(kLeast, kMost, kMost - 1), ElementsAre(0));
}

TEST(SliceExtremes, ClampStartsAndEnds) {
  EXPECT_THAT(sliced(kLeast, kMost, 1), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(sliced(kMost, kLeast, -1), ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(sliced(kMost, kMost, 1), ElementsAre());
  EXPECT_THAT(sliced(kLeast, kLeast, -1), ElementsAre(0)) << "ONNX has a start stop at 0";
  EXPECT_THAT(sliced(0, kMost, 4), ElementsAre(0, 4));
  EXPECT_THAT(sliced(-1, kLeast, -3), ElementsAre(4, 1));
}

}  // namespace
}  // namespace opbench
