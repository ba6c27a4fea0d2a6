#include <gmock/gmock.h>

#include "graph_runner.h"
#include "model/graph/onnx_file.h"
#include "model/passes/passes.h"
#include "model/passes/unrolled.h"
#include "onnx_text.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A model whose text stands behind the usual head.
Model read(const std::string& text, int opset = 17) {
  const std::string head = R"(<ir_version: 8, opset_import: ["" : )" + std::to_string(opset) + "]>";
  auto model = parse_onnx(test::onnx_of_text(head + text), "model", "");
  EXPECT_TRUE(model) << to_text(model.error());
  return *model;
}

std::string control_flow_refusal(Model model) {
  const auto inferred = infer_types(model);
  return inferred ? "" : to_text(inferred.error());
}

Tensor control_flow_floats(const Shape& shape, const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, shape, values);
}

/// The first output of the unrolled model, as its nodes and as its units compute it.
std::vector<float> run(Model model, const std::map<std::string, Tensor>& inputs) {
  const auto inferred = infer_types(model);
  EXPECT_TRUE(inferred) << to_text(inferred.error());
  if (!inferred) return {};
  const auto by_nodes = run_nodes(model, inputs);
  EXPECT_TRUE(by_nodes) << to_text(by_nodes.error());
  const auto units = lower(model);
  EXPECT_TRUE(units) << to_text(units.error());
  const auto by_units = run_units(model, inputs);
  EXPECT_TRUE(by_units) << to_text(by_units.error());
  EXPECT_EQ(by_nodes->data, by_units->data);
  const auto values = by_nodes->as<float>();
  return {values.begin(), values.end()};
}

std::vector<std::string> names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  return names;
}

/// v = (v + w) * i, three times; w belongs to the graph around.
const char* const kLoop = R"(
g (float[2] x, float[2] w) => (float[2] y)
<int64 three = {3}, bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float[2] v) => (bool going_on, float[2] next) {
    at = Cast <to = 1> (i)
    sum = Add (v, w)
    next = Mul (sum, at)
    going_on = Identity (going)
  }> (three, yes, x)
})";

TEST(ControlFlow, UnrollsALoopWithKnownTripCount) {
  // (((x + w) * 0 + w) * 1 + w) * 2 = 4 w
  EXPECT_THAT(run(read(kLoop), {{"x", control_flow_floats({2}, {5, 6})},
                                {"w", control_flow_floats({2}, {1, 10})}}),
              ElementsAre(4, 40));
}

TEST(ControlFlow, NamesTheNodesOfEachIteration) {
  Model model = read(kLoop);
  ASSERT_TRUE(infer_types(model));
  EXPECT_THAT(
      names_of(model.graph),
      ElementsAre("y/0/at", "y/0/sum", "y/0/next", "y/0/going_on", "y/1/at", "y/1/sum", "y/1/next",
                  "y/1/going_on", "y/2/at", "y/2/sum", "y/2/next", "y/2/going_on", "y"));
}

/// Doubles while (i + 1) squared is below `most`, and stacks the squares.
std::string until(int most) {
  return R"(
g (float[2] x) => (int64[n] squares, float[2] y)
<int64 most = {)" +
         std::to_string(most) + R"(}, bool yes = {1}, int64 one = {1}> {
  y, squares = Loop <body = body (int64 i, bool going, float[2] v) =>
                                 (bool going_on, float[2] next, int64 square) {
    after = Add (i, one)
    square = Mul (after, after)
    going_on = Less (square, most)
    next = Add (v, v)
  }> (_, yes, x)
})";
}

TEST(ControlFlow, FollowsAConditionThatFoldsInEveryIteration) {
  Model model = read(until(10));
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.types.at("squares"), (TensorType{DataType::kInt64, {4}}));
  const auto squares = run_nodes(model, {{"x", control_flow_floats({2}, {1, 2})}});
  ASSERT_TRUE(squares);
  EXPECT_THAT(squares->as<int64_t>(), ElementsAre(1, 4, 9, 16));
}

TEST(ControlFlow, LetsACarriedValueGrow) {
  Model model = read(R"(
g (float[2,1] x) => (float[2,n] y)
<int64 three = {3}, bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float[2,m] v) => (bool going_on, float[2,k] next) {
    going_on = Identity (going)
    next = Concat <axis = 1> (v, x)
  }> (three, yes, x)
})");
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.types.at("y").shape, (Shape{2, 4}));
}

