#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> modes_whole(const std::string& text) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  return integers(run_reference(*workload, {}).value());
}

std::string modes_refusal(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

TEST(Mod, HasTheSignOfTheDivisorWithoutFmodAndOfTheDividendWithIt) {
  for (const char* type : {"int8", "int32", "int64"}) {
    const std::string operands = fmt::format("mod =-7,7,-7,7,-6:{0} =3,-3,-3,3,3:{0}", type);
    EXPECT_THAT(modes_whole(operands), ElementsAre(2, -2, -1, 1, 0)) << type;
    EXPECT_THAT(modes_whole(operands + " fmod=1"), ElementsAre(-1, 1, -1, 1, 0)) << type;
  }
  EXPECT_THAT(modes_whole("mod =7,250:uint8 =3,100:uint8"), ElementsAre(1, 50));
  EXPECT_THAT(modes_whole("mod =7,250:uint8 =3,100:uint8 fmod=1"), ElementsAre(1, 50));
}

TEST(Mod, BearsTheSmallestIntegerAndDivisionByZero) {
  const std::string operands = "mod =-9223372036854775808,5:int64 =-1,0:int64";
  EXPECT_THAT(modes_whole(operands), ElementsAre(0, 0));
  EXPECT_THAT(modes_whole(operands + " fmod=1"), ElementsAre(0, 0));
}

TEST(Mod, TakesRealNumbersWithFmodOnly) {
  EXPECT_THAT(floats("mod 3 3 fmod=1", {-7, 7, 5.5F, 3, -3, 2}), ElementsAre(-1, 1, 1.5F));
  EXPECT_THAT(modes_refusal("mod 3 3"), HasSubstr("float32 operands need fmod=1"));
}

/// A node of an old opset without operands that are known.
Result<std::vector<TensorType>> types_of(Node node, int64_t opset, size_t operands) {
  const TensorType image{DataType::kFloat32, {1, 4, 2, 2}};
  const TensorType channels{DataType::kFloat32, {4}};
  OperatorCall call{.node = &node, .opset = opset, .inputs = {}, .constants = {}};
  for (size_t i = 0; i < operands; ++i) {
    node.inputs.push_back("x" + std::to_string(i));
    call.inputs.push_back(i == 0 ? &image : &channels);
    call.constants.push_back(nullptr);
  }
  return operator_of(node)->infer(call);
}

Node mode_node(const std::string& type, Attributes attributes = {}) {
  Node node;
  node.type = type;
  node.outputs = {"y"};
  node.attributes = std::move(attributes);
  return node;
}

TEST(Dropout, PassesItsInputOnUnlessItTrains) {
  EXPECT_THAT(floats("dropout 3", {1, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats("dropout 3 =0.5 =0:bool", {1, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(modes_refusal("dropout 3 =0.5 =1:bool"),
              HasSubstr("training_mode true is not supported"));
  EXPECT_THAT(modes_refusal("dropout 3 =0.5 scalar:bool"), HasSubstr("must be a constant"));
}

TEST(Dropout, RefusesTrainingOfOldOpsets) {
  EXPECT_TRUE(types_of(mode_node("Dropout"), 7, 1));
  EXPECT_TRUE(types_of(mode_node("Dropout", {{"is_test", int64_t{1}}}), 6, 1));
  EXPECT_FALSE(types_of(mode_node("Dropout"), 6, 1));
}

TEST(BatchNormalization, RefusesTraining) {
  EXPECT_TRUE(types_of(mode_node("BatchNormalization"), 7, 5));
  EXPECT_TRUE(types_of(mode_node("BatchNormalization", {{"is_test", int64_t{1}}}), 6, 5));
  EXPECT_FALSE(types_of(mode_node("BatchNormalization"), 6, 5));
  EXPECT_FALSE(types_of(mode_node("BatchNormalization", {{"training_mode", int64_t{1}}}), 14, 5));
}

TEST(Sizes, ThatCannotBeAddressedAreRefused) {
  EXPECT_THAT(modes_refusal("expand 1x1 =10000000,100000000:int64"), HasSubstr("can be addressed"));
  EXPECT_THAT(modes_refusal("constant_of_shape =4294967296,4294967296,4:int64"),
              HasSubstr("can be addressed"));
  EXPECT_THAT(modes_refusal("tile 4x4 =4611686018427387904,1:int64"),
              HasSubstr("can be addressed"));
  EXPECT_THAT(modes_refusal("range =0 =1e30 =1"), HasSubstr("can be addressed"));
  EXPECT_THAT(modes_refusal("resize 1x1x4x4 _ =1,1,1e20,1"), HasSubstr("cannot be addressed"));
  EXPECT_THAT(modes_refusal("pad 4 =9223372036854775807,9223372036854775807:int64"),
              HasSubstr("do not fit extent 4"));
  EXPECT_THAT(modes_refusal("reshape 4 =4294967296,4294967296:int64"),
              HasSubstr("cannot be addressed"));
  EXPECT_THAT(modes_refusal("matmul 1000000x1 1x1000000; matmul 1000000x1; mul 100000000x1x1"),
              HasSubstr("can be addressed"));
  EXPECT_THAT(modes_refusal("depth_to_space 1x4x2x2 blocksize=4294967296"),
              HasSubstr("does not fit"));
}

}  // namespace
}  // namespace opbench
