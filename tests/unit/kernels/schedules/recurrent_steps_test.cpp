#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "expect_computes.h"

namespace opbench {
namespace {

constexpr const char* kSchedule = "recurrent_steps";

class RecurrentSteps : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, RecurrentSteps,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

std::string workload(const std::string& type, int steps, int batch, int units,
                     const std::string& attributes = "") {
  const int gates = type == "lstm" ? 4 : type == "gru" ? 3 : 1;
  const std::string state = fmt::format("1x{}x{}", batch, units);
  const std::string last = type == "lstm"  ? " " + state
                           : type == "gru" ? fmt::format(" w:{}", units)
                                           : "";
  return fmt::format("{}_steps {}x{}x{} w:{}x{} {}{}{}{}{}", type, steps, batch, gates * units,
                     gates * units, units, state, last, attributes,
                     type == "gru" ? " linear_before_reset=1" : "",
                     type == "lstm" ? " outputs=0,1" : "");
}

TEST_P(RecurrentSteps, ComputesUnitsThatNoVectorDivides) {
  for (const char* type : {"lstm", "gru", "rnn"}) {
    for (const int units : {1, 5, 16, 37}) {
      for (const char* direction : {"", " direction=reverse"}) {
        expect_computes(kSchedule, workload(type, 3, 2, units, direction), GetParam());
      }
    }
  }
}

TEST_P(RecurrentSteps, ComputesOneStepAndManySequences) {
  expect_computes(kSchedule, workload("lstm", 1, 1, 24), GetParam());
  expect_computes(kSchedule, workload("lstm", 2, 12, 20), GetParam());
  expect_computes(kSchedule, workload("gru", 4, 7, 33), GetParam());
}

TEST(RecurrentStepsRule, ComputesRandomShapes) {
  std::mt19937 engine(7);
  const auto below = [&](int end) {
    return static_cast<int>(engine() % static_cast<unsigned>(end));
  };
  for (int i = 0; i < 12; ++i) {
    const std::string type = std::vector<std::string>{"lstm", "gru", "rnn"}.at(below(3));
    const std::string direction = below(2) == 0 ? "" : " direction=reverse";
    expect_computes(kSchedule, workload(type, 1 + below(6), 1 + below(5), 1 + below(90), direction),
                    "host");
  }
}

TEST(RecurrentStepsRule, ComputesOtherActivations) {
  for (const char* name : {"Relu", "Sigmoid", "Softsign"}) {
    expect_computes(kSchedule, workload("rnn", 3, 2, 19, std::string(" activations=") + name),
                    "host");
  }
  EXPECT_FALSE(kernel_spec(workload("rnn", 3, 2, 19, " activations=Elu"), "host"));
}

TEST(RecurrentStepsRule, SharesUnitsAmongThreads) {
  set_kernel_threads(2);
  for (const char* type : {"lstm", "gru", "rnn"}) {
    auto spec = kernel_spec(workload(type, 2, 1, 272), "host", kSchedule, false, 2);
    ASSERT_TRUE(spec) << to_text(spec.error());
    EXPECT_EQ(spec->config.at("tasks"), type == std::string("rnn") ? 1 : 2);
    std::vector<double> errors;
    for (const int64_t tasks : {1, 2, 3}) {
      spec->config["tasks"] = tasks;
      const auto error = kernel_error(*spec);
      ASSERT_TRUE(error) << to_text(error.error());
      errors.push_back(*error);
    }
    // Random weights as large as these let a rounding error grow tenfold a step.
    EXPECT_LT(errors.front(), 1e-5) << type;
    EXPECT_THAT(errors, ::testing::Each(errors.front())) << type;
  }
  set_kernel_threads(1);
}

TEST(RecurrentStepsRule, TakesEveryKnob) {
  auto spec = kernel_spec(workload("lstm", 2, 4, 70), "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  const ScheduleDef& schedule = **schedule_table().find(kSchedule);
  for (const KnobRange& knob : schedule.knobs(*spec)) {
    for (const int64_t value : knob.values) {
      KernelSpec changed = *spec;
      changed.config[knob.name] = value;
      if (!check_spec(changed)) continue;
      const auto error = kernel_error(changed);
      ASSERT_TRUE(error) << to_text(error.error());
      EXPECT_LT(*error, 2e-6) << knob.name << " " << value;
    }
  }
}

TEST(RecurrentStepsRule, LeavesWhatItDoesNotCompute) {
  EXPECT_FALSE(kernel_spec("lstm_steps 3x1x16 w:16x4 1x1x4 1x1x4", "host"));
  EXPECT_FALSE(kernel_spec("rnn_steps 3x1x4 4x4 1x1x4", "host"));
  EXPECT_FALSE(kernel_spec("gru_steps 3x1x12 w:12x4 1x1x4", "host"));
}

TEST(RecurrentStepsRule, IsTheOnlyOneThatGivesSeveralOutputs) {
  for (const ScheduleDef& schedule : schedule_table().all()) {
    EXPECT_EQ(schedule.has_all_outputs, schedule.name == kSchedule) << schedule.name;
  }
}

}  // namespace
}  // namespace opbench
