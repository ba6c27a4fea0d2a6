#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "kernels_not_run.h"

namespace opbench {

/// At the end of a test program, one line: `kernels not run here: 3 for llvm -mcpu=haswell`; the
/// same as the property `kernels_not_run` of its results.
class KernelsNotRunReport : public ::testing::Environment {
 public:
  void TearDown() override {
    std::string text;
    for (const auto& [target, count] : kernels_not_run()) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " for " + target;
    }
    if (text.empty()) return;
    std::cout << "kernels not run here: " << text << "\n";
    ::testing::Test::RecordProperty("kernels_not_run", text);
  }
};

inline ::testing::Environment* const kKernelsNotRunReport =
    ::testing::AddGlobalTestEnvironment(new KernelsNotRunReport);

}  // namespace opbench
