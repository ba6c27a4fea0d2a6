#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace opbench {

/// ONNX models, damaged in ways that a seed decides, read, lowered and run.
class OnnxFuzz {
 public:
  /// Learns from the models in the folder, at any depth, with their test data as initialisers once
  /// more; and from small built-in models.
  static Result<OnnxFuzz> make(uint64_t seed, const std::filesystem::path& folder);

  /// The model number `number`; equal for equal seeds.
  std::string input(uint64_t number) const;

  /// Reads the model, finds its types, folds and fuses it, writes it, and runs it by the operators'
  /// references where that is little work. Each of these may refuse it. `kSystem` saying what did
  /// not hold: an error must be one that a user can act on.
  Result<void> run(const std::string& bytes) const;

  size_t models() const { return models_.size(); }

 private:
  OnnxFuzz(uint64_t seed, TemporaryFolder folder) : seed_(seed), folder_(std::move(folder)) {}

  uint64_t seed_;
  TemporaryFolder folder_;  ///< where external data would lie: there are none
  std::vector<std::string> models_;
};

}  // namespace opbench
