#include "experiments/regress/model_chains.h"

#include <gtest/gtest.h>

#include "model/zoo/zoo.h"

namespace opbench {
namespace {

Node chain_node(const std::string& name, std::vector<std::string> inputs) {
  return {.name = name, .type = "X", .inputs = std::move(inputs), .outputs = {name + ".y"}};
}

TEST(ModelChains, EndWhereAResultIsReadTwice) {
  Graph graph;
  graph.nodes = {chain_node("stem", {"x"}),
                 chain_node("conv1", {"stem.y", "w1"}),
                 chain_node("relu1", {"conv1.y"}),
                 chain_node("conv2", {"relu1.y", "w1"}),
                 chain_node("add", {"conv2.y", "stem.y"}),
                 chain_node("relu2", {"add.y"})};
  const ModelChains chains(graph);
  EXPECT_EQ(chains.chain_of({"stem"}), "stem..stem");
  for (const char* node : {"conv1", "relu1", "conv2", "add", "relu2"}) {
    EXPECT_EQ(chains.chain_of({node}), "conv1..relu2") << node;
  }
  EXPECT_EQ(chains.chain_of({"relu2", "other", "stem"}), "stem..stem") << "its first place";
  EXPECT_EQ(chains.chain_of({"other"}), "");
  EXPECT_EQ(chains.chain_of({}), "");
}

TEST(ModelChains, AreTheBlocksOfAResNet) {
  const Model model = zoo_outline("resnet-18", 1).value();
  const ModelChains chains(model.graph);
  std::map<std::string, int> sizes;
  for (const Node& node : model.graph.nodes) ++sizes[chains.chain_of({node.name})];
  EXPECT_GE(sizes.size(), 8U) << "one a block at least";
  for (const auto& [name, size] : sizes) EXPECT_LT(size, 16) << name;
}

}  // namespace
}  // namespace opbench
