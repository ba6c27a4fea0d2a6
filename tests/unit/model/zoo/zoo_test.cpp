#include "model/zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "model/graph/onnx_file.h"
#include "model/zoo/zoo_models.h"

namespace opbench {
namespace {

const ZooModel& model_called(const std::string& name) {
  return *std::ranges::find_if(zoo_models(),
                               [&](const ZooModel& model) { return model.entry.name == name; });
}

/// A builder of types alone: what these tests count does not depend on the values of weights.
ZooBuilder outline_of(const std::string& name, int64_t batch_size = 1) {
  return {name, batch_size, 1, ZooWeights::kOutline};
}

/// A constant that stands for trained weights.
bool is_parameter(const std::string& name, const Tensor& tensor) {
  return tensor.type.data_type == DataType::kFloat32 && !tensor.type.shape.empty() &&
         !name.ends_with("_table");
}

std::string test_name(std::string model) {
  std::ranges::replace_if(
      model, [](char c) { return std::isalnum(c) == 0; }, '_');
  return model;
}

struct Count {
  std::string model;
  int64_t parameters;
  int64_t multiply_adds;
};

class ZooCounts : public testing::TestWithParam<Count> {};

TEST_P(ZooCounts, AreThoseOfTheOriginalDefinition) {
  ZooBuilder builder = outline_of(GetParam().model);
  const std::string output = model_called(GetParam().model).build(builder);
  EXPECT_EQ(builder.parameters(), GetParam().parameters);
  EXPECT_EQ(builder.multiply_adds(), GetParam().multiply_adds);
  const Model built = builder.finish(output);
  int64_t elements = 0;
  for (const auto& [name, tensor] : built.graph.constants) {
    if (is_parameter(name, tensor)) elements += tensor.type.size();
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
        Count{"lstm", 8LL * 4096 * (1024 + 1024 + 2), 8LL * 128 * 4096 * (1024 + 1024)},
        Count{"gru", 8LL * 3072 * (1024 + 1024 + 2), 8LL * 128 * 3072 * (1024 + 1024)},
        Count{"rnn", 8LL * 1024 * (1024 + 1024 + 2), 8LL * 128 * 1024 * (1024 + 1024)},
        Count{"lstm-cells", 10LL * 1024 * (256 + 256 + 1), 10LL * 100 * 1024 * (256 + 256)},
        Count{"lstm-cells-joined", 10LL * 1024 * (256 + 256 + 1), 10LL * 100 * 1024 * (256 + 256)}),
    [](const auto& count) { return test_name(count.param.model); });

/// What a model's authors or library say of it: parameters without the statistics of batch norms,
/// multiply-adds in 10⁹, those of products of two results left out; 0: they say nothing of them.
struct Published {
  std::string model;
  int64_t parameters;
  double giga_multiply_adds;
};

class ZooFigures : public testing::TestWithParam<Published> {};

TEST_P(ZooFigures, AreThePublishedOnes) {
  ZooBuilder builder = outline_of(GetParam().model);
  const std::string output = model_called(GetParam().model).build(builder);
  const double multiply_adds = static_cast<double>(builder.multiply_adds()) / 1e9;
  if (GetParam().giga_multiply_adds > 0) {
    EXPECT_NEAR(multiply_adds / GetParam().giga_multiply_adds, 1, 0.02) << "some count more nodes";
  }
  const Model built = builder.finish(output);
  int64_t elements = 0;
  for (const auto& [name, tensor] : built.graph.constants) {
    const bool is_statistic = name.ends_with("_mean") || name.ends_with("_variance");
    if (is_parameter(name, tensor) && !is_statistic) elements += tensor.type.size();
  }
  EXPECT_EQ(elements, GetParam().parameters);
}

// torchvision: mobilenet_v3 to vit-base (17.564 with 0.715 of attention). PyTorch image models:
// dpn68, nasnetalarge. Ultralytics' repositories, whose counts are twice as high, and for YOLOv3 at
// 640x640. PyTorch Hub: unet. The checkpoints of gpt2 and t5-small, which holds the embedding once.
constexpr double kYolo3Area = 416.0 * 416.0 / (640.0 * 640.0);
constexpr double kGpt2Layers = 12 * 128 * 12 * 768.0 * 768.0 / 1e9;
constexpr double kT5Attention = 4 * 512 * 512.0;
constexpr double kT5Wide = 2 * 512 * 2048.0;
constexpr int64_t kT5 = 60506624;
constexpr int64_t kT5Words = 32128LL * 512;
constexpr int64_t kT5Encoder = kT5Words + 6 * (4LL * 512 * 512 + 2LL * 512 * 2048 + 2 * 512) + 768;
INSTANTIATE_TEST_SUITE_P(
    Models, ZooFigures,
    testing::Values(
        Published{"mobilenet_v3", 5483032, 0.217}, Published{"efficientnet-b0", 5288548, 0.386},
        Published{"convnext-tiny", 28589128, 4.456},
        Published{"vit-base", 86567656, 17.564 - 0.715}, Published{"dpn68", 12611602, 2.35},
        Published{"nasnetalarge", 88753150, 23.89}, Published{"yolov3", 8852366, 6.65 * kYolo3Area},
        Published{"yolov3-full", 61949149, 78.2 * kYolo3Area}, Published{"yolov5n", 1872157, 2.25},
        Published{"unet", 7763041, 0}, Published{"gpt2", 124439808, kGpt2Layers},
        Published{"t5-encoder", kT5Encoder, 6 * 128 * (kT5Attention + kT5Wide) / 1e9},
        Published{"t5-decoder-with-lm-head", kT5 - kT5Encoder + kT5Words,
                  128 * (6 * (2 * kT5Attention + kT5Wide) + kT5Words) / 1e9}),
    [](const auto& published) { return test_name(published.param.model); });

TEST(Zoo, KeepsTheWeightsOfTheQuantisedResnetInBytes) {
  ZooBuilder builder = outline_of("resnet50-qdq");
  const std::string output = model_called("resnet50-qdq").build(builder);
  EXPECT_EQ(builder.multiply_adds(), 4089184256) << "as resnet50-v1";
  const Model built = builder.finish(output);
  int64_t bytes = 0;
  for (const auto& [name, tensor] : built.graph.constants) {
    if (tensor.type.data_type == DataType::kInt8) bytes += tensor.type.size();
  }
  EXPECT_EQ(bytes, 25557032 - 53120 - 1000) << "without batch norms and bias";
}

TEST(Zoo, NamesTheFreeDimensionsOfItsModels) {
  for (const char* name : {"gpt2-decode", "t5-decoder-with-lm-head", "deepspeech2", "rnn"}) {
    const ZooModel& model = model_called(name);
    ZooBuilder builder = outline_of(name, 3);
    const std::string output = model.build(builder);
    std::set<std::string> symbols, known;
    for (const Value& input : builder.finish(output).graph.inputs) {
      for (size_t i = 0; i < input.dimensions.size(); ++i) {
        const Dimension& dimension = input.dimensions[i];
        if (!dimension.is_free()) continue;
        symbols.insert(dimension.symbol);
        const auto entry =
            std::ranges::find(model.entry.dimensions, dimension.symbol, &Dimension::symbol);
        ASSERT_NE(entry, model.entry.dimensions.end()) << name << ": " << dimension.symbol;
        EXPECT_EQ(builder.shape_of(input.name)[i], entry->value) << name;
      }
    }
    for (const Dimension& dimension : zoo_dimensions(name)) known.insert(dimension.symbol);
    EXPECT_EQ(symbols, known) << name;
  }
}

TEST(Zoo, GivesEveryNodeANameOfItsOwn) {
  for (const char* name : {"yolov5n", "yolov3", "dpn68", "unet", "mobilenet_v3"}) {
    ZooBuilder builder = outline_of(name);
    const std::string output = model_called(name).build(builder);
    std::set<std::string> names;
    for (const Node& node : builder.finish(output).graph.nodes) {
      EXPECT_TRUE(names.insert(node.name).second) << name << ": " << node.name;
    }
  }
}

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