std::string loop_of(const std::string& count, const std::string& scan_type) {
  return R"(
g (float[2] x) => (float[n,2] rows)
<int64 count = {)" +
         count + R"(}, bool yes = {1}> {
  y, rows = Loop <body = body (int64 i, bool going, float[2] v) =>
                              (bool going_on, float[2] next, )" +
         scan_type + R"( row) {
    going_on = Identity (going)
    next = Add (v, x)
    row = Neg (v)
  }> (count, yes, x)
})";
}

TEST(ControlFlow, StacksScanOutputsInEveryOpset) {
  for (const int opset : {11, 13, 17}) {
    EXPECT_THAT(
        run(read(loop_of("2", "float[2]"), opset), {{"x", control_flow_floats({2}, {1, 2})}}),
        ElementsAre(-1, -2, -2, -4));
  }
}

TEST(ControlFlow, ALoopWithoutIterationsNeedsStatedExtents) {
  Model model = read(loop_of("0", "float[2]"));
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.types.at("rows").shape, (Shape{0, 2}));
  EXPECT_THAT(control_flow_refusal(read(loop_of("0", "float[k]"))),
              HasSubstr("has no iteration, and its body does not state the extents of \"row\""));
}

TEST(ControlFlow, UnrollsLoopsInsideLoopsAndTakesTheirBranches) {
  // v = 1: i = 0: no inner one, |1| = 1; i = 1: -(1 + 1) = -2; i = 2: |-2 + 1 + 1| = 0
  const std::string text = R"(
g (float[1] x) => (float[1] y)
<int64 three = {3}, int64 two = {2}, int64 zero = {0}, bool yes = {1}> {
  y = Loop <body = outer (int64 i, bool going, float[1] v) => (bool going_on, float[1] next) {
    going_on = Identity (going)
    inside = Loop <body = inner (int64 j, bool inner_going, float[1] u) =>
                                (bool inner_going_on, float[1] grown) {
      inner_going_on = Identity (inner_going)
      grown = Add (u, x)
    }> (i, yes, v)
    rest = Mod (i, two)
    is_even = Equal (rest, zero)
    next = If (is_even) <then_branch = even () => (float[1] a) { a = Abs (inside) },
                         else_branch = odd () => (float[1] b) { b = Neg (inside) }>
  }> (three, yes, x)
})";
  EXPECT_THAT(run(read(text), {{"x", control_flow_floats({1}, {1})}}), ElementsAre(0));
  EXPECT_THAT(run(read(text), {{"x", control_flow_floats({1}, {-2})}}), ElementsAre(4));
}

/// The running sum of the columns of a, and the rows of b backward.
std::string scan(const std::string& attributes) {
  return R"(
g (float[2] start, float[2,3] a, float[3,2] b) => (float[m,n] sums, float[2] last) {
  last, sums = Scan <num_scan_inputs = 2, scan_input_axes = [1, -2],
                     scan_input_directions = [0, 1], )" +
         attributes + R"(
                     body = body (float[2] state, float[2] left, float[2] right) =>
                                 (float[2] next, float[2] sum) {
    part = Add (left, right)
    next = Add (state, part)
    sum = Identity (next)
  }> (start, a, b)
})";
}

TEST(ControlFlow, UnrollsAScanAlongItsAxesAndDirections) {
  const std::map<std::string, Tensor> inputs = {
      {"start", control_flow_floats({2}, {100, 200})},
      {"a", control_flow_floats({2, 3}, {1, 2, 3, 4, 5, 6})},
      {"b", control_flow_floats({3, 2}, {10, 20, 30, 40, 50, 60})}};
  EXPECT_THAT(run(read(scan("")), inputs), ElementsAre(151, 264, 183, 309, 196, 335));
  EXPECT_THAT(run(read(scan("scan_output_directions = [1],")), inputs),
              ElementsAre(196, 335, 183, 309, 151, 264));
  EXPECT_THAT(run(read(scan("scan_output_axes = [-1],")), inputs),
              ElementsAre(151, 183, 196, 264, 309, 335));
}

TEST(ControlFlow, RefusesScansThatDoNotFit) {
  EXPECT_THAT(control_flow_refusal(read(scan(""), 8)),
              HasSubstr("Scan \"last\" has the form of opset 8"));
  EXPECT_THAT(control_flow_refusal(read(scan("scan_output_axes = [5],"))), HasSubstr("axis 5"));
  Model model = read(scan(""));
  model.graph.inputs[2].dimensions[0].value = 4;
  EXPECT_THAT(control_flow_refusal(model), HasSubstr("scans 3 and 4 parts at once"));
}

