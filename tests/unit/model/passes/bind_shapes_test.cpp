#include "model/passes/bind_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

Value bind_shapes_value(const std::string& name, const std::vector<Dimension>& dimensions) {
  return {name, DataType::kFloat32, true, dimensions};
}

Dimension named(const std::string& name) { return {-1, name}; }
const Dimension kUnnamed{-1, ""};
Dimension of(int64_t extent) { return {extent, ""}; }

Model bind_shapes_model_of(std::vector<Value> inputs, std::vector<Node> nodes = {}) {
  Model model;
  model.opset = 17;
  model.graph.inputs = std::move(inputs);
  model.graph.nodes = std::move(nodes);
  return model;
}

std::string error_of(Model model, const ExtentChoices& choices) {
  const auto bound = bind_shapes(model, choices);
  return bound ? "" : to_text(bound.error());
}

Shape shape_of(const Value& input) {
  Shape shape;
  for (const Dimension& dimension : input.dimensions) shape.push_back(dimension.value);
  return shape;
}

/// The extents that the options of `give:` name bind the model.
void expect_runs_as_suggested(const Model& model, const ExtentChoices& choices) {
  Model copy = model;
  EXPECT_EQ(error_of(copy, choices), "");
}

TEST(BindShapes, GivesFreeDimensionsTheirExtents) {
  Model model = bind_shapes_model_of({bind_shapes_value("x", {named("n"), of(3), kUnnamed}),
                                      bind_shapes_value("m", {named("n")})});
  ASSERT_TRUE(bind_shapes(model, {.shapes = {{"x", {2, 3, 5}, "--shape x"}}}));
  EXPECT_EQ(shape_of(model.graph.inputs[0]), (Shape{2, 3, 5}));
  EXPECT_EQ(shape_of(model.graph.inputs[1]), (Shape{2})) << "the same name, the same extent";
}

TEST(BindShapes, GivesDimensionsOfANameTheirExtent) {
  Model model = bind_shapes_model_of(
      {bind_shapes_value("x", {named("n"), named("len")}), bind_shapes_value("m", {named("len")})});
  ASSERT_TRUE(bind_shapes(model, {.dimensions = {{"n", 2}, {"len", 7}}}));
  EXPECT_EQ(shape_of(model.graph.inputs[0]), (Shape{2, 7}));
  EXPECT_EQ(shape_of(model.graph.inputs[1]), (Shape{7}));
}

TEST(BindShapes, GivesEveryInputTheBatch) {
  Model model = bind_shapes_model_of(
      {bind_shapes_value("x", {named("n"), of(3)}), bind_shapes_value("rate", {})});
  ASSERT_TRUE(bind_shapes(model, {.batch_size = 4}));
  EXPECT_EQ(shape_of(model.graph.inputs[0]), (Shape{4, 3}));
}

TEST(BindShapes, MakesTheRestOfAnInputOfOneElementOne) {
  Model model = bind_shapes_model_of(
      {bind_shapes_value("rate", {kUnnamed, named("n")}), bind_shapes_value("x", {named("n")})});
  ASSERT_TRUE(bind_shapes(model, {.single_elements = {"rate"}}));
  EXPECT_EQ(shape_of(model.graph.inputs[0]), (Shape{1, 1}));
  EXPECT_EQ(shape_of(model.graph.inputs[1]), (Shape{1}));
  Value any{"rate", DataType::kInt64, false, {}};
  Model scalar = bind_shapes_model_of({any});
  ASSERT_TRUE(bind_shapes(scalar, {.single_elements = {"rate"}}));
  EXPECT_EQ(shape_of(scalar.graph.inputs[0]), Shape{});
}

TEST(BindShapes, CountsDimensionsFromZero) {
  const Model model = bind_shapes_model_of({bind_shapes_value("data", {named("n"), of(3)})});
  EXPECT_THAT(error_of(model, {.shapes = {{"data", {1, 4}, "--shape data"}}}),
              HasSubstr("dimension 1 of input \"data\" is 3 in the model, not 4\n"
                        "  given by: --shape data\n"));
}

