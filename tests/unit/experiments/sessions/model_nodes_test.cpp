#include "experiments/sessions/model/model_nodes.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(ModelNodes, NeedWhatTheyReadOnceAndInOrder) {
  Graph graph;
  graph.nodes = {{.name = "a", .type = "Conv", .inputs = {"x", "w"}, .outputs = {"1"}},
                 {.name = "b", .type = "Relu", .inputs = {"1"}, .outputs = {"2"}},
                 {.name = "c", .type = "Add", .inputs = {"2", "1", "2", ""}, .outputs = {"3", ""}}};
  const std::vector<ModelNode> nodes = nodes_of(graph);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0], (ModelNode{"a", "Conv", {}}));
  EXPECT_EQ(nodes[1], (ModelNode{"b", "Relu", {"a"}}));
  EXPECT_EQ(nodes[2], (ModelNode{"c", "Add", {"a", "b"}}));
}

TEST(ModelNodes, NeedWhatTheirBodiesRead) {
  Graph body;
  body.nodes = {{.name = "inner", .type = "Neg", .inputs = {"1"}, .outputs = {"i"}}};
  body.outputs = {{.name = "i"}};
  Graph graph;
  graph.nodes = {{.name = "a", .type = "Conv", .inputs = {"x"}, .outputs = {"1"}},
                 {.name = "if", .type = "If", .inputs = {"c"}, .outputs = {"2"}}};
  graph.nodes[1].bodies = {{"then_branch", Body(body)}};
  EXPECT_EQ(nodes_of(graph)[1].needs, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace opbench
