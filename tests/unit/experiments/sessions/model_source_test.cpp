#include "experiments/sessions/model/model_source.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "experiments/sessions/request/profile_request.h"
#include "model/graph/onnx_file.h"
#include "model/operators/operator.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

ProfileRequest request_for(const std::string& workload) {
  ProfileRequest request;
  request.model.workload = workload;
  return request;
}

Result<RequestedModel> model_of(const std::string& workload) {
  const ProfileRequest request = request_for(workload);
  return load_model(request.model, request.measure, request.hooks);
}

TEST(ModelSource, MakesAModelOfAWorkload) {
  const auto model = model_of("conv2d 1x3x8x8 w:4x3x3x3 w:4; relu");
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->graph.inputs.size(), 1);
  EXPECT_EQ(model->graph.constants.size(), 2);
  for (const Node& node : model->graph.nodes) EXPECT_NE(node.name, "");
  EXPECT_EQ(*model, *model_of("conv2d 1x3x8x8 w:4x3x3x3 w:4; relu"));
  ProfileRequest other = request_for("conv2d 1x3x8x8 w:4x3x3x3 w:4; relu");
  other.model.seed = 1;
  EXPECT_NE(*model, *load_model(other.model, other.measure, other.hooks));
  EXPECT_FALSE(model_of("conv3d 1x3x8x8"));
}

TEST(ModelSource, ImportsTheDomainsOfAWorkload) {
  const auto model = model_of("com.microsoft.quick_gelu 2x3; relu");
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->other_opsets, (std::map<std::string, int64_t>{{"com.microsoft", 1}}));
  EXPECT_EQ(model->graph.nodes[0].domain, "com.microsoft");
}

TEST(ModelSource, GivesEveryNodeANameOfItsOwn) {
  const auto workload = parse_workload("conv2d 1x4x4x4 w:4x4x1x1; add 1x4x4x4; relu; add 1x4x4x4");
  ASSERT_TRUE(workload) << to_text(workload.error());
  std::set<std::string> names;
  const Model model = model_of_workload(*workload, 0);
  for (const Node& node : model.graph.nodes) names.insert(node.name);
  EXPECT_EQ(names.size(), 4U);
}

TEST(ModelSource, GivesVariancesARoot) {
  const auto workload = parse_workload("batch_norm 1x64x2x2 w:64 w:64 w:64 w:64");
  ASSERT_TRUE(workload) << to_text(workload.error());
  const Model model = model_of_workload(*workload, 0);
  const Tensor& variance = model.graph.constants.at(workload->graph.nodes[0].inputs[4]);
  EXPECT_GE(std::ranges::min(variance.as<float>()), 0.5F);
}

TEST(ModelSource, DrawsInputsThatTheirOperatorsAccept) {
  const auto lowest = [](const std::string& text, size_t index) {
    const ProfileRequest request = request_for(text);
    const auto inputs =
        *input_tensors(request.model, *load_model(request.model, request.measure, request.hooks));
    return std::ranges::min(inputs.at(index).second.as<float>());
  };
  EXPECT_GT(lowest("log 1000", 0), 0);
  EXPECT_GE(lowest("sqrt 1000", 0), 0);
  EXPECT_GE(lowest("acosh 1000", 0), 1);
  EXPECT_GT(lowest("pow 1000 1000", 0), 0);
  EXPECT_LT(lowest("pow 1000 1000", 1), 0);
  EXPECT_GT(lowest("div 1000 1000", 1), 0);
  const ProfileRequest request = request_for("div 50:int64 50:int64");
  for (const int64_t value : integers(
           input_tensors(request.model, *load_model(request.model, request.measure, request.hooks))
               ->at(1)
               .second)) {
    EXPECT_TRUE(value == 1 || value == 2);
  }
}

TEST(ModelSource, DrawsInputsFromSeedAndName) {
  const TensorType type{DataType::kFloat32, {100}};
  EXPECT_EQ(seeded_tensor(type, 1, "a"), seeded_tensor(type, 1, "a"));
  EXPECT_NE(seeded_tensor(type, 1, "a"), seeded_tensor(type, 1, "b"));
  EXPECT_NE(seeded_tensor(type, 1, "a"), seeded_tensor(type, 2, "a"));
  const auto [low, high] = std::ranges::minmax(seeded_tensor(type, 1, "a").as<float>());
  EXPECT_GE(low, -1);
  EXPECT_LT(high, 1);
  for (const int64_t value : integers(seeded_tensor({DataType::kInt64, {50}}, 1, "i"))) {
    EXPECT_TRUE(value == 0 || value == 1);
  }
}

