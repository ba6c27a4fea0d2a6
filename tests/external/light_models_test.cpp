#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/tensors/tensor_difference.h"
#include "external_data.h"
#include "graph_runner.h"
#include "model/graph/onnx_file.h"
#include "model/passes/bind_shapes.h"

namespace opbench {
namespace {

struct Light {
  const char* name;
  size_t units;
  double gflops;  ///< of one pass, all operators
};

void PrintTo(const Light& light, std::ostream* out) { *out << light.name; }

class LightModel : public ::testing::TestWithParam<Light> {
 protected:
  void SetUp() override {
    const auto path =
        test::external_data() / "onnx-light" / (std::string(GetParam().name) + ".onnx");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    auto read = read_onnx(path);
    ASSERT_TRUE(read) << to_text(read.error());
    model_ = std::move(*read);
    drop_unread_results(model_);
    ASSERT_TRUE(bind_shapes(model_, {}));
    const auto inferred = infer_types(model_);
    ASSERT_TRUE(inferred) << to_text(inferred.error());
    ASSERT_TRUE(randomize_weights(model_, 1));
  }

  void fold() {
    ASSERT_TRUE(fold_constants(model_));
    ASSERT_TRUE(fold_batch_norms(model_));
  }

  Model model_;
};

TEST_P(LightModel, BecomesUnitsWhoseTextsReadBack) {
  fold();
  double flops = 0;
  const std::vector<Unit> units = fuse(model_);
  for (const Unit& unit : units) {
    const std::string text = text_of(unit.workload);
    const auto again = parse_workload(text);
    ASSERT_TRUE(again) << text << "\n" << to_text(again.error());
    EXPECT_EQ(text_of(*again), text);
    EXPECT_EQ(flops_of(*again), flops_of(unit.workload));
    EXPECT_EQ(bytes_of(*again), bytes_of(unit.workload));
    EXPECT_EQ(again->graph.inputs, unit.workload.graph.inputs) << text;
    EXPECT_EQ(again->graph.nodes, unit.workload.graph.nodes) << text;
    flops += flops_of(unit.workload);
  }
  EXPECT_EQ(units.size(), GetParam().units);
  EXPECT_NEAR(flops / 1e9, GetParam().gflops, 0.005);
}

TEST_P(LightModel, GivesTheSameResultInUnits) {
  const auto inputs = random_inputs(model_.graph, 2);
  const auto before = run_nodes(model_, inputs);
  ASSERT_TRUE(before) << to_text(before.error());
  fold();
  const auto after = run_units(model_, inputs);
  ASSERT_TRUE(after) << to_text(after.error());
  EXPECT_LT(max_relative_error(*after, *before), 1e-5);
  const auto y = after->as<float>();
  const auto [low, high] = std::ranges::minmax(y);
  EXPECT_GT(high, 2 * low) << "a uniform result would prove nothing";
}

INSTANTIATE_TEST_SUITE_P(All, LightModel,
                         ::testing::Values(Light{"light_bvlc_alexnet", 14, 1.217},
                                           Light{"light_inception_v1", 84, 2.742},
                                           Light{"light_resnet50", 57, 7.914},
                                           Light{"light_squeezenet", 39, 0.681},
                                           Light{"light_zfnet512", 14, 2.801}),
                         [](const auto& light) { return std::string(light.param.name); });

}  // namespace
}  // namespace opbench
