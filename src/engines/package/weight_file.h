#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/errors/error.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// Weights as kernels read them, one after the other in a file (`weights.bin`). The file only
/// grows, so that packages can share it.
class WeightFile {
 public:
  /// Where a weight lies.
  struct Place {
    int64_t offset = 0;
    int64_t bytes = 0;
    Shape physical;
  };

  /// Begins an empty file when the first weight comes, or `finish`.
  explicit WeightFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// The weight that was appended under this key; null: none was.
  const Place* find(const std::string& key) const;

  /// `kSystem` when it cannot be written.
  Result<Place> append(const std::string& key, const Tensor& packed);

  /// Makes all of it readable, and the file itself if it has no weight.
  Result<void> finish();

  /// A multiple of 64, as are all offsets.
  int64_t bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  Result<void> open();
  Result<void> check() const;

  std::filesystem::path path_;
  std::ofstream file_;
  std::map<std::string, Place> places_;  ///< by key
  int64_t bytes_ = 0;
};

}  // namespace opbench