TEST(SeededTensor, HasOrdinaryValuesOfNarrowFloats) {
  const Tensor half = seeded_tensor({DataType::kFloat16, {100}}, 1, "h");
  const Tensor brain = seeded_tensor({DataType::kBFloat16, {100}}, 1, "b");
  EXPECT_GT(largest_magnitude(half), 0.5);
  EXPECT_LE(largest_magnitude(half), 1);
  EXPECT_GT(largest_magnitude(brain), 0.5);
  EXPECT_LE(largest_magnitude(brain), 1);
}

/// `values` as a .npy file of format 1.0.
std::string npy(const std::string& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
  text += header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * 4);
  return text;
}

/// A model file with the input x of [n, m] and the scalar rate: y = x * rate.
void write_scaling_model(const std::filesystem::path& path) {
  Model model;
  model.name = "scaling";
  model.opset = 17;
  model.ir_version = 8;
  model.graph.nodes = {{"y", "Mul", "", {"x", "rate"}, {"y"}, {}}};
  model.graph.inputs = {{"x", DataType::kFloat32, true, {{-1, "n"}, {-1, "m"}}},
                        {"rate", DataType::kFloat32, true, {{-1, ""}}}};
  model.graph.outputs = {{"y", DataType::kFloat32, false, {}}};
  ASSERT_TRUE(write_onnx(model, path));
}

TEST(ModelSource, BindsFreeDimensionsByFilesAndNumbers) {
  const TemporaryFolder folder = std::move(*TemporaryFolder::make());
  const auto file = folder.path() / "x.npy";
  ASSERT_TRUE(write_file(file, npy("(2, 3)", {1, 2, 3, 4, 5, 6})));
  ProfileRequest request;
  request.model.name = folder.path() / "m.onnx";
  write_scaling_model(request.model.name);
  request.model.inputs = {{"x", file}, {"rate", "-2"}};
  const auto model = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(model) << to_text(model.error());
  const auto inputs = input_tensors(request.model, *model);
  ASSERT_TRUE(inputs) << to_text(inputs.error());
  EXPECT_EQ(inputs->at(0).second.type.shape, (Shape{2, 3}));
  EXPECT_EQ(inputs->at(1).second.type.shape, (Shape{1}));
  EXPECT_EQ(inputs->at(1).second.as<float>()[0], -2);

  request.model.extents.dimensions = {{"m", 4}};
  const auto contradicted = load_model(request.model, request.measure, request.hooks);
  ASSERT_FALSE(contradicted);
  const std::string text = to_text(contradicted.error());
  EXPECT_THAT(text, HasSubstr("dimension \"m\" is given as 3 and as 4"));
  EXPECT_THAT(text, HasSubstr("x.npy"));
  EXPECT_THAT(text, HasSubstr("in: " + request.model.name));
}

/// y = x + w + v, where the initialiser w = 1, 2 is an input too; v is none.
std::string model_with_default() {
  onnx::ModelProto model = test::empty_model();
  test::add_value(*model.mutable_graph()->add_input(), "w", {2});
  for (const char* name : {"w", "v"}) {
    onnx::TensorProto& tensor = test::add_tensor(model, name, onnx::TensorProto::FLOAT, {2});
    tensor.add_float_data(1);
    tensor.add_float_data(2);
  }
  test::add_node(model.mutable_graph()->mutable_node(), "Sum", {"x", "w", "v"}, {"y"});
  return model.SerializeAsString();
}

