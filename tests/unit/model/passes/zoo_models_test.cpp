#include <gtest/gtest.h>

#include "graph_runner.h"
#include "model/graph/onnx_file.h"
#include "model/passes/bind_shapes.h"
#include "model/zoo/zoo.h"
#include "test_form.h"

namespace opbench {
namespace {

/// The multiply-adds of convolutions and products with padding counted in, as papers give them.
double multiply_adds(const Workload& workload) {
  const Node& node = workload.graph.nodes.at(0);
  if (node.type != "Conv" && node.type != "Gemm") return 0;
  const Shape filters = workload.graph.types.at(node.inputs[1]).shape;
  const Shape result = workload.graph.types.at(node.outputs[0]).shape;
  return static_cast<double>(element_count(result)) *
         static_cast<double>(element_count(filters) / result[1]);
}

/// What the original definitions count; other models are not compared.
double published(const std::string& name) {
  static const std::map<std::string, double> counts = {
      {"resnet-18", 1826918400},    {"resnet-34", 3676606464},      {"resnet-50", 3857973248},
      {"resnet-101", 7570194432},   {"resnet-152", 11282415616},    {"mobilenet", 568740352},
      {"inception_v3", 5713216096}, {"squeezenet_v1.1", 349537280}, {"vgg-16", 15470264320},
  };
  const auto it = counts.find(name);
  return it == counts.end() ? 0 : it->second;
}

int64_t weights_of(const Model& model) {
  int64_t count = 0;
  for (const auto& [name, constant] : model.graph.constants) {
    count += element_count(constant.type.shape);
  }
  return count;
}

/// As its file has it. Of a large model its outline, unless tests are slow: values of its weights
/// take seconds to make, write and read, and only types decide here.
Result<Model> zoo_model(const std::string& name) {
  const auto most_weights = by_form<int64_t>(10'000'000, int64_t{1} << 40);
  OPBENCH_TRY(Model outline, zoo_outline(name, 1));
  if (weights_of(outline) > most_weights) return outline;
  OPBENCH_TRY(const std::string bytes, zoo_onnx(name, 1, 0));
  return parse_onnx(bytes, name, {});
}

class ZooModel : public ::testing::TestWithParam<std::string> {};

TEST_P(ZooModel, BecomesUnits) {
  auto model = zoo_model(GetParam());
  ASSERT_TRUE(model) << to_text(model.error());
  ASSERT_TRUE(bind_shapes(*model, {.otherwise = zoo_dimensions(GetParam())}));
  const auto inferred = infer_types(*model);
  ASSERT_TRUE(inferred) << to_text(inferred.error());
  const auto folded = fold_constants(*model);
  ASSERT_TRUE(folded) << to_text(folded.error());
  ASSERT_TRUE(fold_batch_norms(*model));
  double products = 0;
  for (const Unit& unit : fuse(*model)) {
    const std::string text = text_of(unit.workload);
    const auto again = parse_workload(text);
    ASSERT_TRUE(again) << text << "\n" << to_text(again.error());
    EXPECT_EQ(text_of(*again), text);
    products += multiply_adds(unit.workload);
  }
  const double expected = published(GetParam());
  if (expected > 0) {
    EXPECT_EQ(products, expected);
  }
}

/// All but the two largest networks, whose smaller sisters have the same nodes.
std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ZooEntry& entry : zoo_entries()) {
    if (entry.name != "vgg-19" && entry.name != "resnet-152") result.push_back(entry.name);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, ZooModel, ::testing::ValuesIn(names()), [](const auto& name) {
  std::string word = name.param;
  std::ranges::replace_if(
      word, [](char c) { return std::isalnum(c) == 0; }, '_');
  return word;
});

}  // namespace
}  // namespace opbench
