// The engine `onnxruntime` as a process, asked through the protocol.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <map>
#include <memory>

#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/protocol/tensor_files.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

constexpr Seconds kOnnxruntimeEngineLimit{60};

/// y = operator(x) of any types.
onnx::ModelProto model_of(const std::string& node_type, const TensorType& type, int onnx_type,
                          int output_type) {
  onnx::ModelProto model = test::empty_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.clear_input();
  graph.clear_output();
  const auto add = [&](onnx::ValueInfoProto& value, const char* name, int element_type) {
    test::add_value(value, name, type.shape);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(element_type);
  };
  add(*graph.add_input(), "x", onnx_type);
  add(*graph.add_output(), "y", output_type);
  onnx::NodeProto& node = test::add_node(graph.mutable_node(), node_type, {"x"}, {"y"});
  if (node_type == "Cast") {
    test::add_attribute(node, "to", onnx::AttributeProto::INT).set_i(output_type);
  }
  return model;
}

/// An engine process that has said hello.
class OnnxRuntimeEngine : public ::testing::Test {
 protected:
  void SetUp() override {
    const EngineDef& engine = **engine_table().find("onnxruntime");
    if (const auto reason = engine.unavailable()) GTEST_SKIP() << *reason;
    EngineOptions options;
    options.folder = folder_.path();
    auto started = EngineProcess::start(engine.command(options));
    ASSERT_TRUE(started) << to_text(started.error());
    engine_ = std::move(*started);
    const auto hello = call("hello", {{"protocol", 1}, {"threads", 1}});
    ASSERT_TRUE(hello) << to_text(hello.error());
    EXPECT_THAT(hello->at("version").get<std::string>(), ::testing::StartsWith("1."));
  }

  Outcome<Json> call(const std::string& method, const Json& params) {
    return engine_->call(method, params, kOnnxruntimeEngineLimit);
  }

  Outcome<Json> prepare(const onnx::ModelProto& model, const Tensor& x,
                        const Json& more = Json::object()) {
    const auto path = folder_.path() / "model.onnx";
    std::ofstream(path, std::ios::binary) << model.SerializeAsString();
    Json params = {{"name", "m"}, {"kind", "onnx"}, {"path", path.string()}, {"profile", true}};
    params["inputs"] = Json::array({write_tensor(folder_.path() / "x.bin", "x", x).value()});
    params.update(more);
    return call("prepare", params);
  }

  Outcome<Json> run() {
    return call("run", {{"name", "m"}, {"outputs_dir", (folder_.path() / "out").string()}});
  }

  Outcome<Json> measure(int repeats = 4) {
    return call("measure", {{"name", "m"}, {"number", 5}, {"repeats", repeats}});
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::unique_ptr<EngineProcess> engine_;
};

Tensor counted(const TensorType& type) {
  Tensor tensor = Tensor::empty(type);
  for (size_t i = 0; i < tensor.data.size(); ++i) tensor.data[i] = static_cast<std::byte>(i % 2);
  return tensor;
}

TEST_F(OnnxRuntimeEngine, PassesTensorsOfEveryTypeAndRank) {
  const std::map<DataType, int> types = {
      {DataType::kFloat32, 1},  {DataType::kUint8, 2},   {DataType::kInt8, 3},
      {DataType::kUint16, 4},   {DataType::kInt16, 5},   {DataType::kInt32, 6},
      {DataType::kInt64, 7},    {DataType::kBool, 9},    {DataType::kFloat16, 10},
      {DataType::kFloat64, 11}, {DataType::kUint32, 12}, {DataType::kUint64, 13},
      {DataType::kBFloat16, 16}};
  for (const auto& [type, number] : types) {
    for (const Shape& shape : {Shape{2, 3}, Shape{}, Shape{0, 2}}) {
      const Tensor x = counted({type, shape});
      const auto what = std::string(name_of(type)) + " " + shape_text(shape);
      const auto prepared = prepare(model_of("Identity", x.type, number, number), x);
      ASSERT_TRUE(prepared) << what << ": " << to_text(prepared.error());
      const auto outputs = run();
      ASSERT_TRUE(outputs) << what << ": " << to_text(outputs.error());
      EXPECT_EQ(read_tensor(outputs->at("outputs").at(0)).value(), x) << what;
      EXPECT_TRUE(measure()) << what;
    }
  }
}

TEST_F(OnnxRuntimeEngine, MeasuresTextsButDoesNotPassThem) {
  const Tensor x = counted({DataType::kFloat32, {3}});
  const auto prepared =
      prepare(model_of("Cast", x.type, onnx::TensorProto::FLOAT, onnx::TensorProto::STRING), x);
  ASSERT_TRUE(prepared) << to_text(prepared.error());
  EXPECT_TRUE(measure());
  const auto outputs = run();
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().kind, FailureKind::kUnsupported);
  EXPECT_THAT(outputs.error().text, HasSubstr("output \"y\" has the type string"));
}

TEST_F(OnnxRuntimeEngine, RefusesSequences) {
  onnx::ModelProto model = test::empty_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  test::add_node(graph.mutable_node(), "SplitToSequence", {"x"}, {"y"});
  onnx::ValueInfoProto& output = *graph.mutable_output(0);
  output.clear_type();
  output.mutable_type()
      ->mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::FLOAT);
  const auto prepared = prepare(model, counted({DataType::kFloat32, {2}}));
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error(),
            (Failure{FailureKind::kUnsupported,
                     "output \"y\" is a sequence; an engine takes and gives tensors"}));
}

