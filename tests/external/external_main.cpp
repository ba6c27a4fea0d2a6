#include <gtest/gtest.h>

#include <iostream>

#include "external_data.h"

/// Runs the tests that read other people's logs and models; 77 where there are none.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto folder = opbench::test::external_data();
  if (!std::filesystem::is_directory(folder)) {
    std::cout << "needs other people's logs and models: OPBENCH_EXTERNAL_DATA names their folder\n";
    return 77;
  }
  return RUN_ALL_TESTS();
}