TEST(BindShapes, NamesBothSourcesOfAContradiction) {
  const Model model = bind_shapes_model_of(
      {bind_shapes_value("x", {named("n"), kUnnamed}), bind_shapes_value("m", {named("n")})});
  const GivenShape shape{"x", {2, 5}, "--shape x"};
  EXPECT_THAT(error_of(model, {.shapes = {shape, {"x", {2, 6}, "\"x.npy\""}}}),
              HasSubstr("dimension 1 of input \"x\" is given as 5 and as 6\n"
                        "  5: by --shape x\n  6: by \"x.npy\"\n"));
  EXPECT_THAT(error_of(model, {.shapes = {shape, {"m", {3}, "\"m.npy\""}}}),
              HasSubstr("dimension \"n\" is given as 2 and as 3\n"
                        "  2: by --shape x\n  3: by \"m.npy\"\n"));
  EXPECT_THAT(error_of(model, {.shapes = {shape}, .dimensions = {{"n", 3}}}),
              HasSubstr("3: by --dim n\n"));
  EXPECT_THAT(error_of(model, {.shapes = {shape}, .batch_size = 4}),
              HasSubstr("dimension 0 of input \"x\" is given as 2 and as 4\n"));
}

TEST(BindShapes, RefusesWhatTheModelDoesNotHave) {
  const Model model = bind_shapes_model_of({bind_shapes_value("data", {named("seq_len"), of(3)})});
  EXPECT_THAT(error_of(model, {.shapes = {{"dta", {1, 3}, "--shape dta"}}}),
              HasSubstr("did you mean: data?"));
  EXPECT_THAT(error_of(model, {.shapes = {{"data", {1, 3, 3}, "--shape data"}}}),
              HasSubstr("shape 1x3x3 has 3 dimensions, input \"data\" has 2: [seq_len, 3]\n"));
  EXPECT_THAT(error_of(model, {.shapes = {{"data", {0, 3}, "\"e.npy\""}}}),
              HasSubstr("extent 0 of input \"data\" is below 1\n  given by: \"e.npy\"\n"));
  EXPECT_THAT(error_of(model, {.dimensions = {{"seqlen", 3}}}),
              HasSubstr("unknown dimension \"seqlen\"\n  known: seq_len\n"));
  EXPECT_THAT(
      error_of(bind_shapes_model_of({bind_shapes_value("x", {of(1)})}), {.dimensions = {{"n", 3}}}),
      HasSubstr("no dimension is called \"n\"\n"));
}

TEST(BindShapes, RefusesInputsThatAreNoTensors) {
  const Value sequence{"list", DataType::kUndefined, false, {}};
  EXPECT_THAT(error_of(bind_shapes_model_of({sequence}), {}),
              HasSubstr("input \"list\" is no tensor of a known type\n"));
}

TEST(BindShapes, ListsFreeDimensionsWithTheirInputsAndAxes) {
  const Model model =
      bind_shapes_model_of({bind_shapes_value("ids", {named("batch"), named("my len")}),
                            bind_shapes_value("mask", {named("batch"), named("my len")}),
                            bind_shapes_value("image", {kUnnamed, of(3), kUnnamed, kUnnamed})});
  EXPECT_EQ(error_of(model, {}),
            "error: free dimensions in inputs \"ids\", \"mask\", \"image\"\n"
            "  input: \"ids\": float32 [batch, my len]\n"
            "  input: \"mask\": float32 [batch, my len]\n"
            "  input: \"image\": float32 [?, 3, ?, ?]\n"
            "  free: \"batch\": dimension 0 of \"ids\", dimension 0 of \"mask\"\n"
            "  free: \"my len\": dimension 1 of \"ids\", dimension 1 of \"mask\"\n"
            "  free: dimension 0 of \"image\", without a name\n"
            "  free: dimension 2 of \"image\", without a name\n"
            "  free: dimension 3 of \"image\", without a name\n"
            "  give: --shape image=1x3x640x640 --dim batch=1 --dim 'my len=512'\n");
  expect_runs_as_suggested(model, {.shapes = {{"image", {1, 3, 640, 640}, ""}},
                                   .dimensions = {{"batch", 1}, {"my len", 512}}});
  EXPECT_THAT(error_of(model, {.dimensions = {{"batch", 2}}}),
              HasSubstr("give: --shape image=1x3x640x640 --dim 'my len=512'\n"))
      << "what is given already is left out";
}

