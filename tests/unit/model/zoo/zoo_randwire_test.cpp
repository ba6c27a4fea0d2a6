#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/zoo/zoo_models.h"

namespace opbench {
namespace {

struct Randwire {
  Model model;
  int64_t multiply_adds = 0;
  Shape output;
};

Randwire built(uint64_t seed, ZooWeights weights = ZooWeights::kOutline) {
  ZooBuilder builder("randwire", 1, seed, weights);
  const std::string output = randwire_models().front().build(builder);
  const Shape shape = builder.shape_of(output);
  const int64_t multiply_adds = builder.multiply_adds();
  return {builder.finish(output), multiply_adds, shape};
}

/// Nodes of the type whose name starts with `<stage>_`.
int64_t count(const Model& model, const std::string& stage, const std::string& type) {
  return std::ranges::count_if(model.graph.nodes, [&](const Node& node) {
    return node.type == type && node.name.starts_with(stage + "_");
  });
}

TEST(Randwire, HasThePublishedFigures) {
  const Randwire randwire = built(1);
  EXPECT_EQ(randwire.output, (Shape{1, 1000}));
  // Xie et al. 2019, table 2: the mean of five graphs and how far they spread.
  EXPECT_NEAR(static_cast<double>(randwire.multiply_adds), 583e6, 6.2e6);
  int64_t parameters = 0;
  for (const auto& [name, tensor] : randwire.model.graph.constants) {
    const bool is_statistic = name.ends_with("_mean") || name.ends_with("_variance");
    if (!tensor.type.shape.empty() && !is_statistic) parameters += tensor.type.size();
  }
  EXPECT_NEAR(static_cast<double>(parameters), 5.6e6, 0.1e6);
  EXPECT_EQ(parameters, 5627419) << "another graph";
  EXPECT_EQ(randwire.multiply_adds, 581306720) << "another graph";
}

TEST(Randwire, Has32NodesAStageAndAFactorForEveryEdge) {
  const Model model = built(1).model;
  for (const char* stage : {"conv3", "conv4", "conv5"}) {
    EXPECT_EQ(count(model, stage, "BatchNormalization"), 32) << stage;
    EXPECT_EQ(count(model, stage, "Relu"), 32) << stage;
    EXPECT_EQ(count(model, stage, "Conv"), 2 * 32) << stage;
    EXPECT_EQ(count(model, stage, "Mul"), 32 * 4 / 2) << stage;
  }
}

TEST(Randwire, MakesEveryValueBeforeItIsReadAndReadsAll) {
  const Model model = built(1).model;
  std::set<std::string> known = {"data"}, read = {model.graph.outputs.front().name};
  for (const auto& [name, tensor] : model.graph.constants) known.insert(name);
  for (const Node& node : model.graph.nodes) {
    for (const std::string& input : node.inputs) {
      EXPECT_TRUE(known.contains(input)) << node.name << " reads " << input;
      read.insert(input);
    }
    EXPECT_TRUE(known.insert(node.name).second) << node.name;
  }
  EXPECT_EQ(read, known);
}

TEST(Randwire, HasTheSameGraphForAllWeights) {
  const Randwire one = built(1, ZooWeights::kSeeded);
  const Randwire other = built(2, ZooWeights::kSeeded);
  EXPECT_EQ(one.model.graph.nodes.size(), other.model.graph.nodes.size());
  EXPECT_TRUE(std::ranges::equal(
      one.model.graph.nodes, other.model.graph.nodes, [](const Node& a, const Node& b) {
        return a.name == b.name && a.type == b.type && a.inputs == b.inputs;
      }));
  EXPECT_NE(one.model.graph.constants.at("conv3_0_weight").data,
            other.model.graph.constants.at("conv3_0_weight").data);
}

}  // namespace
}  // namespace opbench
