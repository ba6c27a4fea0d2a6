#pragma once

#include <string>

#include "base/errors/error.h"
#include "engines/package/weight_file.h"
#include "model/graph/graph.h"

namespace opbench {

/// Where a package has its weights from, and the file that it puts them into.
class PackageWeights {
 public:
  virtual ~PackageWeights() = default;

  /// The values of a constant of the lowered model, which stay until the next call.
  virtual Result<const Tensor*> values_of(const std::string& constant) = 0;

  /// Equal words, equal values, in all packages that share the file.
  virtual std::string identity_of(const std::string& constant) = 0;

  virtual WeightFile& file() = 0;
};

/// Those of one package: the constants of its model, in a file of its own.
class OwnWeights : public PackageWeights {
 public:
  OwnWeights(const Graph& graph, std::filesystem::path file)
      : graph_(graph), file_(std::move(file)) {}

  Result<const Tensor*> values_of(const std::string& constant) override {
    return &graph_.constants.at(constant);
  }
  std::string identity_of(const std::string& constant) override { return constant; }
  WeightFile& file() override { return file_; }

 private:
  const Graph& graph_;
  WeightFile file_;
};

}  // namespace opbench