std::string suggestion_for(const Model& model) {
  const std::string text = error_of(model, {});
  const size_t at = text.find("give: ");
  return at == std::string::npos ? text : text.substr(at + 6, text.size() - at - 7);
}

TEST(SuggestedExtents, FollowNamesRanksAndTypes) {
  EXPECT_EQ(suggestion_for(bind_shapes_model_of(
                {bind_shapes_value("x", {named("batch_size"), named("samples")})})),
            "--dim batch_size=1 --dim samples=512");
  EXPECT_EQ(suggestion_for(
                bind_shapes_model_of({bind_shapes_value("x", {named("batch"), named("sequence")}),
                                      bind_shapes_value("h", {of(2), named("batch"), of(64)})})),
            "--dim batch=1 --dim sequence=512");
  EXPECT_EQ(suggestion_for(bind_shapes_model_of(
                {bind_shapes_value("x", {named("b"), named("sequence"), of(64)})})),
            "--dim b=1 --dim sequence=128");
  EXPECT_EQ(suggestion_for(bind_shapes_model_of(
                {bind_shapes_value("x", {kUnnamed, kUnnamed, kUnnamed, of(3)})})),
            "--shape x=1x640x640x3");
  EXPECT_EQ(suggestion_for(bind_shapes_model_of({bind_shapes_value(
                "x", {named("p2o.DynamicDimension.0"), of(3), named("p2o.DynamicDimension.1"),
                      named("p2o.DynamicDimension.2")})})),
            "--dim p2o.DynamicDimension.0=1 --dim p2o.DynamicDimension.1=640 "
            "--dim p2o.DynamicDimension.2=640");
  Value ids = bind_shapes_value("ids", {kUnnamed, kUnnamed});
  ids.data_type = DataType::kInt64;
  EXPECT_EQ(suggestion_for(bind_shapes_model_of({ids})), "--shape ids=1x128");
}

TEST(SuggestedExtents, FitTheOperatorsThatReadTheInput) {
  Model model =
      bind_shapes_model_of({bind_shapes_value("x", {kUnnamed, kUnnamed, of(8), of(8)})},
                           {{"c", "Conv", "", {"x", "w"}, {"y"}, {{"group", int64_t{2}}}}});
  model.graph.constants["w"] = Tensor::empty({DataType::kFloat32, {4, 5, 3, 3}});
  EXPECT_EQ(suggestion_for(model), "--shape x=1x10x8x8");
  Value any{"x", DataType::kFloat32, false, {}};
  Model product = bind_shapes_model_of({any}, {{"m", "MatMul", "", {"x", "w"}, {"y"}, {}}});
  product.graph.constants["w"] = Tensor::empty({DataType::kFloat32, {12, 5}});
  EXPECT_EQ(suggestion_for(product), "--shape x=1x12");
}

// A product of an image of 224x224 only: 640 is tried first and does not fit.
TEST(SuggestedExtents, AreTriedUntilTheShapesFit) {
  Model model = bind_shapes_model_of(
      {bind_shapes_value("x", {of(1), of(1), kUnnamed, kUnnamed})},
      {{"a", "Flatten", "", {"x"}, {"a"}, {}}, {"m", "MatMul", "", {"a", "w"}, {"y"}, {}}});
  model.graph.constants["w"] = Tensor::empty({DataType::kFloat32, {224 * 224, 2}});
  EXPECT_EQ(suggestion_for(model), "--shape x=1x1x224x224");
}

}  // namespace
}  // namespace opbench
