#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "expect_computes.h"

namespace opbench {
namespace {

class TypedSteps : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, TypedSteps,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(TypedSteps, CompareNumbers) {
  for (const char* kind : {"greater", "less", "equal", "greater_or_equal", "less_or_equal"}) {
    expect_computes("elementwise", std::string(kind) + " 3x17x5 17x1", GetParam());
    expect_computes("elementwise", std::string(kind) + " 37:int64 37:int64", GetParam());
  }
  expect_computes("elementwise", "greater 3x50 =0.25", GetParam());
  expect_computes("elementwise", "equal 3x50:int32 =0:int32", GetParam());
}

TEST_P(TypedSteps, ChooseAndCombineTruths) {
  for (const char* workload :
       {"where 3x1x5:bool 3x17x5 17x1", "where 70:bool 1 70", "where 33:bool 33:int64 33:int64",
        "where 5x7:bool 5x7 =0", "and 40:bool 40:bool", "or 40:bool 1:bool",
        "xor 2x40:bool 40:bool", "not 77:bool"}) {
    expect_computes("elementwise", workload, GetParam());
  }
}

TEST_P(TypedSteps, CastBetweenTypes) {
  for (const char* from : {"float32", "float64", "int32", "int64", "uint8", "int8", "bool"}) {
    for (const char* to : {"1", "3", "6", "7", "9", "11"}) {
      const std::string text = "cast 3x37:" + std::string(from) + " to=" + to;
      if (text != "cast 3x37:float32 to=1") expect_computes("elementwise", text, GetParam());
    }
  }
}

TEST_P(TypedSteps, CastBetweenHalvesAndFloats) {
  for (const char* workload : {"cast 3x37 to=10", "cast 3x37 to=16", "cast 3x37:float16 to=1",
                               "cast 3x37:bfloat16 to=1", "exp 50; cast to=10"}) {
    expect_computes("elementwise", workload, GetParam());
  }
}

TEST_P(TypedSteps, AddAndMultiplyIntegers) {
  for (const char* kind : {"add", "sub", "mul", "max", "min"}) {
    for (const char* type : {"int32", "int64", "uint8", "int8"}) {
      const std::string operand = ":" + std::string(type);
      expect_computes("elementwise", std::string(kind) + " 3x17x5" + operand + " 17x1" + operand,
                      GetParam());
    }
  }
}

TEST(TypedStepsRule, LeaveEqualOperandsAndDivisionsToTheReferences) {
  EXPECT_FALSE(kernel_spec("equal 4x4 4x4; cast to=10", "host", "elementwise", false));
  EXPECT_FALSE(kernel_spec("div 4x4:int32 4x4:int32", "host", "elementwise", false));
  EXPECT_FALSE(kernel_spec("cast 4x4:float16 to=7", "host", "elementwise", false));
}

TEST(TypedStepsRule, TakeNotANumberForUnequal) {
  for (const char* kind : {"less_or_equal", "greater", "equal"}) {
    const auto spec = kernel_spec(std::string(kind) + " 64 64", "host");
    ASSERT_TRUE(spec) << to_text(spec.error());
    auto kernel = LoadedKernel::load(*spec);
    ASSERT_TRUE(kernel) << to_text(kernel.error());
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    for (size_t i = 0; i < 64; i += 3)
      inputs[0].as<float>()[i] = std::numeric_limits<float>::quiet_NaN();
    ASSERT_TRUE(kernel->bind(inputs));
    ASSERT_EQ(kernel->call(), 0);
    const auto result = kernel->output();
    ASSERT_TRUE(result) << to_text(result.error());
    for (size_t i = 0; i < 64; i += 3) EXPECT_EQ(result->as<uint8_t>()[i], 0) << kind;
  }
}

}  // namespace
}  // namespace opbench
