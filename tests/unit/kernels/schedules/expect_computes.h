#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernel_harness.h"

namespace opbench {

/// That `schedule` computes the workload on dense tensors within 1e-5 of the reference, with the
/// knobs of `config` in the place of its rule's. For a target that this machine cannot run the
/// kernel is compiled and counted.
inline void expect_computes(const std::string& schedule, const std::string& workload,
                            const std::string& target, const Config& config = {}) {
  SCOPED_TRACE(workload + " for " + target);
  auto spec = kernel_spec(workload, target, schedule, false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  for (const auto& [knob, value] : config) spec->config.at(knob) = value;
  const auto error = kernel_error(*spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_THAT(*error, ::testing::Le(1e-5));
}

}  // namespace opbench
