#include "experiments/devices/device_times.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "machine/resources/pinning.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

constexpr int64_t kSide = 16;

Value square_value(const std::string& name) {
  return {.name = name, .dimensions = {{.value = kSide}, {.value = kSide}}};
}

/// h = x W; y = h h: the second unit reads the result of the first twice.
Model squared_product() {
  Model model{.name = "squared", .ir_version = 8, .opset = 17};
  const std::vector<float> weights(kSide * kSide, 0.5F);
  model.graph.inputs = {square_value("x")};
  model.graph.outputs = {square_value("y")};
  model.graph.constants["w"] = Tensor::of<float>(DataType::kFloat32, {kSide, kSide}, weights);
  model.graph.nodes = {
      {.name = "first", .type = "MatMul", .inputs = {"x", "w"}, .outputs = {"h"}},
      {.name = "second", .type = "MatMul", .inputs = {"h", "h"}, .outputs = {"y"}}};
  return model;
}

TEST(DeviceUnits, KnowTheBytesOfTheTensorsThatTheyRead) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  RunRequest request;
  request.model.name = folder.path() / "squared.onnx";
  request.measure.check_engine = "none";
  ASSERT_TRUE(write_onnx(squared_product(), request.model.name));
  const int cpu = current_affinity().front();
  const auto found = units_on_device(request, {.name = "a", .cpus = {cpu}});
  ASSERT_TRUE(found) << to_text(found.error());
  ASSERT_EQ(found->graph.size(), 2U);
  EXPECT_TRUE(found->graph.units[0].needs.empty());
  EXPECT_EQ(found->graph.units[1].needs, (std::vector<UnitNeed>{{0, 1024}}));
}

}  // namespace
}  // namespace opbench