TEST_F(OnnxRuntimeEngine, MeasuresOutputsWhoseExtentsChange) {
  onnx::ModelProto model = test::empty_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.mutable_output(0)->mutable_type()->clear_value();
  graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  graph.mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_value(999);
  test::add_node(graph.mutable_node(), "RandomNormalLike", {"x"}, {"random"});
  test::add_node(graph.mutable_node(), "Relu", {"random"}, {"positive"});
  test::add_node(graph.mutable_node(), "NonZero", {"positive"}, {"y"});
  const auto prepared = prepare(model, counted({DataType::kFloat32, {999}}));
  ASSERT_TRUE(prepared) << to_text(prepared.error());
  const auto measured = measure(20);
  EXPECT_TRUE(measured) << to_text(measured.error());
}

TEST_F(OnnxRuntimeEngine, SaysWhichInputsAreMissingOrUnknown) {
  const Tensor x = counted({DataType::kFloat32, {2}});
  const auto prepared = prepare(test::relu_model(), x, {{"inputs", Json::array()}});
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error().text, HasSubstr("no tensor for the model's inputs: x"));
  ASSERT_TRUE(prepare(test::relu_model(), x));
  Json tensor = write_tensor(folder_.path() / "z.bin", "z", x).value();
  const auto outputs = call(
      "run",
      {{"name", "m"}, {"inputs", Json::array({tensor})}, {"outputs_dir", folder_.path().string()}});
  ASSERT_FALSE(outputs);
  EXPECT_THAT(outputs.error().text, HasSubstr("the model has no input \"z\""));
}

TEST_F(OnnxRuntimeEngine, LacksAnOperator) {
  onnx::ModelProto model = test::relu_model();
  model.mutable_graph()->mutable_node(0)->set_op_type("NoSuchOperator");
  const auto prepared = prepare(model, counted({DataType::kFloat32, {2}}));
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().kind, FailureKind::kUnsupported) << prepared.error().text;
}

TEST_F(OnnxRuntimeEngine, NamesTheNodesOfItsUnits) {
  onnx::ModelProto model = test::relu_model();
  auto* nodes = model.mutable_graph()->mutable_node();
  nodes->Mutable(0)->set_output(0, "a");
  test::add_node(nodes, "Sin", {"a"}, {"y"}).set_name("sine");
  ASSERT_TRUE(prepare(model, counted({DataType::kFloat32, {2}})));
  const auto profile = call("profile", {{"name", "m"}, {"runs", 3}});
  ASSERT_TRUE(profile) << to_text(profile.error());
  ASSERT_EQ(profile->at("units").size(), 2U) << profile->dump();
  EXPECT_EQ(profile->at("units")[0].at("nodes"), Json::array({"a"}));
  EXPECT_EQ(profile->at("units")[1].at("nodes"), Json::array({"sine"}));
  EXPECT_EQ(profile->at("units")[1].at("operator"), "Sin");
  EXPECT_EQ(profile->at("units")[1].at("outputs"),
            Json::parse(R"([{"data_type": "float32", "shape": [2]}])"));
  EXPECT_EQ(profile->at("runs").size(), 3U);
}

TEST_F(OnnxRuntimeEngine, KeepsWeightsOfAWorkloadInside) {
  onnx::ModelProto model = test::empty_model();
  test::add_value(*model.mutable_graph()->add_input(), "w", {2});
  test::add_node(model.mutable_graph()->mutable_node(), "Add", {"x", "w"}, {"y"});
  const Tensor x = Tensor::of<float>(DataType::kFloat32, {2}, std::array{1.0F, 2.0F});
  const Tensor w = Tensor::of<float>(DataType::kFloat32, {2}, std::array{10.0F, 20.0F});
  Json inputs = Json::array({write_tensor(folder_.path() / "x.bin", "x", x).value(),
                             write_tensor(folder_.path() / "w.bin", "w", w).value()});
  const auto prepared =
      prepare(model, x, {{"kind", "workload"}, {"inputs", inputs}, {"weights", {"w"}}});
  ASSERT_TRUE(prepared) << to_text(prepared.error());
  const auto outputs = run();
  ASSERT_TRUE(outputs) << to_text(outputs.error());
  EXPECT_EQ(read_tensor(outputs->at("outputs").at(0)).value(),
            Tensor::of<float>(DataType::kFloat32, {2}, std::array{11.0F, 22.0F}));
  const auto other = call("run", {{"name", "m"},
                                  {"inputs", Json::array({inputs[1]})},
                                  {"outputs_dir", folder_.path().string()}});
  EXPECT_FALSE(other) << "the weight is no input any more";
}

// Outputs of image size that are allocated anew at each call cost page faults at each.
TEST_F(OnnxRuntimeEngine, AllocatesNothingWhileItIsTimed) {
  const Tensor x = Tensor::empty({DataType::kFloat32, {1, 64, 56, 56}});
  ASSERT_TRUE(prepare(model_of("Identity", x.type, 1, 1), x));
  const auto measured = measure(20);
  ASSERT_TRUE(measured) << to_text(measured.error());
  int faulted = 0;
  for (const Json& sample : measured->at("samples")) faulted += sample.at("minor_faults") > 0;
  EXPECT_LT(faulted, 10) << measured->dump();
}

}  // namespace
}  // namespace opbench
