#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "engines/runtime/loaded_package.h"
#include "engines/runtime/program_json.h"
#include "small_program.h"

namespace opbench {

inline Tensor floats(const Shape& shape, const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, shape, values);
}

inline std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.as<float>().begin(), tensor.as<float>().end()};
}

/// A package of `small_program` with w = 0, 1, … 5.
class PackageFixture : public ::testing::Test {
 protected:
  PackageFixture() : folder_(std::move(*TemporaryFolder::make())) {}

  void write(const Program& program) {
    std::string weights(static_cast<size_t>(small_program().weight_bytes), '\0');
    for (int i = 0; i < 6; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(weights.data() + 64 + 4 * i, &value, 4);
    }
    ASSERT_TRUE(write_file(folder_.path() / "weights.bin", weights));
    ASSERT_TRUE(write_file(folder_.path() / "program.json", to_json(program).dump()));
  }

  Result<std::unique_ptr<LoadedPackage>> load(LoadOptions options = {}) {
    return LoadedPackage::load(folder_.path(), std::move(options));
  }

  std::unique_ptr<LoadedPackage> loaded(const Program& program = small_program(),
                                        LoadOptions options = {}) {
    write(program);
    auto package = load(std::move(options));
    EXPECT_TRUE(package) << to_text(package.error());
    return package ? std::move(*package) : nullptr;
  }

  TemporaryFolder folder_;
};

}  // namespace opbench
