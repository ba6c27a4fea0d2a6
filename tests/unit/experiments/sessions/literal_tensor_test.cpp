#include "experiments/sessions/model/literal_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

using ::testing::HasSubstr;

template <class T>
T value_of(const std::string& text, DataType type, const Shape& shape = {}) {
  const auto tensor = literal_tensor(text, {type, shape}, "x");
  EXPECT_TRUE(tensor) << text;
  if (!tensor) return T{};
  EXPECT_EQ(tensor->type, (TensorType{type, shape}));
  return tensor->as<T>()[0];
}

std::string error_of(const std::string& text, DataType type, const Shape& shape = {}) {
  const auto tensor = literal_tensor(text, {type, shape}, "x");
  return tensor ? "" : to_text(tensor.error());
}

TEST(LiteralTensor, HasTheTypeOfTheInput) {
  EXPECT_EQ(value_of<int64_t>("16000", DataType::kInt64), 16000);
  EXPECT_EQ(value_of<int64_t>("-9223372036854775808", DataType::kInt64), INT64_MIN);
  EXPECT_EQ(value_of<uint64_t>("18446744073709551615", DataType::kUint64), UINT64_MAX);
  EXPECT_EQ(value_of<int32_t>("16e3", DataType::kInt32, {1, 1}), 16000);
  EXPECT_EQ(value_of<int8_t>("-128", DataType::kInt8), -128);
  EXPECT_EQ(value_of<uint8_t>("255", DataType::kUint8), 255);
  EXPECT_EQ(value_of<float>("-0.5", DataType::kFloat32), -0.5F);
  EXPECT_EQ(value_of<double>("1e300", DataType::kFloat64), 1e300);
  EXPECT_TRUE(std::isnan(value_of<float>("nan", DataType::kFloat32)));
  EXPECT_TRUE(std::isinf(value_of<float>("-inf", DataType::kFloat32)));
  EXPECT_EQ(value_of<uint8_t>("true", DataType::kBool), 1);
  EXPECT_EQ(value_of<uint8_t>("0", DataType::kBool), 0);
}

TEST(LiteralTensor, RoundsToHalfPrecision) {
  EXPECT_EQ(value_of<uint16_t>("1", DataType::kFloat16), 0x3c00);
  EXPECT_EQ(value_of<uint16_t>("-2.5", DataType::kFloat16), 0xc100);
  EXPECT_EQ(value_of<uint16_t>("65504", DataType::kFloat16), 0x7bff);
  EXPECT_EQ(value_of<uint16_t>("65520", DataType::kFloat16), 0x7c00);
  EXPECT_EQ(value_of<uint16_t>("2049", DataType::kFloat16), 0x6800) << "a tie goes to even";
  EXPECT_EQ(value_of<uint16_t>("5.9604644775390625e-8", DataType::kFloat16), 0x0001);
  EXPECT_EQ(value_of<uint16_t>("1", DataType::kBFloat16), 0x3f80);
  EXPECT_EQ(value_of<uint16_t>("1.00390625", DataType::kBFloat16), 0x3f80);
}

TEST(LiteralTensor, RefusesValuesThatTheTypeDoesNotHave) {
  EXPECT_EQ(error_of("0.5", DataType::kInt64),
            "error: --input x does not take \"0.5\"\n"
            "  input: int64 scalar\n"
            "  reason: int64 has no such value\n");
  EXPECT_THAT(error_of("256", DataType::kUint8), HasSubstr("uint8 has no such value"));
  EXPECT_THAT(error_of("-1", DataType::kUint64), HasSubstr("uint64 has no such value"));
  EXPECT_THAT(error_of("2", DataType::kBool), HasSubstr("bool has no such value"));
  EXPECT_THAT(error_of("nan", DataType::kInt32), HasSubstr("int32 has no such value"));
  EXPECT_THAT(error_of("1", DataType::kString), HasSubstr("string has no such value"));
}

TEST(LiteralTensor, IsForOneElementOnly) {
  EXPECT_THAT(error_of("1", DataType::kFloat32, {1, 3}),
              HasSubstr("reason: one number is for inputs of one element"));
  EXPECT_EQ(error_of("1", DataType::kFloat32, {1, 1, 1}), "");
}

TEST(LiteralTensor, IsToldFromFilesAndOtherWords) {
  EXPECT_TRUE(names_tensor_file("1.npy"));
  EXPECT_TRUE(names_tensor_file("a.pb"));
  EXPECT_FALSE(names_tensor_file("a.png"));
  for (const char* text : {"1", "-1.5", "1e3", "true", "false", "inf"}) {
    EXPECT_TRUE(is_literal(text)) << text;
  }
  for (const char* text : {"", "x", "1x", "0x10", "1,2", "yes"}) {
    EXPECT_FALSE(is_literal(text)) << text;
  }
}

}  // namespace
}  // namespace opbench
