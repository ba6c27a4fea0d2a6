#include "kernels/tasks/lowering_order.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

/// A graph of nodes that are each called as their result; all of one shape but where told.
class GraphMaker {
 public:
  GraphMaker() { add_value("x"); }

  GraphMaker& node(const std::string& type, const std::string& name, const Names& inputs,
                   const Shape& shape = {1, 8, 4, 4}) {
    graph_.nodes.push_back({.name = name, .type = type, .inputs = inputs, .outputs = {name}});
    add_value(name, shape);
    return *this;
  }
  GraphMaker& conv(const std::string& name, const std::string& input) {
    return node("Conv", name, {input, "weights of " + name});
  }
  GraphMaker& output(const std::string& name) {
    graph_.outputs.push_back({.name = name});
    return *this;
  }

  Names order(bool is_fused = true) const {
    const auto is_conv = [](const Node& node) { return node.type == "Conv"; };
    Names names;
    for (const size_t index : lowering_order(graph_, is_conv, is_fused)) {
      names.push_back(graph_.nodes[index].name);
    }
    return names;
  }

 private:
  void add_value(const std::string& name, const Shape& shape = {1, 8, 4, 4}) {
    graph_.types[name] = {DataType::kFloat32, shape};
  }

  Graph graph_;
};

/// Two convolutions of x whose sum is the output.
GraphMaker sum_of(const std::string& left, const std::string& right) {
  GraphMaker maker;
  maker.conv("a", "x").conv("b", "x").node("Add", "y", {left, right}).output("y");
  return maker;
}

TEST(LoweringOrder, GivesASumToItsFirstOperand) {
  EXPECT_THAT(sum_of("a", "b").order(), ElementsAre("b", "a"));
  EXPECT_THAT(sum_of("b", "a").order(), ElementsAre("a", "b"));
  EXPECT_THAT(sum_of("a", "b").order(false), ElementsAre("a", "b"));
}

TEST(LoweringOrder, FollowsOperandsAndNotTheOrderOfTheFile) {
  GraphMaker maker;
  maker.conv("a", "x").conv("b", "x").conv("c", "x");
  maker.node("Concat", "y", {"c", "a", "b"}, {1, 24, 4, 4}).output("y");
  EXPECT_THAT(maker.order(), ElementsAre("c", "a", "b"));
}

TEST(LoweringOrder, FollowsOutputsInTurn) {
  GraphMaker maker;
  maker.conv("a", "x").conv("b", "x").conv("unread", "x").output("b").output("a");
  EXPECT_THAT(maker.order(), ElementsAre("b", "a"));
}

// conv * sigmoid(conv): the paths meet in the product, which then takes b's result too.
TEST(LoweringOrder, FusesOverPathsThatMeet) {
  GraphMaker maker;
  maker.conv("a", "x").node("Sigmoid", "s", {"a"}).node("Mul", "m", {"a", "s"});
  maker.conv("b", "x").node("Add", "y", {"m", "b"}).output("y");
  EXPECT_THAT(maker.order(), ElementsAre("b", "a"));
}

TEST(LoweringOrder, EndsAnOperatorWhereTheShapeChanges) {
  GraphMaker maker;
  maker.node("Conv", "a", {"x", "w"}, {1, 8, 1, 1}).conv("b", "x");
  maker.node("Mul", "y", {"a", "b"}).output("y");
  EXPECT_THAT(maker.order(), ElementsAre("a", "b"));
}

TEST(LoweringOrder, EndsAnOperatorAtAnOutput) {
  GraphMaker maker;
  maker.conv("a", "x").conv("b", "x").node("Add", "y", {"a", "b"}).output("y").output("a");
  EXPECT_THAT(maker.order(), ElementsAre("a", "b"));
}

// A convolution lies on one of the paths from a's activation to the sum, which is then b's.
TEST(LoweringOrder, EndsAnOperatorWhereItsResultGoesApart) {
  GraphMaker maker;
  maker.conv("a", "x").node("Relu", "r", {"a"}).conv("b", "r").conv("c", "x");
  maker.node("Add", "s", {"r", "b"}).node("Add", "t", {"s", "c"}).output("t");
  EXPECT_THAT(maker.order(), ElementsAre("a", "c", "b"));
}

TEST(LoweringOrder, TakesDeepGraphs) {
  GraphMaker maker;
  maker.conv("a", "x");
  std::string last = "a";
  for (int i = 0; i < 20000; ++i) {
    const std::string next = "r" + std::to_string(i);
    maker.node("Relu", next, {last});
    last = next;
  }
  maker.conv("b", "x").node("Add", "y", {last, "b"}).output("y");
  EXPECT_THAT(maker.order(), ElementsAre("b", "a"));
}

TEST(LoweringOrder, IsEmptyWithoutAnchors) {
  GraphMaker maker;
  maker.node("Relu", "y", {"x"}).output("y").output("x");
  EXPECT_THAT(maker.order(), IsEmpty());
}

}  // namespace
}  // namespace opbench
