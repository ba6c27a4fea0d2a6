#include "base/tensors/tensor_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/tensors/tensor_size.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

constexpr double kTensorDifferenceInfinity = std::numeric_limits<double>::infinity();
constexpr auto kInf = static_cast<float>(kTensorDifferenceInfinity);

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, {static_cast<int64_t>(values.size())}, values);
}

TEST(TensorDifference, DividesByTheLargestFiniteMagnitude) {
  EXPECT_NEAR(max_relative_error(floats({1, 4.5F}), floats({1, 4})), 0.125, 1e-12);
  EXPECT_NEAR(max_relative_error(floats({-kInf, 4.5F}), floats({-kInf, 4})), 0.125, 1e-12);
  EXPECT_NEAR(difference_of(floats({4.5F}), floats({4}), 10).relative_error, 0.05, 1e-12);
  EXPECT_EQ(max_relative_error(floats({1}), floats({0})), kTensorDifferenceInfinity);
}

TEST(TensorDifference, TakesEqualInfinitiesAndNaNAsEqual) {
  const Tensor mask = floats({0, -kInf, kInf, std::nanf("1")});
  EXPECT_EQ(max_relative_error(mask, mask), 0);
  EXPECT_EQ(max_relative_error(floats({-std::nanf("2")}), floats({std::nanf("")})), 0);
  EXPECT_EQ(max_relative_error(floats({-kInf, -kInf}), floats({-kInf, -kInf})), 0);
}

TEST(TensorDifference, SaysWhereOnlyOneSideIsNotFinite) {
  const auto reason = [](float got, float expected) {
    const Difference difference = difference_of(floats({2, got}), floats({2, expected}));
    EXPECT_EQ(difference.relative_error, kTensorDifferenceInfinity);
    return difference.reason;
  };
  EXPECT_EQ(reason(kInf, 1), "it has inf where the reference has 1, at [1]");
  EXPECT_EQ(reason(1, -kInf), "it has 1 where the reference has -inf, at [1]");
  EXPECT_EQ(reason(kInf, -kInf), "it has inf where the reference has -inf, at [1]");
  EXPECT_THAT(reason(kInf, std::nanf("")), HasSubstr("inf where the reference has nan"));
}

TEST(TensorDifference, ComparesOtherTypesExactly) {
  const auto of = [](int64_t value) {
    return Tensor::of<int64_t>(DataType::kInt64, {1, 2}, std::vector<int64_t>{7, value});
  };
  EXPECT_EQ(max_relative_error(of(3), of(3)), 0);
  EXPECT_EQ(difference_of(of(3), of(4)).reason, "it has 3 where the reference has 4, at [0,1]");
  EXPECT_THAT(difference_of(of(3), floats({1})).reason, HasSubstr("it is int64 1x2 where"));
}

TEST(TensorDifference, OfIntegersIsTheLargestOne) {
  const auto of = [](int32_t first, int32_t second) {
    return Tensor::of<int32_t>(DataType::kInt32, {1, 2}, std::vector<int32_t>{first, second});
  };
  EXPECT_EQ(integer_difference(of(3, -8), of(3, -8)).relative_error, 0);
  const Difference found = integer_difference(of(4, -8), of(3, -10));
  EXPECT_EQ(found.relative_error, 0.2);
  EXPECT_EQ(found.reason, "it has -8 where the reference has -10, at [0,1]");
  EXPECT_EQ(integer_difference(of(1, 0), of(0, 0)).relative_error, kInf);
  const auto bytes = [](uint8_t value) {
    return Tensor::of<uint8_t>(DataType::kUint8, {1}, std::vector<uint8_t>{value});
  };
  EXPECT_EQ(integer_difference(bytes(14), bytes(3)).relative_error, 11 / kByteSteps);
  EXPECT_EQ(integer_difference(floats({1}), floats({2})).relative_error, 0.5);
}

TEST(TensorSize, RefusesWhatCannotBeAddressed) {
  EXPECT_TRUE(check_size({DataType::kFloat32, {50000, 50000}}));
  const auto error = check_size({DataType::kFloat32, {1 << 30, 1 << 30}});
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().message,
            "float32 1073741824x1073741824 needs 4.0 EiB, more than can be addressed");
  EXPECT_FALSE(check_size({DataType::kInt8, {INT64_MAX, INT64_MAX, INT64_MAX}}));
  EXPECT_FALSE(check_size({DataType::kFloat32, {0, int64_t{1} << 50}}));
  EXPECT_FALSE(check_size({DataType::kFloat32, {-1}}));
}

}  // namespace
}  // namespace opbench
