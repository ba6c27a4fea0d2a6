#include "prediction/costs/physical_floor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/operators/workloads/workload.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using testing::HasSubstr;

Ceilings ceilings() { return {.peak_one_thread = 100, .peak_all_threads = 200}; }

UnitResult row(const std::string& workload, double flops, double ms) {
  UnitResult unit;
  unit.identity.texts.workload = workload;
  unit.flops = flops;
  unit.time = Measurement{.median_ms = ms};
  return unit;
}

TEST(PhysicalFloor, IsBelowEveryKernelThatIsKnown) {
  // 1 GFLOP at 100 GFLOP/s takes 10 ms; Winograd's F(6×6, 3×3) multiplies 5.06 times less.
  EXPECT_NEAR(physical_floor_s(1e9, false, ceilings(), 1), 0.01 / 5.0625 / 3, 1e-9);
  EXPECT_NEAR(physical_floor_s(1e9, false, ceilings(), 2), 0.005 / 5.0625 / 3, 1e-9);
  EXPECT_NEAR(physical_floor_s(1e9, true, ceilings(), 1), 0.01 / 5.0625 / 3 / 32, 1e-9);
  EXPECT_EQ(physical_floor_s(1e9, false, {}, 1), 0) << "no peak is known";
}

TEST(PhysicalFloor, ATimeBelowItIsImpossible) {
  const EngineResult engine{.threads = 1};
  EXPECT_FALSE(impossible_time(row("conv2d 1x64x56x56 w:64x64x3x3", 1e9, 0.7), engine, ceilings()));
  const auto failure =
      impossible_time(row("conv2d 1x64x56x56 w:64x64x3x3", 1e9, 0.6), engine, ceilings());
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, FailureKind::kWrongResult);
  EXPECT_THAT(failure->text, HasSubstr("impossible: 0.6 ms for 1e+03 MFLOP, which take 0.658 ms"));
}

TEST(PhysicalFloor, NarrowTypesMayBeQuicker) {
  const EngineResult engine{.threads = 1};
  EXPECT_FALSE(
      impossible_time(row("matmul_integer 4x64:uint8 64x8:int8", 1e9, 0.1), engine, ceilings()));
  EXPECT_FALSE(impossible_time(row("", 1e9, 0.1), engine, ceilings())) << "types are not known";
}

TEST(PhysicalFloor, OfAModelCountsProductsOfWhatTheRunBrings) {
  Model model;
  const Workload workload = *parse_workload("matmul 100x1000 1000x1000; relu");
  model.graph = workload.graph;
  model.opset = workload.opset;
  ASSERT_TRUE(infer_types(model));
  // 0.2 GFLOP at 100 GFLOP/s take 2 ms.
  EXPECT_FALSE(impossible_model_time(model, 0.00014, ceilings(), 1));
  EXPECT_TRUE(impossible_model_time(model, 0.00013, ceilings(), 1));
  for (const Value& input : model.graph.inputs) {
    model.graph.constants.emplace(input.name, Tensor::empty(model.graph.types.at(input.name)));
  }
  EXPECT_FALSE(impossible_model_time(model, 1e-9, ceilings(), 1)) << "computed before the run";
}

}  // namespace
}  // namespace opbench
