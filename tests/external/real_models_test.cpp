#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "external_data.h"
#include "model/graph/onnx_export.h"
#include "model/graph/onnx_file.h"

/// Models of other people are read, and lose nothing when they are written.
namespace opbench {
namespace {

namespace fs = std::filesystem;

class RealModels : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(folder_)) GTEST_SKIP() << "no folder " << folder_;
  }

  fs::path folder_ = test::external_data() / "onnx-light";
};

TEST_F(RealModels, AreRead) {
  for (const char* name : {"bvlc_alexnet", "inception_v1", "resnet50", "squeezenet", "zfnet512"}) {
    const auto model = read_onnx(folder_ / (std::string("light_") + name + ".onnx"));
    ASSERT_TRUE(model) << to_text(model.error());
    EXPECT_EQ(model->opset, 9);
    EXPECT_EQ(model->graph.inputs.size(), 1U);
    EXPECT_EQ(model->graph.outputs.size(), 1U);
    EXPECT_EQ(model->graph.nodes.back().type, "Softmax");
  }
}

TEST_F(RealModels, LoseNothingWhenTheyAreWritten) {
  const TemporaryFolder written = TemporaryFolder::make().value();
  const fs::path path = written.path() / "m.onnx";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".onnx") continue;
    const auto model = read_onnx(entry.path());
    ASSERT_TRUE(model) << to_text(model.error());
    const auto done = export_onnx_file(*model, path, {});
    ASSERT_TRUE(done) << to_text(done.error());
    auto read = read_onnx(path);
    ASSERT_TRUE(read) << to_text(read.error());
    read->name = model->name;
    read->source = model->source;
    read->sha256 = model->sha256;
    read->file_bytes = model->file_bytes;
    EXPECT_EQ(*read, *model) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 5);
}

TEST_F(RealModels, HaveExpectedOutputs) {
  const auto tensor = read_tensor(folder_ / "light_resnet50_output_0.pb");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->type.data_type, DataType::kFloat32);
  EXPECT_EQ(tensor->type.size(), 1000);
}

}  // namespace
}  // namespace opbench
