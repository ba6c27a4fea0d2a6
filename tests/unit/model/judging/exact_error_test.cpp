#include "model/judging/exact_error.h"

#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

/// `y` of a workload whose operands are known.
class ExactErrors : public ::testing::Test {
 protected:
  void set_up(const std::string& workload, const std::vector<Tensor>& operands) {
    const Workload parsed = *parse_workload(workload);
    model_.graph = parsed.graph;
    model_.opset = parsed.opset;
    known_.clear();
    for (size_t i = 0; i < operands.size(); ++i) {
      known_[parsed.graph.inputs[i].name] = operands[i];
    }
  }

  ExactError error_of(const Tensor& got) {
    const auto found =
        exact_error(got, "y",
                    {.model = model_,
                     .is_known = [&](const std::string& name) { return known_.contains(name); },
                     .known = [&] { return known_; },
                     .nearby = [&] { return known_; }});
    EXPECT_TRUE(found) << to_text(found.error());
    return found.value_or(ExactError{});
  }

  static Tensor floats(const Shape& shape, const std::vector<float>& values) {
    return Tensor::of<float>(DataType::kFloat32, shape, std::span<const float>(values));
  }

  Model model_;
  std::map<std::string, Tensor> known_;
};

TEST_F(ExactErrors, AreRelativeToTheLargestExactValue) {
  set_up("add 1x2 1x2", {floats({1, 2}, {1, 2}), floats({1, 2}, {2, 2})});
  const ExactError found = error_of(floats({1, 2}, {3, 4.004F}));
  EXPECT_NEAR(found.error, 1e-3, 1e-6);
  EXPECT_DOUBLE_EQ(found.allowed, 1e-4);
  EXPECT_TRUE(found.exceeds());
  EXPECT_FALSE(error_of(floats({1, 2}, {3, 4.0001F})).exceeds());
}

TEST_F(ExactErrors, AllowMoreWhereLargeTermsCancel) {
  set_up("matmul 1x3 3x1", {floats({1, 3}, {1000, -1000, 1e-3F}), floats({3, 1}, {1, 1, 1})});
  const ExactError found = error_of(floats({1, 1}, {1.1e-3F}));
  EXPECT_NEAR(found.error, 0.1, 1e-3);
  EXPECT_NEAR(found.allowed, 4 * 0x1p-23 * 2000 / 1e-3, 1e-3) << "four roundings of 2000";
  EXPECT_FALSE(found.exceeds());
  EXPECT_TRUE(error_of(floats({1, 1}, {3e-3F})).exceeds());
}

TEST_F(ExactErrors, NameWhatIsNotANumber) {
  set_up("relu 1x2", {floats({1, 2}, {1, 2})});
  const ExactError found = error_of(floats({1, 2}, {1, std::numeric_limits<float>::quiet_NaN()}));
  EXPECT_TRUE(found.exceeds());
  EXPECT_THAT(found.reason, ::testing::HasSubstr("nan"));
}

TEST_F(ExactErrors, OfIntegersAreNothingOrAreWrong) {
  set_up("matmul_integer 1x2:uint8 2x1:int8",
         {Tensor::of<uint8_t>(DataType::kUint8, {1, 2}, std::array<uint8_t, 2>{200, 100}),
          Tensor::of<int8_t>(DataType::kInt8, {2, 1}, std::array<int8_t, 2>{100, 100})});
  const auto int32 = [](int32_t value) {
    return Tensor::of<int32_t>(DataType::kInt32, {1, 1}, std::array{value});
  };
  EXPECT_FALSE(error_of(int32(30000)).exceeds());
  EXPECT_TRUE(error_of(int32(29999)).exceeds());
}

}  // namespace
}  // namespace opbench
