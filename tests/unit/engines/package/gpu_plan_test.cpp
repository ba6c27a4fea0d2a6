#include <gtest/gtest.h>

#include <algorithm>

#include "engines/package/device_copies.h"
#include "engines/package/layout_plan.h"
#include "machine/target/parse_target.h"
#include "model/passes/bind_shapes.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

class GpuPlan : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, GpuPlan,
                         ::testing::Values("resnet-18", "mobilenet", "squeezenet_v1.1", "dpn68",
                                           "bert", "vit-base", "yolov3"));

TEST_P(GpuPlan, LeavesNoUnitToTheHost) {
  auto model = zoo_outline(GetParam(), 1);
  ASSERT_TRUE(model) << to_text(model.error());
  ASSERT_TRUE(bind_shapes(*model, {.otherwise = zoo_dimensions(GetParam())}));
  ASSERT_TRUE(infer_types(*model));
  const auto units = lower(*model);
  ASSERT_TRUE(units) << to_text(units.error());
  for (const char* target : {"opencl", "cuda -arch=sm_75"}) {
    const auto steps = plan_layouts(*model, *units, parse_target(target).value());
    ASSERT_TRUE(steps) << to_text(steps.error());
    EXPECT_FALSE(steps->empty());
    for (const PlannedStep& step : *steps) {
      EXPECT_TRUE(step.has_kernel()) << text_of(step.workload());
      EXPECT_FALSE(step.identity.is_layout_change());
    }
    const auto copied = with_device_copies(*model, *steps, {});
    const auto copies = std::ranges::count_if(
        copied, [](const PlannedStep& step) { return step.copy != StepCopy::kNone; });
    const size_t ends = model->graph.inputs.size() + model->graph.outputs.size();
    EXPECT_EQ(copies, static_cast<int64_t>(ends)) << "none between units";
  }
}

}  // namespace
}  // namespace opbench
