#include "model/zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/graph/onnx_file.h"
#include "model/zoo/zoo_models.h"

namespace opbench {
namespace {

struct Count {
  std::string model;
  int64_t parameters;
  int64_t multiply_adds;
};

class ZooCounts : public testing::TestWithParam<Count> {};

TEST_P(ZooCounts, AreThoseOfTheOriginalDefinition) {
  const auto& models = zoo_models();
  const auto model = std::ranges::find_if(
      models, [](const ZooModel& m) { return m.entry.name == GetParam().model; });
  ASSERT_NE(model, models.end());
  ZooBuilder builder(GetParam().model, 1, 1);
  const std::string output = model->build(builder);
  EXPECT_EQ(builder.parameters(), GetParam().parameters);
  EXPECT_EQ(builder.multiply_adds(), GetParam().multiply_adds);
  const Model built = builder.finish(output);
  int64_t elements = 0;
  for (const auto& [name, tensor] : built.graph.constants) {
    const bool is_weight = tensor.type.data_type == DataType::kFloat32;
    if (is_weight && !tensor.type.shape.empty()) elements += tensor.type.size();
  }
  EXPECT_EQ(elements, GetParam().parameters);
}

// 12 layers over 128 words: four products with 768x768 weights, two with 768x3072.
constexpr int64_t kEncoder = 12LL * 128 * (4 * 768 * 768 + 2 * 768 * 3072);
constexpr int64_t kPooler = 768LL * 768;

// From the originals' code (the first ten), else from torchvision's models; the last three from the
// configurations: bert 109.5 M and roberta 124.6 M as published.
INSTANTIATE_TEST_SUITE_P(
    Models, ZooCounts,
    testing::Values(
        Count{"resnet-18", 11699892, 1826918400}, Count{"resnet-34", 21815476, 3676606464},
        Count{"resnet-50", 25595060, 3857973248}, Count{"resnet-101", 44639412, 7570194432},
        Count{"resnet-152", 60329140, 11282415616}, Count{"mobilenet", 4253864, 568740352},
        Count{"squeezenet_v1.1", 1235496, 349537280}, Count{"inception_v3", 23869000, 5713216096},
        Count{"vgg-16", 138357544, 15470264320}, Count{"vgg-19", 143667240, 19632062464},
        Count{"resnet18-v1", 11689512 + 2 * 4800, 1814073344},
        Count{"resnet50-v1", 25557032 + 2 * 26560, 4089184256},
        Count{"mobilenet_v2", 3504872 + 2 * 17056, 300774272},
        Count{"densenet-121", 7978856 + 2 * 41824, 2834161664},
        Count{"alexnet", 61100840, 714188480}, Count{"matmul", 1 << 20, 1 << 30},
        Count{"conv2d", 64 * 64 * 9 + 64, 115605504}, Count{"bert", 109482240, kEncoder + kPooler},
        Count{"roberta", 124645632, kEncoder + kPooler},
        Count{"lstm", 8LL * 4096 * (1024 + 1024 + 2), 8LL * 128 * 4096 * (1024 + 1024)}),
    [](const auto& count) {
      std::string name = count.param.model;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(c) == 0; }, '_');
      return name;
    });

TEST(Zoo, GivesModelsThatReadBackWithTheirNames) {
  const auto bytes = zoo_onnx("squeezenet_v1.1", 4, 1);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto model = parse_onnx(*bytes, "squeezenet_v1.1", "");
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ(model->graph.inputs.size(), 1U);
  EXPECT_EQ(model->graph.inputs[0].name, "data");
  EXPECT_EQ(model->graph.inputs[0].dimensions[0].value, 4);
  EXPECT_EQ(model->graph.nodes.front().name, "conv1");
  EXPECT_EQ(model->graph.nodes.back().type, "Softmax");
  EXPECT_EQ(model->opset, 13);
}

TEST(Zoo, TakesWeightsFromTheSeed) {
  EXPECT_EQ(zoo_onnx("conv2d", 1, 3).value(), zoo_onnx("conv2d", 1, 3).value());
  EXPECT_NE(zoo_onnx("conv2d", 1, 3).value(), zoo_onnx("conv2d", 1, 4).value());
}

TEST(Zoo, GivesTheSameFileOnEveryMachine) {
  const auto model = parse_onnx(zoo_onnx("dense", 1, 1).value(), "dense", "");
  EXPECT_EQ(model->graph.constants.at("dense_weight").as<float>()[0], 0x1.45241ep-4F);
}

TEST(Zoo, ScalesWeightsByTheirFanIn) {
  const auto model = parse_onnx(zoo_onnx("conv2d", 1, 1).value(), "conv2d", "");
  double squares = 0;
  const auto weights = model->graph.constants.at("conv_weight").as<float>();
  for (const float weight : weights) squares += weight * weight;
  EXPECT_NEAR(squares / static_cast<double>(weights.size()), 2.0 / (64 * 9), 1e-4);
}

TEST(Zoo, RefusesUnknownNamesWithAGuess) {
  const auto unknown = zoo_onnx("resnet-81", 1, 1);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(unknown.error().message, "unknown model \"resnet-81\"");
  EXPECT_EQ(unknown.error().facts.back(), (Fact{"did you mean", "resnet-18?"}));
}

TEST(Zoo, RefusesABatchBelowOne) {
  EXPECT_EQ(zoo_onnx("dense", 0, 1).error().message, "the batch size 0 is below 1");
}

}  // namespace
}  // namespace opbench
