#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/errors/error.h"
#include "records/store/best/best_index.h"

namespace opbench {

/// Makes an index from trials in any order and an older index, in bounded memory: what has
/// gathered is written out sorted, and all that is merged at the end.
class BestIndexWriter {
 public:
  /// Sorted runs are written into `folder`. The older index is kept open until the end.
  BestIndexWriter(std::filesystem::path folder, const BestIndex* older);

  /// Whether a trial would be kept; saves the making of its texts.
  bool is_better(const BestKey& key, double mean_s, double timestamp) const;
  Result<void> add(const BestKey& key, const BestTrial& trial);

  /// Writes the index to `file`.
  Result<void> finish(const std::filesystem::path& file,
                      const std::map<std::string, std::vector<std::string>>& parts);

 private:
  struct KeyHash {
    size_t operator()(const BestKey& key) const { return key.workload ^ (key.target * 31); }
  };
  uint32_t number_of(const std::string& text);
  Result<void> spill();

  std::filesystem::path folder_;
  const BestIndex* older_;
  std::unordered_map<BestKey, std::string, KeyHash> gathered_;  ///< payloads
  size_t gathered_bytes_ = 0;
  std::vector<std::filesystem::path> runs_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace opbench