TEST(ModelSource, ReplacesADefaultByWhatIsGiven) {
  const TemporaryFolder folder = std::move(*TemporaryFolder::make());
  const auto file = folder.path() / "w.npy";
  ProfileRequest request;
  request.model.name = folder.path() / "m.onnx";
  ASSERT_TRUE(write_file(request.model.name, model_with_default()));
  ASSERT_TRUE(write_file(file, npy("(2,)", {5, 6})));
  request.model.inputs = {{"w", file}};
  const auto model = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->graph.constants.at("w").as<float>()[1], 6);
  const auto inputs = input_tensors(request.model, *model);
  ASSERT_TRUE(inputs) << to_text(inputs.error());
  ASSERT_EQ(inputs->size(), 1U);
  EXPECT_EQ(inputs->at(0).first, "x");

  ASSERT_TRUE(write_file(file, npy("(3,)", {5, 6, 7})));
  const auto misfit = load_model(request.model, request.measure, request.hooks);
  ASSERT_FALSE(misfit);
  EXPECT_THAT(to_text(misfit.error()), HasSubstr("does not fit input \"w\""));
  request.model.inputs = {{"v", file}};
  const auto unknown = load_model(request.model, request.measure, request.hooks);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(to_text(unknown.error()), HasSubstr("unknown input \"v\""));
}

/// One step behind a cache of four, whose total length is an input.
void write_cached_attention(const std::filesystem::path& path) {
  Model model;
  model.opset = 17;
  model.ir_version = 8;
  model.other_opsets = {{"com.microsoft", 1}};
  const auto value = [](const std::string& name, DataType type, const Shape& shape) {
    Value result{name, type, true, {}};
    for (const int64_t extent : shape) result.dimensions.push_back({extent, ""});
    return result;
  };
  const auto cache = [&](const std::string& name) {
    return value(name, DataType::kFloat32, {1, 1, 4, 8});
  };
  const auto steps = [&](const std::string& name) {
    return value(name, DataType::kFloat32, {1, 1, 8});
  };
  model.graph.inputs = {steps("q"),
                        steps("k"),
                        steps("v"),
                        cache("pk"),
                        cache("pv"),
                        value("last", DataType::kInt32, {1}),
                        value("total", DataType::kInt32, {})};
  model.graph.nodes = {{"y",
                        "GroupQueryAttention",
                        "com.microsoft",
                        {"q", "k", "v", "pk", "pv", "last", "total"},
                        {"y"},
                        {{"num_heads", int64_t{1}}, {"kv_num_heads", int64_t{1}}}}};
  model.graph.outputs = {steps("y")};
  ASSERT_TRUE(write_onnx(model, path));
}

TEST(ModelSource, GivesACacheTheLengthThatItsShapesSay) {
  const TemporaryFolder folder = std::move(*TemporaryFolder::make());
  ProfileRequest request;
  request.model.name = folder.path() / "m.onnx";
  write_cached_attention(request.model.name);
  const auto seeded = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(seeded) << to_text(seeded.error());
  EXPECT_EQ(integers(seeded->graph.constants.at("total")), std::vector<int64_t>{5});
  request.model.inputs = {{"total", "4"}};
  const auto given = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(given) << to_text(given.error());
  EXPECT_EQ(integers(given->graph.constants.at("total")), std::vector<int64_t>{4});
}

TEST(ModelSource, TakesInputsFromFilesThatFit) {
  const TemporaryFolder folder = std::move(*TemporaryFolder::make());
  ProfileRequest request = request_for("relu 2x2");
  const auto model = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(model);
  const auto file = folder.path() / "x.npy";
  request.model.inputs["x0"] = file;
  ASSERT_TRUE(write_file(file, npy("(2, 2)", {1, 2, 3, 4})));
  const auto inputs = input_tensors(request.model, *model);
  ASSERT_TRUE(inputs) << to_text(inputs.error());
  EXPECT_EQ(inputs->at(0).second.as<float>()[2], 3);

  ASSERT_TRUE(write_file(file, npy("(4,)", {1, 2, 3, 4})));
  const auto misfit = input_tensors(request.model, *model);
  ASSERT_FALSE(misfit);
  EXPECT_EQ(misfit.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(misfit.error()), HasSubstr("float32 4"));
  EXPECT_THAT(to_text(misfit.error()), HasSubstr("float32 2x2"));

  std::filesystem::remove(file);
  EXPECT_FALSE(input_tensors(request.model, *model));
  request.model.inputs = {{"x1", file}};
  const auto unknown = input_tensors(request.model, *model);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(to_text(unknown.error()), HasSubstr("x0"));
}

}  // namespace
}  // namespace opbench