TEST(ControlFlow, NamesTheInputThatDecides) {
  Model model = read(kLoop);
  model.graph.constants.erase("three");
  model.graph.inputs.push_back({"three", DataType::kInt64, true, {}});
  const std::string text = control_flow_refusal(model);
  EXPECT_THAT(text, HasSubstr("Loop \"y\" has a trip count (\"three\") that is only known in the"));
  EXPECT_THAT(text, HasSubstr("give: --input three=NUMBER"));
}

TEST(ControlFlow, KeepsALoopThatIsNotUnrolledToItsEnd) {
  Model model = read(R"(
g (float x) => (float y)
<float most = {100}, bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float v) => (bool going_on, float next) {
    next = Add (v, v)
    going_on = Less (next, most)
  }> (_, yes, x)
})");
  const std::string text = control_flow_refusal(model);
  EXPECT_THAT(text, HasSubstr("has a condition before iteration 1"));
  EXPECT_THAT(text, HasSubstr("remedy: another engine"));
  const Graph before = model.graph;
  ASSERT_TRUE(infer_known_types(model));
  EXPECT_EQ(model.graph.nodes, before.nodes);
  EXPECT_EQ(model.graph.constants, before.constants);
}

TEST(ControlFlow, RefusesALoopThatNeverEnds) {
  std::string text = until(10);
  text.replace(text.find("Less (square, most)"), 19, "Identity (going)");
  EXPECT_THAT(control_flow_refusal(read(text)),
              HasSubstr("makes more than 20000 nodes of the loops"));
}

TEST(ControlFlow, RefusesAResultThatAnOperatorDoesNotMake) {
  std::string text = kLoop;
  text.replace(text.find("at = Cast"), 9, "at, w = Cast");
  EXPECT_THAT(control_flow_refusal(read(text)), HasSubstr("Cast \"y/0/at\": it has no output 1"));
}

TEST(ControlFlow, RefusesALoopOfNothingThatNeverEnds) {
  const std::string text = R"(
g (float x) => (float y)
<bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float v) => (bool going, float v) {}> (_, yes, x)
})";
  EXPECT_THAT(control_flow_refusal(read(text)),
              HasSubstr("makes more than 20000 nodes of the loops"));
}

TEST(ControlFlow, KeepsNodesOfOneNameApart) {
  Model model = read(R"(
g (float[1] x) => (float[1] y)
<bool yes = {1}> {
  p = If (yes) <then_branch = a () => (float[1] c) { b = Add (x, x)  c = Abs (b) },
                else_branch = d () => (float[1] e) { e = Neg (x) }>
  y = If (yes) <then_branch = f () => (float[1] h) { b = Add (p, x)  h = Neg (b) },
                else_branch = i () => (float[1] j) { j = Neg (p) }>
})");
  for (Node& node : model.graph.nodes) node.name = "choice";
  ASSERT_TRUE(infer_types(model));
  EXPECT_THAT(names_of(model.graph),
              ElementsAre("choice/b", "choice/c", "choice/y/b", "choice/y/h"));
  EXPECT_THAT(run(model, {{"x", control_flow_floats({1}, {2})}}), ElementsAre(-6));
}

TEST(ControlFlow, SharesTheConstantsOfBodiesAmongIterations) {
  Model model = read(R"(
g (float[2] x) => (float[2] y)
<int64 three = {3}, bool yes = {1}> {
  y = Loop <body = body (int64 i, bool going, float[2] v) => (bool going_on, float[2] next) {
    going_on = Identity (going)
    next = If (yes) <then_branch = then () => (float[2] a) {
                       half = Constant <value = float {0.5}> ()
                       a = Mul (v, half)
                     },
                     else_branch = other () => (float[2] b) { b = Neg (v) }>
  }> (three, yes, x)
})");
  ASSERT_TRUE(infer_types(model));
  int64_t halves = 0;
  for (const auto& [name, tensor] : model.graph.constants) halves += name.ends_with("half") ? 1 : 0;
  EXPECT_EQ(halves, 1);
  EXPECT_THAT(run(model, {{"x", control_flow_floats({2}, {8, 16})}}), ElementsAre(1, 2));
}

TEST(ControlFlow, CountsTheNodesThatFit) {
  EXPECT_TRUE(check_unrolled_nodes(100, 200, 0));
  EXPECT_FALSE(check_unrolled_nodes(100, 200, 1));
  EXPECT_FALSE(check_unrolled_nodes(INT64_MAX, 2, 0));
}

}  // namespace
}  // namespace opbench
