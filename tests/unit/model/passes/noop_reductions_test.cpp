#include <gmock/gmock.h>

#include <cmath>

#include "graph_runner.h"
#include "model/graph/onnx_file.h"
#include "onnx_text.h"

/// Reductions over no axis: the function of each element remains.
namespace opbench {
namespace {

using ::testing::Pointwise;

MATCHER(IsNear, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) < 1e-6F; }

/// The result over x = -2, 0.5, 3, as the model's units compute it.
std::vector<float> over_no_axis(const std::string& type, const std::string& axes,
                                const std::string& attributes) {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 18]>
g (float[1,3] x) => (float[1,3] y) <int64[0] none = {}> { y = )" +
                           type + " <" + attributes + "> (x" + axes + ") }";
  auto model = parse_onnx(test::onnx_of_text(text), "model", "");
  EXPECT_TRUE(model) << to_text(model.error());
  const std::vector<float> values = {-2, 0.5F, 3};
  const std::map<std::string, Tensor> x = {
      {"x", Tensor::of<float>(DataType::kFloat32, {1, 3}, values)}};
  const auto units = lower(*model);
  EXPECT_TRUE(units) << to_text(units.error());
  const auto y = run_units(*model, x);
  EXPECT_TRUE(y) << to_text(y.error());
  if (!y) return {};
  EXPECT_EQ(y->type.shape, (Shape{1, 3})) << type;
  return {y->as<float>().begin(), y->as<float>().end()};
}

std::vector<float> of_each(const std::string& type) {
  if (type == "ReduceL1" || type == "ReduceL2") return {2, 0.5F, 3};
  if (type == "ReduceSumSquare") return {4, 0.25F, 9};
  if (type == "ReduceLogSum") return {NAN, std::log(0.5F), std::log(3.0F)};
  return {-2, 0.5F, 3};
}

TEST(NoopReductions, ComputeTheFunctionOfEachElement) {
  for (const std::string type :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
        "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
    for (const std::string axes : {"", ", none"}) {
      std::vector<float> y = over_no_axis(type, axes, "noop_with_empty_axes = 1, keepdims = 0");
      std::vector<float> expected = of_each(type);
      ASSERT_EQ(y.size(), 3U) << type;
      EXPECT_EQ(std::isnan(y[0]), std::isnan(expected[0])) << type;
      if (std::isnan(expected[0])) y[0] = expected[0] = 0;
      EXPECT_THAT(y, Pointwise(IsNear(), expected)) << type << axes;
    }
  }
}

}  // namespace
}  // namespace opbench
