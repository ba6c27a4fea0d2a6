#include "experiments/plan/plan_session.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/file.h"
#include "experiments/plan/plan_trial.h"
#include "machine/resources/pinning.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

constexpr int64_t kRows = 64;

Value square(const std::string& name) {
  return {.name = name, .dimensions = {{.value = kRows}, {.value = kRows}}};
}

/// (x w) (x w) on one branch, x x on the other.
Model two_branches() {
  Model model{.name = "branches", .ir_version = 8, .opset = 17};
  const std::vector<float> weights(kRows * kRows, 1.0F / kRows);
  model.graph.inputs = {square("x")};
  model.graph.outputs = {square("y")};
  model.graph.constants["w"] = Tensor::of<float>(DataType::kFloat32, {kRows, kRows}, weights);
  model.graph.nodes = {{.name = "left", .type = "MatMul", .inputs = {"x", "w"}, .outputs = {"l"}},
                       {.name = "right", .type = "MatMul", .inputs = {"x", "x"}, .outputs = {"r"}},
                       {.name = "square", .type = "MatMul", .inputs = {"l", "l"}, .outputs = {"s"}},
                       {.name = "sum", .type = "MatMul", .inputs = {"s", "r"}, .outputs = {"y"}}};
  return model;
}

TEST(PlanSession, OpensOneSessionAndOneForAPlanThatItTries) {
  if (current_affinity().size() < 2) GTEST_SKIP() << "a plan is for two CPUs";
  const TemporaryFolder folder = TemporaryFolder::make().value();
  int models_read = 0;
  PlanRequest request{.workers = 2};
  request.run.model.name = folder.path() / "branches.onnx";
  request.run.measure.check_engine = "none";
  request.run.measure.budget_s = 0.1;
  request.run.hooks.progress = [&](const Progress& progress) {
    models_read += progress.stage == "read" ? 1 : 0;
  };
  ASSERT_TRUE(write_onnx(two_branches(), request.run.model.name));
  const auto plan = run_plan(request);
  ASSERT_TRUE(plan) << to_text(plan.error());
  EXPECT_EQ(models_read, 1);
  const auto trial = try_plan(request.run, plan->file);
  ASSERT_TRUE(trial) << to_text(trial.error());
  EXPECT_EQ(trial->refusal, "");
  EXPECT_EQ(models_read, 2);
}

}  // namespace
}  // namespace opbench
