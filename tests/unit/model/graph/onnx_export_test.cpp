#include "model/graph/onnx_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OnnxExport : public testing::Test {
 protected:
  /// A model with constants of many types, attributes of every kind, free dimensions, two domains.
  static Model rich_model() {
    auto proto = test::relu_model();
    proto.add_opset_import()->set_domain("com.microsoft");
    proto.mutable_opset_import(1)->set_version(1);
    auto& type = *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
    type.mutable_shape()->mutable_dim(0)->set_dim_param("batch");
    Model model = parse_onnx(proto.SerializeAsString(), "rich", "").value();
    for (const DataType data_type : {DataType::kFloat32, DataType::kInt8, DataType::kBool,
                                     DataType::kFloat16, DataType::kInt64, DataType::kUint32}) {
      Tensor tensor = Tensor::empty({data_type, {2, 3}});
      std::ranges::fill(tensor.data, std::byte{1});
      model.graph.constants[std::string(name_of(data_type))] = std::move(tensor);
    }
    model.graph.constants["none"] = Tensor::empty({DataType::kFloat32, {0}});
    model.graph.nodes[0].attributes = {{"i", int64_t{-1}},
                                       {"f", 0.5F},
                                       {"s", std::string("x")},
                                       {"is", std::vector<int64_t>{}},
                                       {"fs", std::vector<float>{1}},
                                       {"ss", std::vector<std::string>{"a", ""}},
                                       {"t", model.graph.constants.at("int8")}};
    return model;
  }

  /// The model after being written and read; its origin is that of `model`.
  Model round_trip(const Model& model, ExportOptions options = {}) {
    const auto path = folder_.path() / "m.onnx";
    const auto written = export_onnx_file(model, path, std::move(options));
    EXPECT_TRUE(written) << to_text(written.error());
    auto read = read_onnx(path);
    EXPECT_TRUE(read) << to_text(read.error());
    if (!read) return {};
    read->name = model.name;
    read->source = model.source;
    read->sha256 = model.sha256;
    read->file_bytes = model.file_bytes;
    return std::move(*read);
  }

  std::string message_of(const Model& model) {
    const auto written = write_onnx(model, folder_.path() / "m.onnx");
    return written ? "no error" : to_text(written.error());
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(OnnxExport, LosesNothing) {
  for (const int64_t ir_version : {2, 3, 4, 13}) {
    Model model = rich_model();
    model.ir_version = ir_version;
    if (ir_version == 2) model.opset = 1;
    EXPECT_EQ(round_trip(model), model) << ir_version;
  }
}

TEST_F(OnnxExport, IsReadByLibprotobufToo) {
  const Model model = rich_model();
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(onnx_bytes(model).value()));
  EXPECT_EQ(proto.ir_version(), 8);
  EXPECT_EQ(proto.graph().name(), "g");
  EXPECT_EQ(proto.graph().initializer_size(), 7);
  EXPECT_TRUE(proto.unknown_fields().empty());
}

TEST_F(OnnxExport, PutsLargeConstantsOutside) {
  const Model model = rich_model();
  ExportOptions options;
  options.largest_inside_bytes = 16;
  EXPECT_EQ(round_trip(model, options), model);
  EXPECT_EQ(fs::file_size(folder_.path() / "m.onnx.data"), 6U * (4 + 1 + 1 + 2 + 8 + 4));
  const auto read = read_onnx(folder_.path() / "m.onnx");
  EXPECT_EQ(read->file_bytes, static_cast<int64_t>(fs::file_size(folder_.path() / "m.onnx") +
                                                   fs::file_size(folder_.path() / "m.onnx.data")));
}

TEST_F(OnnxExport, ShowsExtraOutputs) {
  Model model = rich_model();
  model.graph.types["x"] = {DataType::kFloat32, {2}};
  ASSERT_TRUE(write_onnx(model, folder_.path() / "m.onnx", {"x", "y"}));
  const auto read = read_onnx(folder_.path() / "m.onnx");
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_EQ(read->graph.outputs.size(), 2U);
  EXPECT_EQ(read->graph.outputs[1], (Value{"x", DataType::kFloat32, true, {Dimension{2, ""}}}));
}

TEST_F(OnnxExport, RefusesExtraOutputsOfUnknownType) {
  const auto written = write_onnx(rich_model(), folder_.path() / "m.onnx", {"z"});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "\"z\" cannot be an output: its type is unknown");
  EXPECT_FALSE(fs::exists(folder_.path() / "m.onnx"));
}

TEST_F(OnnxExport, RefusesWhatWasNotKept) {
  Model model = rich_model();
  model.graph.nodes[0].has_subgraph = true;
  EXPECT_THAT(message_of(model), HasSubstr("node \"y\" (Relu) has an attribute that is not kept"));
  model = rich_model();
  model.graph.constants["label"].type = {DataType::kString, {1}};
  EXPECT_THAT(message_of(model), HasSubstr("constant \"label\" of type string"));
}

TEST_F(OnnxExport, RefusesAPlaceThatCannotBeWritten) {
  const auto written = write_onnx(rich_model(), "/nowhere/m.onnx");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(written.error().message, "cannot write \"/nowhere/m.onnx\": No such file or directory");
}

}  // namespace
}  // namespace opbench
